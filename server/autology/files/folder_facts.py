"""What a folder's or file's metadata say about changes: whether it is still the same one, and in the same state."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple


class Facts(NamedTuple):
    """Hashes of a path's *identity* and of its *state*; 0 where there is nothing."""

    identity: int
    state: int


ABSENT = Facts(0, 0)


def look(path: str) -> Facts:
    """Return the facts of the file or folder at *path*.

    The time of the last change of metadata belongs to the state: `rsync -a` sets a folder's modification time back.
    """
    try:
        facts = os.stat(path)
    except OSError:
        return ABSENT
    identity = (facts.st_ino, facts.st_dev)
    return Facts(hash(identity), hash((identity, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size)))


def identities(facts: Sequence[Facts]) -> tuple[int, ...]:
    """Return the identities of *facts*."""
    return tuple(one.identity for one in facts)


def states(facts: Sequence[Facts]) -> tuple[int, ...]:
    """Return the states of *facts*."""
    return tuple(one.state for one in facts)
