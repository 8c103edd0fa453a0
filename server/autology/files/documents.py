"""The project's documents: the texts of the configured sources, read-only."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from autology.core.content.files import ABSENT, Stamp
from autology.core.documents import exclusions
from autology.core.documents.exclusions import Rule
from autology.core.documents.sources import DEFAULT, EVERYTHING, HERE, WHOLE, Choice, Scan
from autology.file_notifications import Notices
from autology.files import folder_facts, journal, path_checks, safe_read
from autology.files.folder_facts import Facts
from autology.files.watched_folder import Reporting
from autology.model.errors import StorageError
from autology.text import gitignore
from autology.text.documents.instructions import RULE_FILE, is_instruction
from autology.text.notes.charset import UnreadableTextError, decode
from autology.text.prose import HEAD, is_prose
from autology.walking import displayable

FILE_LIMIT = 10_000_000
"""Maximum bytes of a document: some twenty novels; a larger file is data and would take seconds to index."""
_PASSED_OVER = frozenset(("node_modules", "bower_components", "site-packages", "venv", "__pycache__"))
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class _LastScan:
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
    rules: list[gitignore.Rule] = field(default_factory=list)
    ignored: frozenset[str] | None = None
    facts: dict[str, Facts] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    adopted: Set[str] = frozenset()
    selects: bool = False  # rules leave texts out of the source that is being walked
    counts: bool = False  # what they leave out is visited and counted, too
    left_out: Counter[Rule] = field(default_factory=Counter)


class DocumentFolder(Reporting):
    """The :class:`~autology.core.documents.sources.Documents` of the project at *root*.

    *ignored* returns the paths that version control ignores (folders end with ``/``), or None if unknown; then
    ``.gitignore`` files are read instead. *notices* reports changes to long-running callers. *chosen*, if set,
    returns the choice in the settings of the files *configs*, which may change while a server runs. *adopted* returns
    the paths of texts that are nodes, and no documents.
    """

    def __init__(
        self,
        root: str,
        choice: Choice,
        ignored: Callable[[], Sequence[str] | None] = lambda: None,
        notices: Notices | None = None,
        chosen: Callable[[], Choice] | None = None,
        configs: Sequence[str] = (),
        adopted: Callable[[], Set[str]] = frozenset,
    ) -> None:
        self.root = os.path.abspath(root)
        self._choose(choice)
        self._ask_ignored = ignored
        super().__init__(notices)
        self._chosen = chosen
        self._configs = tuple(configs)
        self._adopted = adopted
        self._ignored: frozenset[str] | None = None
        self._last_folders: tuple[int, ...] | None = None
        self._last = _LastScan(self._marks(()))
        self._moves = 0
        self._troubles: dict[str, str] = {}
        self._walked: Set[str] = frozenset()
        self._prose: dict[str, tuple[Stamp, bool]] = {}  # whether a plain text holds prose, as of its stamp

    def scan(self) -> Scan:
        """Return every document with its stamp, the folders, and the missing sources."""
        if self._chosen:
            self._choose(self._chosen())
        if self._last_folders is None or self._last_folders != self.folders():
            ignored = self._ask_ignored()
            self._ignored = None if ignored is None else frozenset(ignored)
        if self._notices:
            self._notices.begin()
            self._sort_reports()  # by what was there before
        marks = self._marks(())
        marked, moves = self._look(marks), self._moves
        walk = self._walk_all()
        self._troubles = walk.troubles
        self._walked = walk.files.keys() - walk.troubles.keys()
        more = self._marks(walk.broken)[len(marks) :]
        marked = (*marked, *self._look(more))
        self._last = _LastScan((*marks, *more), marked, tuple(walk.facts), tuple(walk.facts.values()), moves)
        self._last_folders = self.scanned()
        return Scan(walk.files, self._shown_folders(walk), tuple(walk.missing))

    def _marks(self, broken: Iterable[str]) -> tuple[str, ...]:
        """Return the paths that decide what a walk finds: root, sources, rules, settings, and *broken* links."""
        return (*map(self._at, ("", _IGNORE, *self.sources)), *self._configs, *map(self._at, broken))

    def left_out(self) -> Mapping[Rule, int]:
        """Return how many texts each rule leaves out; for that, the folders it leaves out are walked, too."""
        return self._walk_all(counts=True).left_out

    def _walk_all(self, counts: bool = False) -> _Walk:
        walk = _Walk(ignored=self._ignored, adopted=self._adopted(), counts=counts)
        if walk.ignored is None:
            walk.rules += self._rules_in("")
        for source in self.sources:
            walk.selects = source == DEFAULT
            self._walk_source(source, walk)
        return walk

    def _shown_folders(self, walk: _Walk) -> tuple[str, ...]:
        """Return the folders of the chosen sources, and those that hold a document of the project as a whole."""
        holding: set[str] = set()
        for path in walk.files:
            while path and (path := path.rpartition("/")[0]) not in holding:
                holding.add(path)
        chosen = [source for source in self.sources if source != DEFAULT]
        listed = (f for f in walk.folders if f in holding or not f or any(_holds(source, f"{f}/") for source in chosen))
        return tuple(sorted(set(listed)))

    def _choose(self, choice: Choice) -> None:
        self.sources = tuple(choice.sources)
        self._excludes = gitignore.rules(choice.excludes)
        names = {rule.value for rule in Rule}
        self._lifted = frozenset(Rule(name) for name in choice.includes if name in names)
        self._includes = gitignore.rules(name for name in choice.includes if name not in names)

    def folders(self) -> tuple[int, ...]:
        """Return a value that changes when a document comes, goes or is renamed, or other files are to be looked at."""
        self._sort_reports()
        last_look = self._last
        marked = self._look(last_look.marks)
        if self.is_watched():
            return self._watched_value(marked, self._moves)
        return folder_facts.states((*marked, *self._look(last_look.folders)))

    def scanned(self) -> tuple[int, ...]:
        """Return the value that :meth:`folders` had when the last scan began."""
        last_look = self._last
        if self.is_watched():
            return self._watched_value(last_look.marked, last_look.moves)
        return folder_facts.states((*last_look.marked, *last_look.listed))

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
        if not (_may_be_text(path) or os.path.islink(self._at(path))):
            return False
        holding = [source for source in self.sources if _holds(source, path)]
        return any(not self._is_passed_over(path, source == DEFAULT) for source in holding)

    def _may_hold_documents(self, folder: str) -> bool:
        deep = [source for source in self.sources if source != HERE]
        near = [s for s in deep if s == folder or _holds(s, f"{folder}/") or s.startswith(f"{folder}/")]
        return any(not self._is_passed_over(folder, source == DEFAULT, is_folder=True) for source in near)

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT where there is none."""
        return journal.stamp(self.root, path) or ABSENT

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a document's bytes and stamp, as :func:`safe_read.read_stamped` does with files in the project."""
        if reason := self._troubles.get(path):
            raise StorageError(path, reason, "It is skipped.")
        path_checks.check_text(self.root, path)
        return safe_read.read_stamped(path, self._at(path), FILE_LIMIT)

    def source_of(self, path: str) -> str | None:
        """Return the innermost source that contains *path*; None if there is none or the path is ignored."""
        inside = [source for source in self.sources if _holds(source, path)]
        if path not in self._walked:
            inside = [source for source in inside if not self._is_passed_over(path, source == DEFAULT)]
        if not inside:
            return None
        return max(inside, key=lambda source: (source not in WHOLE, source.count("/"), source == HERE))

    # ---- walking ---------------------------------------------------------------------------------

    def _walk_source(self, source: str, walk: _Walk) -> None:
        if source in WHOLE:
            self._walk("", walk, deep=source != HERE)
            return
        top = self._at(source)
        if not os.path.isdir(top):
            walk.missing.append(source)
            return
        try:
            path_checks.check_text(self.root, f"{source}/x.md")
        except StorageError as error:
            self._note(walk, source, error.reason)
            return
        if not self._passed(source, True, walk):
            self._walk(source, walk, deep=True)

    def _walk(self, top: str, walk: _Walk, deep: bool) -> None:
        waiting: list[tuple[str, Rule | None]] = [(top, None)]
        while waiting:
            folder, rule = waiting.pop()
            if self._notices and not walk.counts:
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
            if walk.selects and folder and rule is None and any(entry.name == ".git" for entry in entries):
                rule = self._in_force(Rule.REPOSITORIES)
                if self._is_pruned(rule, walk):
                    continue
            if folder and any(entry.name == _IGNORE for entry in entries):
                ignoring_at = self._at(f"{folder}/{_IGNORE}")
                walk.facts[ignoring_at] = folder_facts.look(ignoring_at)
                walk.rules += self._rules_in(folder) if walk.ignored is None else ()
            inner = self._inner_folders(folder, entries, walk, rule)
            waiting += inner if deep else ()

    def _inner_folders(
        self, folder: str, entries: Sequence[os.DirEntry[str]], walk: _Walk, rule: Rule | None
    ) -> list[tuple[str, Rule | None]]:
        """Add the documents among *entries*; return the folders to visit, each with the rule that leaves it out."""
        inner = []
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if self._take(entry, path, walk, rule):
                own = rule or (self._in_force(exclusions.of_folder(path)) if walk.selects else None)
                # In a folder of tests, only its guide is not a fixture.
                if not self._is_pruned(own, walk) or (rule is None and exclusions.is_tests(path)):
                    inner.append((path, own))
        return inner

    def _in_force(self, rule: Rule | None) -> Rule | None:
        return None if rule in self._lifted else rule

    def _is_pruned(self, rule: Rule | None, walk: _Walk) -> bool:
        """Whether a folder that *rule* leaves out need not be visited."""
        return rule is not None and not walk.counts and not self._includes

    def _take(self, entry: os.DirEntry[str], path: str, walk: _Walk, rule: Rule | None) -> bool:
        """Add *entry* if it is a document; return whether it is a folder to descend into.

        *rule* leaves out the folder that it lies in.
        """
        is_text = exclusions.is_text(entry.name) or _may_be_text(path)
        try:
            is_link = entry.is_symlink()
            if not is_text and not is_link and not entry.is_dir():
                return False  # most files of a project
            if self._is_hidden(path, walk.selects, walk.ignored is not None):
                return False
            if is_link:
                self._take_link(path, is_text and rule is None, walk)
                return False
            if entry.is_dir():
                return not self._passed(path, True, walk)
            self._add(entry, path, walk, rule)
        except FileNotFoundError:  # removed since the folder was listed
            return False
        except OSError as error:
            self._note(walk, path, f"cannot be read: {error.strerror or error}")
        return False

    def _add(self, entry: os.DirEntry[str], path: str, walk: _Walk, rule: Rule | None) -> None:
        """Add the text at *path*, unless something leaves it out."""
        if path in walk.adopted or self._passed(path, False, walk):
            return
        if displayable(path) != path:
            self._note(walk, path, "has a name that is not UTF-8; rename it")
            return
        facts = entry.stat(follow_symlinks=False)
        if facts.st_nlink > 1 and self._notices and not walk.counts:
            self._notices.watch_linked(path)
        at = Stamp(facts.st_size, facts.st_mtime_ns)
        if walk.selects and (out := self._rule_against(path, rule)):
            walk.left_out[out] += 1
        elif self._is_data(path, at):
            walk.left_out[Rule.DATA] += 1
        else:
            walk.files[path] = at

    def _is_hidden(self, path: str, selects: bool, is_tracked: bool) -> bool:
        """Whether a walk passes over *path* by its own name alone."""
        name = path.rpartition("/")[2]
        if not selects:
            return name.startswith(".") or name in _PASSED_OVER
        if not name.startswith("."):
            return False
        return name in exclusions.NEVER if is_tracked else name not in exclusions.HIDDEN

    def _rule_against(self, path: str, rule: Rule | None) -> Rule | None:
        """Return why the text at *path* is left out; None if it is not, or the settings include it."""
        rule = None if rule is Rule.FIXTURES and exclusions.is_guide(path) else rule
        rule = rule or self._in_force(exclusions.of_file(path))
        if rule and self._includes and gitignore.is_ignored(self._includes, path, False):
            return None
        return rule

    def _is_data(self, path: str, at: Stamp) -> bool:
        """Whether the file at *path* is a plain text without prose, which the settings do not include."""
        if not path.lower().endswith(".txt") or Rule.DATA in self._lifted:
            return False
        if self._includes and gitignore.is_ignored(self._includes, path, False):
            return False
        known = self._prose.get(path)
        if known is None or known[0] != at:
            known = self._prose[path] = (at, self._holds_prose(path))
        return not known[1]

    def _holds_prose(self, path: str) -> bool:
        try:
            data = safe_read.head(self._at(path), HEAD)
        except OSError:
            return True  # reading it whole will say what is wrong
        for shorter in range(4):  # the last character may have been cut
            try:
                return is_prose(decode(data[: len(data) - shorter]).text)
            except UnreadableTextError:
                continue
        return False

    def _take_link(self, path: str, is_text: bool, walk: _Walk) -> None:
        """Report a link that is not followed; a target inside the project is found at its own path."""
        full = self._at(path)
        real, inside = os.path.realpath(full), os.path.realpath(self.root)
        if not os.path.exists(full):
            if is_text:
                self._note(walk, path, "is a broken link")
                walk.broken.append(path)
        elif not real.startswith(os.path.join(inside, "")) and real != inside and (is_text or os.path.isdir(full)):
            self._note(walk, path, "is a link that leads out of the project; it is not followed")

    def _note(self, walk: _Walk, path: str, reason: str) -> None:
        shown = displayable(path)
        walk.troubles[shown] = reason
        walk.files[shown] = self.scan_one(path)

    # ---- ignored paths ---------------------------------------------------------------------------

    def _passed(self, path: str, is_folder: bool, walk: _Walk) -> bool:
        if self._excludes and gitignore.is_ignored(self._excludes, path, is_folder):
            return True
        if walk.ignored is not None:
            return (f"{path}/" if is_folder else path) in walk.ignored
        return bool(walk.rules) and gitignore.is_ignored(walk.rules, path, is_folder)

    def _is_passed_over(self, path: str, selects: bool, is_folder: bool = False) -> bool:
        """Whether a walk would skip the text or folder at *path*; *selects* if rules leave texts out of its source."""
        walk = _Walk(ignored=self._ignored, selects=selects)
        parts = path.split("/")
        rule: Rule | None = None
        for depth in range(len(parts)):
            folder, inner = "/".join(parts[:depth]), "/".join(parts[: depth + 1])
            is_inner = is_folder or depth + 1 < len(parts)
            if walk.ignored is None:
                walk.rules += self._rules_in(folder)
            if self._is_hidden(inner, selects, walk.ignored is not None) or self._passed(inner, is_inner, walk):
                return True
            if selects and is_inner and rule is None and not (inner == path and exclusions.is_tests(path)):
                rule = self._in_force(exclusions.of_folder(inner))
                if rule is None and os.path.exists(os.path.join(self._at(inner), ".git")):
                    rule = self._in_force(Rule.REPOSITORIES)
        if is_folder:
            return rule is not None and not self._includes
        return selects and self._rule_against(path, rule) is not None

    def _rules_in(self, folder: str) -> tuple[gitignore.Rule, ...]:
        try:
            data, _ = safe_read.read(os.path.join(self._at(folder), _IGNORE), 1_000_000)
        except OSError:
            return ()
        return gitignore.rules(data.decode("utf-8", "replace").splitlines(), folder)

    def _at(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/")) if path else self.root


def _holds(source: str, path: str) -> bool:
    if source in (DEFAULT, EVERYTHING):
        return True
    return "/" not in path if source == HERE else path.startswith(f"{source}/")


def _may_be_text(path: str) -> bool:
    return exclusions.is_text(path.rpartition("/")[2]) or (path.endswith(RULE_FILE) and is_instruction(path))


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
