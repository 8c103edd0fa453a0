"""The share log: the files that each checkout last shared with a space of the hub."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from autology import private_files
from autology.core.content.files import Stamp
from autology.files import atomic
from autology.hub.model import Space
from autology.model.errors import StorageError

FileStamps = Mapping[str, Mapping[str, Stamp]]
"""A project's files by kind and path, each with its stamp."""


@dataclass(frozen=True, slots=True)
class LastShare:
    """The state of a checkout when it was last shared: index generation, branch and files."""

    generation: str
    branch: str | None
    files: FileStamps


class ShareLog:
    """The record of the last share of the checkout at *root* with a *space*: a file in *folder*."""

    def __init__(self, folder: str, root: str, space: Space) -> None:
        name = sha256(f"{os.path.realpath(root)}\n{space}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._path = os.path.join(folder, "shared", f"{name}.json")

    def last(self) -> LastShare | None:
        """Return the last share, or None."""
        try:
            with open(self._path, encoding="utf-8") as file:
                record = json.load(file)
            files = {
                str(kind): {str(path): Stamp(int(size), int(at)) for path, (size, at) in stamps.items()}
                for kind, stamps in record["files"].items()
            }
            return LastShare(str(record["generation"]), record["branch"], files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # the next push shares everything again

    def note(self, share: LastShare) -> None:
        """Record a share. Raises StorageError."""
        files = {
            kind: {path: [at.size, at.mtime_ns] for path, at in stamps.items()} for kind, stamps in share.files.items()
        }
        record = json.dumps({"generation": share.generation, "branch": share.branch, "files": files})
        try:
            private_files.folder(os.path.dirname(self._path))
            atomic.write(self._path, record.encode("utf-8"))
        except OSError as error:
            raise StorageError(self._path, error.strerror or str(error)) from None
