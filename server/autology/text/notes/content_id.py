"""The git blob id of a file's content, independent of its line endings."""

from __future__ import annotations

LENGTH = 16
"""Characters kept of it: 64 bits, and git finds the blob by them."""


def content_id(data: bytes) -> str:
    """Return the first characters of the id that git gives to *data* with its line ends as they are committed."""
    from hashlib import sha1

    plain = data.replace(b"\r\n", b"\n")
    return sha1(b"blob %d\0" % len(plain) + plain, usedforsecurity=False).hexdigest()[:LENGTH]
