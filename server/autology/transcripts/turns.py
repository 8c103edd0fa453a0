"""The turns of a session of another agent than Claude Code, built from its records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autology.model.conversation import ASSISTANT, TOOL, USER, Call, Turn
from autology.text.conversation.injected import is_own_command, is_own_tool, without_injected
from autology.text.source_code import languages
from autology.transcripts.claude_code_records import COMMAND, FAILED, RESULT, about, moment, short


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
