"""A shared folder on this machine: one that a program syncs, a network share, a stick."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from autology import private_files
from autology.files import atomic, safe_read
from autology.mirror import names
from autology.mirror.ports import Place
from autology.model.errors import StorageError

_STEP = "What was written stays; fix the cause and run the command again."


class LocalFolder:
    """The :class:`~autology.mirror.ports.SharedFolder` at *path*."""

    def __init__(self, path: str) -> None:
        self.place = path
        self._path = path

    def files(self) -> Mapping[str, Mapping[str, int]]:
        """Return the bytes of each regular file, by machine and name."""
        try:
            with os.scandir(self._path) as entries:
                machines = [
                    entry.name
                    for entry in entries
                    if names.is_machine(entry.name) and entry.is_dir(follow_symlinks=False)
                ]
            return {machine: self._sizes(machine) for machine in sorted(machines)}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(self._path, error.strerror or str(error), "Give a folder that can be read.") from None

    def _sizes(self, machine: str) -> dict[str, int]:
        sizes: dict[str, int] = {}
        with os.scandir(os.path.join(self._path, machine)) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    try:
                        sizes[entry.name] = entry.stat(follow_symlinks=False).st_size
                    except FileNotFoundError:
                        continue
        return sizes

    def read(self, places: Sequence[Place]) -> Iterator[tuple[Place, bytes | None]]:
        """Yield the bytes of files, in order; None for one that cannot be read, or is too large."""
        for machine, name in places:
            try:
                yield (machine, name), safe_read.read(os.path.join(self._path, machine, name), names.LARGEST_FILE)[0]
            except OSError:
                yield (machine, name), None

    def write(self, machine: str, files: Iterable[tuple[str, bytes]]) -> None:
        """Write files of *machine*, each wholly or not at all, readable by the user only. Raises StorageError."""
        folder = os.path.join(self._path, machine)
        if os.path.islink(folder):
            raise StorageError(folder, "is a link, which is not followed", "Remove it, then run the command again.")
        try:
            private_files.folder(folder)
            for name in os.listdir(folder):
                if atomic.is_staged(name):
                    atomic.discard(os.path.join(folder, name))
            for name, data in files:
                atomic.write(os.path.join(folder, name), data)
        except OSError as error:
            raise StorageError(folder, error.strerror or str(error), _STEP) from None
