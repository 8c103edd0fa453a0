"""Message framing between our processes: length, checksum, payload."""

from __future__ import annotations

import struct
import zlib
from typing import IO

LONGEST = 1 << 28
"""Maximum bytes of a message; a greater length is invalid."""
_HEAD = struct.Struct("<II")


class BrokenError(ValueError):
    """Raised for an invalid or incomplete message."""


def send(stream: IO[bytes], data: bytes) -> None:
    """Write *data* as a message. Raises OSError if the other side is gone."""
    stream.write(_HEAD.pack(len(data), zlib.crc32(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Return the next message, or None at the end of the stream.

    Raises:
        BrokenError: the message is invalid or incomplete.
    """
    head = stream.read(_HEAD.size)
    if not head:
        return None
    if len(head) < _HEAD.size:
        raise BrokenError("truncated")
    length, checksum = _HEAD.unpack(head)
    data = stream.read(length) if length <= LONGEST else b""
    if len(data) != length or zlib.crc32(data) != checksum:
        raise BrokenError("checksum mismatch")
    return data
