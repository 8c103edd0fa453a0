"""Long work: how its progress is reported, the processes that share it, and its garbage."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
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


AT_ONCE, PAUSE = 20, 0.005
"""Things done ahead at a time, for a millisecond or so, and the seconds left to other threads after it."""


def unhurried(things: Sequence[Job]) -> Iterator[Sequence[Job]]:
    """Yield *things*, a few at a time, with a pause for other threads before each batch."""
    for at in range(0, len(things), AT_ONCE):
        time.sleep(PAUSE)
        yield things[at : at + AT_ONCE]


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Pause garbage collection, in all threads, for work that leaves hardly any.

    To look for it among all that is read takes a tenth of indexing and checking notes, and a third of reading source.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
