"""Text as it is displayed: without hidden characters and line continuations in words, wide letters as plain ones."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.sanitising import unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

_WIDE = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
"""Full-width letters, digits and signs."""
_CONTINUED = r"\\(?<=[\w+/=.~-]\\)\r?\n[ \t]{0,40}(?=[\w+/=.~-])"
"""A backslash at the end of a line, inside a word: the shell joins the two lines."""
_QUOTED = r"(?<==)3D|=\r?\n(?=[\w+/=.~-])"
"""Quoted-printable, the encoding of e-mail: an equals sign, and a soft line break."""
_MARKS = rb"\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])"
"""UTF-8 of zero-width and direction characters whose first byte is also that of common punctuation."""
_FIRST_BYTES = (b"\xef", b"\xf3", b"\xcd", b"\xd8", b"\xe1", b"\xe3")
_FIRST_BYTES_OF_FOUR = (b"\xf0\x9b", b"\xf0\x9d\x85")
"""The bytes with which other hidden characters and full-width ones begin in UTF-8; the second tuple: of four bytes."""
_PATTERNS = Patterns()
_of_bytes: list[re.Pattern[bytes]] = []


def unveiled(text: str, controls: bool) -> tuple[str, Sequence[int]] | None:
    """Return *text* as it is displayed, and the position of each of its letters in *text*; None if it is the same.

    *controls*: whether it has control characters.
    """
    raw = b"" if text.isascii() else text.encode("utf-8", "surrogatepass")
    hidden = controls or (raw and (any(map(raw.__contains__, _FIRST_BYTES)) or _marks().search(raw) is not None))
    if raw and not hidden and b"\xf0" in raw:
        hidden = any(map(raw.__contains__, _FIRST_BYTES_OF_FOUR))
    gaps = [span for span in unseen(text) if _between_words(text, *span)] if hidden else []
    if "\\" in text and ("\\\n" in text or "\\\r\n" in text):
        gaps = sorted([*gaps, *(match.span() for match in _PATTERNS[_CONTINUED].finditer(text))])
    if "=3D" in text:
        gaps = sorted([*gaps, *(match.span() for match in _PATTERNS[_QUOTED].finditer(text))])
    wide = raw and (b"\xef\xbc" in raw or b"\xef\xbd" in raw)
    plain = text.translate(_WIDE) if wide else text
    if not gaps:
        return (plain, range(len(text) + 1)) if plain != text else None
    parts: list[str] = []
    positions: list[int] = []
    at = 0
    for start, stop in gaps:
        if start < at:
            continue
        parts.append(plain[at:start])
        positions += range(at, start)
        at = stop
    parts.append(plain[at:])
    positions += range(at, len(text) + 1)
    return "".join(parts), positions


def _between_words(text: str, start: int, stop: int) -> bool:
    """Whether hidden characters stand inside a word, not beside white space or at an end of the text."""
    return start > 0 and stop < len(text) and not text[start - 1].isspace() and not text[stop].isspace()


def _marks() -> re.Pattern[bytes]:
    if not _of_bytes:
        import re

        _of_bytes.append(re.compile(_MARKS))
    return _of_bytes[0]
