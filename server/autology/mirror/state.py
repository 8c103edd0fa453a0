"""What this machine knows of its mirrors: its own log, on which version each memory's file is based, what was read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from autology import __version__, private_files
from autology.files import atomic, safe_read
from autology.mirror import names
from autology.mirror.machine_log import Record, decoded, encoded
from autology.mirror.names import LogFile
from autology.model.errors import StorageError

CLOSED_KEPT = 100
"""Decided conflicts whose texts are kept for inspection."""
STATE_LIMIT = 100_000_000
TARGETS = 10


class MirrorState:
    """The state in *folder*. Everything but the log can be lost: it is then found out again.

    *base* is the version that each memory's file is based on, *places* the project that a file lies in, "" for the
    user's own; *conflicts* are the contradicting versions of each open conflict; *read_logs* the log files read, and
    *sessions* the end of what was imported, both by machine; *exported* what is known of own sessions; *targets* the
    folders used, last first.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._path = os.path.join(folder, "state.json")
        record = self._read()
        self.machine = str(record.get("machine") or "")
        self._logged = record["logged"] if isinstance(record.get("logged"), int) else 0
        self.base: dict[str, str] = _texts(record.get("base"))
        self.places: dict[str, str] = _texts(record.get("places"))
        self.conflicts: dict[str, list[str]] = _lists(record.get("conflicts"))
        # Another version of the program may understand lines that this one does not.
        is_same = record.get("program") == __version__
        self.read_logs: dict[str, list[str]] = _lists(record.get("read")) if is_same else {}
        self.sessions: dict[str, dict[str, list[Any]]] = _dict(record.get("sessions"))
        self.exported: dict[str, list[Any]] = _dict(record.get("exported"))
        self.targets: list[str] = [str(target) for target in record.get("targets", []) if isinstance(target, str)]

    def _read(self) -> dict[str, Any]:
        try:
            value = json.loads(safe_read.read(self._path, STATE_LIMIT)[0])
        except (OSError, ValueError, RecursionError):
            return {}  # lost or damaged: texts that are known tell what each file is based on
        return value if isinstance(value, dict) else {}

    def save(self) -> None:
        """Write the state durably. Raises StorageError."""
        record = {
            "program": __version__,
            "machine": self.machine,
            "logged": self._logged,
            "targets": self.targets[:TARGETS],
            "base": self.base,
            "places": self.places,
            "conflicts": self.conflicts,
            "read": self.read_logs,
            "sessions": self.sessions,
            "exported": self.exported,
        }
        self._write(self._path, json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode())

    # ---- the own log -------------------------------------------------------------------------------

    def log(self) -> dict[str, LogFile] | None:
        """Return the files of the own log, by name, in order; None if it lacks any."""
        try:
            files = [file for name in os.listdir(self._log_folder()) if (file := names.log_file(name))]
        except OSError:
            files = []
        files.sort()
        is_whole = len(files) >= self._logged and [file.number for file in files] == list(range(1, len(files) + 1))
        return {file.name: file for file in files} if is_whole else None

    def records(self) -> list[Record] | None:
        """Return everything in the own log, in order; None if it is damaged."""
        log = self.log()
        if log is None:
            return None
        records: list[Record] = []
        for file in log.values():
            data = self.log_data(file)
            if data is None:
                return None
            records += decoded(data, is_own=True)[0]
        return records

    def log_data(self, file: LogFile) -> bytes | None:
        """Return the bytes of a file of the own log; None if it is damaged."""
        try:
            data = safe_read.read(os.path.join(self._log_folder(), file.name), names.LARGEST_FILE)[0]
        except OSError:
            return None
        return data if file.holds(data) else None

    def append(self, records: Iterable[Record]) -> None:
        """Add *records* to the own log, durably. Raises StorageError."""
        number = max((file.number for file in (self.log() or {}).values()), default=0)
        for data in encoded(records):
            number += 1
            file = LogFile(number, names.digest(data))
            self._write(os.path.join(self._log_folder(), file.name), data)
        self._logged = number

    def rename(self, machine: str) -> None:
        """Begin a new log under another name; everything that others wrote is read again."""
        self.machine, self.read_logs, self._logged = machine, {}, 0

    def _log_folder(self) -> str:
        return os.path.join(self.folder, "log", self.machine)

    # ---- conflicts ---------------------------------------------------------------------------------

    def conflict_file(self, memory: str) -> str:
        """Return the path of the file that shows a conflict."""
        return os.path.join(self.folder, "conflicts", f"{memory}.md")

    def open_conflict(self, memory: str, heads: Iterable[str], text: str) -> None:
        """Show a conflict between the versions *heads*, with *text* for people. Raises StorageError."""
        self._write(self.conflict_file(memory), text.encode("utf-8", "backslashreplace"))
        self.conflicts[memory] = sorted(heads)

    def close_conflict(self, memory: str) -> None:
        """Move the file of a conflict that is decided aside; only the latest of these are kept."""
        self.conflicts.pop(memory, None)
        decided = os.path.join(self.folder, "conflicts", "decided")
        with suppress(OSError):
            private_files.folder(decided, self.folder)
            os.replace(self.conflict_file(memory), os.path.join(decided, f"{memory}.md"))
            by_age = sorted(os.scandir(decided), key=lambda entry: entry.stat().st_mtime)
            for entry in by_age[: -CLOSED_KEPT or None]:
                os.unlink(entry.path)

    def _write(self, path: str, data: bytes) -> None:
        try:
            private_files.folder(os.path.dirname(path), self.folder)
            atomic.write(path, data)
        except OSError as error:
            raise StorageError(path, error.strerror or str(error), STEP) from None


STEP = "Nothing was lost; free some space or make the folder writable, then run the command again."


def _dict(value: object) -> dict[str, Any]:
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def _texts(value: object) -> dict[str, str]:
    return {key: item for key, item in _dict(value).items() if isinstance(item, str)}


def _lists(value: object) -> dict[str, list[str]]:
    return {key: [str(one) for one in item] for key, item in _dict(value).items() if isinstance(item, list)}
