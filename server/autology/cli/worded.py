"""Fixes worded for a terminal: each tool call as the equivalent command."""

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
"""The positional arguments of a command, in order."""


def as_commands(fix: str) -> str:
    """Return *fix* with every tool call in it as a command."""
    text, rest = "", fix
    while call := _CALL.search(rest):
        try:
            args, end = json.JSONDecoder().raw_decode(rest, call.end())
        except ValueError:  # truncated, or not ours
            break
        text += f"{rest[: call.start()]}`{_command(call[1], args)}`"
        rest = rest[end:]
    return text + rest


def _command(name: str, args: dict[str, Any]) -> str:
    words = ["autology", name, *(shlex.quote(str(args[part])) for part in _PLACED.get(name, ()) if part in args)]
    for part, value in args.items():
        if part in _PLACED.get(name, ()):
            continue
        if part == "content" and str(value).startswith("…"):
            words.append("--edit")  # the user will write the content
            continue
        values = value if isinstance(value, list) else [value]
        words += [f"--{part.replace('_', '-')}", *(shlex.quote(_word(item)) for item in values)]
    return " ".join(words)


def _word(value: object) -> str:
    """Return *value* as a command's argument: a relation as its type and target."""
    return f"{value['type']}={value['target']}" if isinstance(value, dict) else str(value)
