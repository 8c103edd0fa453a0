"""The code graph of one project: brought up to date with the files whenever it is used, and the answers from it."""

from __future__ import annotations

import posixpath
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from autology.codegraph.facts import FileFacts
from autology.codegraph.file_endings import PYTHON_ENDING, file_ending, is_python
from autology.codegraph.graph import CodeState
from autology.codegraph.languages import python
from autology.codegraph.parsing.installed import Languages, Parser
from autology.codegraph.storage.facts_store import FactsStore
from autology.codegraph.storage.source_folder import SourceFolder
from autology.core.content.files import Stamp
from autology.core.long_work import Progress
from autology.model.errors import ParsingError
from autology.model.next_step import Sentence
from autology.text.language.plural import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.codegraph.queries.code_answer import CodeAnswer
    from autology.codegraph.queries.questions import QuestionKind
    from autology.codegraph.resolution.resolver import Resolver

MAX_FILES = 20_000
MAX_BYTES = 1_000_000
"""Of a file; a larger one is generated, and takes seconds to parse."""
MAX_SECONDS = 20.0
"""Of parsing for one question, some 4,000 files; the next question goes on with the rest."""
BATCH = 100
NAMING_SUFFIXES = (
    *".toml .cfg .ini .json .yaml .yml .env .service .xml .html .htm .jinja .jinja2 .j2 .tmpl .vue .svelte .astro .erb"
    " .twig .sh .bat .ps1 .pyi .pyx .ipynb .proto .gradle .cmake .mk .sql".split(),
    *"Makefile Dockerfile Procfile justfile Rakefile Gemfile CMakeLists.txt".split(),
)
"""The ends of the names of files that are not parsed, but may name functions and classes."""


class CodeGraph:
    """The code graph of the files in *sources*, whose facts are cached in *store*."""

    def __init__(self, sources: SourceFolder, store: FactsStore, languages: Languages) -> None:
        self._sources = sources
        self._store = store
        self._languages = languages
        self._parsers: Mapping[str, Parser] = {}
        self._parsers_fault = ""
        self._lock = threading.Lock()
        self._facts: dict[str, tuple[Stamp, FileFacts]] = {}
        self._resolver: Resolver | None = None
        self._state: CodeState | None = None
        self._not_parsed = ""

    # ---- answers ---------------------------------------------------------------------------------

    def answer(self, query: str, default: QuestionKind | None = None) -> CodeAnswer | None:
        """Return the answer to *query*; None where it is not a question about code, or names nothing of it."""
        # Here, as status and doctor only ask for unread files.
        from autology.codegraph.queries import answering, questions

        question = questions.parse_question(query, default)
        return answering.answer_question(self.current(), question, self._texts) if question else None

    def missing_name(self, query: str) -> tuple[str, list[str]]:
        """Return the name in *query* that no symbol has, and symbols with similar names."""
        from autology.codegraph.queries import answering

        return answering.missing_name(self.current().graph, query)

    def unanswered(self, query: str) -> tuple[str, ...]:
        """Return why *query* has no answer, if it is a question about code; a word may always mean something else."""
        from autology.codegraph.queries import answering, questions

        question = questions.parse_question(query)
        if question is None or question.kind is questions.QuestionKind.STRUCTURE:
            return ()
        notes = (answering.missing_note(self.current().graph, query), self.unread())
        return tuple(note for note in notes if note)

    def unread(self) -> str:
        """Return which files are in languages without a parser, and what installs them; "" where there are none."""
        if self._languages.parsers():
            return ""
        return self._without_parser([*self._sources.scan(tuple(self._languages.names()))])

    # ---- keeping up with the files ---------------------------------------------------------------

    def current(self, progress: Progress | None = None) -> CodeState:
        """Return the graph, once the files that changed since the last time are parsed."""
        from autology.codegraph.resolution.resolver import Resolver

        with self._lock:
            self._resolver = self._resolver or Resolver()
            others = self._languages.parsers()
            self._parsers = {PYTHON_ENDING: python.parse, **others}
            self._parsers_fault = ""
            scan = self._sources.scan((*self._parsers, *(() if others else self._languages.names())))
            sources = {path: stamp for path, stamp in scan.items() if self._parser(path)}
            not_parsed = self._without_parser([path for path in scan if path not in sources])
            files = dict(sorted(sources.items())[:MAX_FILES])
            stale = [p for p, stamp in files.items() if p not in self._facts or self._facts[p][0] != stamp]
            removed = [path for path in self._facts if path not in files]
            if self._state is not None and not stale and not removed and not_parsed == self._not_parsed:
                return self._state
            for path in removed:
                del self._facts[path]
            left = self._update(files, stale, progress)
            self._not_parsed = not_parsed
            too_many = f"of {len(sources):,} source files the first {MAX_FILES:,} are looked into"
            unfinished = f"{left:,} source files are not read yet; asking again goes on"
            notes = (
                too_many if len(sources) > MAX_FILES else "",
                self._parsers_fault,
                not_parsed,
                unfinished if left else "",
            )
            facts = {path: facts for path, (_, facts) in self._facts.items()}
            graph = self._resolver.resolve(facts, progress)
            state = CodeState(graph, facts, tuple(note for note in notes if note))
            self._state = None if left or self._parsers_fault else state
            return state

    def _update(self, files: Mapping[str, Stamp], stale: Sequence[str], progress: Progress | None) -> int:
        """Take the facts of *stale* files from the store, else parse them; return how many are left for next time."""
        stamps = self._store.stamps()
        stored = self._store.load([path for path in stale if stamps.get(path) == files[path]])
        self._facts |= {path: (files[path], facts) for path, facts in stored.items()}
        unparsed = [path for path in stale if path not in stored]
        self._store.save({}, [path for path in stamps if path not in files])
        until = time.monotonic() + MAX_SECONDS
        for start in range(0, len(unparsed), BATCH):
            if time.monotonic() > until:
                return len(unparsed) - start
            batch = unparsed[start : start + BATCH]
            parsed = {path: (files[path], facts) for path in batch if (facts := self._parse(path, files[path]))}
            self._store.save(parsed, ())
            self._facts |= parsed
            if progress:
                progress(start + len(batch), len(unparsed))
        return 0

    def _parse(self, path: str, stamp: Stamp) -> FileFacts | None:
        """Return the facts of a file; None where its parser does not run, whatever is in the file."""
        if self._parsers_fault and not is_python(path):
            return None
        if stamp.size > MAX_BYTES:
            return FileFacts(fault=f"is larger than {MAX_BYTES / 1e6:g} MB")
        content = self._sources.read(path)
        if content is None:
            return FileFacts(fault="cannot be read")
        parser = self._parser(path)
        try:
            return parser(content.decode("utf-8-sig")) if parser else None
        except UnicodeDecodeError as error:
            return FileFacts(fault=f"is not UTF-8 (byte {error.start})")
        except ParsingError as error:
            self._parsers_fault = error.message
            return None

    def _parser(self, path: str) -> Parser | None:
        return self._parsers.get(file_ending(path)) or self._parsers.get(posixpath.basename(path))

    def _without_parser(self, paths: Sequence[str]) -> str:
        """Return how many of *paths* are in which language, and how to have them parsed."""
        names = self._languages.names()
        counts = Counter(names[ending] for path in paths if (ending := file_ending(path)) in names)
        if not counts:
            return ""
        languages = [f"{count:,} of {name}" for name, count in counts.most_common()]
        listed = " and ".join([", ".join(languages[:-1]), languages[-1]] if len(languages) > 1 else languages)
        many = counted(counts.total(), "source file", "are")
        return Sentence(f"{many} not read, {listed}: ", self._languages.missing())

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield the path and text of every source file, and of settings, templates and scripts that may name code."""
        with self._lock:
            files = {**self._sources.scan(NAMING_SUFFIXES), **{path: at for path, (at, _) in self._facts.items()}}
        for path, stamp in sorted(files.items()):
            content = self._sources.read(path) if stamp.size <= MAX_BYTES else None
            if content is not None:
                yield path, content.decode("utf-8-sig", "replace")
