"""Long work: how its progress is reported, and the processes that share it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

Progress = Callable[[int, int], None]
"""Called with (done, total) during long work."""

Job = TypeVar("Job")
Made = TypeVar("Made")


class Pool(Protocol):
    """Work on many files, helped by other processes; the result is the same as without them."""

    def results(
        self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]
    ) -> AbstractContextManager[Iterator[Made]]:
        """Yield the result of *here* for each of *jobs*, in order, as they are consumed.

        Workers know by *kind* what *here* does. What they do not finish in time is done here; leaving the block ends
        them.
        """
