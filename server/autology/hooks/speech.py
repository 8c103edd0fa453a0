"""How hooks put things: recalled text made safe, and no longer than a reader wants."""

from __future__ import annotations

from autology.text.fence import clean_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT_ID = 8
"""Letters of an id that are shown: every tool takes a beginning that is unique."""


def quoted(text: object, limit: int) -> str:
    """Return recalled *text* as one line that may be shown: cleaned, without secrets, at most *limit* characters."""
    if not isinstance(text, str):
        return ""
    from autology.text.redact import redact

    # Cleaned first: what hides inside a secret would hide the secret. Cut last: half of one would not be known.
    whole, _ = redact(clean_line(text, limit * 4))
    return clean_line(whole, limit)


def node_line(id: str, type: str, title: str, more: str = "") -> str:
    """Return a node as `decision 3f2a91c0 "Title" (more)`."""
    shown = f'{quoted(type, 20)} {clean_line(id, 40)[:SHORT_ID]} "{quoted(title, 90)}"'
    return f"{shown} ({quoted(more, 160)})" if more else shown


def some(lines: Sequence[str], limit: int, total: int | None = None) -> list[str]:
    """Return at most *limit* of *lines*, and how many there are more."""
    more = (len(lines) if total is None else total) - min(limit, len(lines))
    return [*lines[:limit], *([f"and {more:,} more"] if more > 0 else [])]


def count(number: int, noun: str) -> str:
    """Return `1 file`, `2 files`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def weight(text: str) -> int:
    """Return what *text* costs a model, in quarters of a token, guessed high.

    ASCII prose has four characters a token; a letter beyond it may take a whole token.
    """
    return len(text) if text.isascii() else sum(1 if letter < "\x80" else 4 for letter in text)


def context(event: str, text: str, message: str = "") -> dict[str, object]:
    """Return the client's form of *text* for the model and *message* for the user."""
    answer: dict[str, object] = {}
    if message:
        answer["systemMessage"] = message
    if text:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    return answer
