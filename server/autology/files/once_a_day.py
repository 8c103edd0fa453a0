"""Something done at most once a day, by whichever process comes first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta

from autology import private_files
from autology.files import lock
from autology.model.errors import StorageError
from autology.text.language.timestamps import moment, stamp

DAY = timedelta(days=1)


class DailyFile:
    """The :class:`~autology.core.memory.ports.Daily` that stores the time of the last run in the file at *path*."""

    def __init__(self, path: str, now: Callable[[], datetime]) -> None:
        self._path = path
        self._now = now

    def last(self) -> str | None:
        """Return the time of the last run, as a stamp."""
        try:
            with open(self._path, encoding="ascii") as file:
                text = file.read(40).strip()
            return stamp(moment(text))
        except (OSError, ValueError):
            return None

    @contextmanager
    def due(self) -> Iterator[bool]:
        """Yield whether the task is due, holding its lock; a normal exit records the run.

        If the file cannot be written it is never due, because the run could not be recorded."""
        with ExitStack() as stack:
            if not self._is_due() or not self._hold(stack):
                yield False
                return
            due = self._is_due()  # the previous holder may just have run it
            yield due
            if due:
                self._note()

    def _hold(self, stack: ExitStack) -> bool:
        try:
            private_files.folder(os.path.dirname(self._path))
            stack.enter_context(lock.held(f"{self._path}.lock", os.path.basename(self._path), 0.0))
        except (OSError, StorageError):
            return False
        return True

    def _is_due(self) -> bool:
        last = self.last()
        # A time in the future was recorded while the clock was wrong.
        return last is None or not timedelta(0) <= self._now() - moment(last) < DAY

    def _note(self) -> None:
        try:
            with open(self._path, "w", encoding="ascii", opener=private_files.opener) as file:
                file.write(stamp(self._now()) + "\n")
        except OSError:
            return  # it will be due again, which is harmless
