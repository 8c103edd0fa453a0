"""The outbox of changes for a hub, one file each, in order; and the hub version each local memory is based on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from autology import private
from autology.core.hub.port import Answer, Offer, Space
from autology.files import atomic, lock
from autology.model.errors import StorageError

FORGOTTEN = 600.0
"""Seconds after which a process that intended to send is presumed dead."""
DECIDED = 100
"""Resolved conflicts kept for reference."""
_NUMBER = 12
"""Digits of a file's number, so that names sort numerically."""


class FolderOutbox:
    """The :class:`~autology.core.hub.port.Outbox` in *folder*: ``waiting/``, ``known/`` and ``conflicts/``."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def put(self, offer: Offer) -> None:
        """Add an offer; it replaces earlier waiting offers for the same memory and space."""
        with self._locked():
            waiting = self._names()
            number = int(waiting[-1].partition("-")[0]) + 1 if waiting else 1
            name = f"{number:0{_NUMBER}d}-{offer.op}.json"
            self._write(os.path.join("waiting", name), json.dumps(asdict(offer)))
            for old_name in waiting:  # after writing: if interrupted, both wait, which is harmless to the hub
                other = self._read(old_name)
                if other is not None and (other.space, other.id) == (offer.space, offer.id):
                    self._remove(old_name)

    def waiting(self) -> list[Offer]:
        """Return the waiting offers, oldest first."""
        return [offer for name in self._names() if (offer := self._read(name)) is not None]

    def done(self, offer: Offer) -> None:
        """Remove a sent offer."""
        for name in self._names():
            if name.endswith(f"-{offer.op}.json"):
                self._remove(name)

    def version(self, space: Space, id: str) -> tuple[int, str | None]:
        """Return the hub version that the local file is based on, with its text; 0 if there is none."""
        record = self._json(self._place(space, id))
        return (int(record["version"]), record["file"]) if record else (0, None)

    def known(self, space: Space) -> Mapping[str, int]:
        """Return the hub versions that local files are based on, by memory id."""
        versions: dict[str, int] = {}
        folder = os.path.join(self._folder, "known", _name(str(space)))
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            record = self._json(os.path.join("known", _name(str(space)), name))
            if record:
                versions[str(record["id"])] = int(record["version"])
        return versions

    def settle(self, space: Space, id: str, version: int, file: str | None) -> None:
        """Record the hub version that the local file is now based on."""
        self._resolve(space, id)
        record = {"id": id, "version": version, "file": file, "org": space.org, "project": space.project}
        self._write(self._place(space, id), json.dumps(record))

    def spaces(self) -> list[Space]:
        """Return the spaces that local files are based on."""
        spaces: dict[Space, None] = {}
        folder = os.path.join(self._folder, "known")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            for file_name in sorted(os.listdir(os.path.join(folder, name))):
                record = self._json(os.path.join("known", name, file_name)) or {}
                if "org" in record:
                    spaces[Space(str(record["org"]), str(record.get("project", "")))] = None
                    break
        return list(spaces)

    def conflict(self, offer: Offer, answer: Answer, text: str) -> str:
        """Save both sides of a conflict, rendered as *text*; return the path.

        From then on the local file counts as based on the hub's version."""
        name = f"{_name(str(offer.space))}-{_name(offer.id)}-{answer.version}.md"
        path = os.path.join("conflicts", name)
        self._write(path, text)
        self._resolve(offer.space, offer.id, name)
        record = {
            "id": offer.id,
            "version": answer.version,
            "file": answer.file,
            "conflict": name,
            "offered": offer.file,
        }
        record |= {"org": offer.space.org, "project": offer.space.project}
        self._write(self._place(offer.space, offer.id), json.dumps(record))
        return os.path.join(self._folder, path)

    def undecided(self, space: Space, id: str) -> tuple[str | None] | None:
        """Return, in a tuple, what was offered when the memory's unresolved conflict arose; None if there is none.

        It is resolved when another version is settled, or when the file that :meth:`conflict` wrote is deleted."""
        record = self._json(self._place(space, id)) or {}
        name = record.get("conflict")
        if not name or not os.path.exists(os.path.join(self._folder, "conflicts", str(name))):
            return None
        return (record["offered"],)

    def conflicts(self) -> Sequence[str]:
        """Return the paths of unresolved conflicts."""
        folder = os.path.join(self._folder, "conflicts")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else ()
        return [os.path.join(folder, name) for name in names if name.endswith(".md")]

    def sending(self, patience: float = 0.05) -> AbstractContextManager[None]:
        """Hold the lock for sending. Raises BusyError if another process keeps it for longer than *patience*."""
        private.folder(self._folder)
        return lock.held(os.path.join(self._folder, "sending"), "the outbox", patience)

    def intend(self, root: str) -> bool:
        """Record that changes of the project at *root* will be sent soon; false if that is recorded already.

        The sender removes the record before it looks for changes, so that a later change is recorded again."""
        path = os.path.join(self._folder, f"intended-{_name(root)}")
        try:
            private.folder(self._folder)
            if os.path.exists(path) and abs(time.time() - os.path.getmtime(path)) > FORGOTTEN:
                os.unlink(path)  # the process that recorded it is gone
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True  # at worst it is sent twice
        return True

    def begin(self, root: str) -> None:
        """Remove that record."""
        with suppress(OSError):
            os.unlink(os.path.join(self._folder, f"intended-{_name(root)}"))

    def _resolve(self, space: Space, id: str, but: str = "") -> None:
        """Archive the file of that memory's resolved conflict; only the latest are kept."""
        name = str((self._json(self._place(space, id)) or {}).get("conflict") or "")
        if not name or name == but:
            return
        done = os.path.join(self._folder, "conflicts", "decided")
        with suppress(OSError):
            private.folder(done, self._folder)
            os.replace(os.path.join(self._folder, "conflicts", name), os.path.join(done, name))
            archived = sorted(os.scandir(done), key=lambda entry: entry.stat().st_mtime)
            for entry in archived[: -DECIDED or None]:
                os.unlink(entry.path)

    def _locked(self) -> AbstractContextManager[None]:
        private.folder(os.path.join(self._folder, "waiting"), self._folder)
        return lock.held(os.path.join(self._folder, "lock"), "the outbox")

    def _names(self) -> list[str]:
        folder = os.path.join(self._folder, "waiting")
        names = os.listdir(folder) if os.path.isdir(folder) else ()
        return sorted(name for name in names if name.endswith(".json") and name[:_NUMBER].isdigit())

    def _read(self, name: str) -> Offer | None:
        record = self._json(os.path.join("waiting", name))
        if not record:
            return None
        return Offer(**{**record, "space": Space(**record["space"])})

    def _json(self, path: str) -> dict[str, Any] | None:
        try:
            with open(os.path.join(self._folder, path), encoding="utf-8") as file:
                parsed = json.load(file)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StorageError(
                os.path.join(self._folder, path), str(error), "Move it aside; `autology hub push` continues."
            ) from None
        return parsed if isinstance(parsed, dict) else None

    def _write(self, path: str, text: str) -> None:
        where = os.path.join(self._folder, path)
        try:
            private.folder(os.path.dirname(where), self._folder)
            atomic.write(where, text.encode("utf-8"))
        except OSError as error:
            raise StorageError(where, error.strerror or str(error)) from None

    def _remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self._folder, "waiting", name))

    def _place(self, space: Space, id: str) -> str:
        return os.path.join("known", _name(str(space)), f"{_name(id)}.json")


def _name(text: str) -> str:
    """Return a hash of *text* that is a valid file name on any system."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
