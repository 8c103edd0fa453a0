"""Other coding agents than Claude Code: what each has to provide, and what those that write files have in common."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Protocol

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark
from autology.model.errors import StorageError
from autology.transcripts.listing import files
from autology.transcripts.turns import TurnBuilder
from autology.transcripts.turns_reading import TurnsReading

LARGEST = 256 * 1024 * 1024
"""Maximum bytes of a session file: it is parsed in memory, and holds some ten times what is indexed of it."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where agents keep their sessions: the environment, the home folder, and the known projects' folders."""

    environ: Mapping[str, str]
    home: str
    roots: Callable[[], Sequence[str]]

    def folder(self, variable: str, *default: str) -> str:
        """Return the folder in an environment variable, else the *default* one below the home folder."""
        return self.environ.get(variable) or os.path.join(self.home, *default)


class Agent(Protocol):
    """An agent and its sessions. Read-only; names are unique within the agent."""

    key: str
    """What settings call it."""
    label: str
    """Its own name, which results show."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return every session with its stamp."""

    def session(self, name: str) -> str:
        """Return the id of the session of that name."""

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session in the agent, the last one names it; none if the
        agent has no such command, or no such session any more."""

    def read(self, name: str, mark: Mark | None) -> TurnsReading:
        """Read from *mark* on, or everything. Raises FileNotFoundError, StorageError."""

    def unreadable(self) -> Sequence[str]:
        """Return a sentence about each kind of sessions that exist and cannot be read."""


class FileAgent:
    """An agent that keeps a file per session with one of the *endings* in *folder*, below the folders *below* it.

    Links are not followed.
    """

    key = ""
    label = ""

    def __init__(self, folder: str, endings: Sequence[str], below: Sequence[str] = ("",)) -> None:
        self.folder = folder
        self._endings = tuple(endings)
        self._below = tuple(below)

    def scan(self) -> Mapping[str, Stamp]:
        """Return every session with its stamp."""
        stamps: dict[str, Stamp] = {}
        for below in self._below:
            for inner, at in files(os.path.join(self.folder, below), self._endings):
                name = f"{below}/{inner}" if below else inner
                if self.is_session(name):
                    stamps[name] = at
        return stamps

    def read(self, name: str, mark: Mark | None) -> TurnsReading:
        """Read from *mark* on, or everything. Raises FileNotFoundError, StorageError."""
        path = self.path(name)
        try:
            with open_regular(path) as file:
                facts = os.fstat(file.fileno())
                if facts.st_size > LARGEST:
                    raise StorageError(path, f"a session of more than {LARGEST // 1024**2} MB is not read")
                builder = self.parse(name, file)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None
        return TurnsReading(builder.turns, Stamp(facts.st_size, facts.st_mtime_ns), mark, builder.broken)

    def path(self, name: str) -> str:
        """Return the path of the session of that name."""
        return os.path.join(self.folder, *name.split("/"))

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session, the last one names it; none if there is none."""
        raise NotImplementedError

    def is_session(self, name: str) -> bool:
        """Whether the file of that name has a session."""
        raise NotImplementedError

    def session(self, name: str) -> str:
        """Return the id of the session of that name."""
        raise NotImplementedError

    def parse(self, name: str, file: IO[bytes]) -> TurnBuilder:
        """Return the turns in *file*. No content makes it fail."""
        raise NotImplementedError

    def unreadable(self) -> Sequence[str]:
        """Return a sentence about each kind of sessions that exist and cannot be read."""
        return ()


def open_regular(path: str) -> IO[bytes]:
    """Open a regular file; FileNotFoundError if it is a link or anything else by now."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if os.path.islink(path):
            raise FileNotFoundError(path) from error
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileNotFoundError(path)
    return os.fdopen(handle, "rb")
