"""Wording of hook messages: recalled text made safe and bounded."""

from __future__ import annotations

from autology.text.sanitising import clean_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT_ID = 8
"""Characters of an id that are shown: tools accept any unique prefix."""
USER, ASSISTANT = "user: ", "assistant: "
"""What a turn of a past conversation begins with."""


def quoted(text: object, limit: int) -> str:
    """Return recalled *text* as one displayable line: cleaned, secrets redacted, at most *limit* characters."""
    if not isinstance(text, str):
        return ""
    from autology.text.redaction import redact

    # Cleaned first, because hidden characters would hide a secret. Cut last, because half a secret is not recognised.
    redacted, _ = redact(clean_line(text, limit * 4))
    return clean_line(redacted, limit)


def node_line(id: str, type: str, title: str, more: str = "") -> str:
    """Return a node as `decision 3f2a91c0 "Title" (more)`."""
    shown = f'{quoted(type, 20)} {clean_line(id, 40)[:SHORT_ID]} "{quoted(title, 90)}"'
    return f"{shown} ({quoted(more, 160)})" if more else shown


def capped(lines: Sequence[str], limit: int, total: int | None = None) -> list[str]:
    """Return at most *limit* of *lines*, followed by the number of omitted ones."""
    more = (len(lines) if total is None else total) - min(limit, len(lines))
    return [*lines[:limit], *([f"and {more:,} more"] if more > 0 else [])]


def count(number: int, noun: str) -> str:
    """Return `1 file`, `2 files`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def weight(text: str) -> int:
    """Return an upper estimate of the tokens in *text*, in quarters.

    ASCII prose has four characters per token; any other character may take a whole token.
    """
    return len(text) if text.isascii() else 4 * len(text) - 3 * len(text.encode("ascii", "ignore"))
