"""The git blob id of a file's content, independent of its line endings."""

from __future__ import annotations

LENGTH = 16
"""Characters kept: 64 bits, enough for git to find the blob."""


def content_id(data: bytes) -> str:
    """Return the first characters of git's id for *data* with its line ends as committed."""
    from hashlib import sha1

    plain = data.replace(b"\r\n", b"\n")
    return sha1(b"blob %d\0" % len(plain) + plain, usedforsecurity=False).hexdigest()[:LENGTH]
