"""Adding a member or a list's item to a JSON file that may have comments and trailing commas, and removing it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
DEPTH = 100
"""Maximum nesting: configuration files have a few levels."""


@dataclass(slots=True)
class _Value:
    """A value, where it begins and ends, and its members: (name, where that begins, value); a list's have no names."""

    data: Any
    start: int
    end: int = 0
    members: list[tuple[str, int, _Value]] = field(default_factory=list)


def loaded(text: str) -> dict[str, Any]:
    """Return the data of *text*; of a blank one, none. Raises ValueError."""
    return _root(text).data if text.strip("\ufeff \t\r\n") else {}


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """Return *text* with *value* at *path*; objects on the way are added. Raises ValueError."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    place = _root(text)
    depth = 0
    for name in path[:-1]:
        inner = _member(place, name)
        if inner is None:
            break
        place, depth = inner, depth + 1
    if not isinstance(place.data, dict):
        raise ValueError(f"{path[depth - 1]} is not an object")  # noqa: TRY004 - malformed, as other texts
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    unit = _indents(text, place)[0]
    return _inserted(text, place, f"{json.dumps(path[depth])}: {json.dumps(value, indent=unit, ensure_ascii=False)}")


def with_item(text: str, path: Sequence[str], value: object) -> str:
    """Return *text* with *value* as the last item of the list at *path*; a missing list is added. Raises ValueError."""
    place = _at(text, path)
    if place is None:
        return with_member(text, path, [value])
    if not isinstance(place.data, list):
        raise ValueError(f"{path[-1]} is not a list")  # noqa: TRY004 - malformed, as other texts
    return _inserted(text, place, json.dumps(value, indent=_indents(text, place)[0], ensure_ascii=False))


def without_item(text: str, path: Sequence[str], number: int) -> str:
    """Return *text* without an item of the list at *path*, and without the list if that was the only one."""
    place = _at(text, path)
    if place is None or not isinstance(place.data, list) or number >= len(place.data):
        return text
    if len(place.data) == 1 and not _has_comment(text, place):
        return without_member(text, path)
    return _removed(text, place, number)


def _at(text: str, path: Sequence[str]) -> _Value | None:
    if not text.strip("\ufeff \t\r\n"):
        return None
    place: _Value | None = _root(text)
    for name in path:
        place = _member(place, name) if place is not None and isinstance(place.data, dict) else None
    return place


def _inserted(text: str, place: _Value, member: str) -> str:
    """Return *text* with *member* as the last one of an object or a list."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit, own = _indents(text, place)
    member = member.replace("\n", f"{newline}{own}{unit}")
    if place.members:
        end = place.members[-1][2].end
        return f"{text[:end]},{newline}{own}{unit}{member}{text[end:]}"
    inner_text = text[place.start + 1 : place.end - 1].rstrip()
    return f"{text[: place.start + 1]}{inner_text}{newline}{own}{unit}{member}{newline}{own}{text[place.end - 1 :]}"


def without_member(text: str, path: Sequence[str]) -> str:
    """Return *text* without the member at *path*, and without the objects on the way that it leaves empty."""
    place = _root(text)
    places = [place]
    for name in path[:-1]:
        inner = _member(place, name)
        if inner is None:
            return text
        place = inner
        places.append(place)
    depth = len(path) - 1
    while depth and len(places[depth].members) == 1 and not _has_comment(text, places[depth]):
        depth -= 1  # the object would be empty
    place = places[depth]
    names = [name for name, _, _ in place.members]
    if path[depth] not in names:
        return text
    return _removed(text, place, names.index(path[depth]))


def _removed(text: str, place: _Value, at: int) -> str:
    """Return *text* without the member of that number."""
    _, start, value = place.members[at]
    if at:
        return text[: place.members[at - 1][2].end] + text[value.end :]
    if len(place.members) > 1:
        return text[:start] + text[place.members[1][1] :]
    rest = text[value.end : place.end - 1].lstrip(" \t,")
    head = text[place.start + 1 : start].rstrip()
    return f"{text[: place.start + 1]}{head}{rest if head or rest.strip() else ''}{text[place.end - 1 :]}"


def _has_comment(text: str, place: _Value) -> bool:
    """Whether there is anything in an object beside its only member."""
    _, start, value = place.members[0]
    return bool((text[place.start + 1 : start] + text[value.end : place.end - 1]).strip(" \t\r\n,"))


def _member(place: _Value, name: str) -> _Value | None:
    return next((value for key, _, value in reversed(place.members) if key == name), None)


def _indents(text: str, place: _Value) -> tuple[str, str]:
    """Return the file's step of indentation, and the indentation of the line in which an object begins."""
    first = re.search(r"\n([ \t]+)\S", text)
    line = text.rfind("\n", 0, place.start) + 1
    own = re.compile(r"[ \t]*").match(text, line)
    return (first[1] if first else "  "), (own[0] if own else "")


def _root(text: str) -> _Value:
    at = _skipped(text, 1 if text.startswith("\ufeff") else 0)
    value = _value(text, at, 0)
    if _skipped(text, value.end) != len(text):
        raise ValueError(f"unexpected text at character {value.end}")
    if not isinstance(value.data, dict):
        raise ValueError("not an object")  # noqa: TRY004 - malformed, as other texts
    return value


def _skipped(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> _Value:
    if depth > DEPTH:
        raise ValueError("nested too deeply")
    if text[at : at + 1] == "{":
        return _object(text, at, depth)
    if text[at : at + 1] == "[":
        return _list(text, at, depth)
    match = _STRING.match(text, at) or _WORD.match(text, at)
    if not match:
        raise ValueError(f"unexpected text at character {at}")
    return _Value(json.loads(match[0]), at, match.end())


def _object(text: str, start: int, depth: int) -> _Value:
    value = _Value({}, start)
    at = _skipped(text, start + 1)
    while text[at : at + 1] != "}":
        match = _STRING.match(text, at)
        colon = _skipped(text, match.end()) if match else at
        if not match or text[colon : colon + 1] != ":":
            raise ValueError(f"unexpected text at character {at}")
        name = json.loads(match[0])
        inner = _value(text, _skipped(text, colon + 1), depth + 1)
        value.data[name] = inner.data
        value.members.append((name, at, inner))
        at = _after(text, inner.end, "}")
    value.end = at + 1
    return value


def _list(text: str, start: int, depth: int) -> _Value:
    value = _Value([], start)
    at = _skipped(text, start + 1)
    while text[at : at + 1] != "]":
        inner = _value(text, at, depth + 1)
        value.data.append(inner.data)
        value.members.append(("", at, inner))
        at = _after(text, inner.end, "]")
    value.end = at + 1
    return value


def _after(text: str, end: int, closing: str) -> int:
    """Return where the next member begins, or the closing bracket."""
    at = _skipped(text, end)
    if text[at : at + 1] == ",":
        return _skipped(text, at + 1)
    if text[at : at + 1] != closing:
        raise ValueError(f"unexpected text at character {at}")
    return at
