"""The code of one project: read file by file as it changes, and put together as it is now."""

from __future__ import annotations

import posixpath
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autology.core.code.ports import Languages, Parser, Sources, Store
from autology.core.code.resolve import CodeMap, Resolution
from autology.core.ports import Progress, Stamp
from autology.model.code import Facts
from autology.model.errors import ParsingError
from autology.text.counted import counted

FILES = 20_000
"""Files that are looked into; a project of more is told so."""
LARGEST = 1_000_000
"""Bytes of a file; a longer one was written by a program, and takes seconds to parse."""
PATIENCE = 20.0
"""Seconds of reading in one question, some 4,000 files; what is left is read by the next."""
BATCH = 100
BESIDE = (
    *".toml .cfg .ini .json .yaml .yml .env .service .xml .html .htm .jinja .jinja2 .j2 .tmpl .vue .svelte .astro .erb"
    " .twig .sh .bat .ps1 .pyi .pyx .ipynb .proto .gradle .cmake .mk .sql".split(),
    *"Makefile Dockerfile Procfile justfile Rakefile Gemfile CMakeLists.txt".split(),
)
"""How the names of files end that are no source, but name functions and classes."""


@dataclass(frozen=True, slots=True)
class CodeState:
    """The graph as it is now, and what it lacks."""

    map: CodeMap
    facts: Mapping[str, Facts]
    notes: tuple[str, ...] = ()


class Code:
    """The code graph of one project: *always* are the parsers that are built in, by endings, *languages* the others.

    *manifests* are parsers, too, of files that are only read where the languages are.
    """

    def __init__(
        self,
        sources: Sources,
        store: Store,
        always: Mapping[str, Parser],
        languages: Languages,
        manifests: Mapping[str, Parser],
    ) -> None:
        self._sources = sources
        self._store = store
        self._always = always
        self._languages = languages
        self._manifests = manifests
        self._parsers: Mapping[str, Parser] = always
        self._broken = ""
        self._looking = threading.Lock()
        self._facts: dict[str, tuple[Stamp, Facts]] = {}
        self._state: CodeState | None = None
        self._resolution = Resolution()
        self._unread = ""

    def current(self, progress: Progress | None = None) -> CodeState:
        """Return the graph, once what changed since the last time is read again."""
        with self._looking:
            others = self._languages.parsers()
            self._parsers = {**self._always, **others, **(self._manifests if others else {})}
            self._broken = ""
            seen = self._sources.scan((*self._parsers, *(() if others else self._languages.named())))
            every = {path: at for path, at in seen.items() if self._parser(path)}
            unread = self._told([path for path in seen if path not in every])
            files = dict(sorted(every.items())[:FILES])
            stale = [path for path, at in files.items() if path not in self._facts or self._facts[path][0] != at]
            gone = [path for path in self._facts if path not in files]
            if not stale and not gone and self._state is not None and unread == self._unread:
                return self._state
            for path in gone:
                del self._facts[path]
            left = self._take_in(files, stale, progress)
            notes = (
                [] if len(every) <= FILES else [f"of {len(every):,} source files the first {FILES:,} are looked into"]
            )
            notes += [each for each in (self._broken, unread) if each]
            if left:
                notes.append(f"{left:,} source files are not read yet; asking again goes on")
            self._unread = unread
            facts = {path: facts for path, (_, facts) in self._facts.items()}
            made = CodeState(self._resolution.of(facts, progress), facts, tuple(notes))
            self._state = None if left or self._broken else made
            return made

    def unread(self) -> str:
        """Return which files are in languages that are not read here, and what changes it; "" where there are none."""
        if self._languages.parsers():
            return ""
        return self._told([*self._sources.scan(tuple(self._languages.named()))])

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield every source file with its text, and what else may name code: settings, templates, scripts."""
        with self._looking:
            paths = {**self._sources.scan(BESIDE), **{path: at for path, (at, _) in self._facts.items()}}
        for path, at in sorted(paths.items()):
            data = self._sources.read(path) if at.size <= LARGEST else None
            if data is not None:
                yield path, data.decode("utf-8-sig", "replace")

    def _told(self, paths: Sequence[str]) -> str:
        """Return how many of *paths* are in which language, and how they come to be read."""
        named = self._languages.named()
        many = Counter(named[ending] for path in paths if (ending := _ending(path)) in named)
        if not many:
            return ""
        said = [f"{count:,} of {name}" for name, count in many.most_common()]
        listed = " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
        return f"{counted(many.total(), 'source file', 'are')} not read, {listed}: {self._languages.missing()}"

    def _parser(self, path: str) -> Parser | None:
        return self._parsers.get(_ending(path)) or self._parsers.get(posixpath.basename(path))

    def _take_in(self, files: Mapping[str, Stamp], stale: Sequence[str], progress: Progress | None) -> int:
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
            batch = unread[at : at + BATCH]
            read = {path: (files[path], facts) for path in batch if (facts := self._read(path, files[path]))}
            self._store.keep(read, ())
            self._facts |= read
            if progress:
                progress(at + len(batch), len(unread))
        if gone:
            self._store.keep({}, gone)
        return 0

    def _read(self, path: str, at: Stamp) -> Facts | None:
        """Return what a file says; None where its parser does not run, which is not the file's fault."""
        if self._broken and path.rpartition(".")[2] != "py":
            return None
        if at.size > LARGEST:
            return Facts(fault=f"is larger than {LARGEST / 1e6:g} MB")
        data = self._sources.read(path)
        if data is None:
            return Facts(fault="cannot be read")
        parser = self._parser(path)
        try:
            return parser(data.decode("utf-8-sig")) if parser else None
        except UnicodeDecodeError as error:
            return Facts(fault=f"is not UTF-8 (byte {error.start})")
        except ParsingError as error:
            self._broken = str(error)
            return None


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""
