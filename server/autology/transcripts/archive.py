"""The archive: compressed, redacted copies of transcripts, kept after the client deletes its own."""

from __future__ import annotations

import gzip
import json
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

from autology import private_files
from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Home
from autology.file_notifications import Notices
from autology.model.agents import is_foreign
from autology.model.errors import StorageError
from autology.text.redaction import redact
from autology.transcripts.archived_turns import TurnRecords
from autology.transcripts.claude_code_records import Records
from autology.transcripts.every_agent import EveryAgent
from autology.transcripts.listing import Listing
from autology.transcripts.reading import LineReading

PACKED, STAGED = ".gz", ".part"
DEAD = 3_600
"""Seconds after which a staged file is abandoned: writing the largest takes some 20."""
HEADER = "autology-archive"
LEVEL = 6
SHORTEST = 6
LINE = 500
"""Minimum and maximum length of a text that may be a secret by its field name alone."""
_LEFT_OUT = ("toolUseResult", "mcpMeta", "signature")
"""Fields that repeat the content in another form, or sign it."""
_PLAIN = frozenset(
    "type uuid parentUuid logicalParentUuid sessionId timestamp version userType entrypoint role id tool_use_id model"
    " promptId requestId requestRef agentId stop_reason slug effort permissionMode".split()
)
"""Fields that the client generates."""
_TEXTS = frozenset("text content command description prompt thinking file_path cwd new_string old_string".split())
"""Field names that say nothing about their content."""


class FolderArchive:
    """The archive (:class:`~autology.core.conversations.transcripts.Archive`) in *folder*, of transcripts in *live*."""

    def __init__(
        self, folder: str, live: EveryAgent, notices: Callable[[str], Notices | None] = lambda _: None
    ) -> None:
        self._folder = folder
        self._live = live
        self._listing = Listing(folder, PACKED, notices(folder))

    def scan(self) -> Mapping[str, Stamp]:
        """Return the archived transcripts, oldest first.

        A stamp has the archived size, and the modification time of the original.
        """
        private_files.restrict(self._folder)
        stamps = {name.removesuffix(PACKED): stamp for name, stamp in self._listing.stamps().items()}
        return dict(sorted(stamps.items(), key=lambda item: (item[1].mtime_ns, item[0])))

    def read(self, name: str) -> LineReading:
        """Read a whole transcript. Raises FileNotFoundError, StorageError."""
        return LineReading(self._path(name), None, TurnRecords if is_foreign(name) else Records, packed=True)

    def home(self, name: str) -> Home | None:
        """Return the project of a transcript at the time it was archived."""
        try:
            with gzip.open(self._path(name), "rb") as file:
                header = json.loads(file.readline())
            return Home(str(header["identity"]), str(header["root"]))
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str, home: Callable[[str], Home]) -> int:
        """Archive the current version of a transcript; return the size in bytes."""
        path = self._path(name)
        staged = f"{path}.{os.getpid()}{STAGED}"
        original, records = self._live.archivable(name)
        try:
            private_files.folder(os.path.dirname(path), self._folder)
            _sweep(os.path.dirname(path))
            with _packed(staged) as out:
                begun, last = False, self._last(path)
                for record in records:
                    last = "" if record.get("uuid") == last else last
                    if not begun and isinstance(record.get("cwd"), str):
                        begun = True
                        owner = home(record["cwd"])
                        header = {"type": HEADER, "name": name, "identity": owner.identity, "root": owner.root}
                        out.write(_line(header))
                    out.write(_line(_clean(record)))
            # The original's time shows whether it has grown since.
            os.utime(staged, ns=(original.mtime_ns, original.mtime_ns))
            if last:
                self._put_aside(name)
            os.replace(staged, path)
            return os.stat(path).st_size
        except FileNotFoundError:
            raise
        except OSError as error:
            step = "The original transcript is unchanged; free some space or make the folder writable."
            raise StorageError(path, error.strerror or str(error), step) from None
        finally:
            if os.path.exists(staged):
                os.unlink(staged)

    def _last(self, path: str) -> str:
        """Return the id of the last record in the copy at *path*, or ""."""
        last = b""
        try:
            with gzip.open(path, "rb") as file:
                for line in file:
                    last = line if b'"uuid":"' in line else last
            record = json.loads(last) if last else {}
        except (OSError, EOFError, zlib.error, ValueError):
            return ""  # missing or damaged
        return str(record.get("uuid") or "")

    def _put_aside(self, name: str) -> None:
        """Rename a copy whose original was truncated or replaced, to keep it."""
        names = (self._path(self._live.earlier(name, number)) for number in count(1))
        os.rename(self._path(name), next(path for path in names if not os.path.exists(path)))

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of an archived transcript. Raises FileNotFoundError, StorageError."""
        path = self._path(name)
        try:
            with gzip.open(path, "rb") as file:
                yield from file
        except FileNotFoundError:
            raise
        except (OSError, EOFError, zlib.error) as error:
            raise StorageError(path, getattr(error, "strerror", None) or str(error)) from None

    def adopt(self, name: str, parts: Iterable[bytes], modified: int, extends: bool) -> None:
        """Write a transcript of another machine, after what is there if it *extends* that; *modified* in nanoseconds.

        Raises:
            StorageError: it cannot be written; what was there is unchanged.
        """
        path = self._path(name)
        staged = f"{path}.{os.getpid()}{STAGED}"
        try:
            private_files.folder(os.path.dirname(path), self._folder)
            _sweep(os.path.dirname(path))
            with _packed(staged) as out:
                if extends:
                    for line in self.lines(name):
                        out.write(line)
                for part in parts:
                    out.write(part)
            os.utime(staged, ns=(modified, modified))
            os.replace(staged, path)
        except OSError as error:
            step = "What was there is unchanged; free some space or make the folder writable."
            raise StorageError(path, error.strerror or str(error), step) from None
        finally:
            if os.path.exists(staged):
                os.unlink(staged)

    def remove(self, name: str) -> None:
        """Remove an archived transcript."""
        path = self._path(name)
        try:
            os.unlink(path)
            for folder in (os.path.dirname(path), os.path.dirname(os.path.dirname(path))):
                if folder.startswith(os.path.join(self._folder, "")):
                    os.rmdir(folder)
        except OSError:
            return  # it did not exist, or its folder is not empty

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, *name.split("/")) + PACKED


def _sweep(folder: str) -> None:
    """Remove files abandoned by dead writers."""
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # its writer is alive and has just renamed it
                if entry.name.endswith(STAGED) and entry.stat().st_mtime < time.time() - DEAD:
                    os.unlink(entry.path)


@contextmanager
def _packed(path: str) -> Iterator[gzip.GzipFile]:
    """Write a compressed file readable by the user only, and sync it."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        with gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=file, mtime=0) as packed:
            yield packed
        file.flush()
        os.fsync(file.fileno())


def _clean(value: Any) -> Any:
    """Return *value* with secrets redacted at any depth."""
    if isinstance(value, str):
        return redact(value)[0] if len(value) >= SHORTEST else value
    if isinstance(value, dict):
        return {key: _field(key, item) for key, item in value.items() if key not in _LEFT_OUT}
    return [_clean(item) for item in value] if isinstance(value, list) else value


def _field(key: str, item: Any) -> Any:
    if not isinstance(item, str) or len(item) < SHORTEST:
        return _clean(item)
    if key in _PLAIN:
        return item
    clean, secrets = redact(item)
    if not secrets and len(item) <= LINE and key not in _TEXTS:
        # A password may be recognisable only by its field's name.
        _, by_name = redact(f'"{key}": "{item}"')
        return f"[redacted:{by_name[0].kind}]" if by_name else clean
    return clean


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"
