"""The code of one project: read file by file as it changes, and put together as it is now."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.core.code.ports import Parser, Sources, Store
from autology.core.code.resolve import CodeMap, resolve
from autology.core.ports import Stamp
from autology.model.code import Facts

FILES = 20_000
"""Files that are looked into; a project of more is told so."""
LARGEST = 1_000_000
"""Bytes of a file; a longer one was written by a program, and takes seconds to parse."""
PATIENCE = 20.0
"""Seconds of reading in one question, some 4,000 files; what is left is read by the next."""
BATCH = 100


@dataclass(frozen=True, slots=True)
class CodeState:
    """The graph as it is now, and what it lacks."""

    map: CodeMap
    notes: tuple[str, ...] = ()


class Code:
    """The code graph of one project; *parsers* are by the endings of the files that they read."""

    def __init__(self, sources: Sources, store: Store, parsers: Mapping[str, Parser]) -> None:
        self._sources = sources
        self._store = store
        self._parsers = parsers
        self._looking = threading.Lock()
        self._facts: dict[str, tuple[Stamp, Facts]] = {}
        self._state: CodeState | None = None

    def current(self) -> CodeState:
        """Return the graph, once what changed since the last time is read again."""
        with self._looking:
            every = self._sources.scan(tuple(self._parsers))
            files = dict(sorted(every.items())[:FILES])
            stale = [path for path, at in files.items() if path not in self._facts or self._facts[path][0] != at]
            gone = [path for path in self._facts if path not in files]
            if not stale and not gone and self._state is not None:
                return self._state
            for path in gone:
                del self._facts[path]
            left = self._take_in(files, stale)
            notes = (
                [] if len(every) <= FILES else [f"of {len(every):,} source files the first {FILES:,} are looked into"]
            )
            if left:
                notes.append(f"{left:,} source files are not read yet; asking again goes on")
            made = CodeState(resolve({path: facts for path, (_, facts) in self._facts.items()}), tuple(notes))
            self._state = None if left else made
            return made

    def _take_in(self, files: Mapping[str, Stamp], stale: Sequence[str]) -> int:
        """Read what is stale, from the store where that has it; return how many are left for the next time."""
        known = self._store.known()
        kept = self._store.facts([path for path in stale if known.get(path) == files[path]])
        self._facts |= {path: (files[path], facts) for path, facts in kept.items()}
        unread = [path for path in stale if path not in kept]
        gone = [path for path in known if path not in files]
        until = time.monotonic() + PATIENCE
        for at in range(0, len(unread), BATCH):
            if time.monotonic() > until:
                self._store.keep({}, gone)
                return len(unread) - at
            read = {path: (files[path], self._read(path, files[path])) for path in unread[at : at + BATCH]}
            self._store.keep(read, ())
            self._facts |= read
        if gone:
            self._store.keep({}, gone)
        return 0

    def _read(self, path: str, at: Stamp) -> Facts:
        if at.size > LARGEST:
            return Facts(fault=f"is larger than {LARGEST / 1e6:g} MB")
        data = self._sources.read(path)
        if data is None:
            return Facts(fault="cannot be read")
        parser = next(parser for ending, parser in self._parsers.items() if path.endswith(ending))
        try:
            return parser(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            return Facts(fault=f"is not UTF-8 (byte {error.start})")
