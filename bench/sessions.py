"""Finding a past session by its matter, and what was decided and not captured, in a world of 100 labelled sessions.

tests/labelled/sessions holds two halves; rules were tuned on the open one only, and of the sealed one only sums are
printed. A settled choice, a rule and a fix count once each; a candidate that repeats one or matches none is wrong.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from bench.moment_world import World  # noqa: E402

HERE = ROOT / "tests" / "labelled" / "sessions"
FIRST = 0.9
"""The least share of descriptions for which the right session comes first."""
SHOWN = 10

Row = dict[str, Any]


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name), HERE)
        ok = True
        print("| half | descriptions | first | among the first three | among the first ten | share first |")
        print("|---|---|---|---|---|---|")
        for half in ("open", "sealed"):
            ok &= measure_finding(world, half)
    return 0 if ok else 1


def measure_finding(world: World, half: str) -> bool:
    """Print how often the described session is found, and where in the list."""
    asked = [row for row in rows(half) if row["kind"] == "find"]
    places = [place(world, row) for row in asked]
    first, three, ten = (sum(0 < at <= last for at in places) for last in (1, 3, SHOWN))
    share = first / len(asked)
    missed = share < FIRST
    print(
        f"| {half} | {len(asked)} | {first} | {three} | {ten} | {share:.3f} |{' below the bar' if missed else ''}",
        flush=True,
    )
    return not missed


def place(world: World, row: Row) -> int:
    """Return the place of the described session in the list, from 1; 0 if it is not in it."""
    project = next(iter(world.projects))
    answer = json.loads(world.run(project, "sessions", row["query"], "--limit", str(SHOWN), "--json"))
    keys = [world.keys[session["id"]] for session in answer["sessions"]]
    return keys.index(row["session"]) + 1 if row["session"] in keys else 0


def rows(half: str) -> list[Row]:
    return [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
