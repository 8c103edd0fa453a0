"""The project's documents: the markdown files of the configured sources, read-only."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field

from autology.core.content.files import ABSENT, Stamp
from autology.core.documents.sources import Scan
from autology.files import bounds, folder_facts, journal, safe_read
from autology.files.folder_facts import Facts
from autology.files.reporting import Reporting
from autology.model.errors import StorageError
from autology.notices import Notices
from autology.text import ignoring
from autology.text.slug import MARKDOWN
from autology.walking import displayable

FILE_LIMIT = 10_000_000
"""Maximum bytes of a document: some twenty novels; a larger file is data and would take seconds to index."""
HERE, EVERYTHING = ".", "**"
"""The special sources: the files directly in the project's root, and all files of the project."""
_PASSED_OVER = frozenset(("node_modules", "bower_components", "site-packages", "venv", "__pycache__"))
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen as a walk began: the *marks* (what the walk depends on besides the folders), the folders' facts
    in the order in which they were listed, and how often documents had come or gone."""

    marks: tuple[str, ...] = ()
    marked: tuple[Facts, ...] = ()
    folders: tuple[str, ...] = ()
    listed: tuple[Facts, ...] = ()
    moves: int = 0


@dataclass(slots=True)
class _Walk:
    files: dict[str, Stamp] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    troubles: dict[str, str] = field(default_factory=dict)
    rules: list[ignoring.Rule] = field(default_factory=list)
    ignored: frozenset[str] | None = None
    facts: dict[str, Facts] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


class DocumentFolder(Reporting):
    """The :class:`~autology.core.documents.sources.Documents` of the project at *root*.

    *ignored* returns the paths that version control ignores (folders end with ``/``), or None if unknown; then
    ``.gitignore`` files are read instead. *notices* reports changes to long-running callers. *chosen*, if set,
    returns the sources and excludes of the settings in the files *configs*, which may change while a server runs."""

    def __init__(
        self,
        root: str,
        sources: Sequence[str],
        excludes: Sequence[str] = (),
        ignored: Callable[[], Sequence[str] | None] = lambda: None,
        notices: Notices | None = None,
        chosen: Callable[[], tuple[Sequence[str], Sequence[str]]] | None = None,
        configs: Sequence[str] = (),
    ) -> None:
        self.root = os.path.abspath(root)
        self._choose(sources, excludes)
        self._ask_ignored = ignored
        super().__init__(notices)
        self._chosen = chosen
        self._configs = tuple(configs)
        self._ignored: frozenset[str] | None = None
        self._last_folders: tuple[int, ...] | None = None
        self._seen = _Seen(self._marks(()))
        self._moves = 0
        self._troubles: dict[str, str] = {}
        self._walked: Set[str] = frozenset()

    def scan(self) -> Scan:
        """Return every document with its stamp, the folders, and the missing sources."""
        if self._chosen:
            self._choose(*self._chosen())
        if self._last_folders is None or self._last_folders != self.folders():
            ignored = self._ask_ignored()
            self._ignored = None if ignored is None else frozenset(ignored)
        if self._notices:
            self._notices.begin()
            self._sort_reports()  # by what was there before
        walk = _Walk(ignored=self._ignored)
        marks = self._marks(())
        marked, moves = self._look(marks), self._moves
        if walk.ignored is None:
            walk.rules += self._rules_in("")
        for source in self.sources:
            self._walk_source(source, walk)
        self._troubles = walk.troubles
        self._walked = walk.files.keys() - walk.troubles.keys()
        more = self._marks(walk.broken)[len(marks) :]
        marked = (*marked, *self._look(more))
        self._seen = _Seen((*marks, *more), marked, tuple(walk.facts), tuple(walk.facts.values()), moves)
        self._last_folders = self.scanned()
        return Scan(walk.files, tuple(sorted(set(walk.folders))), tuple(walk.missing))

    def _marks(self, broken: Iterable[str]) -> tuple[str, ...]:
        """Return the paths that decide what a walk finds: root, sources, rules, settings, and *broken* links."""
        return (*map(self._at, ("", _IGNORE, *self.sources)), *self._configs, *map(self._at, broken))

    def _choose(self, sources: Sequence[str], excludes: Sequence[str]) -> None:
        self.sources = tuple(sources)
        self._excludes = ignoring.rules(excludes)

    def folders(self) -> tuple[int, ...]:
        """Return a value that changes when a document comes, goes or is renamed, or other files are to be looked at."""
        self._sort_reports()
        seen = self._seen
        marked = self._look(seen.marks)
        if self.is_watched():
            return self._watched_value(marked, self._moves)
        return folder_facts.states((*marked, *self._look(seen.folders)))

    def scanned(self) -> tuple[int, ...]:
        """Return the value that :meth:`folders` had when the last scan began."""
        seen = self._seen
        if self.is_watched():
            return self._watched_value(seen.marked, seen.moves)
        return folder_facts.states((*seen.marked, *seen.listed))

    def recognise(self, paths: Iterable[str] = ()) -> None:
        """Record the folders' current state as unchanged: the caller has just written documents at *paths*."""
        if self._notices:
            self._notices.forgive(paths)
        self._last_folders = self.folders()

    def _watched_value(self, marked: Sequence[Facts], moves: int) -> tuple[int, ...]:
        # Of the root and the sources it matters whether they are the same folders, of the others what they say.
        folders = 2 + len(self.sources)
        root, rules, *sources = marked[:folders]
        states = folder_facts.states((rules, *marked[folders:]))
        return (moves, *folder_facts.identities((root, *sources)), *states)

    def _look(self, paths: Iterable[str]) -> tuple[Facts, ...]:
        return tuple(map(folder_facts.look, paths))

    # ---- reports ---------------------------------------------------------------------------------

    def _sort_reports(self) -> None:
        """Collect the reported documents that were edited; any other change of interest takes a walk."""
        if not self._notices:
            return
        with self._notices.lock:
            reported = self._notices.reported()
            for path in reported.files:
                if path in self._walked and _is_file(self._at(path)):
                    self._edited.add(path)
                elif self._may_matter(path):
                    self._moves += 1
            if any(self._may_hold_documents(folder) for folder in reported.folders):
                self._moves += 1

    def _may_matter(self, path: str) -> bool:
        """Whether a walk might find something else after a change at *path*, not known as a document so far."""
        name = path.rpartition("/")[2]
        if path in self._walked or path in self._troubles or name == _IGNORE:
            return True
        if name.startswith(".") or name in _PASSED_OVER:
            return False
        return (name.lower().endswith(MARKDOWN) or os.path.islink(self._at(path))) and not self._is_passed_over(path)

    def _may_hold_documents(self, folder: str) -> bool:
        deep = [source for source in self.sources if source != HERE]
        inside = any(_holds(source, f"{folder}/") or source.startswith(f"{folder}/") for source in deep)
        return (inside or folder in deep) and not self._is_passed_over(folder, is_folder=True)

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT where there is none."""
        return journal.stamp(self.root, path) or ABSENT

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a document's bytes and stamp, as :func:`safe_read.read_stamped` does with files in the project."""
        if reason := self._troubles.get(path):
            raise StorageError(path, reason, "It is skipped.")
        bounds.check_document(self.root, path)
        return safe_read.read_stamped(path, self._at(path), FILE_LIMIT)

    def source_of(self, path: str) -> str | None:
        """Return the innermost source that contains *path*; None if there is none or the path is ignored."""
        inside = [source for source in self.sources if _holds(source, path)]
        if not inside or (path not in self._walked and self._is_passed_over(path)):
            return None
        return max(inside, key=lambda source: (source not in (HERE, EVERYTHING), source.count("/"), source == HERE))

    # ---- walking ---------------------------------------------------------------------------------

    def _walk_source(self, source: str, walk: _Walk) -> None:
        if source in (HERE, EVERYTHING):
            self._walk("", walk, deep=source == EVERYTHING)
            return
        top = self._at(source)
        if not os.path.isdir(top):
            walk.missing.append(source)
            return
        try:
            bounds.check_document(self.root, f"{source}/x.md")
        except StorageError as error:
            self._note(walk, source, error.reason)
            return
        if not self._passed(source, True, walk):
            self._walk(source, walk, deep=True)

    def _walk(self, top: str, walk: _Walk, deep: bool) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            if self._notices:
                self._notices.watch(folder)
            full = self._at(folder)
            walk.facts[full] = folder_facts.look(full)  # before it is listed: what comes meanwhile is seen next time
            try:
                with os.scandir(full) as listed:
                    entries = list(listed)
            except (FileNotFoundError, NotADirectoryError):  # removed since it was listed
                if folder and folder == top:
                    walk.missing.append(folder)
                continue
            except OSError as error:
                self._note(walk, folder, f"cannot be listed: {error.strerror or error}")
                continue
            walk.folders.append(folder)
            if folder and any(entry.name == _IGNORE for entry in entries):
                ignoring_at = self._at(f"{folder}/{_IGNORE}")
                walk.facts[ignoring_at] = folder_facts.look(ignoring_at)
                walk.rules += self._rules_in(folder) if walk.ignored is None else ()
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                inner = self._take(entry, path, walk)
                if inner and deep:
                    waiting.append(path)

    def _take(self, entry: os.DirEntry[str], path: str, walk: _Walk) -> bool:
        """Add *entry* if it is a document; return whether it is a folder to descend into."""
        if entry.name.startswith(".") or entry.name in _PASSED_OVER:
            return False
        is_markdown = entry.name.lower().endswith(MARKDOWN)
        try:
            if entry.is_symlink():
                self._take_link(path, is_markdown, walk)
                return False
            if entry.is_dir():
                return not self._passed(path, True, walk)
            if is_markdown and not self._passed(path, False, walk):
                if displayable(path) != path:
                    self._note(walk, path, "has a name that is not UTF-8; rename it")
                    return False
                facts = entry.stat(follow_symlinks=False)
                if facts.st_nlink > 1 and self._notices:
                    self._notices.watch_linked(path)
                walk.files[path] = Stamp(facts.st_size, facts.st_mtime_ns)
        except FileNotFoundError:  # removed since the folder was listed
            return False
        except OSError as error:
            self._note(walk, path, f"cannot be read: {error.strerror or error}")
        return False

    def _take_link(self, path: str, is_markdown: bool, walk: _Walk) -> None:
        """Report a link that is not followed; a target inside the project is found at its own path."""
        full = self._at(path)
        real, inside = os.path.realpath(full), os.path.realpath(self.root)
        if not os.path.exists(full):
            if is_markdown:
                self._note(walk, path, "is a broken link")
                walk.broken.append(path)
        elif not real.startswith(os.path.join(inside, "")) and real != inside and (is_markdown or os.path.isdir(full)):
            self._note(walk, path, "is a link that leads out of the project; it is not followed")

    def _note(self, walk: _Walk, path: str, reason: str) -> None:
        shown = displayable(path)
        walk.troubles[shown] = reason
        walk.files[shown] = self.scan_one(path)

    # ---- ignored paths ---------------------------------------------------------------------------

    def _passed(self, path: str, is_folder: bool, walk: _Walk) -> bool:
        if self._excludes and ignoring.is_ignored(self._excludes, path, is_folder):
            return True
        if walk.ignored is not None:
            return (f"{path}/" if is_folder else path) in walk.ignored
        return bool(walk.rules) and ignoring.is_ignored(walk.rules, path, is_folder)

    def _is_passed_over(self, path: str, is_folder: bool = False) -> bool:
        """Whether a walk would skip *path*."""
        walk = _Walk(ignored=self._ignored)
        parts = path.split("/")
        if any(part.startswith(".") or part in _PASSED_OVER for part in parts):
            return True
        for depth in range(len(parts)):
            folder = "/".join(parts[:depth])
            if walk.ignored is None:
                walk.rules += self._rules_in(folder)
            if self._passed("/".join(parts[: depth + 1]), is_folder or depth + 1 < len(parts), walk):
                return True
        return False

    def _rules_in(self, folder: str) -> tuple[ignoring.Rule, ...]:
        try:
            data, _ = safe_read.read(os.path.join(self._at(folder), _IGNORE), 1_000_000)
        except OSError:
            return ()
        return ignoring.rules(data.decode("utf-8", "replace").splitlines(), folder)

    def _at(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/")) if path else self.root


def _holds(source: str, path: str) -> bool:
    if source == EVERYTHING:
        return True
    return "/" not in path if source == HERE else path.startswith(f"{source}/")


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
