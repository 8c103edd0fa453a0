"""Text as an eye reads it: without hidden characters and line continuations in words, wide letters as plain ones."""

from __future__ import annotations

from autology.text.fence import unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

_WIDE = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
"""Full-width letters, digits and signs."""
_CONTINUED = r"(?<=[\w+/=.~-])\\\r?\n[ \t]{0,40}(?=[\w+/=.~-])"
"""A line that the shell joins to the next, in the midst of a word."""
_compiled: list[re.Pattern[str]] = []


def unveiled(text: str) -> tuple[str, Sequence[int]] | None:
    """Return *text* as it is read, and where each of its letters stands in *text*; None if it is read as it stands."""
    gaps = [span for span in unseen(text) if _between_words(text, *span)]
    if "\\\n" in text or "\\\r\n" in text:
        gaps = sorted([*gaps, *(match.span() for match in _continued().finditer(text))])
    plain = text if text.isascii() else text.translate(_WIDE)
    if not gaps:
        return (plain, range(len(text) + 1)) if plain != text else None
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for start, stop in gaps:
        if start < at:
            continue
        parts.append(plain[at:start])
        places += range(at, start)
        at = stop
    parts.append(plain[at:])
    places += range(at, len(text) + 1)
    return "".join(parts), places


def _between_words(text: str, start: int, stop: int) -> bool:
    """Whether what is hidden splits a word: not what stands at the end of a line or picks an emoji's picture."""
    return 0 < start and stop < len(text) and not text[start - 1].isspace() and not text[stop].isspace()


def _continued() -> re.Pattern[str]:
    if not _compiled:
        import re

        _compiled.append(re.compile(_CONTINUED))
    return _compiled[0]
