"""Making renames survive a power failure beside the work that follows them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from threading import Thread

from autology.files import atomic


class Settling:
    """Folders that other threads sync meanwhile: a capture is indexed in the time that one sync takes."""

    def __init__(self) -> None:
        self._threads: list[Thread] = []

    def begin(self, folders: Iterable[str]) -> None:
        """Begin to sync *folders*, as :func:`atomic.settle` does."""
        if os.name == "nt":
            return
        for folder in folders:
            thread = Thread(target=atomic.settle, args=(folder,))
            try:
                thread.start()
            except RuntimeError:  # no more threads
                atomic.settle(folder)
            else:
                self._threads.append(thread)

    def finish(self) -> None:
        """Return once all of them are synced."""
        while self._threads:
            self._threads.pop().join()
