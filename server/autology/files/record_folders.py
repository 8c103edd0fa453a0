"""The folders that hold a project's adopted records: walked, watched, read, and their texts cached."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from autology.core.adoption.folders_to_adopt import lies_in
from autology.core.content.files import ABSENT, Stamp
from autology.file_notifications import Notices
from autology.files import journal, path_checks, safe_read
from autology.model.errors import StorageError
from autology.text.notes.charset import UnreadableTextError, decode
from autology.walking import displayable

if TYPE_CHECKING:  # a project without adopted records pays for this module alone
    from autology.core.records.collection import Correction
    from autology.text.gitignore import Rule

FILE_LIMIT = 8_000_000
"""Maximum bytes of a record's file, as of a node's."""
CACHED = 64_000_000
"""Characters of texts that are cached at most: those of 4,000 long records."""
LARGE = 4
"""How many times longer than its head a text is from which that alone is read: most texts are not records."""
_IGNORE = ".gitignore"
_GUIDES = ("readme", "index", "contributing")


class ProjectRecordFolders:
    """The :class:`~autology.core.adoption.ports.RecordFolders` of the project at *root*.

    *choose* returns the configuration, what it says by folder, and what of it is unusable, all read from the file
    *config*. *notices* reports changes to long-running callers.
    """

    def __init__(
        self,
        root: str,
        config: str,
        choose: Callable[[], tuple[str, Sequence[Correction], Sequence[str]]],
        notices: Notices | None = None,
    ) -> None:
        self.root = os.path.abspath(root)
        self._config = config
        self._choose = choose
        self._chosen: tuple[str, Sequence[Correction]] = ("", ())
        self._unusable: Sequence[str] = ()
        self._chosen_at = -1
        self._walked: dict[str, int] = {}  # each folder, with its time before it was listed
        self._notices = notices
        self._reports = 0  # of changes that may matter: each takes a scan
        self._began: Sequence[int] = ()
        self._texts: dict[str, tuple[Stamp, str | None]] = {}
        self._derived: dict[tuple[Any, ...], Any] = {}
        self._cached = 0
        self._rules: list[Rule] = []

    # ---- which files -------------------------------------------------------------------------------

    def chosen(self) -> tuple[str, Sequence[Correction]]:
        """Return the configuration of records as text, "" if it names none, and what it says by folder."""
        at = safe_read.mtime(self._config)
        if at != self._chosen_at:
            text, corrections, self._unusable = self._choose()
            self._chosen, self._chosen_at = (text, corrections), at
            if not self._chosen[0]:
                self._walked = {}
        return self._chosen

    def problems(self) -> Sequence[str]:
        """Return what of the configuration cannot be used, and the folders that it names and that do not exist."""
        adopted = [one.folder for one in self.chosen()[1] if one.adopt is not False]
        missing = [folder for folder in adopted if not self._exists(folder)]
        step = "not a folder of the project; correct its name or remove it"
        return [*self._unusable, *(f"records: {folder}: {step}" for folder in missing)]

    def _exists(self, folder: str) -> bool:
        with suppress(StorageError):
            path_checks.check_folder(self.root, folder)
            return os.path.isdir(self._at(folder))
        return False

    def scan(self) -> Mapping[str, Stamp]:
        """Return the stamp of every file in the chosen folders that may be a record, its second file, or explain it."""
        files: dict[str, Stamp] = {}
        walked: dict[str, int] = {}
        configured_at = safe_read.mtime(self._config)
        if self._notices and self.chosen()[0]:
            self._notices.begin()
            self._count_reports()
        self._began = (configured_at, self._reports)
        self._rules = []
        for folder in self._adopted():
            for above in _above(folder):
                self._take(above, files, only_guides=True)
            self._walk(folder, files, walked)
        self._walked = walked
        return dict(sorted(files.items()))

    def holds(self, path: str) -> bool:
        """Whether *path* lies in a chosen folder."""
        return any(lies_in(path, folder) for folder in self._adopted())

    def _adopted(self) -> list[str]:
        """Return the adopted folders, without those that lie in another one."""
        chosen = sorted({one.folder for one in self.chosen()[1] if one.adopt is not False})
        return [one for one in chosen if not any(one.startswith(f"{other}/") for other in chosen if other)]

    def _walk(self, top: str, files: dict[str, Stamp], walked: dict[str, int]) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            walked[folder] = safe_read.mtime(self._at(folder))
            inner = self._take(folder, files)
            waiting += inner if top or not folder else ()

    def _take(self, folder: str, files: dict[str, Stamp], only_guides: bool = False) -> list[str]:
        """Add the files of *folder*; return its subfolders."""
        from autology.core.records.units import excluded
        from autology.text import gitignore

        inner: list[str] = []
        try:
            entries = self._listed(folder)
            if any(entry.name == _IGNORE for entry in entries):
                self._rules += self._rules_in(folder)
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.name.startswith(".") or entry.is_symlink() or displayable(path) != path:
                    continue
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and (only_guides or excluded(entry.name) is not None):
                    continue
                if not is_folder and not _may_matter(entry.name, only_guides):
                    continue
                if self._rules and gitignore.is_ignored(self._rules, path, is_folder):
                    continue
                if is_folder:
                    inner.append(path)
                else:
                    files[path] = self._stamped(entry, path)
        except (OSError, StorageError):  # it is gone, or cannot be listed
            return []
        return inner

    def _listed(self, folder: str) -> list[os.DirEntry[str]]:
        """Return what is in *folder*, which is watched from here on."""
        path_checks.check_folder(self.root, folder)
        if self._notices:
            self._notices.watch(folder)
        with os.scandir(self._at(folder)) as listed:
            return list(listed)

    def _stamped(self, entry: os.DirEntry[str], path: str) -> Stamp:
        facts = entry.stat(follow_symlinks=False)
        if facts.st_nlink > 1 and self._notices:
            self._notices.watch_linked(path)
        return Stamp(facts.st_size, facts.st_mtime_ns)

    def _rules_in(self, folder: str) -> tuple[Rule, ...]:
        from autology.text import gitignore

        try:
            data, _ = safe_read.read(os.path.join(self._at(folder), _IGNORE), 1_000_000)
        except OSError:
            return ()
        return gitignore.rules(data.decode("utf-8", "replace").splitlines(), folder)

    def folders(self) -> Sequence[int]:
        """Return a value that changes when a file is added, removed or renamed, or other folders are chosen.

        Where the system reports every change, it also changes when a file was edited.
        """
        self._count_reports()
        config = safe_read.mtime(self._config)
        if self.is_watched():
            return (config, self._reports)
        return (config, self._reports, *(safe_read.mtime(self._at(folder)) for folder in self._walked))

    def scanned(self) -> Sequence[int]:
        """Return the value that :meth:`folders` had when the last scan began."""
        return self._began if self.is_watched() else (*self._began, *self._walked.values())

    def is_watched(self) -> bool:
        """Whether the system reports every change since the last scan."""
        return self._notices is not None and self._notices.is_complete()

    def _count_reports(self) -> None:
        """Count the reported changes after which a scan may find something else."""
        if not self._notices:
            return
        with self._notices.lock:
            reported = self._notices.reported()
            names = (path.rpartition("/")[2] for path in reported.files)
            self._reports += len(reported.folders)
            self._reports += sum(name == _IGNORE or _may_matter(name, only_guides=False) for name in names)

    # ---- their content -----------------------------------------------------------------------------

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT where there is none."""
        return journal.stamp(self.root, path) or ABSENT

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes and stamp, as :func:`safe_read.read_stamped` does with files in the project."""
        path_checks.check_record(self.root, path)
        return safe_read.read_stamped(path, self._at(path), FILE_LIMIT)

    def head(self, path: str, size: int) -> str | None:
        """Return the first *size* bytes of the file at *path* as text; None if it is not readable text."""
        if self.scan_one(path).size > LARGE * size and path not in self._texts:
            from autology.files.record_texts import ProjectTexts

            return ProjectTexts(self.root, lambda: None).head(path, size)
        text = self.text(path)
        return None if text is None else text if len(text) <= size else text[:size]

    def text(self, path: str) -> str | None:
        """Return the whole text of the file at *path*; None if it is not readable text."""
        at = self.scan_one(path)
        known = self._texts.get(path)
        if known is not None and known[0] == at:
            return known[1]
        try:
            data, at = self.read(path)
            text: str | None = decode(data).text
        except (OSError, StorageError, UnreadableTextError):
            text = None
        if self._cached > CACHED:
            self._texts.clear()
            self._derived.clear()
            self._cached = 0
        self._cached += len(text or "")
        self._texts[path] = (at, text)
        return text

    def remembered(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``make(*arguments)``, which is cached as long as the texts are."""
        key = (make, *arguments)
        if key not in self._derived:
            self._derived[key] = make(*arguments)
        return self._derived[key]

    def _at(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/")) if path else self.root


def _may_matter(name: str, only_guides: bool) -> bool:
    from autology.text.records.outline import form_of

    lowered = name.lower()
    if only_guides:
        return form_of(name) is not None and lowered.partition(".")[0] in _GUIDES
    return form_of(name) is not None or lowered.endswith(path_checks.SIDECARS)


def _above(folder: str) -> list[str]:
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:depth]) for depth in range(len(parts))]
