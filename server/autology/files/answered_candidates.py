"""The mined candidates that the user accepted or dismissed: a line for each, appended, never rewritten."""

from __future__ import annotations

import os

from autology import private
from autology.model.errors import StorageError


class AnsweredCandidates:
    """The :class:`~autology.core.recall.mined_queue.Answered` in the file at *path*."""

    def __init__(self, path: str) -> None:
        self._path = path

    def ids(self) -> frozenset[str]:
        """Return the ids of the candidates that were answered. Raises StorageError."""
        return frozenset(line.split()[0] for line in self.lines())

    def lines(self) -> list[str]:
        """Return each answer: the candidate's id and what was answered. Raises StorageError."""
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                return [" ".join(line.split()) for line in file if line.strip()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(self._path, error.strerror or str(error)) from error

    def add(self, id: str, answer: str) -> None:
        """Remember durably that the candidate with that id was answered. Raises StorageError."""
        try:
            private.folder(os.path.dirname(self._path))
            with open(self._path, "a", encoding="utf-8", newline="\n") as file:
                file.write(f"{id} {answer}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StorageError(self._path, error.strerror or str(error)) from error
