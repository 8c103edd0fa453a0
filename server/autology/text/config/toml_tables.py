"""Adding a table to a TOML file, and removing it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

_HEADER = re.compile(r"[ \t]*\[\[?[ \t]*(.+?)[ \t]*\]\]?[ \t]*(?:#.*)?\r?\n?\Z")


def loaded(text: str) -> dict[str, Any]:
    """Return the data of *text*. Raises ValueError."""
    return tomllib.loads(text.removeprefix("\ufeff"))


def with_table(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """Return *text* with a table at its end. *values* are texts and lists of texts, which TOML writes as JSON does."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(path)}]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}{newline.join(lines)}{newline}"


def without_table(text: str, path: Sequence[str]) -> str:
    """Return *text* without that table, its sub-tables, and a blank line before it."""
    lines = text.splitlines(keepends=True)
    removed: set[int] = set()
    inside = False
    for number, line in enumerate(lines):
        header = _HEADER.match(line)
        if header:
            names = [name.strip().strip("\"'") for name in header[1].split(".")]
            inside = names[: len(path)] == list(path)
            if inside and number and not lines[number - 1].strip():
                removed.add(number - 1)
        if inside:
            removed.add(number)
    for number in range(len(lines) - 1, -1, -1):
        # Blank lines and comments before the next table belong to that.
        is_last = number + 1 not in removed and number + 1 < len(lines)
        if number in removed and is_last and (not lines[number].strip() or lines[number].lstrip().startswith("#")):
            removed.discard(number)
    return "".join(line for number, line in enumerate(lines) if number not in removed)
