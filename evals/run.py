"""Runs the eval cases in the client: with the model that is at hand, or offline with a scripted stand-in for it.

Trigger cases run with the plugin alone, behaviour cases with and without it. Started by `python3 build.py evals`.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "server")]

from evals.cases import HERE, SERVER, Case, CaseError, load  # noqa: E402
from tests.e2e.messages_api import MessagesApi  # noqa: E402

OFFLINE = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    # A script, unlike a model, does not try again: its first call waits for the server, however busy the machine is.
    "MCP_TIMEOUT": "120000",
    "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": "120000",
}
UNFIT = 2
"""The exit code if the cases could not be run."""

Json = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        cases = [case for case in every(options.plugin) if fnmatch.fnmatch(case.name, options.case)]
    except CaseError as problem:
        print(problem, file=sys.stderr)
        return UNFIT
    if not cases:
        print(f"no case is called {options.case}; see the folders of {HERE}", file=sys.stderr)
        return UNFIT
    with contextlib.ExitStack() as stack:
        environment = dict(os.environ)
        if options.offline:
            home = stack.enter_context(tempfile.TemporaryDirectory(prefix="autology-evals-"))
            environment |= {**OFFLINE, "HOME": home, "CLAUDE_CONFIG_DIR": f"{home}/.claude"}
            environment |= stack.enter_context(standing_in(cases, options.silent))
        codes = [run(options, kind, cases, environment) for kind in ("trigger", "behaviour")]
    return max(codes)


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="build.py evals", description=__doc__)
    whole.add_argument("--plugin", type=Path, required=True, help="the built plugin, with evals/ in it")
    whole.add_argument("--client", type=Path, required=True, help="the client's program")
    whole.add_argument("--offline", action="store_true", help="a scripted stand-in instead of a model")
    whole.add_argument("--silent", action="store_true", help="with --offline: it uses nothing, and must fail")
    whole.add_argument("--case", default="*", metavar="GLOB", help="only cases whose name fits")
    whole.add_argument("--runs", type=int, help="how often each case runs (default: 3; offline once)")
    whole.add_argument("--model", help="the model to ask")
    whole.add_argument("--results", type=Path, default=HERE / "results", help="where the results go")
    return whole


def every(plugin: Path) -> list[Case]:
    """Return all cases, checked against the skills, agents and tools that there are."""
    from autology.tools.server import TOOLS

    parts = [
        *(file.parent.name for file in plugin.glob("skills/*/SKILL.md")),
        *(f.stem for f in plugin.glob("agents/*")),
    ]
    return load(HERE, parts, [tool.name for tool in TOOLS])


def run(options: argparse.Namespace, kind: str, cases: Sequence[Case], environment: Mapping[str, str]) -> int:
    """Run the cases of one *kind*; return the client's exit code."""
    chosen = [case for case in cases if case.kind == kind]
    if not chosen:
        return 0
    options.results.mkdir(parents=True, exist_ok=True)
    result = options.results / f"{kind}.json"
    result.unlink(missing_ok=True)
    tools = sorted({tool for case in chosen for tool in case.tools if tool.startswith(SERVER)})
    command = [options.client, "plugin", "eval", options.plugin, "--tag", kind, "--case", options.case]
    command += [
        "--mocks",
        "off",
        "--trust-plugin",
        "--scaffold",
        "--no-publish",
        "--json",
        result,
        "--allow-tools",
        *tools,
    ]
    command += ["--ablation", "none" if kind == "trigger" else "with-without", "--concurrency", "2"]
    if runs := options.runs or (1 if options.offline else None):
        command += ["--runs", str(runs)]
    if options.model:
        command += ["--model", options.model]
    done = subprocess.run(
        [*map(str, command)],
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    if not result.is_file():
        print(f"{done.stdout}{done.stderr}", file=sys.stderr)
        return UNFIT
    report(kind, json.loads(result.read_text(encoding="utf-8")))
    return done.returncode


def report(kind: str, result: Json) -> None:
    """Print what each case scored, with the plugin and without it, and what was missed."""
    print(f"\n| {kind} | with | without |\n|---|---|---|")
    for case in result["cases"]:
        arms = {arm: statistics.mean(run["score"] for run in runs) for arm, runs in case["arms"].items() if runs}
        shown = (f"{arms[arm]:.2f}" if arm in arms else "" for arm in ("with", "without"))
        print(f"| {case['name']} | {' | '.join(shown)} |")
        for run in case["arms"]["with"]:
            for grader in run["graders"]:
                if not grader["passed"]:
                    print(f"  {grader['name']}: {grader['explanation']}")


@contextlib.contextmanager
def standing_in(cases: Sequence[Case], silent: bool) -> Iterator[dict[str, str]]:
    """Serve a stand-in for the model that answers each case as answers.yaml says; yield what the client needs."""
    answers = yaml.safe_load((HERE / "answers.yaml").read_text(encoding="utf-8"))
    by_prompt = {case.prompt: {} if silent else answers.get(case.name) or {} for case in cases}

    def reply(request: Any) -> list[Json]:
        text = " ".join(request.any_text.split())
        answer = next((answer for prompt, answer in by_prompt.items() if prompt in text), {})
        at = sum(message.get("role") == "assistant" for message in request.messages)
        if request.subagent or "\n- autology:" not in request.any_text:  # An agent's, or the run without the plugin.
            return [{"text": "I do not know."}]
        steps = answer.get("steps", [])
        return [steps[at] if at < len(steps) else {"text": answer.get("says", "Done.")}]

    server = MessagesApi([{"reply": reply, "times": 0}])
    yield {"ANTHROPIC_BASE_URL": server.start(), "ANTHROPIC_API_KEY": "made-up-not-a-key"}
    server.stop()


if __name__ == "__main__":
    sys.exit(main())
