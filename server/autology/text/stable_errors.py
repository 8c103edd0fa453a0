"""The stable parts of an error: without what differs from one occurrence to the next."""

from __future__ import annotations

import re

_LOCATION = r"(?:, line|\bline|:)\s?\d+"
_VARYING = re.compile(
    r"\b[a-z][a-z0-9+.-]*://\S+"  # an address
    rf"|(?<![\w.])(?:[A-Za-z]:)?[\w.@~-]*(?:[/\\][\w.@~+-]+){{2,}}/?(?:{_LOCATION})*"  # a path
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\b0x[0-9a-f]+\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b"  # a commit or another id
    r"|\b\d{4}-\d\d-\d\d(?:[T ][\d:.,]+Z?)?"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"
    r"|\bip(?:-\d+){4}\b"
    r"|(?:\b[\w-]+\.)+(?:local|internal|lan|com|org|net|io|dev)(?::\d+)?\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.-])[+-]?\d[\d.,:]*(?:ms|s|kb|mb|gb|mi|gi|ki|b|%)?(?![\w-])", re.IGNORECASE)
_CODED = re.compile(
    r"(?:code|status|exit|errno|signal|http(?:/[\d.]+)?|sqlstate|error|err|[([]|^)\W{0,3}$", re.IGNORECASE
)
"""What stands before a number that is a tool's own code: `exit 137`, `HTTP 413`, `[Errno 111]`, `(code 1205)`."""
_CODE = 5
"""Digits of the longest code, such as an SQLSTATE."""
_BEFORE = 12
"""Characters before a number in which that is looked for."""


def stable(error: str) -> str:
    """Return *error* without paths, addresses, ids, times, hosts and numbers; codes of tools stay."""
    text = _VARYING.sub(" ", error)
    return _NUMBER.sub(lambda match: match[0] if _is_code(text, match) else " ", text)


def _is_code(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    return match[0].isdigit() and len(match[0]) <= _CODE and _CODED.search(before) is not None
