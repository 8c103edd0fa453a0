"""The adopted records of a project: which they are, what their collections' conventions say, and their files."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from autology.core.adoption import record_facts
from autology.core.adoption.container import Container, Part, joined, split
from autology.core.adoption.dates_from_commits import CommitDates
from autology.core.adoption.folders_to_adopt import lies_in
from autology.core.adoption.ports import RecordFolders
from autology.core.adoption.record_facts import Adopted, Beside, Manner, Snapshot
from autology.core.content.files import ABSENT, Stamp, Watched
from autology.core.index.changes import IndexedFiles
from autology.model.errors import StorageError, UnreadableNodeError
from autology.model.node import NODES, NodeType, node_path
from autology.text.notes import sidecar
from autology.text.notes.charset import Decoded, UnreadableTextError, decode

if TYPE_CHECKING:
    from autology.core.records.collection import Correction

REMARK, VERSION = "adopted records", "adopted records version"
"""Remarks in the index: the snapshot, and a hash of it, which is cheaper to compare."""


INDEXED = 3
"""The version of what is indexed of a record: another one indexes all records again."""


class Records:
    """The adopted records in *folders*; *own* are the files in ``.autology``, and *index* keeps what was read."""

    def __init__(self, folders: RecordFolders, own: Watched, index: IndexedFiles) -> None:
        self.folders = folders
        self._own = own
        self._index = index
        self.dates = CommitDates(index)
        self._lock = threading.RLock()
        self._snapshot: Snapshot | None = None
        self._version = ""
        self._digests: dict[str, int] = {}
        self._ids: dict[str, str] = {}
        self._beside: dict[str, Beside] = {}
        self._owners: dict[str, str] = {}

    # ---- what is known -----------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The records as they were last read, by this process or another."""
        with self._lock:
            if self._snapshot is None:
                self._load()
            return self._snapshot or Snapshot()

    def get(self, path: str) -> Adopted | None:
        """Return the record at *path*, its main file; None if none is adopted there."""
        if path.startswith(NODES):
            return None
        return self.snapshot.records.get(path)

    def is_record(self, path: str) -> bool:
        """Whether *path*, of the index, is a record's: it lies outside of our own folder."""
        return not path.startswith(".autology/")

    def manner(self, one: Adopted) -> Manner:
        """Return how the collection of *one* writes its records."""
        return self.snapshot.manners[one.manner]

    def id_of(self, path: str) -> str:
        """Return the id of the record at *path*: its sidecar's, else a hash of its path."""
        if (known := self._ids.get(path)) is None:
            one, beside = self.get(path), self.sidecar_of(path)
            known = beside.id if beside else record_facts.own_id(one.id_path if one else path)
            self._ids[path] = known
        return known

    def sidecar_of(self, path: str) -> Beside | None:
        """Return the sidecar of the record at *path*, None if it has none."""
        self.snapshot  # noqa: B018 - loads what is known
        return self._beside.get(path)

    def files(self) -> set[str]:
        """Return the paths of all files of adopted records, for which there are no documents."""
        return {path for one in self.snapshot.records.values() for path in one.paths}

    def owner(self, path: str) -> str | None:
        """Return the record that the file at *path* is part of, None if it is part of none."""
        self.snapshot  # noqa: B018 - loads what is known
        return self._owners.get(path)

    def is_sidecar(self, path: str) -> bool:
        """Whether the file at *path* is a record's sidecar, also of one that is missing."""
        return path in self.snapshot.sidecars

    def orphans(self) -> Sequence[Beside]:
        """Return the sidecars whose record is missing, or has another sidecar."""
        used = {one.path for one in self._beside.values()}
        return [one for one in self.snapshot.sidecars.values() if one.path not in used]

    # ---- stamps --------------------------------------------------------------------------------------

    def stamp(self, path: str) -> Stamp:
        """Return the current stamp of the record at *path*: of all its files, and of what its collection says of it."""
        one = self.get(path)
        if one is None:
            return ABSENT
        return self._joined(one, [*(self.folders.scan_one(file) for file in one.paths), self._sidecar_stamp(path)])

    def _sidecar_stamp(self, path: str) -> Stamp:
        beside = self._beside.get(path)
        return self._own.scan_one(beside.path) if beside else ABSENT

    def _joined(self, one: Adopted, stamps: Sequence[Stamp]) -> Stamp:
        if stamps[0] == ABSENT:
            return ABSENT
        present = [at for at in stamps if at != ABSENT]
        newest = 0 if any(not at.mtime_ns for at in present) else max(at.mtime_ns for at in present)
        size = record_facts.digest([self._digest(one), *([at.size, at.mtime_ns] for at in stamps)])
        return Stamp(size, newest)

    def _digest(self, one: Adopted) -> int:
        """Return a hash of everything about *one* that does not lie in its own files."""
        if (known := self._digests.get(one.path)) is None:
            targets = [self.id_of(target) for _, target, _ in one.links]
            values = one._replace(check=0, manner=0, missing=(), located={})
            committed = () if one.date else [pair for pair in [self.dates.of(one)] if any(pair)]
            known = self._digests[one.path] = record_facts.digest([INDEXED, values, targets, *committed])
        return known

    # ---- the configuration ---------------------------------------------------------------------------

    @property
    def problems(self) -> list[str]:
        """What of the configuration that adopts records cannot be used."""
        return [f".autology/config.yaml: {problem[:300]}" for problem in self.folders.problems()]

    # ---- scanning ------------------------------------------------------------------------------------

    def scan(self, own: Mapping[str, Stamp]) -> Mapping[str, Stamp]:
        """Return the stamps of all entries: of the files in *own* that are not sidecars, and of the adopted records."""
        with self._lock:
            files = self.folders.scan()  # none where no folder is chosen; that, too, is seen as of now
            settings, corrections = self.folders.chosen()
            before = self.snapshot
            if self.dates.reload():
                self._digests = {}
            if not settings and not before.settings and not before.sidecars:
                return own
            sidecars = self._sidecars(own, before)
            records: Mapping[str, Adopted]
            if files != before.files or settings != before.settings:
                records, manners = self._read(files, corrections)
            else:
                records, manners = before.records, before.manners
            sidecars = followed(sidecars, records, before.records)
            now = Snapshot(settings, files, records, manners, sidecars)
            if now != before or self._index.metadata(VERSION) != self._version:
                self._keep(now)
            entries = {path: at for path, at in own.items() if path not in sidecars}
            for path, one in records.items():
                at = [*(files.get(file, ABSENT) for file in one.paths), self._known_sidecar(path, own)]
                entries[path] = self._joined(one, at)
            return entries

    def _known_sidecar(self, path: str, own: Mapping[str, Stamp]) -> Stamp:
        beside = self._beside.get(path)
        return own.get(beside.path, ABSENT) if beside else ABSENT

    def _sidecars(self, own: Mapping[str, Stamp], before: Snapshot) -> dict[str, Beside]:
        """Return the sidecars among our *own* files: those that changed are read."""
        nodes = self._index.stamps()
        located: dict[str, Beside] = {}
        for path, at in own.items():
            known = before.sidecars.get(path)
            if known is not None and known.stamp == at and at.mtime_ns:
                located[path] = known
            elif nodes.get(path) != at and (beside := self._beside_at(path)):
                located[path] = beside
        return located

    def _beside_at(self, path: str) -> Beside | None:
        try:
            data, at = self._own.read(path)
        except (FileNotFoundError, StorageError):
            return None
        node = sidecar.read(data)
        return Beside(path, at, node.id, sidecar.path_of(node), node.title) if node else None

    def _read(
        self, files: Mapping[str, Stamp], corrections: Sequence[Correction]
    ) -> tuple[dict[str, Adopted], tuple[Manner, ...]]:
        """Return the records among *files*, read now, and how their collections write them."""
        from dataclasses import replace

        from autology.core.records.discovery import find_collections  # patterns that a start need not load

        discovery = find_collections(files, self.folders, corrections)
        paths = [record.path for record in discovery.records]
        if empty := [one for one in corrections if one.adopt is None and not _any_below(paths, one.folder)]:
            wanted = [replace(one, adopt=True) if one in empty else one for one in corrections]
            discovery = find_collections(files, self.folders, wanted)
        records: dict[str, Adopted] = {}
        manners: list[Manner] = []
        for collection in discovery.collections:
            manners.append(record_facts.manner(collection))
            for record in collection.records:
                check = self._checksum(record.paths)
                records[record.path] = record_facts.adopted(record, len(manners) - 1, check)
        return dict(sorted(records.items())), tuple(manners)

    def _checksum(self, paths: Sequence[str]) -> int:
        try:
            return checksum([self.folders.read(path)[0] for path in paths])
        except (FileNotFoundError, StorageError):
            return 0

    # ---- data ----------------------------------------------------------------------------------------

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return the files of the record at *path* as one piece of data, and its stamp.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it cannot be read.
        """
        one = self.get(path)
        if one is None:
            raise FileNotFoundError(path)
        beside = self.sidecar_of(path)
        texts = [self.folders.read(file) for file in one.paths]
        own: tuple[bytes | None, Stamp] = (None, ABSENT)
        if beside:
            try:
                own = self._own.read(beside.path)
            except FileNotFoundError:
                own = (None, ABSENT)
        container = Container(
            Part(one.path, texts[0][0]),
            Part(one.paths[1], texts[1][0]) if len(texts) > 1 else None,
            Part(self.sidecar_path(path), own[0]),
        )
        return joined(container), self._joined(one, [*(at for _, at in texts), own[1]])

    def sidecar_path(self, path: str) -> str:
        """Return where the sidecar of the record at *path* is, or would be."""
        beside = self.sidecar_of(path)
        return beside.path if beside else node_path(NodeType.DECISION, self.id_of(path))

    def parsed(self, data: bytes, path: str) -> tuple[Adopted, Container, Decoded]:
        """Return the record in *data*, as :meth:`read` returns it, its files and text. Raises UnreadableNodeError."""
        try:
            container = split(data)
        except ValueError:
            raise UnreadableNodeError("is not a record") from None
        one = self.get(path)
        if one is None or container.main.data is None:
            raise UnreadableNodeError("is no longer a record of its collection")
        try:
            text = decode(container.main.data)
            second = container.second.data if container.second else None
            beside = decode(second).text if second is not None else None
        except UnreadableTextError as error:
            raise UnreadableNodeError(str(error)) from None
        check = checksum([container.main.data, *([second] if second is not None else [])])
        if check != one.check:
            from autology.core.adoption.reread_record import reread

            one = reread(one, self.manner(one), text.text, beside, check)
        return one, container, text

    # ---- keeping -------------------------------------------------------------------------------------

    def written(self, paths: Mapping[str, Stamp | None], after: Mapping[str, bytes | None]) -> set[str]:
        """Take note of files that were just written, or removed; return the records that they belong to."""
        with self._lock:
            snapshot = self.snapshot
            sidecars = dict(snapshot.sidecars)
            touched: set[str] = set()
            for path, at in paths.items():
                if path.startswith(NODES):
                    former = sidecars.pop(path, None)
                    node = sidecar.read(data) if (data := after.get(path)) is not None else None
                    if node and at is not None:
                        record = sidecar.path_of(node)
                        now = record if record in snapshot.records else ""
                        sidecars[path] = Beside(path, at, node.id, record, node.title, now)
                    touched.update(one.now for one in (former, sidecars.get(path)) if one)
                elif owner := self._owners.get(path):
                    touched.add(owner)
            if sidecars != snapshot.sidecars:
                self._set(snapshot._replace(sidecars=sidecars))
            return {path for path in touched if path in snapshot.records}

    def _keep(self, snapshot: Snapshot) -> None:
        self._set(snapshot)
        text = record_facts.written(snapshot)
        self._version = f"{zlib.crc32(text.encode()):08x}{len(text):x}"
        if self._index.metadata(VERSION) != self._version:
            self._index.set_metadata(REMARK, text)
            self._index.set_metadata(VERSION, self._version)

    def _load(self) -> None:
        self._version = self._index.metadata(VERSION)
        self._set(record_facts.read(self._index.metadata(REMARK) if self._version else "") or Snapshot())

    def reload(self) -> None:
        """Take what another process read, if that is newer: for a worker."""
        with self._lock:
            if self.dates.reload() or self._index.metadata(VERSION) != self._version:
                self._load()

    def _set(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._digests, self._ids, self._beside, self._owners = {}, {}, {}, {}
        for path in sorted(snapshot.sidecars):
            one = snapshot.sidecars[path]
            if one.now in snapshot.records:
                self._beside.setdefault(one.now, one)
        for path, record in snapshot.records.items():
            self._owners.update(dict.fromkeys(record.paths, path))
        for path, one in self._beside.items():
            self._owners[one.path] = path


def followed(
    sidecars: Mapping[str, Beside], records: Mapping[str, Adopted], before: Mapping[str, Adopted]
) -> dict[str, Beside]:
    """Return *sidecars* with where their records are now: a renamed one is known by its text, or by its title.

    The title counts only among the records of the same folder that no other sidecar has, and only if unique there.
    """
    taken = {one.record for one in sidecars.values() if one.record in records}
    result: dict[str, Beside] = {}
    for path in sorted(sidecars):
        one = sidecars[path]
        now = one.record if one.record in records else one.now
        if now not in records or (now != one.record and now in taken):
            now = _renamed(one, records, before, taken)
        taken.add(now)
        result[path] = one._replace(now=now)
    return result


def _renamed(one: Beside, records: Mapping[str, Adopted], before: Mapping[str, Adopted], taken: Collection[str]) -> str:
    former = before.get(one.now) or before.get(one.record)
    free = [record for path, record in records.items() if path not in taken]
    if former and len(same := [record.path for record in free if record.check == former.check]) == 1:
        return same[0]
    folder = _folder(former.id_path if former else one.record)
    alike = [record.path for record in free if record.title == one.title and _folder(record.id_path) == folder]
    return alike[0] if len(alike) == 1 else ""


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _any_below(paths: Sequence[str], folder: str) -> bool:
    return any(lies_in(path, folder) for path in paths)


def is_record_path(path: str) -> bool:
    """Whether a text of the project outside our own folder may lie at *path*."""
    from autology.text.records.outline import form_of

    parts = path.split("/")
    return form_of(path) is not None and parts[0] != ".autology" and not {"", ".", ".."} & set(parts)


def checksum(texts: Sequence[bytes]) -> int:
    """Return a checksum by which changed texts are recognised."""
    check = 0
    for text in texts:
        check = zlib.crc32(text, check)
    return check
