"""Claude Code's transcripts: a folder per project, a file per session and sub-agent."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark
from autology.transcripts.reading import LineReading
from autology.walking import displayable, walk

ENDING = ".jsonl"
_OTHER = re.compile(r"[^A-Za-z0-9]")
"""The characters that the client replaces in project folder names."""
_VERSION = re.compile(rf"~\d+{re.escape(ENDING)}\Z")


class ClaudeCode:
    """The :class:`~autology.core.conversations.transcripts.Transcripts` under the client's *folder*.

    A transcript's name is its ``/``-separated path below ``projects``.
    """

    def __init__(self, folder: str) -> None:
        self._projects = os.path.join(folder, "projects")

    def scan(self) -> Mapping[str, Stamp]:
        """Return every transcript with its stamp, oldest first."""
        stamps = dict(files(self._projects, ENDING))
        return dict(sorted(stamps.items(), key=lambda item: (item[1].mtime_ns, item[0])))

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

    def read(self, name: str, mark: Mark | None = None) -> LineReading:
        """Read from *mark* on, or everything. Raises FileNotFoundError, StorageError."""
        return LineReading(self.path(name), mark)

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return the transcripts of sessions in or below a folder; possibly of another with a similar name."""
        slug = _OTHER.sub("-", os.path.abspath(folder))
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

    def path(self, name: str) -> str:
        """Return a transcript's path."""
        return os.path.join(self._projects, *name.split("/"))

    def name(self, path: str) -> str | None:
        """Return the name of the transcript at *path*; None if it is not below ``projects``."""
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(self._projects)).replace(os.sep, "/")
        return None if inside.startswith("../") or not inside.endswith(ENDING) else inside


def _session_in(line: bytes) -> tuple[str, str]:
    """Return the session and folder of a line in the client's prompt history."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return "", ""
    values = [record.get(name) for name in ("sessionId", "project")] if isinstance(record, dict) else []
    session, folder = (part if isinstance(part, str) else "" for part in values or ("", ""))
    return session, folder


def files(folder: str, ending: str) -> Iterator[tuple[str, Stamp]]:
    """Yield the regular files below *folder* with that *ending*; links are not followed."""
    top = len(os.path.join(folder, ""))
    for inner, folders, names in walk(folder):
        folders[:] = [name for name in folders if name != "tool-results"]
        for name in names:
            path = os.path.join(inner, name)
            if not name.endswith(ending) or displayable(path) != path:
                continue  # the client never uses other names, and the index cannot store them
            try:
                facts = os.lstat(path)
            except OSError:
                continue  # removed meanwhile; its siblings may still exist
            if stat.S_ISREG(facts.st_mode):
                yield path[top:].replace(os.sep, "/"), Stamp(facts.st_size, facts.st_mtime_ns)


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []
