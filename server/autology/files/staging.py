"""Notes of files being staged next to the user's files, used to remove a dead writer's leftovers."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence

from autology.files import atomic, path_checks, safe_read
from autology.model.errors import StorageError

NOTE = ".staging"
"""The suffix of a note."""


def note(folder: str, paths: Sequence[str]) -> str:
    """Record in *folder* that files are being staged for *paths*; return the note's path. Raises OSError.

    Not durable: losing a note in a power failure costs a hidden leftover, not a text."""
    path = os.path.join(folder, f"{time.time_ns():020d}-{os.urandom(4).hex()}{NOTE}")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        json.dump(list(paths), file)
    return path


def sweep(root: str, note: str) -> None:
    """Remove files still staged for the paths in *note*: only the lock's holder stages files."""
    for path in _paths(note):
        try:
            path_checks.check_file(root, path)
            full = os.path.join(root, *path.split("/"))
            names = os.listdir(os.path.dirname(full))
        except (OSError, StorageError):  # a repository may contain a forged note
            continue
        for name in names:
            if atomic.is_staged_for(os.path.basename(full), name):
                atomic.discard(os.path.join(os.path.dirname(full), name))


def _paths(note: str) -> list[str]:
    try:
        parsed = json.loads(safe_read.read(note)[0])
    except (OSError, ValueError, RecursionError):
        return []
    return [path for path in parsed if isinstance(path, str)] if isinstance(parsed, list) else []
