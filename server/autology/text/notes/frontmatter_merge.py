"""Three-way merge of frontmatter, key by key, in its author's wording and layout."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.text.language.timestamps import parse_stamp
from autology.text.notes import frontmatter, yaml_subset
from autology.text.notes.field_merge import OURS, THEIRS, UndecidedError, by_key, merge_value
from autology.text.notes.frontmatter import KeyLines
from autology.text.notes.three_way_merge import MARKER, pick
from autology.text.notes.yaml_subset import Unquoted, Value

_STANDING = re.compile(r"(?:: +|- +|[\[,{] *)([A-Za-z0-9.:+-]+) *(?=$|[\],}\r#])", re.MULTILINE)
MOMENTS = ("modified", "updated_at", "updated")
"""Keys with the time of a file's last change; the first that a file has counts."""


@dataclass(frozen=True, slots=True)
class MergedFront:
    """Frontmatter as text and values, and its conflicting keys: ours in *settled*."""

    text: str
    settled: Mapping[str, Value]
    undecided: tuple[str, ...] = ()


class LayoutError(ValueError):
    """Lines of the frontmatter cannot be attributed to keys."""


def newer_side(base: Mapping[str, Value], ours: Mapping[str, Value], theirs: Mapping[str, Value]) -> int | None:
    """Return the side with the later modification time; None if equal or unknown."""
    moments = [_moment(values) for values in (ours, theirs)]
    if moments[0] == moments[1] or _moment(base) is None is moments[OURS] is moments[THEIRS]:
        return None
    return OURS if (moments[OURS] or "") > (moments[THEIRS] or "") else THEIRS


def merge_front(base: str, ours: str, theirs: str, newline: str, marker: int = MARKER) -> MergedFront:
    """Return the frontmatter with both sides' changes of *base*.

    A value changed on one side keeps that side's lines, including comments. For a value changed on both, the newer side
    wins; without a newer one it becomes a conflict with markers.

    Raises:
        YamlError: one of them is not frontmatter that we support.
        LayoutError: lines of one of them cannot be attributed to keys.
    """
    values = [frontmatter.read(text) for text in (base, ours, theirs)]
    split = [_entries(text, read) for text, read in zip((base, ours, theirs), values, strict=True)]
    newer = newer_side(*values)
    merged: dict[str, Value] = {}
    undecided: list[str] = []
    parts: list[str] = []
    for key in _order([*values[1]], [*values[2]]):
        versions = [
            _Version(read.get(key), entries.get(key, _NO_LINES))
            for read, (entries, _) in zip(values, split, strict=True)
        ]
        try:
            newest = _of_places(versions) if newer is None and key in _FOLLOWED else newer
            value = merge_value(versions[0].value, versions[1].value, versions[2].value, newest)
        except UndecidedError:
            undecided.append(key)
            merged[key] = versions[1].value or ""
            parts.append(_marked(versions, marker, newline))
            continue
        parts.append(_comments(*(version.entry.lead for version in versions)))
        if value is not None:
            merged[key] = value
            parts.append(_lines(versions, key, value, newline))
    text = "".join(parts) + _comments(*(rest for _, rest in split))
    if not undecided and frontmatter.read(text) != merged:
        bare = _unquoted(ours + theirs)
        text = "".join(yaml_subset.entry(key, _as_written(value, bare), newline) for key, value in merged.items())
    return MergedFront(text, merged, tuple(undecided))


_FOLLOWED = ("record",)
"""Keys of places that are found again wherever they are: either side's value will do, if both merge to the same one."""


def _of_places(versions: Sequence[_Version]) -> int:
    return OURS if str(versions[1].value) >= str(versions[2].value) else THEIRS


_NO_LINES = KeyLines("", "", "")


@dataclass(frozen=True, slots=True)
class _Version:
    """A key as the base, our side or theirs has it."""

    value: Value | None
    entry: KeyLines


def _moment(values: Mapping[str, Value]) -> str | None:
    for key in MOMENTS:
        if isinstance(value := values.get(key), str) and value:
            try:
                return parse_stamp(value)
            except (ValueError, OverflowError):
                return None
    return None


def _entries(front: str, values: Mapping[str, Value]) -> tuple[dict[str, KeyLines], str]:
    taken = frontmatter.entries(front)
    by_key = {entry.key: entry for entry in taken[0]} if taken else {}
    if taken is None or by_key.keys() != values.keys() or (front and not front.endswith("\n")):
        raise LayoutError("its lines cannot be attributed to keys")
    return by_key, taken[1]


def _order(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Our keys in our order, theirs after the key that they follow."""
    our_keys = set(ours)
    behind: dict[str | None, list[str]] = {}
    anchor = None
    for key in theirs:
        if key in our_keys:
            anchor = key
        else:
            behind.setdefault(anchor, []).append(key)
    return [*behind.get(None, ()), *(name for key in ours for name in (key, *behind.get(key, ())))]


def _comments(base: str, ours: str, theirs: str) -> str:
    """The comments above a key or at the end: those of the changed side, or the lines of both."""
    picked = pick(base, ours, theirs)
    if picked is not None:
        return picked
    our_lines = set(ours.splitlines(keepends=True))
    return ours + "".join(line for line in theirs.splitlines(keepends=True) if line not in our_lines)


def _lines(versions: Sequence[_Version], key: str, value: Value, newline: str) -> str:
    _, ours, theirs = versions
    picked = pick(*(version.entry.lines for version in versions))
    for side in (ours, theirs) if picked != theirs.entry.lines else (theirs, ours):
        if side.entry.lines and side.value == value:
            return side.entry.lines
    written = _items_merged((theirs, ours), value) if isinstance(value, list) and value else None
    bare = _unquoted(ours.entry.lines + theirs.entry.lines)
    return written or yaml_subset.entry(key, _as_written(value, bare), newline)


def _unquoted(lines: str) -> frozenset[str]:
    """The unquoted words in *lines*."""
    return frozenset(_STANDING.findall(lines))


def _as_written(value: Value, bare: frozenset[str]) -> object:
    """*value* with words that are *bare* in the source left bare: a number stays one for other readers."""
    if isinstance(value, Mapping):
        return {key: _as_written(item, bare) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_written(item, bare) for item in value]
    return Unquoted(value) if value in bare else value


def _marked(versions: Sequence[_Version], marker: int, newline: str) -> str:
    _, ours, theirs = (version.entry.lead + version.entry.lines for version in versions)
    return f"{'<' * marker} ours{newline}{ours}{'=' * marker}{newline}{theirs}{'>' * marker} theirs{newline}"


# ---- lists with an item a line -------------------------------------------------------------------

_ITEM = re.compile(r"[ ]*- ")


def _items_merged(sides: Sequence[_Version], value: list[Value]) -> str | None:
    """The merged list with each item's layout kept, or None if lines cannot be attributed to items."""
    raw: dict[str, tuple[Value, str]] = {}
    heads = []
    for version in sides:
        if not isinstance(version.value, list) or not version.value:
            continue
        taken = _items(version.entry.lines)
        if taken is None or len(taken[1]) != len(version.value):
            return None
        heads.append(taken[0])
        raw |= {key: (item, text) for (key, item), text in zip(by_key(version.value).items(), taken[1], strict=False)}
    wanted = by_key(value)
    if not heads or any(key not in raw or raw[key][0] != item for key, item in wanted.items()):
        return None
    return heads[-1] + "".join(raw[key][1] for key in wanted)


def _items(lines: str) -> tuple[str, list[str]] | None:
    head, *rest = lines.splitlines(keepends=True)
    if not head.rstrip().endswith(":"):
        return None
    items: list[str] = []
    pending = ""
    indent = ""
    for line in rest:
        if line.lstrip().startswith("#") or not line.strip():
            pending += line
        elif (match := _ITEM.match(line)) and (not items or match[0] == indent):
            indent = match[0]
            items.append(pending + line)
            pending = ""
        elif items:
            items[-1] += pending + line
            pending = ""
        else:
            return None
    return None if pending else (head, items)
