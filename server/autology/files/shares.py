"""What a checkout last shared with the team's hub, stored with the user's data."""

from __future__ import annotations

import json
import os
from hashlib import sha256

from autology import private
from autology.core.hub.port import Last, Space
from autology.core.ports import Stamp
from autology.files import atomic
from autology.model.errors import StorageError


class FileShares:
    """The :class:`~autology.core.hub.port.Shares` of the checkout at *root* and a *space*, a file in *folder*."""

    def __init__(self, folder: str, root: str, space: Space) -> None:
        name = sha256(f"{os.path.realpath(root)}\n{space}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._path = os.path.join(folder, "shared", f"{name}.json")

    def last(self) -> Last | None:
        """Return what was shared last; None if nothing was, or the record is unreadable."""
        try:
            with open(self._path, encoding="utf-8") as file:
                record = json.load(file)
            kinds = {
                str(kind): {str(path): Stamp(int(size), int(at)) for path, (size, at) in files.items()}
                for kind, files in record["files"].items()
            }
            return Last(str(record["generation"]), record["branch"], kinds)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # the next push shares everything again

    def note(self, last: Last) -> None:
        """Store *last*. Raises StorageError."""
        kinds = {
            kind: {path: [at.size, at.mtime_ns] for path, at in files.items()} for kind, files in last.files.items()
        }
        record = json.dumps({"generation": last.generation, "branch": last.branch, "files": kinds})
        try:
            private.folder(os.path.dirname(self._path))
            atomic.write(self._path, record.encode("utf-8"))
        except OSError as error:
            raise StorageError(self._path, error.strerror or str(error)) from None
