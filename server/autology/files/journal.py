"""Atomic changes of several files: all or none, even after a crash."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from autology.core.content.files import Change, Stamp
from autology.files import atomic, path_checks, safe_read, staging
from autology.model.errors import ConflictError, StorageError
from autology.model.next_step import Action, Sentence, do

JOURNAL = ".autology/cache/journal"
SWEPT = ".autology/nodes/"
"""Folder whose staged leftovers every writer sweeps first."""
MANY = 4
"""Number of files from which threads pay off."""
AT_ONCE = 8
"""Files synced in parallel: a hundred take 20 ms instead of 350; sixteen threads gained nothing."""

MAKE_WRITABLE = "Nothing was changed. Make the folder writable and try again."

T = TypeVar("T")


def commit(root: str, changes: Sequence[Change]) -> dict[str, Stamp | None]:
    """Apply all *changes* below *root* or none; return each path's new stamp.

    The new texts are staged first, when a full disk is still harmless; then the intent is recorded, and only renames
    remain, which :func:`recover` completes after a crash.

    Raises:
        ConflictError: a file differs from its change's *before* (compare-and-swap).
        StorageError: the disk refused; nothing was changed."""
    note = _note(root, changes)
    try:
        return _commit(root, changes)
    finally:
        if note and not pending(root):
            atomic.discard(note)


def _commit(root: str, changes: Sequence[Change]) -> dict[str, Stamp | None]:
    staged = _stage(root, changes)
    record = _record_path(root) if len(changes) > 1 else None
    try:
        _carry_out(root, changes, staged, record)
    except BaseException as error:
        recorded = record is not None and os.path.exists(record)
        if not recorded:
            _discard(staged)
        if isinstance(error, OSError):
            raise _refusal(root, error, changes, recorded) from None
        raise
    folders = {os.path.dirname(_at(root, change.path)) for change in changes}
    _for_all([folder for folder in sorted(folders) if os.path.isdir(folder)], atomic.settle)
    if record:
        atomic.discard(record)
    return {change.path: stamp(root, change.path) for change in changes}


def _carry_out(root: str, changes: Sequence[Change], staged: dict[str, str | None], record: str | None) -> None:
    _refuse_conflicts(root, changes)
    if record is None:
        for change in changes:
            _place_unless_edited(root, change, staged[change.path])
        return
    _record(record, changes, staged)
    try:
        _refuse_conflicts(root, changes)  # recording took time
    except ConflictError:
        atomic.discard(record)
        raise
    for change in changes:
        _place(root, change.path, staged[change.path])


def pending(root: str) -> bool:
    """Whether the journal has a record: a writer is active, or died."""
    return any(name.endswith(".json") for name in _names(root))


def recover(root: str, is_record: Callable[[str], bool] = lambda _: False) -> bool:
    """Complete what a dead writer recorded; the lock must be held. True if there was anything.

    Only our own files, documents, and what *is_record* says is a record's are changed.
    """
    done = False
    # Staging notes come last: by then a record's staged files are in place.
    for name in sorted(_names(root), key=lambda name: not name.endswith(".json")):
        path = os.path.join(_at(root, JOURNAL), name)
        if name.endswith(".json"):
            _complete(root, path, is_record)
            done = True
        elif name.endswith(staging.NOTE):
            staging.sweep(root, path)
        atomic.discard(path)
    return done


def current(root: str, path: str) -> bytes | None:
    """Return the bytes at *path*, or None if there is no file. Raises OSError for anything but a regular file."""
    try:
        return safe_read.read(_at(root, path))[0]
    except FileNotFoundError:
        return None


def stamp(root: str, path: str) -> Stamp | None:
    """Return the stamp of the file at *path*, or None if it does not exist."""
    try:
        facts = os.lstat(f"{root}/{path}")  # no os.path.join: each query checks fifty
    except (OSError, ValueError):
        return None
    return Stamp(facts.st_size, facts.st_mtime_ns)


def _note(root: str, changes: Sequence[Change]) -> str | None:
    """Record files about to be staged outside the swept folder; None if there are none."""
    paths = [change.path for change in changes if change.after is not None and not change.path.startswith(SWEPT)]
    try:
        return staging.note(_at(root, JOURNAL), paths) if paths else None
    except OSError as error:
        raise _refusal(root, error, changes, recorded=False) from None


def _stage(root: str, changes: Sequence[Change]) -> dict[str, str | None]:
    """Stage every new text next to its target; return the paths, or raise after cleaning up."""
    staged: dict[str, str | None] = dict.fromkeys(change.path for change in changes)

    def stage(change: Change) -> None:
        if change.after is not None:
            staged[change.path] = atomic.stage(_at(root, change.path), change.after)

    try:
        _for_all(changes, stage)
    except BaseException as error:
        _discard(staged)
        if isinstance(error, OSError):
            raise _refusal(root, error, changes, recorded=False) from None
        raise
    return staged


def _for_all(things: Sequence[T], act: Callable[[T], object]) -> None:
    """Call *act* for each of *things*, in parallel if there are many: parallel syncs take hardly longer than one."""
    if len(things) < MANY:
        for thing in things:
            act(thing)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for _ in threads.map(act, things):
            pass


def _discard(staged: dict[str, str | None]) -> None:
    for path in staged.values():
        if path:
            atomic.discard(path)


def _refuse_conflicts(root: str, changes: Sequence[Change]) -> None:
    for change in changes:
        if current(root, change.path) != change.before:
            raise ConflictError(change.path)


def _refusal(root: str, error: OSError, changes: Sequence[Change], recorded: bool) -> StorageError:
    name = error.filename if isinstance(error.filename, str) else None
    shown = os.path.relpath(name, root).replace(os.sep, "/") if name else changes[0].path
    if recorded:
        shows = Sentence(do(Action.DOCTOR), " shows it.")
        step: str = Sentence("The change is recorded and the next write completes it; ", shows)
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        step = MAKE_WRITABLE
    else:
        step = "Nothing was changed; try again once it is fixed."
    return StorageError(shown, error.strerror or str(error), step)


def _names(root: str) -> list[str]:
    try:
        return sorted(os.listdir(_at(root, JOURNAL)))
    except OSError:
        return []


def _record_path(root: str) -> str:
    return os.path.join(_at(root, JOURNAL), f"{time.time_ns():020d}-{os.urandom(4).hex()}.json")


def _record(path: str, changes: Sequence[Change], staged: dict[str, str | None]) -> None:
    steps = [
        {"path": c.path, "staged": os.path.basename(staged[c.path] or "") or None, "before": _hash(c.before)}
        for c in changes
    ]
    atomic.write(path, json.dumps({"version": 1, "steps": steps}).encode())


@dataclass(frozen=True, slots=True)
class _Step:
    path: str
    staged: str | None
    before: str | None


def _complete(root: str, record: str, is_record: Callable[[str], bool]) -> None:
    steps = _steps(root, record, is_record)
    for step in steps:
        staged = os.path.join(os.path.dirname(_at(root, step.path)), step.staged) if step.staged else None
        if staged and not os.path.lexists(staged):
            continue  # completed before the crash
        if _current_hash(root, step.path) == step.before:
            _place(root, step.path, staged)
        elif staged:
            atomic.discard(staged)  # the file was changed since: that version stays
    for folder in sorted({os.path.dirname(_at(root, step.path)) for step in steps}):
        if os.path.isdir(folder):
            atomic.settle(folder)


def _steps(root: str, record: str, is_record: Callable[[str], bool]) -> list[_Step]:
    """Return the steps of a record; empty if it is malformed: a repository may contain anything."""
    try:
        return [_step(root, item, is_record) for item in json.loads(safe_read.read(record)[0])["steps"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError, StorageError):
        return []


def _step(root: str, item: dict[str, object], is_record: Callable[[str], bool]) -> _Step:
    path, staged, before = item["path"], item["staged"], item["before"]
    if not isinstance(path, str) or not isinstance(staged, str | None) or not isinstance(before, str | None):
        raise TypeError
    path_checks.check_file(root, path, is_record)
    if staged is not None and not (atomic.is_staged(staged) and staged == os.path.basename(staged)):
        raise ValueError
    return _Step(path, staged, before)


def _current_hash(root: str, path: str) -> str | None:
    try:
        return _hash(current(root, path))
    except OSError:
        return "no regular file"


def _place(root: str, path: str, staged: str | None) -> None:
    if staged:
        atomic.place(staged, _at(root, path))
    else:
        try:
            os.unlink(_at(root, path))
        except FileNotFoundError:
            return


def _place_unless_edited(root: str, change: Change, staged: str | None) -> None:
    """Rename *staged* into place; if an editor saved the old file in the meantime, restore it and report a conflict.

    The replaced file keeps a second name for the duration: an editor that has it open writes there, where the change is
    visible and can be restored."""
    path = _at(root, change.path)
    backup = atomic.keep(path) if staged and change.before is not None else None
    try:
        _refuse_conflicts(root, [change])
        _place(root, change.path, staged)
        if backup and safe_read.read(backup)[0] != change.before:
            atomic.place(backup, path)
            raise ConflictError(change.path)
    finally:
        if backup:
            atomic.discard(backup)


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def _at(root: str, path: str) -> str:
    return os.path.join(root, *path.split("/"))
