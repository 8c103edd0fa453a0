"""The frontmatter fields of our files, nodes and memories: parsed or refused with a reason, compared, written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from autology.model.errors import UnreadableNodeError
from autology.text.language.timestamps import parse_stamp
from autology.text.notes import frontmatter, yaml_subset
from autology.text.notes.frontmatter import FRONTMATTER_LIMIT, Split
from autology.text.notes.yaml_subset import YamlError

V = TypeVar("V")


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
