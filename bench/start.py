"""The cost of a start: hooks against the bare interpreter, the handshake against importing the SDK.

Programs take turns (A B C, A B C), so that a busy machine slows all of them alike: the ratios count.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import past
import peer_programs
from client import EXECUTABLE, FLAGS, PYTHON, ROOT, Server, serving

HOOK_ROUNDS, SERVER_ROUNDS = 40, 7
CHUNKS = 2_000
SEARCH_P95 = 60.0
"""Milliseconds that a hook which searches may take, start included, in nineteen of twenty cases."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program to start; *cost* runs it once and returns the milliseconds it took."""

    name: str
    cost: Callable[[], float]
    budget: float | None = None  # Against the first case.
    second_budget: float | None = None  # Against the second case.
    p95: float | None = None  # In milliseconds.


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=0, help=f"hook rounds (default {HOOK_ROUNDS})")
    options.add_argument("--chunks", type=int, default=CHUNKS, help=f"of conversations to search (default {CHUNKS:,})")
    options.add_argument("--only", choices=("hooks", "server", "pythons"), help="measure a part")
    options.add_argument("--peer", action="store_true", help="measure server-memory too; needs Node.js with npm")
    chosen = options.parse_args()
    if not EXECUTABLE.exists():
        print(f"{EXECUTABLE} is not built; run: python3 build.py build", file=sys.stderr)
        return 1
    missed = 0
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        place = Place(Path(name), chosen.chunks, chosen.peer)
        parts = {"hooks": measure_hooks, "server": measure_server, "pythons": measure_pythons}
        for part, measure in parts.items():
            if chosen.only in (None, part):
                missed += measure(place, chosen.rounds)
    return 1 if missed else 0


class Place:
    """A throwaway home, project and cache."""

    def __init__(self, folder: Path, chunks: int, peer: bool = False) -> None:
        self.folder = folder
        self.chunks = chunks
        self.peer = peer
        self.project = folder / "project"
        self.elsewhere = folder / "elsewhere"
        self.elsewhere.mkdir()
        kept = {
            name: value
            for name, value in os.environ.items()
            # The first would make every start compile again, which users' machines do not.
            if name not in {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH"}
            and not name.startswith(("AUTOLOGY_", "CLAUDE_"))
        }
        self.environment = {
            **kept,
            "HOME": str(folder / "home"),
            "AUTOLOGY_CACHE_DIR": str(folder / "cache"),
            "AUTOLOGY_DATA_DIR": str(folder / "data"),
        }

    def make_project(self) -> None:
        """Make a git repository with knowledge in it that speaks of a committed file."""
        (self.project / "src").mkdir(parents=True)
        self.git("init", "--quiet")
        self.git("config", "user.email", "bench@example.invalid")
        self.git("config", "user.name", "Bench")
        with Server(serving(), self.project, self.environment) as server:
            for number in range(50):
                server.call(
                    "autology_capture",
                    type="decision",
                    title=f"Queue {number} retries with backoff",
                    content=f"Jobs of src/queue{number}.py are retried five times (`RETRIES = 5`), no dead letters.",
                    references=[f"src/queue{number}.py"],
                )
            server.call(
                "autology_capture",
                type="convention",
                title="Packages are installed by pnpm",
                content="Install with pnpm, never with `npm install`.",
            )
        (self.project / "src" / "queue1.py").write_text("RETRIES = 5\n", encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "Retry the first queue with backoff")

    def make_past(self) -> None:
        """Put conversations of the project into the user's index."""
        data, root = self.folder / "data", str(self.project)
        data.mkdir(exist_ok=True)
        past.fill(data / "conversations.sqlite", self.chunks, past.recognised(root, "")[0][0], root)

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.project, env=self.environment, check=True)


ASKED = "how did we make the uploads of part 12 resume from a checkpoint before?"
NEVER = "what did we decide about the naming of kubernetes operators in the staging cluster?"
CLOSE = "uploads of part 12 stall, they must resume from their checkpoint"
UNHEARD_OF = "make the header of the settings page sticky on small screens"


RETRIES = ("RETRIES = 5\n", "RETRIES = 50\n")


def measure_hooks(place: Place, rounds: int) -> int:
    place.make_project()
    place.make_past()
    only_pass = place.folder / "pass.pyz"
    with zipfile.ZipFile(only_pass, "w") as archive:
        archive.writestr("__main__.py", "pass\n")
    shell = {"hook_event_name": "PostToolUse", "session_id": "bench", "tool_name": "Bash"}
    listing = {**shell, "tool_input": {"command": "ls -la src"}, "tool_response": {"stdout": "total 0\n" * 100}}
    commit = {
        **shell,
        "tool_input": {"command": "git commit -m 'Retry the first queue with backoff'"},
        "tool_response": {"stdout": "[main 1a2b3c4] Retry the first queue", "stderr": "", "interrupted": False},
    }
    sessions = count()
    begin = {"hook_event_name": "SessionStart", "session_id": "bench", "source": "startup"}

    def hook(event: str, message: Mapping[str, object], cwd: Path, speaks: bool) -> float:
        raw = json.dumps({"cwd": str(cwd), **message}).encode()
        took, said = timed([PYTHON, *FLAGS, str(EXECUTABLE), "hook", event], place, cwd, raw)
        if bool(said.strip()) != speaks:
            raise SystemExit(f"hook {event} was to {'speak' if speaks else 'be silent'}; it said {said!r}")
        return took

    def of_a_new_commit() -> float:
        place.git("commit", "--quiet", "--allow-empty", "-m", "Retry again")
        return hook("post-commit", commit, place.project, speaks=True)

    def prompted(prompt: str, speaks: bool) -> float:
        submitted = {"hook_event_name": "UserPromptSubmit", "session_id": f"bench-{next(sessions)}", "prompt": prompt}
        return hook("prompt-submit", submitted, place.project, speaks)

    def editing(path: str, old: str, new: str, speaks: bool) -> float:
        place_of = str(place.project / path) if path else ""
        asked = {"file_path": place_of, "old_string": old, "new_string": new} if path else {"notebook": "x"}
        edit = {"hook_event_name": "PreToolUse", "session_id": f"bench-{next(sessions)}", "tool_name": "Edit"}
        return hook("pre-edit", {**edit, "tool_input": asked}, place.project, speaks)

    def commanded(command: str, speaks: bool) -> float:
        run = {"hook_event_name": "PreToolUse", "session_id": f"bench-{next(sessions)}", "tool_name": "Bash"}
        return hook("pre-command", {**run, "tool_input": {"command": command}}, place.project, speaks)

    def bare(*arguments: str) -> float:
        return timed([PYTHON, *arguments], place, place.project, json.dumps(listing).encode())[0]

    cases = [
        Case("bare interpreter, `-c pass`", lambda: bare("-c", "pass")),
        Case("archive that holds only `pass`, -I -S", lambda: bare(*FLAGS, str(only_pass))),
        Case("hook after another command", lambda: hook("post-commit", listing, place.project, False), 1.35, 1.1),
        Case("hook outside of a project", lambda: hook("session-start", begin, place.elsewhere, False), 1.35, 1.1),
        Case("hook that speaks of a commit", of_a_new_commit, 4.0),
        Case("hook that spoke of it before, silent", lambda: hook("post-commit", commit, place.project, False), 2.5),
        Case("hook that speaks at a session's start", lambda: hook("session-start", begin, place.project, True), 4.0),
        Case("edit of no file", lambda: editing("", "", "", False), 1.35, 1.1),
        Case("edit of a comment, silent", lambda: editing("src/queue1.py", "# a\n", "# b\n", False), 2.5),
        Case(
            "edit that was looked up, silent",
            lambda: editing("src/other.py", "WIDTH = 80\n", "WIDTH = 100\n", False),
            2.5,
        ),
        Case("edit of what a decision governs", lambda: editing("src/queue1.py", *RETRIES, True), 4.0),
        Case("command that no rule names", lambda: commanded("ls -la src && make lint", False), 1.35, 1.35),
        Case("command that a convention rules out", lambda: commanded("npm install left-pad", True), 4.0),
        Case("prompt of a program", lambda: prompted(f"<task-notification>{ASKED}", False), 1.35, 1.1),
        Case("prompt of two words", lambda: prompted("try again", False), 1.35, 1.1),
        Case("prompt that was looked up, silent", lambda: prompted(UNHEARD_OF, False), 2.5),
        Case("prompt that asks for the past, answered", lambda: prompted(ASKED, True), 4.0, p95=SEARCH_P95),
        Case("prompt that asks for what is not there", lambda: prompted(NEVER, False), 4.0, p95=SEARCH_P95),
        Case("prompt that is close to past work", lambda: prompted(CLOSE, True), 4.0, p95=SEARCH_P95),
    ]
    return report("Hooks", cases, rounds or HOOK_ROUNDS)


def measure_server(place: Place, rounds: int) -> int:
    timed([PYTHON, *FLAGS, str(EXECUTABLE), "--version"], place, place.elsewhere, b"")
    (site,) = [path for path in (place.folder / "cache" / "app").iterdir() if not path.name.startswith(".")]
    load = f"import sys; sys.path.insert(0, {str(site)!r}); import mcp.server.lowlevel"
    cases = [
        Case(
            "importing mcp.server.lowlevel alone",
            lambda: timed([PYTHON, *FLAGS, "-c", load], place, place.elsewhere, b"")[0],
        ),
        Case("server, start to handshake", lambda: handshake(PYTHON, place), 0.35),
        Case("server, start to the list of tools", lambda: handshake(PYTHON, place, "tools/list"), 0.35),
    ]
    if place.peer:
        peer = peer_programs.server_memory()
        cases += [
            Case("server-memory, start to handshake", lambda: started(peer, place)),
            Case("server-memory, start to the list of tools", lambda: started(peer, place, "tools/list")),
        ]
    return report("Server", cases, rounds or SERVER_ROUNDS)


def measure_pythons(place: Place, rounds: int) -> int:
    """Time the handshake on every Python here that the executable holds a program for, all with one cache."""
    fitting = {version: python for version, python in other_pythons() if fits(python)}
    cases = [
        Case(f"handshake on Python {version}", lambda python=python: handshake(python, place))
        for version, python in sorted(fitting.items())
    ]
    for case in cases:
        case.cost()  # Unpacks.
    if cases:
        report("Pythons that share a cache", cases, rounds or SERVER_ROUNDS)
    return 0


def timed(command: list[str], place: Place, cwd: Path, given: bytes) -> tuple[float, bytes]:
    begun = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, env=place.environment, input=given, stdout=subprocess.PIPE, check=True)
    return (time.perf_counter() - begun) * 1000, done.stdout


def handshake(python: str, place: Place, *requests: str) -> float:
    """Return the milliseconds from the start of our server to its last answer to the handshake and *requests*."""
    return started(serving(python), place, *requests)


def started(command: list[str], place: Place, *requests: str) -> float:
    """Return the milliseconds from the start of a server by *command* to its last answer."""
    begun = time.perf_counter()
    with Server(command, place.elsewhere, place.environment) as server:
        for request in requests:
            server.request(request, {})
        return (time.perf_counter() - begun) * 1000


def report(title: str, cases: list[Case], rounds: int) -> int:
    """Run *cases* in turn, print their table, and return how many missed their budget."""
    costs: dict[str, list[float]] = {case.name: [] for case in cases}
    for number in range(rounds + 1):
        for case in cases:
            cost = case.cost()
            if number:  # The first round fills the file cache.
                costs[case.name].append(cost)
    medians = [statistics.median(costs[case.name]) for case in cases]
    print(f"\n### {title} ({rounds} rounds, Python {version_of(PYTHON)})\n")
    print("| what | median ms | p95 ms | × first | × second | budget |\n|---|---|---|---|---|---|")
    missed = 0
    for case, median in zip(cases, medians, strict=True):
        against = [
            (median / medians[0], case.budget),
            (median / medians[min(1, len(cases) - 1)], case.second_budget),
        ]
        slow = percentile(costs[case.name], 95)
        over = any(budget is not None and ratio > budget for ratio, budget in against)
        over |= case.p95 is not None and slow > case.p95
        missed += over
        budgets = ", ".join(f"≤ {budget}" for _, budget in against if budget is not None)
        budgets += f", p95 ≤ {case.p95:.0f} ms" if case.p95 else ""
        print(
            f"| {case.name} | {median:.1f} | {slow:.1f} | {against[0][0]:.2f}"
            f" | {against[1][0]:.2f} | {budgets}{' MISSED' if over else ''} |"
        )
    return missed


def percentile(values: Iterable[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def other_pythons() -> Iterable[tuple[str, str]]:
    versions = Path.home() / ".pyenv" / "versions"
    for python in [PYTHON, *(str(path) for path in sorted(versions.glob("3.1[1-9]*/bin/python3")))]:
        yield version_of(python), os.path.realpath(python)


def version_of(python: str) -> str:
    said = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout
    return said.split()[-1]


def fits(python: str) -> bool:
    with zipfile.ZipFile(EXECUTABLE) as archive:
        names = archive.namelist()
    key = subprocess.run(
        [python, *FLAGS, ROOT / "server" / "boot" / "autology_boot" / "target.py"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return f"site-{key}.zip" in names


if __name__ == "__main__":
    sys.exit(main())
