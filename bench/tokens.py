"""What the plugin adds to a request to the model, in tokens (characters ÷ 4), part by part.

The tools are those that the built server lists, in the form in which the client sends them: name, description and
input schema; output schemas, titles and annotations stay in the client. With --client, the same figures from the first
request of the real client, with the plugin and without it; the model is a script, see tests/e2e.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from client import EXECUTABLE, FLAGS, PYTHON, ROOT, Server, apart, serving

sys.path.insert(0, str(ROOT))

from tests.e2e.harness import Harness

Json = dict[str, Any]

PLUGIN = "autology"
PREFIX = f"mcp__plugin_{PLUGIN}_{PLUGIN}__"
CHARACTERS = 4
"""Of a token."""
BARS = {"all": 6_000, "deferred": 2_500}
"""Tokens of a request in which all tools are loaded, and of one in which the client defers what it can."""
SESSION_START = 1_600
"""Characters of a session's start at most: 400 tokens. What it says grows with the project."""
ALL_LOADED = {"ENABLE_TOOL_SEARCH": "false"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", type=Path, help="the client's program, to compare with what it really sends")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        folder = Path(name)
        project, environment = folder / "project", apart(folder)
        shutil.copytree(ROOT / ".autology", project / ".autology", ignore=shutil.ignore_patterns("cache"))
        _program("sync", cwd=project, environment=environment)
        with Server(serving(), project, environment) as server:
            tools: list[Json] = server.request("tools/list", {})["tools"]  # type: ignore[assignment]
        texts = {
            "instructions": f"## plugin:{PLUGIN}:{PLUGIN}\n{server.instructions}\n",
            "skills": "".join(map(_skill, sorted((ROOT / "skills").glob("*/SKILL.md")))),
            "agent": "".join(map(_agent, sorted((ROOT / "agents").glob("*.md")))),
            "session start, in this repository": _session_start(project, environment),
        }
        missed = report(tools, texts)
        if options.client:
            compare(options.client, folder)
    return 1 if missed else 0


def report(tools: list[Json], texts: Mapping[str, str]) -> int:
    """Print a row for each tool and each text, and the totals; return how many bars are missed."""
    print("| tool | loaded | description | schema | characters | tokens |\n|---|---|---|---|---|---|")
    rows = sorted((_sent(tool), tool) for tool in tools)
    for sent, tool in rows:
        loaded = "up front" if _up_front(tool) else ""
        counts = (len(tool["description"]), len(_compact(tool["inputSchema"])), len(sent), _tokens(len(sent)))
        print(f"| {tool['name']} | {loaded} | {' | '.join(f'{number:,}' for number in counts)} |")
    sizes = {name: len(text) for name, text in texts.items()}
    every = sum(len(sent) for sent, _ in rows)
    first = sum(len(sent) for sent, tool in rows if _up_front(tool))
    names = sum(len(f"{PREFIX}{tool['name']}\n") for tool in tools if not _up_front(tool))
    print("\n| part | all loaded | deferred |\n|---|---|---|")
    print(f"| {len(tools)} tools | {_tokens(every):,} | {_tokens(first):,} |")
    print(f"| names of the others | 0 | {_tokens(names):,} |")
    for name, size in sizes.items():
        print(f"| {name} | {_tokens(size):,} | {_tokens(size):,} |")
    totals = {"all": every + sum(sizes.values()), "deferred": first + names + sum(sizes.values())}
    longer = SESSION_START - len(texts["session start, in this repository"])
    for label, more in (("together", 0), ("with the longest session start", longer)):
        print(f"| {label} | {' | '.join(f'{_tokens(total + more):,}' for total in totals.values())} |")
    print(f"| bar | {' | '.join(f'{bar:,}' for bar in BARS.values())} |")
    return sum(_tokens(totals[name]) > bar for name, bar in BARS.items())


def compare(client: Path, folder: Path) -> None:
    """Print how much longer the client's first request is with the plugin than without it."""
    release = folder / "release"
    subprocess.run([PYTHON, ROOT / "build.py", "release", release], check=True, stdout=subprocess.DEVNULL)
    print("\n| first request of the client | all loaded | deferred |\n|---|---|---|")
    shares: dict[str, dict[str, int]] = {"ours": {}, "tools of its own for resources": {}, "together": {}}
    for name, setting in (("all", ALL_LOADED), ("deferred", {})):
        without = _first_request(client, folder / f"{name}-without", None, setting)
        body = _first_request(client, folder / f"{name}-with", release, setting)
        before = {tool["name"] for tool in without["tools"]}
        added = [tool for tool in body["tools"] if tool["name"] not in before]
        own = sum(len(_compact(tool)) + 1 for tool in added if not tool["name"].startswith(PREFIX))
        total = len(_compact(body)) - len(_compact(without))
        for share, count in zip(shares, (total - own, own, total), strict=True):
            shares[share][name] = count
    for share, counts in shares.items():
        print(f"| {share} | {' | '.join(f'{_tokens(count):,}' for count in counts.values())} |")


def _first_request(client: Path, folder: Path, plugin: Path | None, setting: Mapping[str, str]) -> Json:
    environment = {"MCP_TIMEOUT": "120000", "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": "120000", **setting}
    harness = Harness(client, folder, plugin, environment)
    # Harness records the inputs of hooks with hooks of its own, which would add to the request.
    (harness.spy / "hooks" / "hooks.json").write_text('{"hooks": {}}', encoding="utf-8")
    shutil.copytree(ROOT / ".autology", harness.project / ".autology", ignore=shutil.ignore_patterns("cache"))
    _program("sync", cwd=harness.project, environment=harness.base_env)
    return harness.run("hello", []).requests[0].body


def _sent(tool: Json) -> str:
    fields = {"description": tool["description"], "input_schema": tool["inputSchema"]}
    return _compact({"name": f"{PREFIX}{tool['name']}", **fields})


def _up_front(tool: Json) -> bool:
    return bool((tool.get("_meta") or {}).get("anthropic/alwaysLoad"))


def _skill(file: Path) -> str:
    return f"- {PLUGIN}:{file.parent.name}: {_head(file)['description']}\n"


def _agent(file: Path) -> str:
    head = _head(file)
    return f"- {PLUGIN}:{head['name']}: {head['description']} (Tools: {head['tools']})\n"


def _head(file: Path) -> Json:
    fields: Json = yaml.safe_load(
        re.split(r"^---$", file.read_text(encoding="utf-8"), maxsplit=2, flags=re.MULTILINE)[1]
    )
    return fields


def _session_start(project: Path, environment: Mapping[str, str]) -> str:
    event = {"session_id": "bench", "cwd": str(project), "hook_event_name": "SessionStart", "source": "startup"}
    printed = _program("hook", "session-start", cwd=project, environment=environment, given=json.dumps(event))
    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    return f"SessionStart hook additional context: {context}\n"


def _program(*arguments: str, cwd: Path, environment: Mapping[str, str], given: str = "") -> str:
    """Return what the executable prints."""
    command = [PYTHON, *FLAGS, str(EXECUTABLE), *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment, input=given, capture_output=True, check=True, encoding="utf-8"
    ).stdout


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _tokens(characters: int) -> int:
    return round(characters / CHARACTERS)


if __name__ == "__main__":
    sys.exit(main())
