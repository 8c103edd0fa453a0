"""Notes of where texts are being staged beside a person's files, by which a dead writer's leftovers are found."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Sequence

from autology.files import atomic, bounds, regular
from autology.model.errors import StorageError

NOTE = ".staging"
"""What the name of a note ends in."""


def note(folder: str, paths: Sequence[str]) -> str:
    """Note in *folder* that texts are being staged for *paths*; return the note's own path. Raises OSError.

    It is not made durable: a note that a power cut took costs a hidden file, not a text.
    """
    path = os.path.join(folder, f"{time.time_ns():020d}-{secrets.token_hex(4)}{NOTE}")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        json.dump(list(paths), file)
    return path


def sweep(root: str, note: str) -> None:
    """Remove what is still staged for the paths in *note*: whoever holds the lock is the only one who stages."""
    for path in _paths(note):
        try:
            bounds.check_file(root, path)
            full = os.path.join(root, *path.split("/"))
            names = os.listdir(os.path.dirname(full))
        except (OSError, StorageError):  # a repository may bring any note along
            continue
        for name in names:
            if atomic.is_staged_for(os.path.basename(full), name):
                atomic.discard(os.path.join(os.path.dirname(full), name))


def _paths(note: str) -> list[str]:
    try:
        told = json.loads(regular.read(note)[0])
    except (OSError, ValueError, RecursionError):
        return []
    return [path for path in told if isinstance(path, str)] if isinstance(told, list) else []
