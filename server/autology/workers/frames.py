"""A message between two of our processes: how long it is, a checksum, its bytes."""

from __future__ import annotations

import struct
import zlib
from typing import IO

LONGEST = 1 << 28
"""Bytes of a message: what says that it is longer is no message of ours."""
_HEAD = struct.Struct("<II")


class BrokenError(ValueError):
    """What came is no whole message of ours."""


def send(stream: IO[bytes], data: bytes) -> None:
    """Write *data* as a message. Raises OSError: nobody listens any more."""
    stream.write(_HEAD.pack(len(data), zlib.crc32(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Return the next message, or None where there are no more.

    Raises:
        BrokenError: what came is none, or only a part of one.
    """
    head = stream.read(_HEAD.size)
    if not head:
        return None
    if len(head) < _HEAD.size:
        raise BrokenError("cut short")
    length, checksum = _HEAD.unpack(head)
    data = stream.read(length) if length <= LONGEST else b""
    if len(data) != length or zlib.crc32(data) != checksum:
        raise BrokenError("not what was sent")
    return data
