"""Keys of --json: all in snake case, also those that the tools have in camel case."""

from __future__ import annotations

import re
from typing import Any

_CAMEL_CASE = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+")
_CAPITAL = re.compile("[A-Z]")


def snake_case(value: Any) -> Any:
    """Return the JSON *value* with its keys, in objects within it too, in snake case."""
    if isinstance(value, dict):
        return {_renamed(key): snake_case(item) for key, item in value.items()}
    if isinstance(value, list):
        return [snake_case(item) for item in value]
    return value


def _renamed(key: str) -> str:
    return _CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", key) if _CAMEL_CASE.fullmatch(key) else key
