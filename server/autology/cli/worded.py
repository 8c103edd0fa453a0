"""What mends a finding, worded for a terminal: each call of a tool as the command that does the same."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

_CALL = re.compile(r"autology_(\w+) (?=\{)")
_PLACED = {
    "delete": ("id",),
    "update": ("id",),
    "relate": ("source", "type", "target"),
    "unrelate": ("source", "type", "target"),
}
"""What stands behind a command without an option's name, in order."""


def as_commands(fix: str) -> str:
    """Return *fix* with every call of a tool that it names as a command."""
    made, rest = "", fix
    while found := _CALL.search(rest):
        try:
            given, end = json.JSONDecoder().raw_decode(rest, found.end())
        except ValueError:  # cut off, or not ours
            break
        made += f"{rest[: found.start()]}`{_command(found[1], given)}`"
        rest = rest[end:]
    return made + rest


def _command(name: str, given: dict[str, Any]) -> str:
    words = ["autology", name, *(shlex.quote(str(given[part])) for part in _PLACED.get(name, ()) if part in given)]
    for part, value in given.items():
        if part in _PLACED.get(name, ()):
            continue
        if part == "content" and str(value).startswith("…"):
            words.append("--edit")  # whoever does it knows what to write
            continue
        values = value if isinstance(value, list) else [value]
        words += [f"--{part.replace('_', '-')}", *(shlex.quote(_word(each)) for each in values)]
    return " ".join(words)


def _word(value: object) -> str:
    """Return *value* as a command takes it: a relation as its type and target."""
    return f"{value['type']}={value['target']}" if isinstance(value, dict) else str(value)
