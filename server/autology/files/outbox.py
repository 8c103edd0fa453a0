"""What waits to be sent to a hub: a file each, in order, and what every local memory was last made of."""

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
"""Seconds after which somebody who meant to send is taken for dead."""
DECIDED = 100
"""Decided conflicts that are kept to be looked at."""
_NUMBER = 12
"""Digits of a file's number, so that names sort as numbers do."""


class FolderOutbox:
    """The :class:`~autology.core.hub.port.Outbox` in *folder*: ``waiting/``, ``known/`` and ``conflicts/``."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def put(self, offer: Offer) -> None:
        """Add an offer; of one memory of a space the last that still waits stands for all before it."""
        with self._locked():
            names = self._names()
            number = int(names[-1].partition("-")[0]) + 1 if names else 1
            made = f"{number:0{_NUMBER}d}-{offer.op}.json"
            self._write(os.path.join("waiting", made), json.dumps(asdict(offer)))
            for name in names:  # only now: stopped in between both wait, and are the same to whoever takes them in
                other = self._read(name)
                if other is not None and (other.space, other.id) == (offer.space, offer.id):
                    self._remove(name)

    def waiting(self) -> list[Offer]:
        """Return what waits, the first first."""
        return [offer for name in self._names() if (offer := self._read(name)) is not None]

    def done(self, offer: Offer) -> None:
        """Take it out."""
        for name in self._names():
            if name.endswith(f"-{offer.op}.json"):
                self._remove(name)

    def version(self, space: Space, id: str) -> tuple[int, str | None]:
        """Return the version of a memory that the local file was made of, and that version's text; 0 for none."""
        told = self._json(self._place(space, id))
        return (int(told["version"]), told["file"]) if told else (0, None)

    def known(self, space: Space) -> Mapping[str, int]:
        """Return the versions that local files were made of."""
        found: dict[str, int] = {}
        folder = os.path.join(self._folder, "known", _name(str(space)))
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            told = self._json(os.path.join("known", _name(str(space)), name))
            if told:
                found[str(told["id"])] = int(told["version"])
        return found

    def settle(self, space: Space, id: str, version: int, file: str | None) -> None:
        """Note the version that the local file is of now."""
        self._resolve(space, id)
        told = {"id": id, "version": version, "file": file, "org": space.org, "project": space.project}
        self._write(self._place(space, id), json.dumps(told))

    def spaces(self) -> list[Space]:
        """Return the spaces of which local files were made."""
        found: dict[Space, None] = {}
        folder = os.path.join(self._folder, "known")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            for each in sorted(os.listdir(os.path.join(folder, name))):
                told = self._json(os.path.join("known", name, each)) or {}
                if "org" in told:
                    found[Space(str(told["org"]), str(told.get("project", "")))] = None
                    break
        return list(found)

    def conflict(self, offer: Offer, answer: Answer, text: str) -> str:
        """Keep both sides of a conflict, as *text* shows them; return where.

        The local file counts as made of the hub's version from then on.
        """
        name = f"{_name(str(offer.space))}-{_name(offer.id)}-{answer.version}.md"
        path = os.path.join("conflicts", name)
        self._write(path, text)
        self._resolve(offer.space, offer.id, name)
        told = {"id": offer.id, "version": answer.version, "file": answer.file, "conflict": name, "offered": offer.file}
        told |= {"org": offer.space.org, "project": offer.space.project}
        self._write(self._place(offer.space, offer.id), json.dumps(told))
        return os.path.join(self._folder, path)

    def undecided(self, space: Space, id: str) -> tuple[str | None] | None:
        """Return what was offered, in a tuple, when a conflict about the memory arose that is not resolved yet.

        It is once another version is settled, or once what :meth:`conflict` kept was deleted.
        """
        told = self._json(self._place(space, id)) or {}
        name = told.get("conflict")
        if not name or not os.path.exists(os.path.join(self._folder, "conflicts", str(name))):
            return None
        return (told["offered"],)

    def conflicts(self) -> Sequence[str]:
        """Return where conflicts lie that nobody resolved."""
        folder = os.path.join(self._folder, "conflicts")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else ()
        return [os.path.join(folder, name) for name in names if name.endswith(".md")]

    def sending(self, patience: float = 0.05) -> AbstractContextManager[None]:
        """Hold what lets one process at a time send. Raises BusyError where another one is longer at it."""
        private.folder(self._folder)
        return lock.held(os.path.join(self._folder, "sending"), "the outbox", patience)

    def intend(self, root: str) -> bool:
        """Note that what changed in the project at *root* is to be sent in a moment; false where that is noted already.

        Who noted it takes the note back before it looks at what changed, so that a later change is noted anew.
        """
        path = os.path.join(self._folder, f"intended-{_name(root)}")
        try:
            private.folder(self._folder)
            if os.path.exists(path) and abs(time.time() - os.path.getmtime(path)) > FORGOTTEN:
                os.unlink(path)  # whoever noted it is no more
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True  # sent twice at worst
        return True

    def begin(self, root: str) -> None:
        """Take that note back."""
        with suppress(OSError):
            os.unlink(os.path.join(self._folder, f"intended-{_name(root)}"))

    def _resolve(self, space: Space, id: str, but: str = "") -> None:
        """Put aside what showed a conflict about that memory, which is decided; the last of these are kept."""
        name = str((self._json(self._place(space, id)) or {}).get("conflict") or "")
        if not name or name == but:
            return
        done = os.path.join(self._folder, "conflicts", "decided")
        with suppress(OSError):
            private.folder(done, self._folder)
            os.replace(os.path.join(self._folder, "conflicts", name), os.path.join(done, name))
            every = sorted(os.scandir(done), key=lambda each: each.stat().st_mtime)
            for each in every[: -DECIDED or None]:
                os.unlink(each.path)

    def _locked(self) -> AbstractContextManager[None]:
        private.folder(os.path.join(self._folder, "waiting"), self._folder)
        return lock.held(os.path.join(self._folder, "lock"), "the outbox")

    def _names(self) -> list[str]:
        folder = os.path.join(self._folder, "waiting")
        names = os.listdir(folder) if os.path.isdir(folder) else ()
        return sorted(name for name in names if name.endswith(".json") and name[:_NUMBER].isdigit())

    def _read(self, name: str) -> Offer | None:
        told = self._json(os.path.join("waiting", name))
        if not told:
            return None
        return Offer(**{**told, "space": Space(**told["space"])})

    def _json(self, path: str) -> dict[str, Any] | None:
        try:
            with open(os.path.join(self._folder, path), encoding="utf-8") as file:
                told = json.load(file)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StorageError(
                os.path.join(self._folder, path), str(error), "Move it aside; `autology hub push` goes on."
            ) from None
        return told if isinstance(told, dict) else None

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
    """Return what names a file for *text* on any system."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
