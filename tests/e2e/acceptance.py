"""Every part of the plugin once in the real client: tools, hooks, skills, agents, compaction, resumption."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.driving import ALLOWED, PATIENCE, SERVER, contexts, tool
from tests.e2e.harness import COMPACT_RULE, SUMMARY, Harness, Run
from tests.e2e.messages_api import Request
from tests.plugin.executable_standin import users_python

TITLE = "Use SQLite for the index"
SKILLS = ("tutorial", "capture", "explore", "analyze")
ADVISOR = "autology:autology-advisor"
SERVER_ID = "plugin:autology:autology"
PROMPT = "please run the script"
COMMIT = (
    "echo one > e2e.txt && git add e2e.txt && "
    "git commit -q -m 'Decide: use SQLite because it needs no server' && echo COMMIT-DONE-MARK"
)
FINAL = "E2E-FINAL-MARK"
MARKETPLACE = {
    "name": "e2e-market",
    "owner": {"name": "e2e"},
    "description": "e2e",
    "plugins": [{"name": "autology", "source": "./plugin", "description": "under test"}],
}


@dataclass
class Report:
    """What was checked, each with whether it held and what was seen; and when the first request came, in seconds."""

    checks: list[tuple[str, bool, str]] = field(default_factory=list)
    first_request: float = 0.0

    def check(self, name: str, held: object, seen: object = "") -> None:
        self.checks.append((name, bool(held), str(seen)[:1500]))

    @property
    def failed(self) -> list[str]:
        return [f"{name}: {result}" for name, held, result in self.checks if not held]


def accept(
    client: Path,
    plugin: Path,
    folder: Path,
    *,
    install: bool = False,
    environment: Mapping[str, str] | None = None,
    python: str = "",
) -> Report:
    """Check everything about *plugin*, loaded from its folder or installed, with *python* as the one users have."""
    report = Report()
    # Hooks start the python3 that is found on the path.
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / "python3").symlink_to(Path(python or users_python()).resolve())
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    settings = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **PATIENCE, **(environment or {})}
    harness = Harness(client, folder / "client", None if install else plugin, settings)
    executable = f"python3 -I -S {shlex.quote(str(plugin / 'dist' / 'autology.pyz'))}"
    seed = f"mkdir .autology && echo 'It needs no server.' | {executable} capture --type decision --title '{TITLE}'"
    report.check("seed command", (done := harness.sh(seed)).returncode == 0, done.stderr)
    done = harness.cli("plugin", "validate", "--strict", str(plugin))
    report.check("plugin validate --strict", done.returncode == 0, done.stdout + done.stderr)
    if install:
        _install(report, harness, plugin)
    session = str(uuid.uuid4())
    _check_session(report, harness, session)
    _check_compaction(report, harness, session)
    _check_agent(report, harness)
    return report


def _install(report: Report, harness: Harness, plugin: Path) -> None:
    market = harness.work / "market"
    (market / ".claude-plugin").mkdir(parents=True)
    left_out = shutil.ignore_patterns(".git", "__pycache__", ".venv", "node_modules")
    shutil.copytree(plugin, market / "plugin", symlinks=True, ignore=left_out)
    (market / ".claude-plugin" / "marketplace.json").write_text(json.dumps(MARKETPLACE), encoding="utf-8")
    added = harness.cli("plugin", "marketplace", "add", str(market))
    installed = harness.cli("plugin", "install", "autology@e2e-market")
    succeeded = added.returncode == 0 and installed.returncode == 0
    report.check("install from a marketplace", succeeded, added.stderr + installed.stdout + installed.stderr)
    plugins = json.loads(harness.cli("plugin", "list", "--json").stdout or "[]")
    enabled = any(entry.get("id") == "autology@e2e-market" and entry.get("enabled") for entry in plugins)
    report.check("plugin list shows it enabled", enabled, plugins)


def _check_session(report: Report, harness: Harness, session: str) -> None:
    """A session that calls a tool, commits and ends."""
    query = {**tool("autology_query", query="sqlite index"), "id": "toolu_e2e_mcp"}
    commit = {"tool": "Bash", "input": {"command": COMMIT, "description": "Commit"}, "id": "toolu_e2e_git"}
    rules = [
        {"when": {"last_text": PROMPT, "subagent": False}, "reply": [{"text": "Calling the tool."}, query]},
        {"when": {"fn": lambda request: request.number == 2}, "reply": [commit]},
        {"when": {"fn": lambda request: request.number == 3}, "reply": [{"text": FINAL}]},
    ]
    run = harness.run(PROMPT, rules, *ALLOWED, "--session-id", session)
    report.check("session 1 exits 0", run.returncode == 0, run.stderr)
    report.check("session 1 reaches the scripted end", run.result == FINAL, (run.result, run.api.used_rules()))
    report.check("the client asked the model three times", len(run.requests) == 3, run.stderr)
    if len(run.requests) != 3:
        return
    report.first_request = run.requests[0].time - run.started
    _check_offers(report, run)
    results = run.requests[-1].tool_results()
    report.check("the tool call is answered", TITLE in results.get("toolu_e2e_mcp", ""), results)
    report.check("git commit ran", "COMMIT-DONE-MARK" in results.get("toolu_e2e_git", ""), results)
    started, committed = _context(run.requests[0], "SessionStart"), _context(run.requests[2], "PostToolUse")
    report.check("the session-start context is in the first request", TITLE in started, started)
    report.check("the commit's context is in the next request", "/autology:capture" in committed, committed)
    report.check("the client fired SessionEnd", run.hook_inputs("SessionEnd"), run.inputs)
    _check_silent_hooks(report, run, "SessionEnd")
    errors = [response for response in run.hook_responses() if response.get("outcome") == "error"]
    report.check("no hook failed in session 1", not errors, errors)


def _check_offers(report: Report, run: Run) -> None:
    """The server, its tools, the skills and the agent are there in the first request."""
    first = run.requests[0]
    plugins = run.init.get("plugins", [])
    report.check("the plugin is loaded", any(entry.get("name") == "autology" for entry in plugins), plugins)
    servers = {server["name"]: server["status"] for server in run.init.get("mcp_servers", [])}
    report.check("the server is connected", servers.get(SERVER_ID) == "connected", servers)
    tools = run.init.get("tools", [])
    query = f"{SERVER}__autology_query"
    report.check("its tools are offered", query in tools or query in first.any_text, tools)
    listed = [*run.init.get("skills", []), *run.init.get("slash_commands", [])]
    for skill in SKILLS:
        report.check(f"skill {skill} is listed", f"autology:{skill}" in listed, listed)
    agents = run.init.get("agents", [])
    report.check("the advisor is listed", ADVISOR in agents, agents)
    report.check("the advisor is in the first request", f"- {ADVISOR}:" in first.any_text)


def _check_compaction(report: Report, harness: Harness, session: str) -> None:
    """The session is compacted, then resumed."""
    run = harness.run("/compact keep decisions", [COMPACT_RULE], *ALLOWED, "--resume", session)
    report.check("the client fired PreCompact", run.hook_inputs("PreCompact"), run.inputs)
    _check_silent_hooks(report, run, "PreCompact")
    subtypes = [event.get("subtype") for event in run.events]
    report.check("the conversation was compacted", "compact_boundary" in subtypes, subtypes)
    again = harness.run("second session prompt", [{"reply": [{"text": FINAL}]}], *ALLOWED, "--resume", session)
    report.check("the resumed session answers", again.result == FINAL, again.result)
    held = bool(again.requests) and SUMMARY in again.requests[-1].any_text
    report.check("the resumed request holds the summary", held)


def _check_agent(report: Report, harness: Harness) -> None:
    """The advisor starts, with our tools."""
    task = {"description": "e2e", "prompt": "E2E-AGENT-TASK", "subagent_type": ADVISOR, "run_in_background": False}
    rules = [
        {
            "when": {"last_text": "delegate please", "subagent": False},
            "reply": [{"tool": "Agent", "input": task}],
        },
        {"when": {"any_text": "E2E-AGENT-TASK", "subagent": True}, "reply": [{"text": "REPLY"}], "times": 0},
    ]
    run = harness.run("delegate please", rules, *ALLOWED)
    requests = [request for request in run.requests if request.subagent]
    report.check("the advisor starts", requests, [request.tool_results() for request in run.requests[-1:]])
    query = f"{SERVER}__autology_query"
    offered = bool(requests) and (query in requests[0].tools or query in requests[0].any_text)
    report.check("the advisor is offered our tools", offered, [request.tools for request in requests[:1]])


def _check_silent_hooks(report: Report, run: Run, event: str) -> None:
    hooks = run.silent_hooks(event)
    succeeded = bool(hooks) and all(status == 0 for _, status in hooks)
    report.check(f"the plugin's {event} hook ended with 0", succeeded, hooks or run.stderr)


def _context(request: Request, event: str) -> str:
    return "\n".join(text for name, text in contexts(request.any_text) if name == event)
