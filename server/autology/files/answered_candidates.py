"""The user's answers to mined candidates: a line for each, appended, never rewritten; the last one counts."""

from __future__ import annotations

import os

from autology import private_files
from autology.core.recall.mined_queue import REOPENED
from autology.model.errors import StorageError


class AnsweredCandidates:
    """The :class:`~autology.core.recall.mined_queue.Answered` in the file at *path*."""

    def __init__(self, path: str) -> None:
        self._path = path

    def ids(self) -> frozenset[str]:
        """Return the ids of the candidates that were answered, and not reopened since. Raises StorageError."""
        last = {words[0]: words[-1] for line in self.lines() if (words := line.split())}
        return frozenset(id for id, answer in last.items() if answer != REOPENED)

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
        """Remember an answer to the candidate with that id durably. Raises StorageError."""
        try:
            private_files.folder(os.path.dirname(self._path))
            with open(self._path, "a", encoding="utf-8", newline="\n") as file:
                file.write(f"{id} {answer}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StorageError(self._path, error.strerror or str(error)) from error
