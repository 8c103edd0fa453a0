"""Reading a transcript from where it was left: whole lines only, while it may grow under the reader's eyes."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from typing import IO

from autology.core.ports import Mark, Stamp
from autology.model.errors import StorageError
from autology.model.exchange import Turn
from autology.transcripts.records import BrokenLineError, Records

LONGEST = 64 * 1024 * 1024
"""Bytes of a line; a longer one is no record that anybody wrote on purpose."""
PROVING = 4_096
"""Bytes before the end of what was read that must be the same for reading to go on from there."""


class LineReading:
    """The :class:`~autology.core.ports.Reading` of a file with one record a line."""

    def __init__(self, path: str, mark: Mark | None, packed: bool = False) -> None:
        self._path = path
        self._packed = packed
        facts = os.stat(path)
        self._stamp = Stamp(facts.st_size, facts.st_mtime_ns)
        goes_on = mark is not None and not packed and 0 < mark.end <= facts.st_size and self._is_same(mark)
        self._known = mark if goes_on else None
        self.anew = not goes_on
        self.start = mark.offset if mark is not None and goes_on else 0
        self._end = self.start
        self._broken = 0
        self._session = ""
        self._last = b""  # what was read last, to prove that the file is the same when reading goes on

    def near_end(self, size: int) -> LineReading:
        """Return this reading, begun no earlier than *size* bytes before the end of the file: at a whole line."""
        first = self._stamp.size - size
        if not self._packed and self.start < first:
            with self._open() as file:
                file.seek(first)
                first += len(file.readline())
            self.start = self._end = first
        return self

    def _is_same(self, mark: Mark) -> bool:
        with self._open() as file:
            return _proof(file, mark.end) == mark.proof

    def __iter__(self) -> Iterator[Turn]:
        """Yield what was said, in order."""
        records = Records()
        try:
            with self._open() as file:
                self._begin(file)
                while line := file.readline(LONGEST):
                    whole = line.endswith(b"\n")
                    try:
                        turns = list(records.turns(line, self._end)) if line.strip() else []
                    except BrokenLineError:
                        if not whole and len(line) < LONGEST:
                            return  # it is being written
                        turns = []
                        # What stands before the mark's end was counted when it was read first.
                        self._broken += self._known is None or self._end >= self._known.end
                    self._end += len(line)
                    self._last = (self._last + line[-PROVING:])[-PROVING:]
                    for turn in turns:
                        self._session = self._session or turn.session
                        yield turn
        except FileNotFoundError:
            raise
        except (OSError, EOFError, zlib.error) as error:
            raise StorageError(self._path, getattr(error, "strerror", None) or str(error)) from None

    def _begin(self, file: IO[bytes]) -> None:
        """Go to where reading begins in *file*. Raises FileNotFoundError where it is not what was looked at before."""
        if not self._packed:
            known = self._known
            if known is not None and _proof(file, known.end) != known.proof:
                raise FileNotFoundError(self._path)  # replaced a moment ago: the next look sees another file
            file.seek(max(0, self.start - PROVING))
            self._last = file.read(min(PROVING, self.start))
        file.seek(self.start)

    def mark(self, offset: int) -> Mark:
        """Return how far it was read, to go on from *offset*."""
        known = self._known
        # Of what is packed nothing is ever added. The file itself is not asked: it may be another one by now.
        proof = "" if self._packed else _digest(self._last)
        return Mark(
            stamp=self._stamp,
            offset=offset,
            end=self._end,
            proof=proof,
            session=(known.session if known else "") or self._session,
            broken=(known.broken if known else 0) + self._broken,
            copied=known.copied if known else 0,
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
