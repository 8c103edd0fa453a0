"""The archive: transcripts compressed and without secrets, for when the client has deleted its own."""

from __future__ import annotations

import gzip
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

from autology import private
from autology.core.ports import Home, Stamp
from autology.model.errors import StorageError
from autology.text.redact import redact
from autology.transcripts.claude_code import ENDING, ClaudeCode, files
from autology.transcripts.reading import LineReading

PACKED, STAGED = ".gz", ".part"
DEAD = 3_600
"""Seconds after which nobody writes a file any more: the largest takes some 20."""
HEADER = "autology-archive"
LEVEL = 6
SHORTEST = 6
LINE = 500
"""Characters of what may be a secret, from and to."""
KEPT = ("user", "assistant", "system", "summary", "custom-title")
"""Records that are kept; the client's bookkeeping, most of the bytes, is not."""
_LEFT_OUT = ("toolUseResult", "mcpMeta", "signature")
"""What repeats the content in another form, or seals it."""
_PLAIN = frozenset(
    "type uuid parentUuid logicalParentUuid sessionId timestamp version userType entrypoint role id tool_use_id model"
    " promptId requestId requestRef agentId stop_reason slug effort permissionMode".split()
)
"""Fields that the client fills in by itself."""
_TEXTS = frozenset("text content command description prompt thinking file_path cwd new_string old_string".split())
"""Fields whose name says nothing of what they hold."""


class FolderArchive:
    """The :class:`~autology.core.ports.Archive` in a *folder* of the user's, of what *live* holds."""

    def __init__(self, folder: str, live: ClaudeCode) -> None:
        self._folder = folder
        self._live = live

    def scan(self) -> Mapping[str, Stamp]:
        """Return the transcripts that are kept, the ones written first before the others.

        A stamp has the bytes that it takes, and when what it was made of was written.
        """
        private.mend(self._folder)
        found = {name.removesuffix(PACKED): stamp for name, stamp in files(self._folder, ENDING + PACKED)}
        return dict(sorted(found.items(), key=lambda each: (each[1].mtime_ns, each[0])))

    def read(self, name: str) -> LineReading:
        """Return the whole. Raises FileNotFoundError, StorageError."""
        try:
            return LineReading(self._path(name), None, packed=True)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(name, error.strerror or str(error)) from None

    def home(self, name: str) -> Home | None:
        """Return the project that a transcript was of when it was kept."""
        try:
            with gzip.open(self._path(name), "rb") as file:
                header = json.loads(file.readline())
            return Home(str(header["identity"]), str(header["root"]))
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str, home: Callable[[str], Home]) -> int:
        """Keep the transcript of that name as the client has it now; return how many bytes that takes."""
        source, path = self._live.path(name), self._path(name)
        staged = f"{path}.{os.getpid()}{STAGED}"
        try:
            private.folder(os.path.dirname(path), self._folder)
            _sweep(os.path.dirname(path))
            facts = os.stat(source)
            with _packed(staged) as out:
                begun, last = False, self._last(path)
                for record in _records(source):
                    last = "" if record.get("uuid") == last else last
                    if not begun and isinstance(record.get("cwd"), str):
                        begun = True
                        out.write(_header(name, home(record["cwd"])))
                    out.write(_line(_clean(record)))
            # As old as what it was made of: so it is seen whether that has gone on since.
            os.utime(staged, ns=(facts.st_atime_ns, facts.st_mtime_ns))
            if last:
                self._put_aside(name)
            os.replace(staged, path)
            return os.stat(path).st_size
        except FileNotFoundError:
            raise
        except OSError as error:
            step = "The transcript itself is where it was; make room or the folder writable."
            raise StorageError(path, error.strerror or str(error), step) from None
        finally:
            if os.path.exists(staged):
                os.unlink(staged)

    def _last(self, path: str) -> str:
        """Return the id of the last record in the copy at *path*; "" where there is none."""
        last = b""
        try:
            with gzip.open(path, "rb") as file:
                for line in file:
                    last = line if b'"uuid":"' in line else last
            record = json.loads(last) if last else {}
        except (OSError, EOFError, zlib.error, ValueError):
            return ""  # none yet, or a damaged one
        return str(record.get("uuid") or "")

    def _put_aside(self, name: str) -> None:
        """Keep a copy under another name: the transcript that it was made of was cut off or replaced."""
        names = (self._path(self._live.earlier(name, number)) for number in count(1))
        os.rename(self._path(name), next(path for path in names if not os.path.exists(path)))

    def remove(self, name: str) -> None:
        """Keep it no longer."""
        path = self._path(name)
        try:
            os.unlink(path)
            for folder in (os.path.dirname(path), os.path.dirname(os.path.dirname(path))):
                if folder.startswith(os.path.join(self._folder, "")):
                    os.rmdir(folder)
        except OSError:
            return  # there was none, or its folder holds others

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, *name.split("/")) + PACKED


def _sweep(folder: str) -> None:
    """Remove what a writer that died left half written."""
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # its writer lives and has just put it in place
                if entry.name.endswith(STAGED) and entry.stat().st_mtime < time.time() - DEAD:
                    os.unlink(entry.path)


@contextmanager
def _packed(path: str) -> Iterator[gzip.GzipFile]:
    """Write a compressed file of the user's own, all of it on the disk at the end."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        with gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=file, mtime=0) as packed:
            yield packed
        file.flush()
        os.fsync(file.fileno())


def _records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records at *path* that are kept."""
    with open(path, "rb") as file:
        for line in file:
            if not any(b'"%s"' % kind.encode() in line for kind in (*KEPT, "queued_command")):
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and _is_kept(record):
                yield record


def _is_kept(record: Mapping[str, Any]) -> bool:
    inner = record.get("attachment")
    return record.get("type") in KEPT or (isinstance(inner, dict) and inner.get("type") == "queued_command")


def _clean(value: Any) -> Any:
    """Return *value* without secrets, wherever in it they stand."""
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
    clean, found = redact(item)
    if not found and len(item) <= LINE and key not in _TEXTS:
        # A password may be told by the name of its field alone.
        _, named = redact(f'"{key}": "{item}"')
        return f"[redacted:{named[0].kind}]" if named else clean
    return clean


def _header(name: str, home: Home) -> bytes:
    return _line({"type": HEADER, "name": name, "identity": home.identity, "root": home.root})


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"
