"""What the page can ask for, by name: each call checks what it is given by its own signature."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pydantic

from autology.model.errors import ValidationError
from autology.web.project import Project

Json = dict[str, Any]
Call = Callable[..., Json]

MODULES = {
    "picture": ("overview", "graph"),
    "reading": ("opened", "titles", "trash"),
    "editing": ("create", "update", "delete", "restore", "relate", "unrelate", "combine", "undo"),
    "searching": ("search",),
    "timeline": ("timeline",),
    "past": ("sessions", "session"),
    "memory": ("memories",),
    "health": ("health",),
}
"""The calls by the modules that they are functions of; what only one view needs is loaded when that is asked for."""
CHANGING = "editing"
"""The one whose calls change something."""
CALLS = {name: module for module, names in MODULES.items() for name in names}


def answer(project: Project, name: str, given: Json) -> Json:
    """Return what the call *name* answers. Raises AutologyError."""
    if not _is_text(given):
        raise ValidationError("call", "holds half a character, which no file can carry", "Type that text again.")
    if name not in CALLS:
        raise ValidationError("call", f"there is none called '{name}'", "Reload the page.")
    try:
        told = _checked(name)(project, **given)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "call"
        raise ValidationError(field, str(first["msg"]).lower(), "Reload the page.") from None
    if CALLS[name] == CHANGING:
        project.share_soon()
    return told


def _is_text(given: Json) -> bool:
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    except RecursionError:  # no call takes such a thing, and each says so
        return True
    return True


@cache
def _checked(name: str) -> Call:
    call: Call = getattr(importlib.import_module(f"autology.web.{CALLS[name]}"), name)
    checked: Call = pydantic.validate_call(config=_STRICT)(call)
    return checked


_STRICT = pydantic.ConfigDict(strict=True, arbitrary_types_allowed=True)
