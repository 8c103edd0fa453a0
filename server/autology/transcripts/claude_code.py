"""Claude Code's transcripts: a folder per project, a file per session and sub-agent."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark
from autology.file_notifications import Notices
from autology.model.errors import StorageError
from autology.transcripts.claude_code_records import Records
from autology.transcripts.listing import Listing, files
from autology.transcripts.reading import LineReading

ENDING = ".jsonl"
KEPT = ("user", "assistant", "system", "summary", "custom-title")
"""Record types that are archived; the client's metadata, most of the bytes, is not."""
_OTHER = re.compile(r"[^A-Za-z0-9]")
"""The characters that the client replaces in project folder names."""
_VERSION = re.compile(rf"~\d+{re.escape(ENDING)}\Z")


class ClaudeCode:
    """The :class:`~autology.core.conversations.transcripts.Transcripts` under the client's *folder*.

    A transcript's name is its ``/``-separated path below ``projects``. *notices* returns what reports changes in a
    folder to long-running callers.
    """

    def __init__(self, folder: str, notices: Callable[[str], Notices | None] = lambda _: None) -> None:
        self._projects = os.path.join(folder, "projects")
        self._listing = Listing(self._projects, ENDING, notices(self._projects))

    def scan(self) -> Mapping[str, Stamp]:
        """Return every transcript with its stamp, oldest first."""
        return dict(sorted(self._listing.stamps().items(), key=lambda item: (item[1].mtime_ns, item[0])))

    def of_session(self, session: str) -> Sequence[str]:
        """Return the transcripts of a session and its sub-agents."""
        names = []
        for project in _folders(self._projects):
            slug = os.path.basename(project)
            if os.path.isfile(os.path.join(project, session + ENDING)):
                names.append(f"{slug}/{session}{ENDING}")
            inner = os.path.join(project, session)
            names += [f"{slug}/{session}/{name}" for name, _ in files(inner, ENDING)]
        return names

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session; none if the client deleted its transcript."""
        return ("claude", "--resume", self.session(name)) if os.path.isfile(self.path(name)) else ()

    def read(self, name: str, mark: Mark | None = None) -> LineReading:
        """Read from *mark* on, or everything. Raises FileNotFoundError, StorageError."""
        return LineReading(self.path(name), mark, Records)

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return the transcripts of sessions in or below a folder; possibly of another with a similar name."""
        slug = project_folder(folder)
        names = []
        for project in _folders(self._projects):
            name = os.path.basename(project)
            if name == slug or name.startswith(f"{slug}-"):
                names += [f"{name}/{inner}" for inner, _ in files(project, ENDING)]
        return names

    def earlier(self, name: str, number: int) -> str:
        """Return the name under which the *number*-th replaced version of a transcript is kept."""
        return f"{name.removesuffix(ENDING)}~{number}{ENDING}"

    def current(self, name: str) -> str:
        """Return the name of the current version of a transcript."""
        return _VERSION.sub(ENDING, name)

    def session(self, name: str) -> str:
        """Return the session of a transcript."""
        parts = self.current(name).removesuffix(ENDING).split("/")
        return parts[1] if len(parts) > 2 else parts[-1]

    def is_agent(self, name: str) -> bool:
        """Whether a transcript is a sub-agent's."""
        return name.count("/") > 1 or name.rpartition("/")[2].startswith("agent-")

    def remembered(self) -> Mapping[str, str]:
        """Return the sessions in the client's history, with or without transcripts, and their folders."""
        folders: dict[str, str] = {}
        try:
            with open(os.path.join(os.path.dirname(self._projects), "history.jsonl"), "rb") as file:
                for line in file:
                    session, folder = _session_in(line)
                    if session:
                        folders[session] = folder
        except OSError:
            pass
        return folders

    def archivable(self, name: str) -> tuple[Stamp, Iterator[dict[str, Any]]]:
        """Return a transcript's stamp and the records that are archived. Raises FileNotFoundError, StorageError."""
        path = self.path(name)
        try:
            facts = os.stat(path)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None
        return Stamp(facts.st_size, facts.st_mtime_ns), _records(path)

    def path(self, name: str) -> str:
        """Return a transcript's path."""
        return os.path.join(self._projects, *name.split("/"))

    def name(self, path: str) -> str | None:
        """Return the name of the transcript at *path*; None if it is not below ``projects``."""
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(self._projects)).replace(os.sep, "/")
        return None if inside.startswith("../") or not inside.endswith(ENDING) else inside


def project_folder(folder: str) -> str:
    """Return the name of the client's folder for the project at *folder*."""
    return _OTHER.sub("-", os.path.abspath(folder))


def _records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records at *path* that are archived."""
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


def _session_in(line: bytes) -> tuple[str, str]:
    """Return the session and folder of a line in the client's prompt history."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return "", ""
    values = [record.get(name) for name in ("sessionId", "project")] if isinstance(record, dict) else []
    session, folder = (part if isinstance(part, str) else "" for part in values or ("", ""))
    return session, folder


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []
