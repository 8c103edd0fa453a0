"""The second pass of indexing: the vectors of files that were indexed by their words first."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from autology.core.long_work import Pool, Progress, without_garbage_collection

MANY = 250
"""Files from which their vectors are left to the second pass: a quarter of the time until words find all, and
0.15 s below that."""
VECTORS = "vectors"
"""The kind of the second pass's jobs for worker processes."""

SourceRange = tuple[int, int, int]
"""Sources that wait for their vectors: the first and last row of some, and how many they are."""


class SourceVectors(NamedTuple):
    """The vectors of a source's passages, in order."""

    source: int
    kind: str
    vectors: Sequence[bytes]


class SecondPass(Protocol):
    """The sources that were indexed without vectors; their texts wait in the index."""

    @property
    def may_lack_vectors(self) -> bool:
        """Whether there may be any; cheap."""

    def unencoded_sources(self) -> Sequence[SourceRange]:
        """Return these sources, in ranges of a moderate size."""

    def encoded(self, sources: SourceRange) -> Sequence[SourceVectors]:
        """Return the vectors of those that still wait; it writes nothing, so that a worker process may do it as well.

        Raises:
            StorageError: the index cannot be read.
        """

    def store_vectors(self, sources: Sequence[SourceVectors]) -> None:
        """Store vectors in one transaction, except those of sources that no longer wait."""


def encode(index: SecondPass, pool: Pool, progress: Progress | None = None, until: float | None = None) -> int:
    """Make the vectors that are missing, helped by the workers of *pool*; return how many sources are left.

    It stops at *until*, in :func:`time.monotonic` seconds; an interruption keeps the completed part.
    """
    if not index.may_lack_vectors or not (ranges := index.unencoded_sources()):
        return 0
    # Another process may do the same: what one has done, the other skips.
    first = random.randrange(len(ranges))  # noqa: S311 - not a secret
    jobs = [*ranges[first:], *ranges[:first]]
    done, total = 0, sum(count for _, _, count in ranges)
    with without_garbage_collection(), pool.results(VECTORS, jobs, index.encoded) as results:
        for (_, _, count), vectors in zip(jobs, results, strict=True):
            index.store_vectors(vectors)
            done += count
            if progress:
                progress(done, total)
            if until is not None and time.monotonic() >= until:
                break
    if done < total:
        return total - done
    later = index.unencoded_sources()  # a file that was indexed again meanwhile waits as another source
    return 0 if later == ranges else sum(count for _, _, count in later)
