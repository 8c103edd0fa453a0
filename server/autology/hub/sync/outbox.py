"""The outbox: one file per offer, in order, and one per memory for the version that its local file is based on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from autology import private_files
from autology.files import atomic, lock
from autology.hub.model import Offer, OfferResult, Space
from autology.model.errors import StorageError

SCHEDULE_TIMEOUT = 600.0
"""Seconds after which a process that was about to send is assumed to be dead."""
CLOSED_KEPT = 100
"""Closed conflicts that are kept for inspection."""
_NUMBER = 12
"""Digits of a file's number, so that names sort numerically."""


class Outbox:
    """Offers that wait to be sent, in order, and the hub's versions that local files are based on. Survives crashes.

    The files are in *folder*: ``waiting/``, ``known/`` and ``conflicts/``.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    # ---- offers ------------------------------------------------------------------------------------

    def put(self, offer: Offer) -> None:
        """Add an offer, replacing one of the same memory and space that still waits."""
        with self._locked():
            names = self._offer_names()
            number = int(names[-1].partition("-")[0]) + 1 if names else 1
            new_name = f"{number:0{_NUMBER}d}-{offer.op}.json"
            self._write(os.path.join("waiting", new_name), json.dumps(asdict(offer)))
            for name in names:  # only now: after a crash in between both wait, and the hub accepts both
                other = self._read_offer(name)
                if other is not None and (other.space, other.id) == (offer.space, offer.id):
                    self._remove_offer(name)

    def waiting(self) -> list[Offer]:
        """Return the waiting offers, oldest first."""
        return [offer for name in self._offer_names() if (offer := self._read_offer(name)) is not None]

    def done(self, offer: Offer) -> None:
        """Remove an offer."""
        for name in self._offer_names():
            if name.endswith(f"-{offer.op}.json"):
                self._remove_offer(name)

    # ---- versions ----------------------------------------------------------------------------------

    def version(self, space: Space, id: str) -> tuple[int, str | None]:
        """Return the hub's version that the local file is based on, and its text; (0, None) for none."""
        record = self._read_json(_record_path(space, id))
        return (int(record["version"]), record["file"]) if record else (0, None)

    def known(self, space: Space) -> Mapping[str, int]:
        """Return the versions that local files are based on, by memory."""
        versions: dict[str, int] = {}
        folder = os.path.join("known", _file_name(str(space)))
        for name in self._list(folder):
            if record := self._read_json(os.path.join(folder, name)):
                versions[str(record["id"])] = int(record["version"])
        return versions

    def spaces(self) -> list[Space]:
        """Return the spaces that local files are based on."""
        spaces: dict[Space, None] = {}
        for folder in self._list("known"):
            for name in self._list(os.path.join("known", folder)):
                record = self._read_json(os.path.join("known", folder, name)) or {}
                if "org" in record:
                    spaces[Space(str(record["org"]), str(record.get("project", "")))] = None
                    break
        return list(spaces)

    def settle(self, space: Space, id: str, version: int, file: str | None) -> None:
        """Record the version that the local file is now based on; this resolves a conflict about it."""
        self._close_conflict(space, id)
        self._write_record(space, {"id": id, "version": version, "file": file})

    # ---- conflicts ---------------------------------------------------------------------------------

    def conflict(self, offer: Offer, remote: OfferResult, text: str) -> str:
        """Record a conflict, with *text* showing both sides; return the path of that file.

        From then on the local file counts as based on the hub's version.
        """
        name = f"{_file_name(str(offer.space))}-{_file_name(offer.id)}-{remote.version}.md"
        path = os.path.join("conflicts", name)
        self._write(path, text)
        self._close_conflict(offer.space, offer.id, except_name=name)
        base = {"id": offer.id, "version": remote.version, "file": remote.file}
        self._write_record(offer.space, {**base, "conflict": name, "offered": offer.file})
        return os.path.join(self._folder, path)

    def undecided(self, space: Space, id: str) -> tuple[str | None] | None:
        """Return the offered text of an open conflict, in a tuple; None if there is no open conflict.

        A conflict is closed by :meth:`settle`, or by deleting the file that :meth:`conflict` wrote.
        """
        record = self._read_json(_record_path(space, id)) or {}
        name = record.get("conflict")
        if not name or not os.path.exists(os.path.join(self._folder, "conflicts", str(name))):
            return None
        return (record["offered"],)

    def conflicts(self) -> Sequence[str]:
        """Return the paths of the open conflicts."""
        names = self._list("conflicts")
        return [os.path.join(self._folder, "conflicts", name) for name in names if name.endswith(".md")]

    def _close_conflict(self, space: Space, id: str, except_name: str = "") -> None:
        """Move the file of a conflict that is decided aside, and delete the oldest of these."""
        name = str((self._read_json(_record_path(space, id)) or {}).get("conflict") or "")
        if not name or name == except_name:
            return
        closed_folder = os.path.join(self._folder, "conflicts", "decided")
        with suppress(OSError):
            private_files.folder(closed_folder, self._folder)
            os.replace(os.path.join(self._folder, "conflicts", name), os.path.join(closed_folder, name))
            by_age = sorted(os.scandir(closed_folder), key=lambda entry: entry.stat().st_mtime)
            for entry in by_age[: -CLOSED_KEPT or None]:
                os.unlink(entry.path)

    # ---- who sends ---------------------------------------------------------------------------------

    def sending(self, patience: float = 0.05) -> AbstractContextManager[None]:
        """Hold the lock that lets one process at a time send. Raises BusyError if another holds it longer."""
        private_files.folder(self._folder)
        return lock.held(os.path.join(self._folder, "sending"), "the outbox", patience)

    def schedule(self, root: str) -> bool:
        """Record that the project at *root* is about to be sent; False if that is recorded already.

        The sending process removes the record before it looks for changes, so that a later change is recorded again.
        """
        path = self._schedule_path(root)
        try:
            private_files.folder(self._folder)
            if os.path.exists(path) and abs(time.time() - os.path.getmtime(path)) > SCHEDULE_TIMEOUT:
                os.unlink(path)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True  # sent twice at worst
        return True

    def unschedule(self, root: str) -> None:
        """Remove that record."""
        with suppress(OSError):
            os.unlink(self._schedule_path(root))

    def _schedule_path(self, root: str) -> str:
        return os.path.join(self._folder, f"intended-{_file_name(root)}")

    # ---- files -------------------------------------------------------------------------------------

    def _locked(self) -> AbstractContextManager[None]:
        private_files.folder(os.path.join(self._folder, "waiting"), self._folder)
        return lock.held(os.path.join(self._folder, "lock"), "the outbox")

    def _list(self, folder: str) -> list[str]:
        path = os.path.join(self._folder, folder)
        return sorted(os.listdir(path)) if os.path.isdir(path) else []

    def _offer_names(self) -> list[str]:
        return [name for name in self._list("waiting") if name.endswith(".json") and name[:_NUMBER].isdigit()]

    def _read_offer(self, name: str) -> Offer | None:
        fields = self._read_json(os.path.join("waiting", name))
        if not fields:
            return None
        return Offer(**{**fields, "space": Space(**fields["space"])})

    def _remove_offer(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self._folder, "waiting", name))

    def _read_json(self, path: str) -> dict[str, Any] | None:
        path = os.path.join(self._folder, path)
        try:
            with open(path, encoding="utf-8") as file:
                value = json.load(file)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StorageError(path, str(error), "Move it aside and run `autology hub push` again.") from None
        return value if isinstance(value, dict) else None

    def _write_record(self, space: Space, record: dict[str, object]) -> None:
        record = {**record, "org": space.org, "project": space.project}
        self._write(_record_path(space, str(record["id"])), json.dumps(record))

    def _write(self, path: str, text: str) -> None:
        path = os.path.join(self._folder, path)
        try:
            private_files.folder(os.path.dirname(path), self._folder)
            atomic.write(path, text.encode("utf-8"))
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None


def _record_path(space: Space, id: str) -> str:
    return os.path.join("known", _file_name(str(space)), f"{_file_name(id)}.json")


def _file_name(text: str) -> str:
    """Return a file name for *text* that is valid on every system."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
