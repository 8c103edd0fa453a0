"""Which messages of a client are well-formed beyond doubt.

The SDK validates messages with its own models. These checks are stricter: whatever they reject, the SDK answers itself.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENVELOPE_VERSION = "io.modelcontextprotocol/protocolVersion"
ENVELOPE_CLIENT = "io.modelcontextprotocol/clientInfo"
ENVELOPE_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
MAX_LINE = 100_000
"""Bytes of a line that is examined; a handshake has about 500."""
MAX_ID = 2**53
_TEXTS = ("name", "version", "title", "description", "websiteUrl")


def message(line: bytes) -> dict[str, Any] | None:
    """Return the request or notification in *line*, or None if it is neither or unusual in any way."""
    if len(line) > MAX_LINE or b"\\u" in line:  # an escape may hide half of a character
        return None
    try:
        value = json.loads(line.decode("utf-8").strip(), parse_constant=_reject, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not value.keys() <= {"jsonrpc", "id", "method", "params"}:
        return None
    if value.get("jsonrpc") != "2.0" or not isinstance(value.get("method"), str):
        return None
    if "params" in value and not isinstance(value["params"], dict):
        return None
    return value if "id" not in value or is_plain_id(value["id"]) else None


def is_plain_id(id: object) -> bool:
    """Whether *id* is written the same by every JSON library."""
    if isinstance(id, str):
        return len(id) <= 200 and id.isprintable()
    return isinstance(id, int) and not isinstance(id, bool) and abs(id) < MAX_ID


def is_handshake(params: dict[str, Any]) -> bool:
    """Whether *params* are valid parameters of ``initialize``."""
    return (
        params.keys() <= {"protocolVersion", "capabilities", "clientInfo"}
        and isinstance(params.get("protocolVersion"), str)
        and _are_capabilities(params.get("capabilities"))
        and _is_client(params.get("clientInfo"))
    )


def is_bare(params: dict[str, Any]) -> bool:
    """Whether *params* of a request after a handshake ask for nothing but the first page."""
    if not params.keys() <= {"_meta"}:
        return False
    meta = params.get("_meta", {})
    return isinstance(meta, dict) and _has_plain_token(meta) and meta.keys() <= {"progressToken"}


def has_envelope(params: dict[str, Any]) -> bool:
    """Whether *params* claim the protocol without a handshake."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and ENVELOPE_VERSION in meta


def is_enveloped(params: dict[str, Any], version: str) -> bool:
    """Whether *params* have a valid envelope of the protocol *version* and nothing else."""
    if not params.keys() <= {"_meta"}:
        return False
    meta = params.get("_meta")
    return (
        isinstance(meta, dict)
        and meta.keys() <= {ENVELOPE_VERSION, ENVELOPE_CLIENT, ENVELOPE_CAPABILITIES, "progressToken"}
        and meta.get(ENVELOPE_VERSION) == version
        and _are_capabilities(meta.get(ENVELOPE_CAPABILITIES))
        and (ENVELOPE_CLIENT not in meta or _is_client(meta[ENVELOPE_CLIENT]))
        and _has_plain_token(meta)
    )


def _has_plain_token(meta: dict[str, Any]) -> bool:
    return "progressToken" not in meta or is_plain_id(meta["progressToken"])


def _is_client(client: object) -> bool:
    return (
        isinstance(client, dict)
        and {"name", "version"} <= client.keys() <= set(_TEXTS)
        and all(isinstance(text, str) for text in client.values())
    )


def _are_capabilities(capabilities: object) -> bool:
    if not isinstance(capabilities, dict):
        return False
    return all(
        isinstance(value, dict) and all(_is_option(name, key, option) for key, option in value.items())
        for name, value in capabilities.items()
    )


def _is_option(capability: str, key: str, option: object) -> bool:
    if (capability, key) == ("roots", "listChanged"):
        return isinstance(option, bool)
    return isinstance(option, dict) and not option


def _without_duplicates(members: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(members)
    if len(value) < len(members):
        raise ValueError("a name occurs twice")  # parsers disagree on which counts
    return value


def _reject(constant: str) -> None:
    raise ValueError(constant)  # NaN and the infinities are not JSON
