"""Changing several files as one: all of them, or none, wherever a crash falls."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Sequence
from hashlib import sha256

from autology.core.ports import Change, Stamp
from autology.files import atomic
from autology.model.errors import ConflictError, StorageError

JOURNAL = ".autology/cache/journal"


def commit(root: str, changes: Sequence[Change]) -> dict[str, Stamp | None]:
    """Make all *changes* below *root* or none; return each path's new stamp.

    The new texts are staged first, where a full disk still harms nothing; then the intent
    is recorded, and from there on only renames are left, which :func:`recover` completes.

    Raises:
        ConflictError: a file is not what its change has as *before*.
        StorageError: the disk refused; nothing was changed.
    """
    staged = _stage(root, changes)
    record: str | None = None
    try:
        _refuse_conflicts(root, changes)
        if len(changes) > 1:
            record = _record(root, changes, staged)
        for change in changes:
            _place(root, change.path, staged[change.path])
    except BaseException as error:
        recorded = record is not None and os.path.exists(record)
        if not recorded:
            _discard(staged)
        if isinstance(error, OSError):
            raise _refusal(root, error, changes, recorded) from None
        raise
    for folder in sorted({os.path.dirname(_at(root, change.path)) for change in changes}):
        if os.path.isdir(folder):
            atomic.settle(folder)
    if record:
        atomic.discard(record)
    return {change.path: stamp(root, change.path) for change in changes}


def recover(root: str) -> bool:
    """Complete what a dead writer had recorded; the lock must be held. True if there was anything."""
    folder = _at(root, JOURNAL)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return False
    done = False
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(".json"):
            _complete(root, path)
            done = True
        atomic.discard(path)
    return done


def current(root: str, path: str) -> bytes | None:
    """The bytes at *path*, or None where there is no file."""
    try:
        with open(_at(root, path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def stamp(root: str, path: str) -> Stamp | None:
    """The stamp of the file at *path*, or None where there is none."""
    try:
        found = os.lstat(_at(root, path))
    except FileNotFoundError:
        return None
    return Stamp(found.st_size, found.st_mtime_ns)


def _stage(root: str, changes: Sequence[Change]) -> dict[str, str | None]:
    """Write every new text beside its place; return where, or raise having left nothing behind."""
    staged: dict[str, str | None] = {}
    try:
        for change in changes:
            staged[change.path] = None if change.after is None else atomic.stage(_at(root, change.path), change.after)
    except BaseException as error:
        _discard(staged)
        if isinstance(error, OSError):
            raise _refusal(root, error, changes, recorded=False) from None
        raise
    return staged


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
    else:
        step = "Nothing was changed; try again once it is fixed."
    return StorageError(shown, error.strerror or str(error), step)


def _record(root: str, changes: Sequence[Change], staged: dict[str, str | None]) -> str:
    steps = [
        {"path": c.path, "staged": os.path.basename(staged[c.path] or "") or None, "before": _hash(c.before)}
        for c in changes
    ]
    name = f"{time.time_ns():020d}-{secrets.token_hex(4)}.json"
    path = os.path.join(_at(root, JOURNAL), name)
    atomic.write(path, json.dumps({"version": 1, "steps": steps}).encode())
    return path


def _complete(root: str, record: str) -> None:
    with open(record, "rb") as file:
        steps = json.loads(file.read())["steps"]
    for step in steps:
        path = step["path"]
        staged = os.path.join(os.path.dirname(_at(root, path)), step["staged"]) if step["staged"] else None
        if staged and not os.path.exists(staged):
            continue  # done before the crash
        if _hash(current(root, path)) == step["before"]:
            _place(root, path, staged)
        elif staged:
            atomic.discard(staged)  # somebody wrote it since: theirs stays


def _place(root: str, path: str, staged: str | None) -> None:
    if staged:
        atomic.place(staged, _at(root, path))
    else:
        try:
            os.unlink(_at(root, path))
        except FileNotFoundError:
            return


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def _at(root: str, path: str) -> str:
    return os.path.join(root, *path.split("/"))
