"""What the files of nodes and memories share: fields parsed or refused with a reason, compared, written; line ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from autology.model.errors import UnreadableNodeError
from autology.model.memory import Memory
from autology.model.node import Node
from autology.text.language.timestamps import parse_stamp
from autology.text.notes import frontmatter, yaml_subset
from autology.text.notes.frontmatter import FRONTMATTER_LIMIT, Split
from autology.text.notes.yaml_subset import YamlError

V = TypeVar("V")
Note = TypeVar("Note", Node, Memory)

_WINDOWS = "\r\n"
_BARE = re.compile(r"(?<!\r)\n")


def read(text: str, load: Callable[[str], dict[str, V]]) -> tuple[Split, dict[str, V]]:
    """Return *text* split, and its fields as *load* parses them.

    Raises:
        UnreadableNodeError: it has none; the message tells the user what to fix.
    """
    parts = frontmatter.split(text)
    try:
        if parts is None:
            raise UnreadableNodeError("has no frontmatter between '---' lines")
        if len(parts.front) > FRONTMATTER_LIMIT:
            raise YamlError(f"is {len(parts.front):,} characters long; {FRONTMATTER_LIMIT:,} is the limit")
        return parts, load(parts.front)
    except (YamlError, UnreadableNodeError) as error:
        if frontmatter.conflicted(text):
            raise UnreadableNodeError("has an unresolved merge conflict") from None
        raise UnreadableNodeError(f"frontmatter {error}" if parts else str(error)) from None


def in_line_ends_of(text: str, before: Note, after: Note) -> Note:
    """Return *after* with the line ends that it will have once it replaces *before* in the file's *text*."""
    parts = frontmatter.split(text)
    if after.content == before.content or parts is None or parts.newline != _WINDOWS:
        return after
    content = _BARE.sub(_WINDOWS, after.content)
    # The author's own line ends stay if nothing else differs.
    return replace(after, content=before.content if content == _BARE.sub(_WINDOWS, before.content) else content)


def changed(old: Mapping[str, object | None], new: Mapping[str, object | None]) -> dict[str, object | None]:
    """Return the fields of *new* that differ from *old*; None for one to remove."""
    return {name: new.get(name) for name in {**old, **new} if old.get(name) != new.get(name)}


def written(fields: Mapping[str, object | None], newline: str = "\n") -> str:
    """Return *fields* as frontmatter, without those that are None."""
    return "".join(yaml_subset.entry(name, value, newline) for name, value in fields.items() if value is not None)


def moment(name: str, text: str) -> str | None:
    """Return the field *name*, a date and time, as a stamp; None if it is empty.

    Raises:
        UnreadableNodeError: it is not a date and time.
    """
    if not text:
        return None
    try:
        return parse_stamp(text)
    except (ValueError, OverflowError):  # a time zone may move it out of range
        raise UnreadableNodeError(f"{name} '{text[:40]}' is not a date and time") from None
