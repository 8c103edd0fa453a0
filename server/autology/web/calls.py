"""What the page can ask for, by name: each call checks what it is given by its own signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pydantic

from autology.model.errors import ValidationError
from autology.web import editing, health, memory, past, picture, reading, searching, timeline
from autology.web.project import Project

Json = dict[str, Any]
Call = Callable[..., Json]

CALLS: Mapping[str, Call] = {
    "overview": picture.overview,
    "graph": picture.graph,
    "open": reading.opened,
    "titles": reading.titles,
    "trash": reading.trash,
    "create": editing.create,
    "update": editing.update,
    "delete": editing.delete,
    "restore": editing.restore,
    "relate": editing.relate,
    "unrelate": editing.unrelate,
    "combine": editing.combine,
    "undo": editing.undo,
    "search": searching.search,
    "timeline": timeline.timeline,
    "sessions": past.sessions,
    "session": past.session,
    "memories": memory.memories,
    "health": health.health,
}


def answer(project: Project, name: str, given: Json) -> Json:
    """Return what the call *name* answers. Raises AutologyError."""
    if name not in CALLS:
        raise ValidationError("call", f"there is none called '{name}'", "Reload the page.")
    try:
        return _checked(name)(project, **given)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "call"
        raise ValidationError(field, str(first["msg"]).lower(), "Reload the page.") from None


@cache
def _checked(name: str) -> Call:
    checked: Call = pydantic.validate_call(config=_STRICT)(CALLS[name])
    return checked


_STRICT = pydantic.ConfigDict(strict=True, arbitrary_types_allowed=True)
