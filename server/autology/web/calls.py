"""The page's API calls, by name; arguments are validated against each function's signature."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pydantic

from autology.model.errors import ValidationError
from autology.web.project import PageProject

Json = dict[str, Any]
Call = Callable[..., Json]

MODULES = {
    "graph": ("overview", "graph", "compare", "around"),
    "reading": ("opened", "titles", "trash"),
    "editing": ("create", "update", "delete", "restore", "relate", "unrelate", "combine", "undo", "keep", "amend"),
    "searching": ("search",),
    "timeline": ("timeline",),
    "past_sessions": ("sessions", "session"),
    "memories": ("memories",),
    "mined": ("mined", "memory_findings", "accept_mined", "dismiss_mined"),
    "health": ("health", "records", "dismiss"),
    "images": ("image",),
    "history": ("history", "comparison"),
    "live": ("changes",),
    "quick_switcher": ("jump",),
    "recent": ("recent",),
}
"""The calls by module; each module is imported on its first call."""
CHANGING = ("editing", "mined")
"""The modules whose calls change notes."""
CALLS = {name: module for module, names in MODULES.items() for name in names}


def answer(project: PageProject, name: str, arguments: Json) -> Json:
    """Return the reply of the call *name*. Raises AutologyError."""
    if not _is_text(arguments):
        raise ValidationError("call", "contains half a surrogate pair", "Type that text again.")
    if name not in CALLS:
        raise ValidationError("call", f"unknown call '{name}'", "Reload the page.")
    try:
        reply = _checked(name)(project, **arguments)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "call"
        raise ValidationError(field, str(first["msg"]).lower(), "Reload the page.") from None
    if CALLS[name] in CHANGING:
        project.team.send_soon()
    return reply


def _is_text(arguments: Json) -> bool:
    try:
        json.dumps(arguments, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    except RecursionError:  # no call accepts such nesting, and validation reports it
        return True
    return True


@cache
def _checked(name: str) -> Call:
    call: Call = getattr(importlib.import_module(f"autology.web.{CALLS[name]}"), name)
    checked: Call = pydantic.validate_call(config=_STRICT)(call)
    return checked


_STRICT = pydantic.ConfigDict(strict=True, arbitrary_types_allowed=True)
