"""Past sessions of several machines: each is a sequence of parts that are written once, and imported in order."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain, islice
from typing import Any

from autology.core.conversations.transcripts import Archive
from autology.core.long_work import Progress
from autology.mirror import names
from autology.mirror.names import PartFile, part_file, session_key
from autology.mirror.ports import Place, SharedFolder
from autology.mirror.state import MirrorState
from autology.model.agents import is_mirrored, on_machine
from autology.model.errors import StorageError

PART_BYTES = 8_000_000
"""Bytes from which the rest of a session goes into another part; more only for a single longer line."""
PART_LIMIT = 96 * 1024 * 1024
"""Maximum bytes of a part once unpacked."""
SENT_BYTES = 16_000_000
"""Bytes that are written to the folder at a time: what was written then stays, whatever happens later."""
HEADER_LIMIT = 10_000
FIRST_LINES = 20
"""Lines in which an archived session names its folder: the second, as a rule."""

Listing = Mapping[str, Mapping[str, int]]


@dataclass(slots=True)
class SessionChanges:
    """What was done with sessions: how many were *sent* and *received*, and the bytes written to the folder."""

    sent: int = 0
    received: int = 0
    sent_bytes: int = 0
    waiting: int = 0
    notes: list[str] = field(default_factory=list)
    transcripts: list[str] = field(default_factory=list)


class _NotWholeError(Exception):
    """A part is torn, damaged, or not what its name says: the one of that *number*."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        super().__init__(number)


# ---- what is sent --------------------------------------------------------------------------------


def send(
    state: MirrorState,
    store: Archive,
    folder: SharedFolder,
    listing: Listing,
    is_excluded: Callable[[str], bool],
    progress: Progress,
    dry: bool,
) -> SessionChanges:
    """Write what is new of this machine's archived sessions into *folder*. Raises StorageError."""
    done = SessionChanges()
    parts = _by_session(listing.get(state.machine, {}))
    elsewhere = _ends({machine: files for machine, files in listing.items() if machine != state.machine})
    own = [(name, stamp) for name, stamp in store.scan().items() if not is_mirrored(name)]
    batch: list[tuple[str, bytes]] = []
    for number, (name, stamp) in enumerate(own):
        progress(number, len(own))
        known = state.exported.get(name)
        has_parts = parts.get(session_key(name), [])
        if known and known[:2] == list(stamp) and _is_there(known, has_parts, elsewhere.get(session_key(name), set())):
            continue
        try:
            if any(map(is_excluded, _folders(store, name))):
                continue
            new, end = _new_parts(store, name, has_parts, stamp.mtime_ns)
            if not new or (end in elsewhere.get(session_key(name), set())):
                state.exported[name] = [*stamp, *end]
                continue
        except FileNotFoundError:
            continue
        except StorageError as error:
            done.notes.append(f"{name}: {error.reason}")
            continue
        done.sent += 1
        done.sent_bytes += sum(len(data) for _, data in new)
        batch += new
        if sum(len(data) for _, data in batch) > SENT_BYTES and not dry:
            folder.write(state.machine, batch)
            batch = []
        if not dry:
            state.exported[name] = [*stamp, *end]
    progress(len(own), len(own))
    if batch and not dry:
        folder.write(state.machine, batch)
    return done


def _folders(store: Archive, name: str) -> list[str]:
    """Return the project of an archived session, and the folder that it began in."""
    home = store.home(name)
    folders = [home.root] if home is not None else []
    for line in islice(store.lines(name), FIRST_LINES):
        with suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict) and isinstance(record.get("cwd"), str):
                return [*folders, record["cwd"]]
    return folders


def _is_there(known: Sequence[Any], parts: Sequence[PartFile], elsewhere: set[tuple[int, str]]) -> bool:
    end = (known[2], known[3])
    return end in elsewhere or any((part.end, part.digest) == end for part in parts)


def _new_parts(
    store: Archive, name: str, parts: Sequence[PartFile], modified: int
) -> tuple[list[tuple[str, bytes]], tuple[int, str]]:
    """Return the parts of a session that are not there yet, as files, and where it ends."""
    generation = max((part.generation for part in parts), default=1)
    there = _chain([part for part in parts if part.generation == generation])
    cut = _cut(store.lines(name), there[-1] if there else None)
    if cut is None:  # its beginning changed: everything is sent again
        generation, cut = generation + 1, _cut(store.lines(name), None) or ([], (0, ""))
    pieces, end = cut
    key = session_key(name)
    return [
        (PartFile(key, generation, start, stop, digest).name, _packed(name, modified, content))
        for start, stop, digest, content in pieces
    ], end


def _cut(
    lines: Iterable[bytes], last: PartFile | None
) -> tuple[list[tuple[int, int, str, bytes]], tuple[int, str]] | None:
    """Return what follows the part *last* in pieces, and the end; None if what precedes is not what was sent."""
    running = blake2b(digest_size=16)
    done = start = 0
    is_after = last is None
    pieces: list[tuple[int, int, str, bytes]] = []
    content: list[bytes] = []
    for line in lines:
        if is_after and content and done - start + len(line) > PART_BYTES:
            pieces.append((start, done, running.hexdigest(), b"".join(content)))
            start, content = done, []
        running.update(line)
        done += len(line)
        if is_after:
            content.append(line)
        elif last is not None and done >= last.end:
            if done != last.end or running.hexdigest() != last.digest:
                return None
            is_after, start = True, done
    if not is_after:
        return None
    if content:
        pieces.append((start, done, running.hexdigest(), b"".join(content)))
    return pieces, (done, running.hexdigest())


def _packed(name: str, modified: int, content: bytes) -> bytes:
    header = json.dumps({"format": 1, "name": name, "modified": modified}, ensure_ascii=True).encode()
    return gzip.compress(header + b"\n" + content, 6, mtime=0)


# ---- what is received ----------------------------------------------------------------------------


def receive(
    state: MirrorState,
    store: Archive,
    folder: SharedFolder,
    listing: Listing,
    forget: Callable[[str], None],
    progress: Progress,
    dry: bool,
) -> SessionChanges:
    """Import what is new of other machines' sessions; *forget* is called before a transcript changes here.

    Raises:
        StorageError: the folder cannot be read, or nothing can be written.
    """
    done = SessionChanges()
    imports = list(_imports(state, listing, done))
    total = len(imports)
    archived = store.scan()
    for number, (machine, parts) in enumerate(imports):
        progress(number, total)
        imported = state.sessions.setdefault(machine, {})
        known = imported.get(parts[0].session)
        if dry:
            done.received += 1
            continue
        whole = parts
        try:
            try:
                name = _Import(store, folder, machine, parts, known, archived).run(forget)
            except _NotWholeError as torn:
                done.notes.append(_damaged(machine, parts[torn.number].name))
                done.waiting += 1
                whole = parts[: torn.number]
                if not whole or (known and known[:3] == [whole[-1].generation, whole[-1].end, whole[-1].digest]):
                    continue
                name = _Import(store, folder, machine, whole, known, archived).run(forget)
        except _NotWholeError:
            continue
        imported[whole[0].session] = [whole[-1].generation, whole[-1].end, whole[-1].digest, name]
        done.received += 1
        done.transcripts.append(name)
    progress(total, total)
    return done


def _damaged(machine: str, name: str) -> str:
    whose = names.label_of(machine)
    return f"{machine}/{name} is incomplete or damaged: if it stays so, delete it, and run the command on {whose} again"


def _imports(state: MirrorState, listing: Listing, done: SessionChanges) -> Iterator[tuple[str, list[PartFile]]]:
    """Yield the machine and the parts of each session that has something new, once if several machines have it."""
    own = {(key, end) for key, ends in _ends({state.machine: listing.get(state.machine, {})}).items() for end in ends}
    own |= {(session_key(name), (known[2], known[3])) for name, known in state.exported.items()}
    for machine in sorted(listing):
        if machine == state.machine:
            continue
        large = sum(size > names.LARGEST_FILE for size in listing[machine].values())
        if large:
            limit = names.LARGEST_FILE // 1024**2
            done.notes.append(f"{names.label_of(machine)}: refused files of more than {limit} MB ({large})")
        for key, parts in _by_session(listing[machine]).items():
            latest = max(part.generation for part in parts)
            whole = _chain([part for part in parts if part.generation == latest])
            if not whole:
                done.waiting += 1
                continue
            end = (whole[-1].end, whole[-1].digest)
            known = state.sessions.get(machine, {}).get(key)
            if known and (known[0], known[1], known[2]) == (latest, *end):
                own.add((key, end))
                continue
            if (key, end) in own:
                continue
            own.add((key, end))
            yield machine, whole


class _Import:
    """The import of one session of another machine."""

    def __init__(
        self,
        store: Archive,
        folder: SharedFolder,
        machine: str,
        parts: Sequence[PartFile],
        known: Sequence[Any] | None,
        archived: Mapping[str, object],
    ) -> None:
        self._store = store
        self._folder = folder
        self._machine = machine
        self._parts = parts
        self._known = known
        self._archived = archived
        self._name = ""
        self._modified = 0

    def run(self, forget: Callable[[str], None]) -> str:
        """Import it; return the name that it has here. Raises _NotWholeError, StorageError."""
        running, left = self._from_here()
        contents = self._contents(left, running, len(self._parts) - len(left))
        first = next(contents)  # its header names the session
        forget(self._name)
        self._store.adopt(self._name, chain([first], contents), self._modified, len(left) < len(self._parts))
        return self._name

    def _from_here(self) -> tuple[Any, Sequence[PartFile]]:
        """Return the running digest of what is here already, and the parts that follow it."""
        name = self._known[3] if self._known else None
        if isinstance(name, str) and name in self._archived:
            running = blake2b(digest_size=16)
            done = 0
            try:
                for line in self._store.lines(name):
                    running.update(line)
                    done += len(line)
            except (FileNotFoundError, StorageError):
                done = -1
            for number, part in enumerate(self._parts[:-1]):
                if (part.end, part.digest) == (done, running.hexdigest()):
                    return running, self._parts[number + 1 :]
        return blake2b(digest_size=16), self._parts

    def _contents(self, parts: Sequence[PartFile], running: Any, number: int) -> Iterator[bytes]:
        places: list[Place] = [(self._machine, part.name) for part in parts]
        for at, (part, (_, data)) in enumerate(zip(parts, self._folder.read(places), strict=True), number):
            try:
                name, modified, content = _unpacked(data, part)
            except _NotWholeError:
                raise _NotWholeError(at) from None
            running.update(content)
            fits = running.hexdigest() == part.digest and session_key(name) == part.session
            if not fits or not names.is_transcript(name):
                raise _NotWholeError(at)
            self._name, self._modified = on_machine(self._machine, name), modified
            yield content


def _unpacked(data: bytes | None, part: PartFile) -> tuple[str, int, bytes]:
    """Return the transcript's name, when it was written, and the bytes of a part. Raises _NotWholeError."""
    if data is None:
        raise _NotWholeError
    try:
        unpacking = zlib.decompressobj(31)
        limit = min(PART_LIMIT, part.end - part.start + HEADER_LIMIT)
        header, _, content = unpacking.decompress(data, limit).partition(b"\n")
        fields = json.loads(header)
        name, modified = fields["name"], fields["modified"]
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError):
        raise _NotWholeError from None
    if not unpacking.eof or len(content) != part.end - part.start:
        raise _NotWholeError
    if not isinstance(name, str) or not isinstance(modified, int) or not 0 <= modified < 2**62:
        raise _NotWholeError
    return name, modified, content


# ---- names ---------------------------------------------------------------------------------------


def _by_session(files: Mapping[str, int]) -> dict[str, list[PartFile]]:
    """Return the parts in a machine's folder by session, without those that are too large."""
    sessions: dict[str, list[PartFile]] = {}
    for name, size in files.items():
        if size <= names.LARGEST_FILE and (part := part_file(name)) is not None:
            sessions.setdefault(part.session, []).append(part)
    return sessions


def _chain(parts: Iterable[PartFile]) -> list[PartFile]:
    """Return the parts that follow each other from the beginning on."""
    starts: dict[int, PartFile] = {}
    for part in sorted(parts):
        known = starts.get(part.start)
        if known is None or part.end > known.end:
            starts[part.start] = part
    whole: list[PartFile] = []
    at = 0
    while at in starts:
        whole.append(starts[at])
        at = starts[at].end
    return whole


def _ends(listing: Listing) -> dict[str, set[tuple[int, str]]]:
    """Return by session where the sequences of parts end that some machine has."""
    ends: dict[str, set[tuple[int, str]]] = {}
    for files in listing.values():
        for key, parts in _by_session(files).items():
            latest = max(part.generation for part in parts)
            if whole := _chain([part for part in parts if part.generation == latest]):
                ends.setdefault(key, set()).add((whole[-1].end, whole[-1].digest))
    return ends
