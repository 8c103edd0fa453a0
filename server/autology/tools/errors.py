"""Errors in the form of the protocol: invalid arguments and failed calls."""

from __future__ import annotations

import re
import sys
import traceback

import mcp_types as types
from mcp.shared.exceptions import MCPError

from autology import log
from autology.model.errors import AutologyError
from autology.render.next_steps import error_for_tools
from autology.text.redaction import redact
from autology.text.sanitising import clean_block, clean_line

MESSAGE_LIMIT = 4_000
"""Characters of an error; a list of near ids with their titles has about 600."""
NAME = 60
# Replaced one by one first: taken as the start of an escape sequence, one could swallow the next step after it.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def unknown_tool(name: str) -> MCPError:
    """Return the error for an unknown tool."""
    return MCPError(types.INVALID_PARAMS, f"Tool {clean_line(name, NAME)} not found")


def unknown_prompt(name: str) -> MCPError:
    """Return the error for an unknown prompt."""
    return MCPError(types.INVALID_PARAMS, f"Prompt {clean_line(name, NAME)} not found")


def failed(error: AutologyError, prefix: str = "") -> types.CallToolResult:
    """Return the result of a call that raised one of our errors; *prefix* precedes the message."""
    text, _ = redact(f"{prefix}{error_for_tools(error)}")  # it may repeat the rejected value
    return _result(plain(text, MESSAGE_LIMIT))


def unknown_resource(uri: str) -> MCPError:
    """Return the error for an unknown resource."""
    shown = clean_line(uri, 200)
    return MCPError(types.INVALID_PARAMS, f"Resource {shown} not found", {"uri": shown})


def unexpected(tool: str, error: Exception) -> types.CallToolResult:
    """Return the result of a call that failed unexpectedly, and log it."""
    sys.stderr.write(redact("".join(traceback.format_exception(error)))[0])
    log.write(tool, error)
    kind = type(error).__name__
    return _result(f"internal error ({kind}) in {tool}. Nothing else is affected; see `autology doctor --log`.")


def plain(text: str, limit: int) -> str:
    """Return *text* without terminal control characters, at most *limit* characters."""
    return clean_block(_CONTROL.sub("?", text[: 2 * limit]), limit)


def _result(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
