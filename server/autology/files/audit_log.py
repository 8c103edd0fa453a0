"""The audit log: one JSON line per event, in append-only files."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from autology import private_files
from autology.core.memory.ports import AuditState, Event
from autology.files import atomic, lock, safe_read
from autology.model.errors import StorageError
from autology.text.language.timestamps import stamp
from autology.text.redaction import redact

LIMIT = 4_000_000
"""Bytes from which the file is rotated; a call writes some 1,000, so a file holds 4,000 calls."""
FILES = 10
"""Files kept, including the current one: 40 MB."""
TEXT = 1_000
"""Maximum characters of a text in a line."""
LISTED = 100
"""Maximum items of a list in a line, as many as one call may store."""
PATIENCE = 2.0
"""Seconds to wait for another writer, where that is necessary."""
PAUSES = (0.001, 0.01, 0.05)
"""Pauses in seconds before rereading an unfinished line: a write takes microseconds, milliseconds under load."""
NAME = "audit.jsonl"
_NO_SECRET = re.compile(r"(?:[A-Za-z_]{1,15}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")
"""Words too short for a token, and UUIDs: most of a line, and not worth scanning for secrets."""
_FLAGS = (
    os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not block
)


class AuditLog:
    """The :class:`~autology.core.memory.ports.Audit` in *folder*; *failed* is called when a line cannot be written.

    Several processes write concurrently: each record is a single append. It survives a killed process, but the last
    lines may be lost in a power failure, because a sync per line would cost more than the call it records.
    """

    def __init__(
        self,
        folder: str,
        now: Callable[[], datetime],
        on: bool = True,
        failed: Callable[[OSError], object] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._path = os.path.join(folder, NAME)
        self._now = now
        self._on = on
        self._failed = failed
        self._missed = 0
        self._missed_since = ""

    def record(self, events: Sequence[Event]) -> bool:
        """Append *events*, with secrets redacted; return whether all were written. Never raises."""
        if not self._on or not events:
            return False
        pending = list(events)
        if self._missed:
            pending.insert(0, Event("audit_gap", "warn", {"missed": self._missed, "since": self._missed_since}))
        sanitizer, moment = _Sanitizer(), self._now().astimezone(UTC).isoformat(timespec="milliseconds")
        lines = [_line(event, moment.replace("+00:00", "Z"), sanitizer) for event in pending]
        try:
            complete = self._append(lines)
        except OSError as error:
            return self._miss(error, len(events))
        if complete < len(lines):
            full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._path)
            return self._miss(full, min(len(events), len(lines) - complete))
        self._missed = 0
        return True

    def entries(self, since: str = "") -> Iterator[Mapping[str, object]]:
        """Yield the events recorded since *since*, latest first."""
        for data in self._texts(since):
            for line in reversed(data.split(b"\n")):
                if line.strip():
                    entry = _entry(line)
                    if str(entry.get("time", since)) >= since:
                        yield entry

    def state(self) -> AuditState:
        """Return the state of the log, without changing anything."""
        sizes = [os.path.getsize(path) for path in (self._path, *self._rotated()) if os.path.isfile(path)]
        return AuditState(self._on, self._path, len(sizes), sum(sizes), self._problem() if self._on else "")

    # ---- writing ---------------------------------------------------------------------------------

    def _append(self, lines: Sequence[bytes]) -> int:
        """Append *lines* in one write; return how many reached the disk completely. Raises OSError."""
        private_files.folder(self._folder)
        data = b"".join(lines)
        with self._exclusively():
            handle = os.open(self._path, os.O_RDWR | _FLAGS, 0o600)
            try:
                is_complete = _ends_whole(handle, self._path)
                written = os.write(handle, data if is_complete else b"\n" + data)
                size = os.fstat(handle).st_size
            finally:
                os.close(handle)
        if size > LIMIT:
            self._rotate()
        return len(lines) if written >= len(data) else data[:written].count(b"\n")

    def _miss(self, error: OSError, events: int) -> bool:
        if not self._missed:
            self._missed_since = stamp(self._now())
            self._failed(error)
        self._missed += events
        return False

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """Serialise writers on Windows, which has no atomic append."""
        if os.name != "nt":
            yield
            return
        try:
            with lock.held(os.path.join(self._folder, "writing"), NAME, PATIENCE):
                yield
        except StorageError as error:
            raise OSError(errno.EAGAIN, error.reason, error.path) from None

    def _rotate(self) -> None:
        """Rotate the full file and remove the oldest; one process does this while the others keep writing."""
        try:
            with lock.held(os.path.join(self._folder, "lock"), NAME, 0.0):
                if os.path.getsize(self._path) <= LIMIT:
                    return  # another process did it meanwhile
                rotated = self._rotated()
                number = _number(rotated[0]) + 1 if rotated else 1
                os.replace(self._path, os.path.join(self._folder, f"audit-{number:06}.jsonl"))
                for old in self._rotated()[FILES - 1 :]:
                    atomic.discard(old)
        except (OSError, StorageError):
            return  # the next line tries again

    def _problem(self) -> str:
        existing = self._path
        while not os.path.lexists(existing) and os.path.dirname(existing) != existing:
            existing = os.path.dirname(existing)
        try:
            if existing != self._path:
                is_writable = os.path.isdir(existing) and os.access(existing, os.W_OK)
                return "" if is_writable else f"{existing} cannot be written"
            _refuse_non_files(os.lstat(existing), existing)
            os.close(os.open(existing, os.O_WRONLY | (_FLAGS & ~os.O_CREAT)))
            if reason := atomic.refusal(self._folder):
                return f"{self._folder}: {reason}"
        except OSError as error:
            return f"{existing}: {error.strerror or error}"
        return ""

    # ---- reading ---------------------------------------------------------------------------------

    def _texts(self, since: str) -> Iterator[bytes]:
        """Yield the files' contents, latest first; a file rotated meanwhile is not read twice."""
        read_files: set[tuple[int, int]] = set()
        for path in self._latest_first():
            try:
                data, facts = _read(path)
            except OSError:
                continue
            if (facts.st_dev, facts.st_ino) in read_files:
                continue
            if since and read_files and _moment(facts.st_mtime) < since:
                return  # the remaining files are older
            read_files.add((facts.st_dev, facts.st_ino))
            yield data

    def _latest_first(self) -> Iterator[str]:
        yield self._path
        yield from self._rotated()  # listed after reading the current file, which may have been rotated meanwhile

    def _rotated(self) -> list[str]:
        """Return the rotated files, latest first."""
        try:
            names = [name for name in os.listdir(self._folder) if _number(name)]
        except OSError:
            return []
        return [os.path.join(self._folder, name) for name in sorted(names, key=_number, reverse=True)]


def _line(event: Event, moment: str, sanitizer: _Sanitizer) -> bytes:
    fields = {"time": moment, "event": event.name, "level": event.level, **sanitizer.mapping(event.fields)}
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _number(path: str) -> int:
    name = os.path.basename(path)
    digits = name.removeprefix("audit-").removesuffix(".jsonl")
    return int(digits) if digits.isdigit() and name == f"audit-{digits}.jsonl" else 0


def _ends_whole(handle: int, path: str) -> bool:
    """Whether the last line is complete: a full disk may have truncated it.

    If another process is still writing it, an empty line results."""
    facts = os.fstat(handle)
    _refuse_non_files(facts, path)
    if not facts.st_size:
        return True
    os.lseek(handle, -1, os.SEEK_END)
    return os.read(handle, 1) == b"\n"


def _read(path: str) -> tuple[bytes, os.stat_result]:
    """Return a file's bytes and metadata, waiting briefly for a line that is being written."""
    data, facts = safe_read.read(path)
    for pause in PAUSES:
        if not data or data.endswith(b"\n"):
            break
        time.sleep(pause)
        data, facts = safe_read.read(path)
    return data, facts


def _refuse_non_files(facts: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "is not a regular file", path)


class _Sanitizer:
    """Converts values to bounded JSON without secrets; repeated texts are redacted once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def mapping(self, value: Mapping[str, object]) -> dict[str, object]:
        return {str(key): self.value(item) for key, item in value.items() if item is not None}

    def value(self, value: object) -> object:
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, Mapping):
            return self.mapping(value)
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(item) for item in list(value)[:LISTED]]
        return self._text(str(value))

    def _text(self, text: str) -> str:
        if _NO_SECRET.match(text):
            return text
        result = self._texts.get(text)
        if result is None:
            plain, _ = redact(text)
            result = plain if len(plain) <= TEXT else plain[: TEXT - 1] + "…"
            self._texts[text] = result
        return result


def _entry(line: bytes) -> Mapping[str, object]:
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, dict) and isinstance(parsed.get("event"), str):
        return parsed
    return {"event": "unreadable", "level": "warn", "bytes": len(line)}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds + 1.0, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
