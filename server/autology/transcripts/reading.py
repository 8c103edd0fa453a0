"""Incremental reading of a transcript: complete lines only, while the file may still grow."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import IO, Protocol

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import UNPACKED, Ends, Mark
from autology.model.conversation import Turn
from autology.model.errors import StorageError
from autology.transcripts.claude_code_records import BrokenLineError

LONGEST = 64 * 1024 * 1024
"""Maximum bytes of a line; a longer one is not a genuine record."""
PROVING = 4_096
"""Bytes before the mark that must be unchanged to resume reading there."""


class Parser(Protocol):
    """Parses a transcript line by line."""

    def turns(self, line: bytes, start: int) -> Iterator[Turn]:
        """Yield the turns of the *line* at byte offset *start*. Raises BrokenLineError."""


class LineReading:
    """The :class:`~autology.core.conversations.transcripts.Reading` of a file with one record per line.

    Raises FileNotFoundError, StorageError.
    """

    def __init__(self, path: str, mark: Mark | None, parser: Callable[[], Parser], packed: bool = False) -> None:
        self._path = path
        self._parser = parser
        self._packed = packed
        try:
            facts = os.stat(path)
            resumes = mark is not None and not packed and 0 < mark.end <= facts.st_size and self._is_same(mark)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None
        self._stamp = Stamp(facts.st_size, facts.st_mtime_ns)
        self._mark = mark if resumes else None
        self.restarts = not resumes
        self.start = mark.offset if mark is not None and resumes else 0
        self._end = self.start
        self._broken = 0
        self._session = ""
        self._ends: Ends | None = None
        self.gap = range(0)
        self._last = b""  # the last bytes read, which identify the file when reading resumes

    def near_end(self, size: int) -> LineReading:
        """Skip to the first whole line within *size* bytes of the end, if reading starts before that."""
        first = self._stamp.size - size
        if not self._packed and self.start < first:
            with self._open() as file:
                file.seek(first)
                first += len(file.readline())
            self.start = self._end = first
        return self

    def ends(self, ends: Ends) -> LineReading:
        """Leave out the lines between the *ends* of a long transcript; :attr:`gap` has what that was."""
        if self._stamp.size * (UNPACKED if self._packed else 1) > ends.whole:
            self._ends = ends
        return self

    def _is_same(self, mark: Mark) -> bool:
        with self._open() as file:
            return _proof(file, mark.end) == mark.proof

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns, in order."""
        records = self._parser()
        try:
            with self._open() as file:
                self._begin(file)
                for start, line in self._lines(file):
                    is_complete = line.endswith(b"\n")
                    self._end = start
                    try:
                        turns = list(records.turns(line, start)) if line.strip() else []
                    except BrokenLineError:
                        if not is_complete and len(line) < LONGEST:
                            return  # it is still being written
                        turns = []
                        # Broken lines before the mark were counted already.
                        self._broken += self._mark is None or self._end >= self._mark.end
                    self._end += len(line)
                    self._last = (self._last + line[-PROVING:])[-PROVING:]
                    for turn in turns:
                        self._session = self._session or turn.session
                        yield turn
        except FileNotFoundError:
            raise
        except (OSError, EOFError, zlib.error) as error:
            raise StorageError(self._path, getattr(error, "strerror", None) or str(error)) from None

    def _lines(self, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of *file* from where reading starts, each with its position, without what is left out."""
        at = self.start
        first, last, _ = self._ends or (sys.maxsize, 0, 0)
        while at < first and (line := file.readline(LONGEST)):
            yield at, line
            at += len(line)
        if at < first:
            return
        for start, line in self._last_lines(file, at, last):
            if start > at and not self.gap:
                self.gap = range(at, start)
            yield start, line

    def _last_lines(self, file: IO[bytes], at: int, size: int) -> Iterable[tuple[int, bytes]]:
        """Return the lines of *file*, which is at byte *at*, that begin within *size* bytes of its end."""
        if not self._packed and self._stamp.size - size > at:
            file.seek(self._stamp.size - size)
            at = self._stamp.size - size + len(file.readline())
        lines: deque[tuple[int, bytes]] = deque()
        held = 0
        while line := file.readline(LONGEST):
            lines.append((at, line))
            at += len(line)
            held += len(line)
            while held > size and len(lines) > 1:  # the size of a packed file is known at its end
                held -= len(lines.popleft()[1])
        return lines

    def _begin(self, file: IO[bytes]) -> None:
        """Seek to the start of reading in *file*. Raises FileNotFoundError if the file was replaced."""
        if not self._packed:
            mark = self._mark
            if mark is not None and _proof(file, mark.end) != mark.proof:
                raise FileNotFoundError(self._path)  # replaced just now: the next scan sees the new file
            file.seek(max(0, self.start - PROVING))
            self._last = file.read(min(PROVING, self.start))
        file.seek(self.start)

    def mark(self, offset: int) -> Mark:
        """Return a mark for resuming at *offset*."""
        previous = self._mark
        # Archives never grow. The file itself is not read again, because it may have been replaced.
        proof = "" if self._packed else _digest(self._last)
        return Mark(
            stamp=self._stamp,
            offset=offset,
            end=self._end,
            proof=proof,
            session=(previous.session if previous else "") or self._session,
            broken=(previous.broken if previous else 0) + self._broken,
            copied=previous.copied if previous else 0,
        )

    def _open(self) -> IO[bytes]:
        if self._packed:
            return gzip.open(self._path, "rb")  # type: ignore[return-value]
        return open(self._path, "rb")


def _proof(file: IO[bytes], end: int) -> str:
    first = max(0, end - PROVING)
    file.seek(first)
    return _digest(file.read(end - first))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
