"""Frontmatter: located, parsed, and edited without touching anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autology.text.notes import yaml_subset
from autology.text.notes.yaml_subset import Value, YamlError

FRONTMATTER_LIMIT = 100_000
"""The maximum length in characters; the longest seen in real vaults is under 5,000."""

_OPENING = re.compile(r"\ufeff?---[ \t]*(\r\n|\n)")
_CLOSING = re.compile(r"^---[ \t]*(?:\r\n|\n|\Z)", re.MULTILINE)
_CONFLICT = re.compile(r"^<{7} .*\n(?:.*\n)*?={7}\r?\n(?:.*\n)*?>{7} ", re.MULTILINE)
# A plain key ends at the colon, with any blanks before it: a pattern that excludes those takes a minute for 100,000.
_KEY = re.compile(r"""(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*|([^\s#\-\[\]{},&*!|>%@`"'][^:#\r\n]*)):(?=\s|\Z)""")


@dataclass(frozen=True, slots=True)
class Split:
    """A split text: ``opening + front + closing + body`` is the text again."""

    opening: str
    front: str
    closing: str
    body: str
    newline: str


def split(text: str) -> Split | None:
    """Return *text* split at its frontmatter, or None if it has none."""
    opening = _OPENING.match(text)
    if not opening:
        return None
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        return None
    return Split(
        text[: opening.end()],
        text[opening.end() : closing.start()],
        closing[0],
        text[closing.end() :],
        opening[1],
    )


def body_start(text: str) -> int:
    """Return the position after the frontmatter of *text*."""
    parts = split(text)
    return len(text) - len(parts.body) if parts else 0


def conflicted(text: str) -> bool:
    """Whether *text* contains an unresolved merge conflict."""
    return bool(_CONFLICT.search(text))


def read(front: str) -> dict[str, Value]:
    """Return the mapping in *front*, scalars as written.

    Raises:
        YamlError: it is too long, or not a mapping that we support.
    """
    if len(front) > FRONTMATTER_LIMIT:
        raise YamlError(f"is {len(front):,} characters long; {FRONTMATTER_LIMIT:,} is the limit")
    return yaml_subset.load_mapping(front)


def texts(value: object) -> Iterator[str]:
    """Yield every non-empty text in *value*, without the keys of mappings."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts(item)


def edit(front: str, changes: Mapping[str, object | None], order: Sequence[str], newline: str) -> str:
    """Return *front* with *changes* applied and every other byte unchanged.

    A change to None removes the key. A new key goes after the nearest one before it in *order*. If lines cannot be
    attributed to keys safely, the frontmatter is rewritten from its values: comments are lost then, values never.
    """
    before = read(front)
    after: dict[str, object] = {k: v for k, v in {**before, **changes}.items() if v is not None}
    edited = _edit_lines(front, changes, order, newline)
    if edited is not None and _means(edited, after):
        return edited
    ranked = sorted(after, key=lambda key: order.index(key) if key in order else len(order))
    return "".join(yaml_subset.entry(key, after[key], newline) for key in ranked)


def _means(front: str, expected: Mapping[str, object]) -> bool:
    try:
        return read(front) == _as_read(expected)
    except YamlError:
        return False


def _as_read(value: object) -> Value:
    if isinstance(value, Mapping):
        return {str(k): _as_read(v) for k, v in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_as_read(item) for item in value]
    return str(value)


@dataclass(frozen=True, slots=True)
class KeyLines:
    """A top-level key with its lines, as written."""

    key: str
    lead: str  # comments and blank lines above the key
    lines: str  # the key's line and its continuation


def _edit_lines(front: str, changes: Mapping[str, object | None], order: Sequence[str], newline: str) -> str | None:
    taken = entries(front)
    if taken is None:
        return None
    present, rest = taken
    if present and not present[-1].lines.endswith("\n"):
        return None
    done: list[KeyLines] = []
    for item in present:
        if item.key not in changes:
            done.append(item)
        elif (value := changes[item.key]) is not None:
            done.append(KeyLines(item.key, item.lead, yaml_subset.entry(item.key, value, newline)))
        else:
            done.append(KeyLines(item.key, item.lead, ""))
    keys = {item.key for item in present}
    for key, value in changes.items():
        if key not in keys and value is not None:
            done.insert(_place(done, key, order), KeyLines(key, "", yaml_subset.entry(key, value, newline)))
    return "".join(item.lead + item.lines for item in done) + rest


def _place(done: list[KeyLines], key: str, order: Sequence[str]) -> int:
    if key not in order:
        return len(done)
    earlier = set(order[: order.index(key)])
    return max((at + 1 for at, item in enumerate(done) if item.key in earlier), default=0)


def entries(front: str) -> tuple[list[KeyLines], str] | None:
    """Return the top-level entries of *front* and what trails them, or None if lines cannot be attributed."""
    result: list[KeyLines] = []
    pending = ""
    for line in front.splitlines(keepends=True) if _plain_lines(front) else ():
        blank = not line.strip() or line.startswith("#")
        if blank:
            pending += line
        elif line[0] in " \t" or line.startswith(("- ", "-\n", "-\r")):
            if not result:
                return None
            last = result[-1]
            result[-1] = KeyLines(last.key, last.lead, last.lines + pending + line)
            pending = ""
        elif key := _KEY.match(line):
            result.append(KeyLines((key[1] or key[2].rstrip(" \t")).strip("\"'"), pending, line))
            pending = ""
        else:
            return None
    return (result, pending) if result or not front.strip() else None


def _plain_lines(front: str) -> bool:
    # splitlines also splits at these; YAML does not.
    return not re.search(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", front)
