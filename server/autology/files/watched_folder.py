"""What folders have in common whose changes the system may report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from autology.file_notifications import Notices


class Reporting(ABC):
    """A folder whose changed files *notices*, if there are any, report; :meth:`_sort_reports` collects their paths."""

    def __init__(self, notices: Notices | None) -> None:
        self._notices = notices
        self._edited: set[str] = set()

    def is_watched(self) -> bool:
        """Whether the system reports every change since the last scan."""
        return self._notices is not None and self._notices.is_complete()

    def edited(self) -> Sequence[str]:
        """Return the files changed since the last call, as far as the system reports it."""
        if not self._notices:
            return ()
        with self._notices.lock:
            self._sort_reports()
            edited, self._edited = sorted(self._edited), set()
        return edited

    @abstractmethod
    def _sort_reports(self) -> None:
        """Add the reported files to ``_edited``, and note what a walk has to find out."""
