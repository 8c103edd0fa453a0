"""The error for arguments that do not match a tool's schema."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from autology.text.sanitising import clean_line
from autology.tools.arguments import MAX_ITEMS
from autology.tools.errors import NAME

MAX_ARGUMENTS = 10
"""Maximum number of arguments named in an error."""

_EXPECTED = {
    "string_type": "a string",
    "bool_type": "a boolean",
    "list_type": "an array",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
}


def invalid_arguments(tool: str, parameters: Sequence[str], error: ValidationError) -> MCPError:
    """Return the error for arguments that do not match the schema; its data names each with its problem."""
    problems: dict[str, str] = {}
    for problem in error.errors(include_url=False, include_context=False):
        if len(problems) == MAX_ARGUMENTS:
            break
        problems.setdefault(
            _place(problem["loc"]),
            _problem(problem["type"], problem["input"], problem["loc"], parameters, problem["msg"]),
        )
    listed = "; ".join(f"{name} {problem}" for name, problem in problems.items())
    accepted = f"{tool} takes {', '.join(parameters)}." if parameters else f"{tool} takes no arguments."
    ending = f" {accepted}" if "is unknown" in problems.values() else ""
    return MCPError(types.INVALID_PARAMS, f"{tool}: {listed}.{ending}", {"arguments": problems})


def _place(loc: Sequence[str | int]) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{clean_line(part, NAME)}" for part in loc)
    return path.removeprefix(".") or "arguments"


def _problem(kind: str, value: Any, loc: Sequence[str | int], parameters: Sequence[str], message: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "string_too_short":
        return "is empty"
    if kind == "extra_forbidden":
        return "is unknown" + (_near(str(loc[0]), parameters) if len(loc) == 1 else " there")
    if kind == "too_long":
        return f"has more than {MAX_ITEMS:,} items"
    if kind == "too_large" or (kind == "float_type" and isinstance(value, int) and not isinstance(value, bool)):
        return "is too large"
    if expected := _EXPECTED.get(kind):
        return f"must be {expected}, not {_kind(value)}"
    return f"is invalid: {clean_line(message, 200)}"


def _near(name: str, parameters: Sequence[str]) -> str:
    similar = difflib.get_close_matches(name[:NAME], parameters, 1)
    return f" (did you mean {similar[0]}?)" if similar else ""


def _kind(value: object) -> str:
    if value is None:
        return "null"
    kinds: Mapping[type, str] = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
    }
    return kinds.get(type(value), "an object")
