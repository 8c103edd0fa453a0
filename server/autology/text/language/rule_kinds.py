"""The kinds of rules that a text sets, and their details."""

from __future__ import annotations

NAME, CALL, IMPORT = "name", "call", "import"
LITERAL, COMMAND, UNTOUCHED, VALUE = "literal", "command", "untouched", "value"
"""The kinds: what was ruled out, recognised anywhere, by its use, or only by an import; code as it is written; a
command; a file or folder that is not edited by hand; a value that was decided on."""

Rule = tuple[str, str, str]
"""A term's kind, the term, and its details: see :func:`detail`."""

TESTS = "@tests"
"""Stands for tests among the places of a rule."""
LONGEST_REASON = 160
"""Characters of a sentence that are shown as a reason."""


def detail(text: str = "", places: str = "", reason: str = "") -> str:
    """Return a rule's details: its *text* as written, the *places* where it holds (`!`: not), and its sentence."""
    return f"{text}\t{places}\t{' '.join(reason.split())[:LONGEST_REASON]}"
