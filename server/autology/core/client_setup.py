"""Setting up other MCP clients: the entry and the hooks that each documents in its configuration, added or removed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autology.model.errors import ValidationError
from autology.text.config import jsonc, toml_tables

NAME = "autology"
"""The name of the server and of the hooks in each client."""
HOOKS = "hooks"
SECONDS = 5
"""The time that a hook has, as in Claude Code."""
CODEX_TRUST = "Codex runs new hooks only after you reviewed them: type /hooks in it"


@dataclass(frozen=True, slots=True)
class ClientHooks:
    """The hooks of the client called *key*: their *file*, our hook for each event of the client, and their *timeout*.

    *note* says what the client asks of its user before it runs them.
    """

    key: str
    file: str
    events: Mapping[str, str]
    timeout: int
    note: str = ""

    def connected(self, text: str, command: Sequence[str]) -> str:
        """Return the *text* with the hooks that *command* runs. Raises ValidationError."""
        edited = self.disconnected(text)
        wanted = _loaded_json(self.file, edited)
        for event, hook in self.events.items():
            line = shlex.join([*command, "hook", f"{hook}@{self.key}"])
            group = {"hooks": [{"type": "command", "name": NAME, "command": line, "timeout": self.timeout}]}
            try:
                edited = jsonc.with_item(edited, (HOOKS, event), group)
            except ValueError as error:
                raise _refused(self.file, str(error), HOOKS) from None
            hooks = wanted.setdefault(HOOKS, {})
            hooks[event] = [*hooks.get(event, ()), group]
        return self._checked(edited, wanted)

    def disconnected(self, text: str) -> str:
        """Return the *text* without the hooks. Raises ValidationError."""
        for event in self.events:
            while (groups := self._groups(text, event)) and (own := [*filter(self._is_own, groups)]):
                wanted = _loaded_json(self.file, text)
                left = [group for group in groups if group is not own[-1]]
                wanted[HOOKS][event] = left
                if not left:
                    wanted = _without(wanted, (HOOKS, event))
                number = len(groups) - 1 - groups[::-1].index(own[-1])
                text = self._checked(jsonc.without_item(text, (HOOKS, event), number), wanted)
        return text

    def _groups(self, text: str, event: str) -> list[Any]:
        events = _loaded_json(self.file, text).get(HOOKS)
        groups = events.get(event) if isinstance(events, dict) else None
        return groups if isinstance(groups, list) else []

    def _is_own(self, group: object) -> bool:
        """Whether all hooks of a group are ours."""
        hooks = group.get("hooks") if isinstance(group, dict) else None
        if not isinstance(hooks, list):
            return False
        lines = [hook.get("command") if isinstance(hook, dict) else None for hook in hooks]
        return bool(lines) and all(
            isinstance(line, str) and f"@{self.key}" in line and " hook " in line for line in lines
        )

    def _checked(self, edited: str, wanted: Mapping[str, Any]) -> str:
        if _loaded_json(self.file, edited) != wanted:
            raise _refused(self.file, "it is written in a way that cannot be edited safely", HOOKS)
        return edited


def _loaded_json(file: str, text: str) -> dict[str, Any]:
    try:
        return jsonc.loaded(text)
    except (ValueError, RecursionError) as error:
        raise _refused(file, str(error), HOOKS) from None


def _refused(file: str, problem: str, place: str) -> ValidationError:
    step = f"Nothing was changed. Correct the file, or edit it yourself: its place is {place}."
    return ValidationError(file, f"cannot be edited: {problem}", step)


@dataclass(frozen=True, slots=True)
class McpClient:
    """A client: what commands call it, its configuration *file*, and its *entry* for the server at *path* in it.

    *skill* is the file of a skill of ours, for a client that has skills.
    """

    key: str
    label: str
    file: str
    path: tuple[str, ...]
    entry: Callable[[Sequence[str]], Mapping[str, object]]
    is_toml: bool = False
    hooks: ClientHooks | None = None
    skill: str = ""

    def entry_in(self, text: str) -> object:
        """Return the server's entry in the file's *text*, None if it has none. Raises ValidationError."""
        data: Any = self._loaded(text)
        for name in self.path:
            data = data.get(name) if isinstance(data, dict) else None
        return data

    def connected(self, text: str, command: Sequence[str]) -> str:
        """Return the *text* with the server that *command* starts. Raises ValidationError."""
        before = self._loaded(text)
        bare = self.disconnected(text)
        entry = dict(self.entry(command))
        try:
            edited = (toml_tables.with_table if self.is_toml else jsonc.with_member)(bare, self.path, entry)
        except ValueError as error:
            raise self._refused(str(error)) from None
        wanted = _without(before, self.path)
        place: Any = wanted
        for name in self.path[:-1]:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise self._refused(f"{name} is not a table")
        place[self.path[-1]] = entry
        return self._checked(edited, wanted)

    def disconnected(self, text: str) -> str:
        """Return the *text* without the server. Raises ValidationError."""
        if self.entry_in(text) is None:
            return text
        edited = (toml_tables.without_table if self.is_toml else jsonc.without_member)(text, self.path)
        return self._checked(edited, _without(self._loaded(text), self.path))

    def _loaded(self, text: str) -> dict[str, Any]:
        try:
            return toml_tables.loaded(text) if self.is_toml else jsonc.loaded(text)
        except (ValueError, RecursionError) as error:
            raise self._refused(str(error)) from None

    def _checked(self, edited: str, wanted: Mapping[str, Any]) -> str:
        """Return the *edited* text if it says what is *wanted* and nothing else."""
        if self._loaded(edited) != wanted:
            raise self._refused("it is written in a way that cannot be edited safely")
        return edited

    def _refused(self, problem: str) -> ValidationError:
        return _refused(self.file, problem, ".".join(self.path))


def clients(environ: Mapping[str, str], home: str) -> list[McpClient]:
    """Return the clients that can be set up, with their files on this machine."""
    codex = environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    gemini = os.path.join(environ.get("GEMINI_CLI_HOME") or home, ".gemini")
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    opencode = [os.path.join(config, "opencode", name) for name in ("opencode.jsonc", "opencode.json")]
    servers = ("mcpServers", NAME)
    settings = os.path.join(gemini, "settings.json")
    codex_hooks = ClientHooks(
        "codex",
        os.path.join(codex, "hooks.json"),
        {"SessionStart": "session-start", "UserPromptSubmit": "prompt-submit"},
        SECONDS,
        CODEX_TRUST,
    )
    gemini_hooks = ClientHooks(
        "gemini", settings, {"SessionStart": "session-start", "BeforeAgent": "prompt-submit"}, SECONDS * 1_000
    )
    file = os.path.join(codex, "config.toml")
    skill = [os.path.join(place, "skills", NAME, "SKILL.md") for place in (codex, gemini, os.path.dirname(opencode[0]))]
    place = next(filter(os.path.exists, opencode), opencode[1])
    return [
        McpClient("codex", "Codex CLI", file, ("mcp_servers", NAME), _program, True, codex_hooks, skill[0]),
        McpClient("gemini", "Gemini CLI", settings, servers, _program, hooks=gemini_hooks, skill=skill[1]),
        McpClient("cursor", "Cursor", os.path.join(home, ".cursor", "mcp.json"), servers, _program),
        McpClient("opencode", "OpenCode", place, ("mcp", NAME), _local, skill=skill[2]),
    ]


def _program(command: Sequence[str]) -> Mapping[str, object]:
    return {"command": command[0], "args": list(command[1:])}


def _local(command: Sequence[str]) -> Mapping[str, object]:
    return {"type": "local", "command": list(command), "enabled": True}


def _without(data: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Return a copy of *data* without the value at *path*, and without what that leaves empty."""
    copy = dict(data)
    if len(path) > 1 and isinstance(copy.get(path[0]), dict):
        inner = _without(copy[path[0]], path[1:])
        if inner or path[1] not in copy[path[0]]:
            copy[path[0]] = inner
        else:
            del copy[path[0]]
    elif len(path) == 1:
        copy.pop(path[0], None)
    return copy
