"""The real client in print mode, offline, in a home and a project of its own: what it ran, asked and logged.

What the client does that this depends on (version 2.1.330):

* what hooks add, and the lists of skills and agents, reach the model as messages of the role ``system``, not only as
  reminders in the user's turns: look at the text of all messages;
* PreCompact, PostCompact and SessionEnd hooks are not in its output, but in its debug file;
* as root it refuses to bypass permissions: tools are allowed by name;
* a plugin's server that failed to start is left out for 15 minutes: each test has a configuration of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.messages_api import MessagesApi, Request, Rule

Json = dict[str, Any]

KEY = "made-up-not-a-key"
SUMMARY = "E2E-SUMMARY-MARK"
COMPACT_RULE: Rule = {
    "name": "compact",
    "when": {"last_text": "Do NOT call any tools"},
    "reply": [{"text": f"<analysis>a</analysis><summary>{SUMMARY}</summary>"}],
    "times": 0,
}
EVENTS = (
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PostToolBatch "
    "SubagentStart SubagentStop Stop PreCompact PostCompact SessionEnd"
).split()
"""Events whose hook inputs are recorded."""
RECORD = 'cat > "$(mktemp "$E2E_SPY/XXXXXXXX")"'
REPOSITORY = (
    "git init -q . && git config user.email e2e@example.invalid && git config user.name e2e "
    "&& echo seed > seed.txt && git add -A && git commit -q -m seed"
)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the client and what it left behind."""

    returncode: int
    stderr: str
    events: list[Json]
    """What it printed, event by event."""
    api: MessagesApi
    debug: str
    """Its debug file."""
    inputs: list[Json]
    """What it handed to its hooks, in order."""
    started: float
    """When it was started, in seconds since 1970."""

    @property
    def requests(self) -> list[Request]:
        return self.api.model_requests()

    @property
    def init(self) -> Json:
        """The event that lists tools, servers, skills and agents; empty if there was none."""
        return next((event for event in self.events if event.get("subtype") == "init"), {})

    @property
    def result(self) -> str:
        return str(next((event.get("result") for event in self.events if event.get("type") == "result"), ""))

    def hook_responses(self, event: str | None = None) -> list[Json]:
        responses = [response for response in self.events if response.get("subtype") == "hook_response"]
        return [response for response in responses if event is None or response.get("hook_event") == event]

    def hook_inputs(self, event: str) -> list[Json]:
        return [hook for hook in self.inputs if hook.get("hook_event_name") == event]

    def silent_hooks(self, event: str) -> list[tuple[str, int]]:
        """Return the plugin's hooks of an *event* whose outcome the client does not print, as (command, status).

        The status is -1 for one that was cancelled.
        """
        outcome = re.compile(rf"{event}:\S* \[(.*?)\] (?:completed with status (\d+)|cancelled)")
        hooks = [(results[1], int(results[2] or -1)) for results in outcome.finditer(self.debug)]
        for line in (str(event["message"]["content"]) for event in self.events if event.get("type") == "user"):
            hooks += [(results[1], 0) for results in re.finditer(rf"{event} \[(.*?)\] completed successfully", line)]
        return [(command, status) for command, status in hooks if "E2E_SPY" not in command]


class Harness:
    """The *client* with a home and a project below *work*; *plugin* is a folder to load, None if it is installed."""

    def __init__(self, client: Path, work: Path, plugin: Path | None, environment: Mapping[str, str]) -> None:
        self.client = str(client)
        self.work = work
        self.plugin = plugin
        self.home = work / "home"
        self.config = self.home / ".claude"
        self.project = work / "project"
        self.spy = work / "e2e-spy"
        self.spy_dir = work / "spy-log"
        for folder in (self.config, self.project, self.spy / ".claude-plugin", self.spy / "hooks", self.spy_dir):
            folder.mkdir(parents=True)
        self._record_hook_inputs()
        self._runs = 0
        self.base_env = {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "TERM": "xterm",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "CLAUDE_CONFIG_DIR": str(self.config),
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "E2E_SPY": str(self.spy_dir),
            **environment,
        }
        self.sh(REPOSITORY)

    def sh(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a shell command in the project."""
        return self._run(["bash", "-c", command], 120)

    def cli(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the client's own command line in the project."""
        return self._run([self.client, *arguments], 120)

    def run(self, prompt: str, rules: Sequence[Rule], *options: str, timeout: float = 180) -> Run:
        """Let the client answer *prompt* with a model that follows *rules*; return what happened."""
        self._runs += 1
        debug = self.work / f"debug{self._runs}.txt"
        api = MessagesApi(rules)
        command = [self.client, "-p", prompt, "--output-format", "stream-json", "--verbose", "--include-hook-events"]
        command += ["--debug-file", str(debug)]
        for plugin in filter(None, (self.plugin, self.spy)):
            command += ["--plugin-dir", str(plugin)]
        started = time.time()
        try:
            model = {"ANTHROPIC_BASE_URL": api.start(), "ANTHROPIC_API_KEY": KEY}
            done = self._run([*command, *options], timeout, model)
        finally:
            api.stop()
        logged = debug.read_text(encoding="utf-8", errors="replace") if debug.exists() else ""
        events = [_event(line) for line in done.stdout.splitlines()]
        return Run(done.returncode, done.stderr, events, api, logged, self._hook_inputs(), started)

    def _run(
        self, command: Sequence[str], timeout: float, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.project,
            env={**self.base_env, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
        )

    def _record_hook_inputs(self) -> None:
        """Make a second plugin, whose hooks record what the client hands to hooks."""
        manifest = {"name": "e2e-spy", "version": "0.1.0", "description": "records hook inputs"}
        (self.spy / ".claude-plugin" / "plugin.json").write_text(json.dumps(manifest), encoding="utf-8")
        handler = [{"hooks": [{"type": "command", "command": RECORD}]}]
        hooks = {"hooks": dict.fromkeys(EVENTS, handler)}
        (self.spy / "hooks" / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")

    def _hook_inputs(self) -> list[Json]:
        """Return what was recorded since the last run, and forget it."""
        inputs = []
        for file in sorted(self.spy_dir.iterdir(), key=lambda file: file.stat().st_mtime_ns):
            with contextlib.suppress(ValueError):  # A hook that the client ended wrote half of it.
                inputs.append(json.loads(file.read_text(encoding="utf-8")))
            file.unlink()
        return inputs


def _event(line: str) -> Json:
    try:
        event: Json = json.loads(line)
    except ValueError:
        return {"type": "text", "text": line}
    return event
