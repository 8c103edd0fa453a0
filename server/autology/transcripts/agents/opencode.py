"""OpenCode: sessions, messages and their parts, in a SQLite database (since 2026) or in a JSON file each (before)."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any
from urllib.parse import quote

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark
from autology.model.errors import StorageError
from autology.transcripts.agent import Surroundings, open_regular
from autology.transcripts.claude_code_records import repaired
from autology.transcripts.json_records import from_milliseconds, items, mapping, text_in
from autology.transcripts.listing import files
from autology.transcripts.turns import TurnBuilder
from autology.transcripts.turns_reading import TurnsReading

_ID = re.compile(r"ses_[A-Za-z0-9]{1,60}\Z")
_WRITES = {"write": "content", "edit": "newString"}
MESSAGE = 4_000
"""Bytes for which a message counts where sessions are shared among processes by their size."""
WAIT = 2.0
"""Seconds to wait for the client's own transactions, which take milliseconds."""

Part = Mapping[str, Any]
Message = tuple[Mapping[str, Any], Sequence[Part]]


class OpenCode:
    """The sessions in ``$XDG_DATA_HOME/opencode``; of a session in both forms, the database counts."""

    key, label = "opencode", "OpenCode"

    def __init__(self, surroundings: Surroundings) -> None:
        data = surroundings.folder("XDG_DATA_HOME", ".local", "share")
        self._folder = os.path.join(data, "opencode")
        self._database = os.path.join(self._folder, "opencode.db")
        self._storage = os.path.join(self._folder, "storage")
        self._failed = ""

    def scan(self) -> Mapping[str, Stamp]:
        """Return every session with its stamp."""
        return {**self._files(), **self._rows()}

    def session(self, name: str) -> str:
        """Return the id of the session of that name."""
        return name

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session."""
        return ("opencode", "--session", name) if self._has(name) else ()

    def _has(self, id: str) -> bool:
        with suppress(sqlite3.Error):
            if _is_file(self._database):
                with closing(self._open()) as db:
                    if db.execute("SELECT 1 FROM session WHERE id = ?", (id,)).fetchone():
                        return True
        return self._session_file(id) is not None

    def unreadable(self) -> Sequence[str]:
        """Return why the database cannot be read, if so."""
        return (self._failed,) if self._failed else ()

    def read(self, name: str, mark: Mark | None) -> TurnsReading:
        """Read from *mark* on, or everything. Raises FileNotFoundError, StorageError."""
        if not _ID.match(name):
            raise FileNotFoundError(name)
        try:
            content = self._from_database(name) or self._from_files(name)
        except sqlite3.Error as error:
            raise StorageError(self._database, str(error)) from None
        if content is None:
            raise FileNotFoundError(name)
        session, messages, at, broken = content
        builder = TurnBuilder(name, text_in(session, "directory"))
        builder.broken = broken
        if text_in(session, "parentID"):
            builder.agent = "subagent"
        for message, parts in messages:
            _add(builder, message, parts)
        return TurnsReading(builder.turns, at, mark, builder.broken)

    # ---- the database ----

    def _rows(self) -> dict[str, Stamp]:
        self._failed = ""
        if not _is_file(self._database):
            return {}
        sql = (
            "SELECT s.id, s.time_updated, (SELECT count(*) FROM message m WHERE m.session_id = s.id),"
            " (SELECT max(m.time_updated) FROM message m WHERE m.session_id = s.id) FROM session s"
        )
        try:
            with closing(self._open()) as db:
                rows = db.execute(sql).fetchall()
        except sqlite3.Error as error:
            self._failed = f"OpenCode's sessions cannot be read: {self._database}: {error}"
            return {}
        return {id: _stamp(many, updated, last) for id, updated, many, last in rows if _ID.match(str(id))}

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{quote(self._database)}?mode=ro", uri=True, timeout=WAIT)

    def _from_database(self, id: str) -> tuple[Mapping[str, Any], list[Message], Stamp, int] | None:
        if not _is_file(self._database):
            return None
        with closing(self._open()) as db:
            db.execute("BEGIN")  # all of it from one moment
            row = db.execute("SELECT directory, parent_id, time_updated FROM session WHERE id = ?", (id,)).fetchone()
            if row is None:
                return None
            sql = "SELECT id, data, time_updated FROM message WHERE session_id = ? ORDER BY time_created, id"
            messages = db.execute(sql, (id,)).fetchall()
            sql = "SELECT message_id, id, data FROM part WHERE session_id = ? ORDER BY id"
            rows = db.execute(sql, (id,)).fetchall()
        parts: dict[str, list[Part]] = {}
        broken = 0
        for message, part, data in rows:
            fields = _object(data)
            broken += fields is None
            parts.setdefault(message, []).append({**(fields or {}), "id": part})
        decoded: list[Message] = []
        for message, data, _ in messages:
            fields = _object(data)
            broken += fields is None
            decoded.append(({**(fields or {}), "id": message}, parts.get(message, ())))
        session = {"directory": row[0], "parentID": row[1]}
        last = max((updated for _, _, updated in messages if isinstance(updated, int)), default=0)
        return session, decoded, _stamp(len(messages), row[2], last), broken

    # ---- the files ----

    def _files(self) -> dict[str, Stamp]:
        stamps: dict[str, Stamp] = {}
        for path, at in files(os.path.join(self._storage, "session"), ".json"):
            id = os.path.basename(path).removesuffix(".json")
            if _ID.match(id):
                stamps[id] = self._file_stamp(id, at.mtime_ns)
        return stamps

    def _session_file(self, id: str) -> str | None:
        folders = (os.path.join(self._storage, "session", project) for project in self._names("session", ending=""))
        return next((path for folder in folders if _is_file(path := os.path.join(folder, f"{id}.json"))), None)

    def _file_stamp(self, id: str, written: int) -> Stamp:
        """Return a session's stamp: its last message is written again when it is complete."""
        names = self._names("message", id)
        with suppress(OSError):
            if names:
                last = os.lstat(os.path.join(self._storage, "message", id, names[-1]))
                written = max(written, last.st_mtime_ns)
        return Stamp(len(names) * MESSAGE, written)

    def _names(self, *folder: str, ending: str = ".json") -> list[str]:
        try:
            return sorted(name for name in os.listdir(os.path.join(self._storage, *folder)) if name.endswith(ending))
        except OSError:
            return []

    def _from_files(self, id: str) -> tuple[Mapping[str, Any], list[Message], Stamp, int] | None:
        path = self._session_file(id)
        if path is None:
            return None
        at = self._file_stamp(id, os.lstat(path).st_mtime_ns)
        broken: list[str] = []
        messages = list(self._file_messages(id, broken))
        return self._json(path, broken), messages, at, len(broken)

    def _file_messages(self, id: str, broken: list[str]) -> Iterator[Message]:
        for name in self._names("message", id):
            message = self._json(os.path.join(self._storage, "message", id, name), broken)
            number = name.removesuffix(".json")
            folder = os.path.join(self._storage, "part", number)
            parts = [self._json(os.path.join(folder, part), broken) for part in self._names("part", number)]
            yield {**message, "id": number}, parts

    def _json(self, path: str, broken: list[str]) -> Mapping[str, Any]:
        try:
            with open_regular(path) as file:
                fields = _object(file.read())
        except OSError:
            fields = None
        if fields is None:
            broken.append(path)
        return fields or {}


def _add(builder: TurnBuilder, message: Mapping[str, Any], parts: Sequence[Part]) -> None:
    role, at = message.get("role"), from_milliseconds(mapping(message.get("time")).get("created"))
    builder.folder = text_in(mapping(message.get("path")), "cwd") or builder.folder
    if role not in ("user", "assistant") or message.get("summary") is True:
        return  # a summary repeats what was compacted
    for part in parts:
        id, kind = text_in(part, "id"), part.get("type")
        if kind == "text" and not part.get("synthetic") and not part.get("ignored"):
            (builder.user if role == "user" else builder.assistant)(id, at, _unquoted(text_in(part, "text"), role))
        elif kind == "tool" and role == "assistant":
            state, tool = mapping(part.get("state")), text_in(part, "tool")
            arguments, number = mapping(state.get("input")), text_in(part, "callID") or id
            begun = from_milliseconds(mapping(state.get("time")).get("start")) or at
            builder.call(number, begun, tool, arguments, _written(tool, arguments))
            failed = state.get("status") == "error"
            if text := text_in(state, "error" if failed else "output"):
                builder.result(number, begun, text, failed)


def _unquoted(text: str, role: object) -> str:
    """Return a prompt of the command line without the quotes that the client adds to it."""
    is_quoted = role == "user" and len(text) > 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
    return text[1:-1] if is_quoted else text


def _written(tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    if tool == "multiedit":
        code = "\n…\n".join(text_in(edit, "newString") for edit in items(arguments.get("edits")))
    else:
        code = text_in(arguments, _WRITES.get(tool, ""))
    path = text_in(arguments, "filePath")
    return {path: code} if path and code else {}


def _object(data: object) -> dict[str, Any] | None:
    try:
        fields = json.loads(data) if isinstance(data, str | bytes) else None
    except (ValueError, RecursionError):
        return None
    return repaired(fields) if isinstance(fields, dict) else None


def _stamp(messages: int, *updated: object) -> Stamp:
    last = max((at for at in updated if isinstance(at, int)), default=0)
    return Stamp(messages * MESSAGE, min(max(last, 0), 9_000_000_000_000) * 1_000_000)


def _is_file(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def agent(surroundings: Surroundings) -> OpenCode:
    """Return this agent."""
    return OpenCode(surroundings)
