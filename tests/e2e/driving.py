"""Driving the real client through a script, and reading what it then asks of the model."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.e2e.harness import COMPACT_RULE, Harness, Run
from tests.plugin.executable_standin import users_python

ROOT = Path(__file__).resolve().parents[2]
SERVER = "mcp__plugin_autology_autology"
ALLOWED = ("--allowedTools", SERVER, "Bash", "Read", "Skill", "Agent", "ToolSearch")
PATIENCE = {
    "MCP_TIMEOUT": "120000",
    "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": "120000",
    "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "60000",
}
"""For the client: how long the server may take to start, how long the first question waits for it, and the end for
hooks; a busy machine starts both late. What they take is measured by the benchmarks."""
LASTS = 900
"""Seconds that a session of the client may last: one takes ten, on a machine where much else runs a minute."""
END = "THE-SCRIPT-IS-AT-ITS-END"
SUGGESTED = "suggest /autology:capture to the user"
"""Stands in what hooks tell the model and nowhere else in a request."""

Block = dict[str, Any]
Step = Block | Callable[[Mapping[str, str]], Block]
"""What the model answers: one call of a tool, or how to make it from the results of the steps before."""


def bash(command: str) -> Block:
    return {"tool": "Bash", "input": {"command": command, "description": "A step of the script"}}


def tool(name: str, **arguments: object) -> Block:
    """A call of one of the plugin's tools, by its own name."""
    return {"tool": f"{SERVER}__{name}", "input": arguments}


def saying(text: str, block: Block) -> Block:
    """The call *block*, and *text* that the model says before it."""
    return {**block, "says": text}


@dataclass(frozen=True, slots=True)
class Told:
    """What the model is told after a step: all of it, the tool's result, and what hooks added to it, by event."""

    text: str
    result: str
    failed: bool
    hooks: tuple[tuple[str, str], ...]

    @property
    def said(self) -> str:
        """What hooks said."""
        return "\n".join(text for _, text in self.hooks)

    @property
    def data(self) -> dict[str, Any]:
        """The result, where it is data."""
        read: dict[str, Any] = json.loads(self.result)
        return read


@dataclass(frozen=True, slots=True)
class Session:
    """One run of the client: *run* as the harness has it, and what came *after* each step."""

    run: Run
    after: Mapping[str, Told]
    requests: list[Any] = field(repr=False)
    """The requests of the session itself, without its agents'."""

    @property
    def first(self) -> Told:
        """What the model is told before it answers for the first time."""
        return _told(self.requests[0], "")

    @property
    def compactions(self) -> list[str]:
        """What the model is told when it is to sum the conversation up, each time."""
        return [request.last_text for request in self.run.requests if request.rule == "compact"]

    def answers(self, event: str) -> list[dict[str, Any]]:
        """What the plugin's hooks answered to *event*, the user's part included."""
        message = (response.get("stdout", "") for response in self.run.hook_responses(event))
        return [json.loads(text) for text in message if text]

    @property
    def messages(self) -> list[str]:
        """What hooks said to the user."""
        shown = [event for event in self.run.events if event.get("subtype") == "informational"]
        return [event["content"] for event in shown if " says: " in event["content"]]


class Claude:
    """A client with a home and a project of its own; *plugin* is the plugin's folder, None if it is installed."""

    def __init__(self, program: Path, folder: Path, plugin: Path | None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.programs = folder / "bin"
        self.programs.mkdir()
        # The hooks start python3: a shim in front of it would be what is tested, and slowly.
        (self.programs / "python3").symlink_to(Path(users_python()).resolve())
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        self._sessions = 0
        self.harness = Harness(program, folder, plugin, {"PATH": path, **PATIENCE})
        self.plugin = plugin

    @property
    def project(self) -> Path:
        return self.harness.project

    @property
    def home(self) -> Path:
        return self.harness.home

    def sh(self, command: str) -> str:
        """Run *command* in the project, where it must succeed; return what it printed."""
        done = self.harness.sh(command)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def autology(self, *arguments: str, code: int = 0) -> str:
        """Run the executable's command line in the project; return what it printed."""
        assert self.plugin, "an installed plugin is not looked for"
        done = subprocess.run(
            ["python3", "-I", "-S", str(self.plugin / "dist" / "autology.pyz"), *arguments],
            cwd=self.project,
            env=self.harness.base_env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def capture(self, title: str, content: str, *options: str) -> str:
        """Create a node from the command line; return its id."""
        made: str = json.loads(self.autology("capture", "--json", "--title", title, "--content", content, *options))[
            "id"
        ]
        return made

    def session(
        self,
        steps: Mapping[str, Step] | None = None,
        *options: str,
        prompt: str = "Go on.",
        end: str = END,
        agent: Sequence[Sequence[Block]] = (),
        full_after: str = "",
    ) -> Session:
        """Let the model take *steps*, one tool call each, and say *end*; no hook may fail meanwhile.

        A sub-agent answers as *agent* has it. After the step *full_after* the conversation is so long that the client
        compacts it.
        """
        named = dict(steps or {})
        self._sessions += 1  # A session that is resumed holds the calls of those before it.
        ids = {name: _id(f"{self._sessions} {name}") for name in named}
        rules = [COMPACT_RULE, *(_rule(name, step, ids, name == full_after) for name, step in named.items())]
        rules += [{"when": {"subagent": True}, "reply": list(reply)} for reply in agent]
        rules.append({"name": END, "when": {"subagent": False}, "reply": [{"text": end}]})
        run = self.harness.run(prompt, rules, *ALLOWED, *options, timeout=LASTS)
        own = [request for request in run.requests if not request.subagent and request.rule != "compact"]
        assert run.returncode == 0, f"{run.returncode}: {run.stderr[-2000:]}"
        assert self.troubles(run) == []
        replies = {request.rule: at for at, request in enumerate(own)}
        after = {name: _told(own[replies[name] + 1], ids[name]) for name in named if name in replies}
        assert list(after) == list(named), f"the script came to {run.api.used_rules()}"
        return Session(run, after, own)

    def fired(self, event: str) -> list[dict[str, Any]]:
        """Return what the client told its hooks of *event*, since the last session that had a script."""
        files = sorted(self.harness.spy_dir.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        result = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        return [each for each in result if each["hook_event_name"] == event]

    def troubles(self, run: Run) -> list[str]:
        """Return what went wrong in hooks, whether or not the client was told."""
        result = [f"{event['hook_name']}: {event}" for event in run.hook_responses() if event.get("outcome") == "error"]
        result += [f"SessionEnd ended with {status}" for _, status in run.silent_hooks("SessionEnd") if status != 0]
        result += [f"PreCompact ended with {status}" for _, status in run.silent_hooks("PreCompact") if status != 0]
        return result + self.log()

    def log(self) -> list[str]:
        """Return the lines of the plugin's own log."""
        files = sorted(self.home.rglob("autology.log*"))
        return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def contexts(text: str) -> list[tuple[str, str]]:
    """Return what hooks added to a request's *text*, as (event, text)."""
    # The plugin's own words have no empty line; what stood behind one would be outside of the fence.
    content = re.findall(r"(\w+)(?::[^\n]*?)? hook (?:additional context|success): (.*?)(?=\n\n|\Z)", text, re.DOTALL)
    return [(event, message) for event, message in content]


def frontmatter(file: Path) -> dict[str, str]:
    """Return the scalars in the head of a node's file."""
    head = file.read_text(encoding="utf-8").split("---\n")[1]
    lines = (line.partition(": ") for line in head.splitlines() if not line.startswith((" ", "-")))
    return {key: value.strip("\"'") for key, _, value in lines}


def node_file(project: Path, id: str) -> Path:
    """Return the file of the node *id*."""
    [file] = (project / ".autology" / "nodes").rglob(f"{id}.md")
    return file


def _rule(name: str, step: Step, ids: Mapping[str, str], full: bool) -> dict[str, Any]:
    def reply(request: Any) -> list[Block]:
        made = step({name: request.tool_results().get(id, "") for name, id in ids.items()}) if callable(step) else step
        before = [{"text": made["says"]}] if "says" in made else []
        return [*before, {**made, "id": ids[name]}]

    rule: dict[str, Any] = {"name": name, "when": {"subagent": False}, "reply": reply}
    return {**rule, "usage": {"input_tokens": 990_000}} if full else rule


def _id(name: str) -> str:
    # Not the name itself: the client takes an underscore and a number at the end of an id for its own.
    return f"toolu_{sha256(name.encode()).hexdigest()[:24]}"


def _told(request: Any, id: str) -> Told:
    blocks = [
        block
        for message in request.messages
        if isinstance(message.get("content"), list)
        for block in message["content"]
        if block.get("type") == "tool_result" and block.get("tool_use_id") == id
    ]
    failed = any(block.get("is_error") for block in blocks)
    return Told(request.last_text, request.tool_results().get(id, ""), failed, tuple(contexts(request.last_text)))
