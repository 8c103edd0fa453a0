"""Claude Code's transcripts: a folder for each project, a file for each session and each of its sub-agents."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence

from autology.core.ports import Mark, Stamp
from autology.model.errors import StorageError
from autology.transcripts.reading import LineReading

ENDING = ".jsonl"
_OTHER = re.compile(r"[^A-Za-z0-9]")
"""What the client replaces in the name of a project's folder."""
_VERSION = re.compile(rf"~\d+{re.escape(ENDING)}\Z")


class ClaudeCode:
    """The :class:`~autology.core.ports.Transcripts` under the client's *folder*.

    A transcript is named by its path below ``projects``, ``/``-separated.
    """

    def __init__(self, folder: str) -> None:
        self._projects = os.path.join(folder, "projects")

    def scan(self) -> Mapping[str, Stamp]:
        """Return every transcript with its stamp, the ones written first before the others."""
        found = dict(files(self._projects, ENDING))
        return dict(sorted(found.items(), key=lambda each: (each[1].mtime_ns, each[0])))

    def of_session(self, session: str) -> Sequence[str]:
        """Return the transcripts of a session: its own, and its sub-agents'."""
        found = []
        for project in _folders(self._projects):
            slug = os.path.basename(project)
            if os.path.isfile(os.path.join(project, session + ENDING)):
                found.append(f"{slug}/{session}{ENDING}")
            inner = os.path.join(project, session)
            found += [f"{slug}/{session}/{name}" for name, _ in files(inner, ENDING)]
        return found

    def read(self, name: str, mark: Mark | None = None) -> LineReading:
        """Return what follows *mark*, or the whole.

        Raises:
            FileNotFoundError: there is none of that name.
            StorageError: it cannot be read.
        """
        path = self.path(name)
        try:
            return LineReading(path, mark)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return the transcripts of sessions in a folder, or below it; of another by chance, where names are alike."""
        slug = _OTHER.sub("-", os.path.abspath(folder))
        found = []
        for project in _folders(self._projects):
            name = os.path.basename(project)
            if name == slug or name.startswith(f"{slug}-"):
                found += [f"{name}/{inner}" for inner, _ in files(project, ENDING)]
        return found

    def earlier(self, name: str, number: int) -> str:
        """Return what the version of a transcript is called that was replaced as the *number*-th."""
        return f"{name.removesuffix(ENDING)}~{number}{ENDING}"

    def current(self, name: str) -> str:
        """Return the transcript that one is an earlier version of; itself if it is none."""
        return _VERSION.sub(ENDING, name)

    def session(self, name: str) -> str:
        """Return the session that a transcript is of."""
        parts = self.current(name).removesuffix(ENDING).split("/")
        return parts[1] if len(parts) > 2 else parts[-1]

    def is_agent(self, name: str) -> bool:
        """Whether a transcript is a sub-agent's."""
        return name.count("/") > 1 or name.rpartition("/")[2].startswith("agent-")

    def remembered(self) -> Mapping[str, str]:
        """Return the sessions that the client remembers, transcripts or not, with their folders."""
        found: dict[str, str] = {}
        try:
            with open(os.path.join(os.path.dirname(self._projects), "history.jsonl"), "rb") as file:
                for line in file:
                    session, folder = _asked_in(line)
                    if session:
                        found[session] = folder
        except OSError:
            pass
        return found

    def path(self, name: str) -> str:
        """Return where the transcript of that name lies."""
        return os.path.join(self._projects, *name.split("/"))

    def name(self, path: str) -> str | None:
        """Return the name of the transcript at *path*; None where it is none of these."""
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(self._projects)).replace(os.sep, "/")
        return None if inside.startswith("../") or not inside.endswith(ENDING) else inside


def _asked_in(line: bytes) -> tuple[str, str]:
    """Return the session and the folder of a line in the client's history of prompts."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return "", ""
    found = [record.get(name) for name in ("sessionId", "project")] if isinstance(record, dict) else []
    session, folder = (part if isinstance(part, str) else "" for part in found or ("", ""))
    return session, folder


def files(folder: str, ending: str) -> Iterator[tuple[str, Stamp]]:
    """Yield the regular files below *folder* whose names end so; links are not followed."""
    waiting = [("", folder)]
    while waiting:
        prefix, at = waiting.pop()
        try:
            with os.scandir(at) as listed:
                entries = list(listed)
        except OSError:
            continue  # gone meanwhile, or not ours to read
        for entry in entries:
            name = f"{prefix}{entry.name}"
            if not is_utf8(name):
                continue  # the client gives sessions no such name, and no index could keep it
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "tool-results":
                    waiting.append((f"{name}/", entry.path))
            elif entry.name.endswith(ending) and entry.is_file(follow_symlinks=False):
                try:
                    facts = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # gone meanwhile; the others of its folder are still there
                yield name, Stamp(facts.st_size, facts.st_mtime_ns)


def is_utf8(name: str) -> bool:
    """Whether *name* is text: a file's name may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []
