"""What waits to be sent to a hub: a file each, in order, and what every local memory was last made of."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from autology.core.hub.port import Answer, Offer, Space
from autology.files import atomic, lock
from autology.model.errors import StorageError

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
            for name in names:
                other = self._read(name)
                if other is not None and (other.space, other.id) == (offer.space, offer.id):
                    self._remove(name)
            number = int(names[-1].partition("-")[0]) + 1 if names else 1
            name = f"{number:0{_NUMBER}d}-{offer.op}.json"
            self._write(os.path.join("waiting", name), json.dumps(asdict(offer)))

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
        self._write(self._place(space, id), json.dumps({"id": id, "version": version, "file": file}))

    def conflict(self, offer: Offer, answer: Answer, text: str) -> str:
        """Keep both sides of a conflict, as *text* shows them; return where.

        The local file counts as made of the hub's version from then on.
        """
        name = f"{_name(str(offer.space))}-{_name(offer.id)}-{answer.version}.md"
        path = os.path.join("conflicts", name)
        self._write(path, text)
        told = {"id": offer.id, "version": answer.version, "file": answer.file, "conflict": name, "offered": offer.file}
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

    def sending(self) -> AbstractContextManager[None]:
        """Hold what lets one process at a time send. Raises StorageError where another one is at it."""
        os.makedirs(self._folder, exist_ok=True)
        return lock.held(os.path.join(self._folder, "sending"), "the outbox", patience=0.05)

    def _locked(self) -> AbstractContextManager[None]:
        os.makedirs(os.path.join(self._folder, "waiting"), exist_ok=True)
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
            os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
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
