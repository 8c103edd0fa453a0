"""Changing several files as one: all of them, or none, wherever a crash falls."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from autology.core.ports import Change, Stamp
from autology.files import atomic, bounds, regular, staging
from autology.model.errors import ConflictError, StorageError

JOURNAL = ".autology/cache/journal"
SWEPT = ".autology/nodes/"
"""Where whoever writes first removes what dead writers had staged."""
MANY = 4
"""Files from which threads pay."""
AT_ONCE = 8
"""Files synced at once: a hundred take 20 ms instead of 350; sixteen at once gained nothing."""

WRITABLE = "Nothing was changed. Make the folder writable and try again."

T = TypeVar("T")


def commit(root: str, changes: Sequence[Change]) -> dict[str, Stamp | None]:
    """Make all *changes* below *root* or none; return each path's new stamp.

    The new texts are staged first, where a full disk still harms nothing; then the intent
    is recorded, and from there on only renames are left, which :func:`recover` completes.

    Raises:
        ConflictError: a file is not what its change has as *before*.
        StorageError: the disk refused; nothing was changed.
    """
    noted = _note(root, changes)
    try:
        return _commit(root, changes)
    finally:
        if noted and not pending(root):
            atomic.discard(noted)


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
    _each([folder for folder in sorted(folders) if os.path.isdir(folder)], atomic.settle)
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
        _refuse_conflicts(root, changes)  # recording took its time
    except ConflictError:
        atomic.discard(record)
        raise
    for change in changes:
        _place(root, change.path, staged[change.path])


def pending(root: str) -> bool:
    """Whether anything is recorded: a writer is at work, or died at it."""
    return any(name.endswith(".json") for name in _names(root))


def recover(root: str) -> bool:
    """Complete what a dead writer had recorded; the lock must be held. True if there was anything."""
    done = False
    # Notes of what is staged come last: what a record needs is in place by then.
    for name in sorted(_names(root), key=lambda name: not name.endswith(".json")):
        path = os.path.join(_at(root, JOURNAL), name)
        if name.endswith(".json"):
            _complete(root, path)
            done = True
        elif name.endswith(staging.NOTE):
            staging.sweep(root, path)
        atomic.discard(path)
    return done


def current(root: str, path: str) -> bytes | None:
    """The bytes at *path*, or None where there is no file. Raises OSError for what is no regular file."""
    try:
        return regular.read(_at(root, path))[0]
    except FileNotFoundError:
        return None


def stamp(root: str, path: str) -> Stamp | None:
    """The stamp of the file at *path*, or None where there is none or can be none."""
    try:
        found = os.lstat(f"{root}/{path}")  # put together as is: fifty are looked at for every question
    except (OSError, ValueError):
        return None
    return Stamp(found.st_size, found.st_mtime_ns)


def _note(root: str, changes: Sequence[Change]) -> str | None:
    """Note what is going to be staged where nobody sweeps; nothing, where it is among the nodes."""
    paths = [change.path for change in changes if change.after is not None and not change.path.startswith(SWEPT)]
    try:
        return staging.note(_at(root, JOURNAL), paths) if paths else None
    except OSError as error:
        raise _refusal(root, error, changes, recorded=False) from None


def _stage(root: str, changes: Sequence[Change]) -> dict[str, str | None]:
    """Write every new text beside its place; return where, or raise having left nothing behind."""
    staged: dict[str, str | None] = dict.fromkeys(change.path for change in changes)

    def stage(change: Change) -> None:
        if change.after is not None:
            staged[change.path] = atomic.stage(_at(root, change.path), change.after)

    try:
        _each(changes, stage)
    except BaseException as error:
        _discard(staged)
        if isinstance(error, OSError):
            raise _refusal(root, error, changes, recorded=False) from None
        raise
    return staged


def _each(things: Sequence[T], act: Callable[[T], object]) -> None:
    """Let *act* do each of *things*, several at once where they are many: a disk syncs them hardly later than one."""
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
        step = "The change is recorded and the next write completes it; `autology doctor` shows it."
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        step = WRITABLE
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


def _complete(root: str, record: str) -> None:
    steps = _steps(root, record)
    for step in steps:
        staged = os.path.join(os.path.dirname(_at(root, step.path)), step.staged) if step.staged else None
        if staged and not os.path.lexists(staged):
            continue  # done before the crash
        if _found(root, step.path) == step.before:
            _place(root, step.path, staged)
        elif staged:
            atomic.discard(staged)  # somebody wrote it since: theirs stays
    for folder in sorted({os.path.dirname(_at(root, step.path)) for step in steps}):
        if os.path.isdir(folder):
            atomic.settle(folder)


def _steps(root: str, record: str) -> list[_Step]:
    """The steps in a record; none where it is not one of ours: a repository may bring anything along."""
    try:
        return [_step(root, item) for item in json.loads(regular.read(record)[0])["steps"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError, StorageError):
        return []


def _step(root: str, item: dict[str, object]) -> _Step:
    path, staged, before = item["path"], item["staged"], item["before"]
    if not isinstance(path, str) or not isinstance(staged, str | None) or not isinstance(before, str | None):
        raise TypeError
    bounds.check_file(root, path)
    if staged is not None and not (atomic.is_staged(staged) and staged == os.path.basename(staged)):
        raise ValueError
    return _Step(path, staged, before)


def _found(root: str, path: str) -> str | None:
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
    """Put *staged* in place; what an editor saved in place since the last look comes back, and is a conflict.

    The file that is replaced keeps a second name meanwhile: an editor that had opened it writes
    there, where its text can be seen and put back.
    """
    path = _at(root, change.path)
    kept = atomic.keep(path) if staged and change.before is not None else None
    try:
        _refuse_conflicts(root, [change])
        _place(root, change.path, staged)
        if kept and regular.read(kept)[0] != change.before:
            atomic.place(kept, path)
            raise ConflictError(change.path)
    finally:
        if kept:
            atomic.discard(kept)


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def _at(root: str, path: str) -> str:
    return os.path.join(root, *path.split("/"))
