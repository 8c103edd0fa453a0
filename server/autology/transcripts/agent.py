"""Other coding agents than Claude Code: what each has to provide, and what those that write files have in common."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any, Protocol

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark
from autology.model.errors import StorageError
from autology.model.exchange import ASSISTANT, TOOL, USER, Call, Turn
from autology.text.conversation.injected import is_own_command, is_own_tool, without_injected
from autology.text.language.timestamps import stamp
from autology.text.source_code import languages
from autology.transcripts.claude_code_records import COMMAND, FAILED, RESULT, about, moment, repaired, short
from autology.transcripts.listing import files
from autology.transcripts.turns import TurnsReading, text_in

LARGEST = 256 * 1024 * 1024
"""Maximum bytes of a session file: it is parsed in memory, and holds some ten times what is indexed of it."""
LONGEST = 64 * 1024 * 1024
"""Maximum bytes of a line; a longer one is not a genuine record."""


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


class TurnBuilder:
    """Turns a session's records into turns: shortens outputs, leaves out what this program injected or answered."""

    def __init__(self, session: str, folder: str = "", branch: str = "", agent: str = "") -> None:
        self.session = session
        self.folder = folder
        self.branch = branch
        self.agent = agent
        self.turns: list[Turn] = []
        self.broken = 0
        self._ids: dict[str, int] = {}
        self._own: set[str] = set()
        self._tools: dict[str, str] = {}

    def user(self, id: str, at: object, text: str) -> None:
        """Add what the user typed."""
        if text := without_injected(text):
            self._add(id, USER, at, text)

    def assistant(self, id: str, at: object, text: str) -> None:
        """Add what the model said."""
        if text := without_injected(text):
            self._add(id, ASSISTANT, at, text)

    def call(self, id: str, at: object, tool: str, arguments: Mapping[str, Any], writes: Mapping[str, str]) -> None:
        """Add a tool call: *id* links its result; *writes* has the code it writes, by file."""
        command = arguments.get("command", arguments.get("cmd"))
        command = " ".join(map(str, command)) if isinstance(command, list) else command
        self._tools[id] = tool
        if is_own_tool(tool) or "autology" in tool.lower() or (isinstance(command, str) and is_own_command(command)):
            self._own.add(id)
            return
        if writes:
            calls = tuple(Call(tool, "", (path,), code, languages.of_file(path)) for path, code in writes.items())
        elif isinstance(command, str) and command.strip():
            calls = (Call(tool, f"{tool}: {short(command.strip(), COMMAND)}"),)
        else:
            paths = (arguments.get(name) for name in ("file_path", "filePath", "path", "absolute_path"))
            calls = (
                Call(tool, about(tool, arguments), tuple(path for path in paths if isinstance(path, str) and path)),
            )
        self._add(f"{id}/call", ASSISTANT, at, "", calls=calls)

    def result(self, id: str, at: object, text: str, failed: bool = False) -> None:
        """Add the output of the call with that *id*."""
        if id not in self._own and (text := without_injected(text)):
            text = short(text, FAILED if failed else RESULT)
            self._add(f"{id}/result", TOOL, at, text, tool=self._tools.get(id, ""), failed=failed)

    def _add(
        self,
        id: str,
        role: str,
        at: object,
        text: str,
        calls: tuple[Call, ...] = (),
        tool: str = "",
        failed: bool = False,
    ) -> None:
        id = f"{self.session}/{id}"
        count = self._ids[id] = self._ids.get(id, 0) + 1
        turn = Turn(
            id=id if count == 1 else f"{id}/{count}",
            role=role,
            text=text,
            at=moment(at),
            start=len(self.turns),
            session=self.session,
            folder=self.folder,
            branch=self.branch or None,
            agent=self.agent or None,
            calls=calls,
            tool=tool,
            failed=failed,
        )
        self.turns.append(turn)


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


def json_lines(file: IO[bytes], builder: TurnBuilder) -> Iterator[dict[str, Any]]:
    """Yield the objects in *file*, one a line; broken lines are counted, but for the last one if it is incomplete."""
    while line := file.readline(LONGEST):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            builder.broken += line.endswith(b"\n") or len(line) >= LONGEST
            continue
        if isinstance(fields, dict):
            yield repaired(fields) if b"\\u" in line or b"\xed" in line else fields
        else:
            builder.broken += 1


def mapping(value: object) -> Mapping[str, Any]:
    """Return *value* if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in *value*, if it is a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(parts: object) -> str:
    """Return the text of *parts*, which may be one text, or a list of parts with a text each."""
    if isinstance(parts, str):
        return parts
    return "\n\n".join(text for part in items(parts) if (text := text_in(part, "text")))


def from_milliseconds(value: object) -> str:
    """Return the stamp of a time in milliseconds since 1970; "" if it is none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    try:
        return stamp(datetime.fromtimestamp(value / 1000, UTC))
    except (ValueError, OverflowError, OSError):
        return ""
