"""Finding a past session by its matter, and what was decided and not captured, in five worlds of labelled sessions.

tests/labelled/sessions, …2 to …5 hold two halves each; rules were tuned on the open ones only, and
of the sealed ones only sums are printed. A settled choice, a rule and a fix count once each; a candidate that repeats
one or matches none is wrong. The labels of one session are in both halves: a candidate that only matches a label of the
other half counts there, and so does one that is right by the other half's labels alone.
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.text.language.sentences import sentences  # noqa: E402
from bench.moment_world import World  # noqa: E402

WORLDS = ("sessions", "sessions2", "sessions3", "sessions4", "sessions5")
HALVES = ("open", "sealed")
FIRST = 0.9
"""The least share of queries for which the right session comes first."""
SHOWN = 10
PRECISION, RECALL = 0.9, 0.5
"""The least precision and recall of candidates: a wrong one costs the user's trust, a missed one little."""
SETTLED = ("settled", "rule", "fix")

Row = dict[str, Any]


def main() -> int:
    ok = True
    for name in WORLDS:
        with tempfile.TemporaryDirectory(prefix="autology-bench-") as folder:
            labels = ROOT / "tests" / "labelled" / name
            ok &= measure(World(Path(folder), labels), labels)
    return 0 if ok else 1


def measure(world: World, labels: Path) -> bool:
    """Print how well sessions are found and mined in a world, by half."""
    rows = {half: read(labels, half) for half in HALVES}
    ok = True
    print(f"\n### {labels.name}\n")
    print("| half | queries | first | among the first three | among the first ten | share first |")
    print("|---|---|---|---|---|---|")
    for half in HALVES:
        ok &= measure_finding(world, half, rows[half])
    candidates = [
        candidate
        for project in world.projects
        for candidate in json.loads(world.run(project, "review", "--mined", "--json", may=(0, 1)))["mined"]
    ]
    print("\n| half | to mine | candidates | right | repeated | rejected choices | precision | recall |")
    print("|---|---|---|---|---|---|---|---|")
    for half, other in (HALVES, HALVES[::-1]):
        ok &= measure_mining(world, half, rows[half], rows[other], candidates)
    return ok


def measure_finding(world: World, half: str, rows: list[Row]) -> bool:
    """Print how often the described session is found, and where in the list."""
    queries = [row for row in rows if row["kind"] == "find"]
    places = [place(world, row) for row in queries]
    first, three, ten = (sum(0 < at <= last for at in places) for last in (1, 3, SHOWN))
    share = first / len(queries)
    missed = share < FIRST
    print(
        f"| {half} | {len(queries)} | {first} | {three} | {ten} | {share:.3f} |{' below the bar' if missed else ''}",
        flush=True,
    )
    return not missed


def measure_mining(world: World, half: str, labels: list[Row], others: list[Row], candidates: list[Row]) -> bool:
    """Print how many of the *candidates* of a *half* are right: the turn says what a label says."""
    sessions = {row["session"] for row in labels}
    mine = [
        candidate
        for candidate in candidates
        if world.keys[candidate["session"]] in sessions
        and counts(hits(world, candidate, labels), hits(world, candidate, others))
    ]
    wanted = [row for row in labels if row["kind"] in SETTLED]
    matched: set[str] = set()
    right = repeated = rejected = 0
    for candidate in mine:
        matches = hits(world, candidate, labels)
        own = {row["id"] for row in settled(matches)}
        right += bool(own - matched)
        repeated += bool(own) and own <= matched
        rejected += not own and any(row.get("why") in REJECTED for row in matches)
        matched |= own
    precision, recall = right / max(1, len(mine)), len(matched) / len(wanted)
    missed = precision < PRECISION or recall < RECALL or repeated > 0 or rejected > 0
    print(
        f"| {half} | {len(wanted)} | {len(mine)} | {right} | {repeated} | {rejected} | {precision:.3f} | {recall:.3f} |"
        f"{' below the bar' if missed else ''}"
    )
    return not missed


def counts(matches: list[Row], others: list[Row]) -> bool:
    """Whether a candidate counts in the half whose labels are *matches*, and not in that of the *others*."""
    if settled(matches) or not settled(others):
        return bool(settled(matches) or matches or not others)
    return False


def settled(matches: list[Row]) -> list[Row]:
    return [row for row in matches if row["kind"] in SETTLED]


def hits(world: World, candidate: Row, labels: list[Row]) -> list[Row]:
    """Return the *labels* on the turn of a candidate, or on a sentence of it: some labels are of a whole one."""
    session, text = world.keys[candidate["session"]], world.texts[candidate["turn"]]
    parts = (text, *sentences(text))
    own = (row for row in labels if row["session"] == session)
    return [row for row in own if any(re.search(row.get("quote", "(?!)"), part) for part in parts)]


REJECTED = ("rejected", "reverted later", "considered", "agent's advice not taken")


def place(world: World, row: Row) -> int:
    """Return the place of the described session in the list, from 1; 0 if it is not in it."""
    project = next(iter(world.projects))
    answer = json.loads(world.run(project, "sessions", row["query"], "--limit", str(SHOWN), "--json"))
    keys = [world.keys[session["id"]] for session in answer["sessions"]]
    return keys.index(row["session"]) + 1 if row["session"] in keys else 0


def read(labels: Path, half: str) -> list[Row]:
    return [json.loads(line) for line in (labels / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
