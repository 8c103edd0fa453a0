"""Similar errors, features and procedures, past code, and other projects' knowledge, in worlds of past sessions.

tests/labelled/similar has three projects with 120 sessions, of which tests/labelled/features asks too, by other
people; tests/labelled/moment has two projects with 42. To both, 400 of other
talk are added, from the sets that bench/material.py finds. Labels were written without sight of the rules; of the
sealed half only sums are printed.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.client import Server, serving
from bench.material import LabelledSets, labelled_sets
from bench.moment_world import HERE as MOMENT
from bench.moment_world import World

HERE = MOMENT.parent / "similar"
BARS = {"error": 0.85, "feature": 0.7, "howto": 0.7, "code": 0.85}
"""The least share of rows whose session comes first."""
ELSEWHERE = 0.95
"""The least precision of answers from other projects, on prompts of all kinds."""
OTHERS = 400
"""Sessions of other talk in the big world."""
HEAD = "| world | half | kind | rows | first | of the first three | of all |\n|---|---|---|---|---|---|---|"

Row = dict[str, Any]


def main() -> int:
    sets = labelled_sets()
    print(HEAD)
    ok = True
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name), HERE)
        for half in ("open", "sealed"):
            rows = rows_of(f"{half}.jsonl")
            ok &= measure(world, f"120 sessions | {half}", rows, BARS) & measure_elsewhere(world, half, rows)
            later = [{**row, "kind": row["kind"].replace("-", "")} for row in rows_of(f"../features/{half}.jsonl")]
            ok &= measure(world, f"120 sessions, asked by others | {half}", later, BARS)
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name), MOMENT, list(other_talk(sets, ("ledgerline", "atlas"))))
        rows = [{"kind": "error", **row} for row in rows_of("moment_errors.jsonl")]
        rows += [{"kind": "code", **row} for row in rows_of("moment_code.jsonl")]
        ok &= measure(world, "442 sessions | open", rows, BARS)
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name), HERE, list(other_talk(sets, ("hutfinder", "groundplan", "rivermill"))))
        measure(world, "520 sessions, no bar | open", rows_of("open.jsonl"), {})
    return 0 if ok else 1


def measure(world: World, name: str, rows: Sequence[Row], bars: Mapping[str, float]) -> bool:
    """Print the ranks at which the tools return the sessions of *rows*; return whether all bars are reached."""
    ranks: dict[str, list[int]] = {}
    for project in dict.fromkeys(row["project"] for row in rows):
        with Server(serving(), world.project(project), world.environment) as server:
            for row in rows:
                if row["project"] == project and row["gold"] and row["kind"] != "elsewhere":
                    ranks.setdefault(row["kind"], []).append(rank_of(world, server, row))
    ok = True
    for kind, of_kind in ranks.items():
        first, three, all_shown = (sum(0 < rank <= most for rank in of_kind) / len(of_kind) for most in (1, 3, 99))
        missed = first < bars.get(kind, 0.0)
        ok &= not missed
        verdict = f" below the bar of {bars[kind]}" if missed else ""
        print(f"| {name} | {kind} | {len(of_kind)} | {first:.3f} | {three:.3f} | {all_shown:.3f} |{verdict}")
    return ok


def measure_elsewhere(world: World, half: str, rows: Sequence[Row]) -> bool:
    """Print how often the prompt hook answers from other projects, and rightly; return whether it may so often."""
    answers = [(row, world.hook(row["project"], row["query"])) for row in rows]
    spoken = [(row, text) for row, text in answers if text.startswith("In project ")]
    right = sum(bool(row.get("ask")) and shows(world, row, text) for row, text in spoken)
    asking = sum(bool(row.get("ask")) for row in rows)
    precision = right / len(spoken) if spoken else 0.0
    verdict = "" if precision >= ELSEWHERE else f" below the bar of {ELSEWHERE}"
    print(
        f"| 120 sessions | {half} | asked of other projects: answered {len(spoken)} of {len(rows)} prompts, {right} of"
        f" {asking} rightly | {asking} | precision {precision:.3f} | recall {right / asking:.3f} | |{verdict}"
    )
    return not verdict


def shows(world: World, row: Row, text: str) -> bool:
    """Whether an answer of the prompt hook shows a session of *row*."""
    short = set(re.findall(r'chunk(?:_id": ")? ?([0-9a-f]{8})', text))
    return any(world.keys.get(session) in row["gold"] for id, session in world.chunks().items() if id[:8] in short)


def rank_of(world: World, server: Server, row: Row) -> int:
    """Return the rank of the first result from a session of *row*, from 1; 0 if there is none."""
    if row["kind"] == "code":
        language = {"language": row["language"]} if row["language"] else {}
        tool, arguments = "search_code_history", {"query": row["query"], **language}
    else:
        tool, arguments = "find_similar_problems", {"problem_description": row["query"]}
    answer: Any = server.request("tools/call", {"name": tool, "arguments": arguments})
    content = answer.get("structuredContent") or json.loads(answer["content"][0]["text"])
    keys = [world.keys.get(result["context"]["session_id"]) for result in content["results"]]
    return next((rank for rank, key in enumerate(keys, 1) if key in row["gold"]), 0)


def rows_of(name: str) -> list[Row]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def other_talk(sets: LabelledSets, projects: Sequence[str]) -> Iterator[Row]:
    """Yield sessions of questions about Python and their answers."""
    questions = sets.load("cosqa")
    code = {each["id"]: each["text"] for each in questions.docs}
    chance = random.Random(3)
    for number, question in enumerate(questions.queries[:OTHERS]):
        [answer, *_] = questions.qrels[question["id"]]
        turns = [
            ["u", question["text"]],
            ["a", f"Like this:\n\n```python\n{code[answer][:1200]}\n```\nThat should work; I ran it and it passes."],
            ["u", "thanks, put it into utils"],
            ["a", "Done."],
        ]
        project, days = chance.choice(projects), chance.randint(1, 85)
        yield {"key": f"other {number}", "project": project, "days": days, "marks": [], "turns": turns}


if __name__ == "__main__":
    sys.exit(main())
