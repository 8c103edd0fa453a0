"""The heap of the server's process: one for all of its threads, without what is freed."""

from __future__ import annotations

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # of <malloc.h>
LARGE = 1_000_000
"""Bytes from which a block is given back to the system once it is freed; glibc raises its own limit with each."""


def share_between_threads() -> None:
    """Have threads that start from now on share one arena of glibc's; does nothing elsewhere.

    Each thread would keep what it once needed in an arena of its own: 12 of 109 MB at 10,000 notes. Python's own lock
    lets one thread allocate at a time anyway.
    """
    import ctypes  # the reports of changed files need it, too

    try:
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, 1)
        library.mallopt(_MMAP_THRESHOLD, LARGE)
    except (OSError, AttributeError, TypeError):
        return
