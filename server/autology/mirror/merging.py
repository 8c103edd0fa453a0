"""Merging versions of a memory: what does not contradict is joined, in the same way on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from autology.mirror.versions import History, Version, version
from autology.model.errors import UnreadableNodeError
from autology.model.memory import Memory, content_hash
from autology.text.notes.memory_file import edit_memory, read_memory
from autology.text.notes.note_merge import UnmergeableError, merge_note
from autology.text.notes.three_way_merge import MARKER, Merged


@dataclass(frozen=True, slots=True)
class Settled:
    """The versions that remain of a memory: one, or several that contradict each other; *merged* are new."""

    heads: tuple[Version, ...]
    merged: tuple[Version, ...] = ()
    restored: bool = False
    """Whether a change survived a deletion that was made without knowing it."""


def settle(history: History, memory: str, machine: str) -> Settled:
    """Add to *history* the merges of the versions of *memory* that can be merged; return what remains."""
    added: list[Version] = []
    restored = False
    while len(heads := history.heads(memory)) > 1:
        alive = [head for head in heads if head.text is not None]
        if len(alive) < len(heads):
            gone = [head for head in heads if head.text is None]
            survivor = alive[0] if alive else gone[0]
            restored = restored or bool(alive)
            added.append(version(memory, [survivor.name, *(head.name for head in gone)], survivor.text, machine))
        elif (joined := _first_merge(history, alive)) is not None:
            one, other, text = joined
            added.append(version(memory, [one.name, other.name], text, machine))
        else:
            break
        history.add(added[-1])
    return Settled(tuple(heads), tuple(added), restored)


def _first_merge(history: History, heads: Sequence[Version]) -> tuple[Version, Version, str] | None:
    for one, other in combinations(heads, 2):
        base = history.base(one, other)
        text = merged_text(base.text if base and base.text else "", one.text or "", other.text or "")
        if text is not None:
            return one, other, text
    return None


def merged_text(base: str, one: str, other: str) -> str | None:
    """Return the memory with both sides' changes of *base* ("" for none); None if they contradict each other.

    No side is newer: a value that both changed is a contradiction, but for the times, of which the later is kept.
    """
    if one == other:
        return one
    try:
        sides = [read_memory(text) for text in (one, other)]
        result = _merged(base, one, other)
        if result.conflicts:
            return None
        memory = read_memory(result.text)
        return edit_memory(result.text, _with_times(memory, sides)) if memory.id == sides[0].id else None
    except (UnreadableNodeError, UnmergeableError):
        return None


def conflict_text(base: str, one: str, other: str, name: str) -> str:
    """Return both texts for people, with what they contradict each other in between markers; *other* is of *name*."""
    try:
        result = _merged(base, one, other)
        text = result.text if result.conflicts else ""
    except (UnreadableNodeError, UnmergeableError):
        text = ""
    if not text:
        text = f"{_OURS}\n{one}\n{'=' * MARKER}\n{other}\n{_THEIRS}\n"
    for key in ("created_at", "updated_at"):
        text = text.replace(f"{key}: {_NO_TIME}\n", "")
    return text.replace(_OURS, f"{'<' * MARKER} here").replace(_THEIRS, f"{'>' * MARKER} {name}")


def _merged(base: str, one: str, other: str) -> Merged:
    """Merge without what always differs. Raises UnreadableNodeError, UnmergeableError."""
    ours, theirs = (edit_memory(text, _plain(read_memory(text))) for text in (one, other))
    return merge_note(edit_memory(base, _plain(read_memory(base))) if base else "", ours, theirs)


_OURS, _THEIRS = f"{'<' * MARKER} ours", f"{'>' * MARKER} theirs"


_NO_TIME = "1970-01-01T00:00:00Z"


def _plain(memory: Memory) -> Memory:
    """Return *memory* without what always differs."""
    return replace(memory, updated_at=_NO_TIME, created_at=_NO_TIME, expires_at=None, content_hash="")


def _with_times(memory: Memory, sides: Sequence[Memory]) -> Memory:
    """Return *memory* with the earliest creation, the latest change and the latest expiry of *sides*, or none."""
    ends = [side.expires_at for side in sides]
    return replace(
        memory,
        created_at=min(side.created_at for side in sides),
        updated_at=max(side.updated_at for side in sides),
        expires_at=None if None in ends else max(end for end in ends if end is not None),
        content_hash=content_hash(memory.content),
    )
