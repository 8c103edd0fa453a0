"""Records of agents in JSON: a file of one a line, and their fields, whatever is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import IO, Any

from autology.text.language.timestamps import stamp
from autology.transcripts.claude_code_records import repaired
from autology.transcripts.turns import TurnBuilder

LONGEST = 64 * 1024 * 1024
"""Maximum bytes of a line; a longer one is not a genuine record."""


def json_lines(file: IO[bytes], builder: TurnBuilder) -> Iterator[dict[str, Any]]:
    """Yield the objects in *file*, one a line; broken lines are counted, but for the last one if it is incomplete."""
    while line := file.readline(LONGEST):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            builder.broken += line.endswith(b"\n") or len(line) >= LONGEST
            continue
        if isinstance(fields, dict):
            yield repaired(fields) if b"\\u" in line or b"\xed" in line else fields
        else:
            builder.broken += 1


def mapping(value: object) -> Mapping[str, Any]:
    """Return *value* if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in *value*, if it is a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(fields: Mapping[str, Any], name: str) -> str:
    """Return the text in a field; "" if it has none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def texts(parts: object) -> str:
    """Return the text of *parts*, which may be one text, or a list of parts with a text each."""
    if isinstance(parts, str):
        return parts
    return "\n\n".join(text for part in items(parts) if (text := text_in(part, "text")))


def from_milliseconds(value: object) -> str:
    """Return the stamp of a time in milliseconds since 1970; "" if it is none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    try:
        return stamp(datetime.fromtimestamp(value / 1000, UTC))
    except (ValueError, OverflowError, OSError):
        return ""
