"""Decoding a file's bytes and encoding them again: UTF-8 or UTF-16, with byte order mark; others are refused."""

from __future__ import annotations

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_PROBED = 4_000
"""Bytes examined to recognise binary files."""


class UnreadableTextError(ValueError):
    """Bytes that are not text; the message says why."""


class Decoded:
    """A file's *text*, and what is needed to encode it in the same way."""

    __slots__ = ("_codec", "_mark", "text")

    def __init__(self, text: str, codec: str = "utf-8", mark: bytes = b"") -> None:
        self.text = text
        self._codec = codec
        self._mark = mark

    def encoded(self, text: str) -> bytes:
        """Return *text* as the bytes of such a file."""
        return self._mark + text.encode(self._codec)


def decode(data: bytes) -> Decoded:
    """Return *data* decoded.

    Raises:
        UnreadableTextError: it is not text in a supported encoding.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return Decoded(_text(data[len(mark) :], codec), codec, mark)
    codec = _unmarked(data[:_PROBED])
    return Decoded(_text(data, codec), codec)


def _unmarked(head: bytes) -> str:
    if b"\0" not in head:
        return "utf-8"
    # Plain words in UTF-16 have a zero in every other place, and none in between.
    for codec, zeros, letters in (("utf-16-le", head[1::2], head[0::2]), ("utf-16-be", head[0::2], head[1::2])):
        if b"\0" not in letters and zeros.count(0) > len(zeros) * 0.6:
            return codec
    raise UnreadableTextError("is not text: it contains zero bytes")


def _text(data: bytes, codec: str) -> str:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        name = "UTF-8" if codec == "utf-8" else "UTF-16"
        raise UnreadableTextError(f"is not {name} (byte {error.start}); save it as UTF-8") from None
    if "\0" in text:
        raise UnreadableTextError("is not text: it contains zero characters")
    return text
