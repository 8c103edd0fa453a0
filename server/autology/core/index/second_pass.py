"""The second pass of indexing: the vectors of passages that were indexed by their words first."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from autology.core.index.embedding_queue import Reader
from autology.core.long_work import Pool, Progress

MANY = 250
"""Files from which their vectors are left to the second pass: a quarter of the time until all are found by words, and
0.15 s below that."""
VECTORS = "vectors"
"""The kind of the second pass's jobs for worker processes."""
JOB = 50
"""Files per job and per transaction: 0.05 s of work, repeated after a kill."""

File = tuple[str, str]
"""A file with unencoded passages: its kind and path."""


class EncodedFile(NamedTuple):
    """The vectors of a file's passages, by their ranges."""

    path: str
    vectors: Mapping[tuple[int, int], bytes]


class UnencodedPassages(Protocol):
    """The passages that were indexed without vectors."""

    @property
    def may_lack_vectors(self) -> bool:
        """Whether there may be any; cheap."""

    def unencoded_files(self, kinds: Sequence[str]) -> Sequence[File]:
        """Return the files of these kinds with such passages."""

    def built_in_vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        """Return the built-in encoder's vectors of *texts*; reads and writes nothing."""

    def store_vectors(self, files: Sequence[EncodedFile]) -> None:
        """Store the vectors of *files*, whose passages then no longer wait, in one transaction.

        A passage that has no vector there is gone from its file, which will be indexed again.
        """


def vectors(index: UnencodedPassages, readers: Mapping[str, Reader], files: Sequence[File]) -> list[EncodedFile]:
    """Return the vectors of the passages of *files*; none for a file that cannot be read."""
    encoded = []
    for kind, path in files:
        put = readers[kind](path)
        spans = [(passage.start, passage.stop) for passage in put.passages] if put else []
        rows = index.built_in_vectors(put.texts) if put else ()
        encoded.append(EncodedFile(path, dict(zip(spans, rows, strict=True))))
    return encoded


def encode(
    index: UnencodedPassages,
    kinds: Sequence[str],
    encoded: Callable[[Sequence[File]], Sequence[EncodedFile]],
    pool: Pool,
    progress: Progress | None = None,
    until: float | None = None,
) -> int:
    """Encode the unencoded passages of these *kinds*, with *encoded* or the workers of *pool*; return the files left.

    It stops at *until*, in :func:`time.monotonic` seconds; an interruption keeps the completed part.
    """
    if not index.may_lack_vectors or not (files := index.unencoded_files(kinds)):
        return 0
    done = 0
    jobs = [files[at : at + JOB] for at in range(0, len(files), JOB)]
    with pool.results(VECTORS, jobs, encoded) as results:
        for result in results:
            index.store_vectors(result)
            done += len(result)
            if progress:
                progress(done, len(files))
            if until is not None and time.monotonic() >= until:
                break
    return len(files) - done
