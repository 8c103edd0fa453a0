"""Whether what holds now comes before what it changed, in recall, unified search and the prompt hook.

The worlds and the questions of tests/labelled/change, …2, …3, …4 and …5 were written by people who had seen none of
the rules.
An amended question is answered if the passage that holds now is the first of the two; a mention is right if newer talk
that only mentions the matter is not before the one that settled it. Of the sealed half only sums are printed.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from bench.client import EXECUTABLE, FLAGS, PYTHON, Server  # noqa: E402
from bench.moment_world import World  # noqa: E402

LABELS = ROOT / "tests" / "labelled"
WORLDS = ("change", "change2", "change3", "change4", "change5")
TOOLS = ("recall_previous_discussions", "unified_memory_search")
FIRST = 0.9
"""The least share of amended questions in which what holds now comes first."""
WRONG = 0.05
"""The largest share of mentions in which newer talk wrongly comes first."""

Row = dict[str, Any]
Passage = tuple[str, str]
"""The key of a passage's session or note, and its text."""


def main() -> int:
    print("| world | half | where | amended | now first | mentions | newer wrongly first | others | right first |")
    print("|---|---|---|---|---|---|---|---|---|")
    met = [measured(name) for name in WORLDS]
    return 0 if all(met) else 1


def measured(labels: str) -> bool:
    """Print how the questions of a world are answered; return whether the bars are met."""
    ok = True
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name), LABELS / labels)
        servers = {
            project: Server([PYTHON, *FLAGS, str(EXECUTABLE), "serve"], world.project(project), world.environment)
            for project in world.projects
        }
        for half in ("open", "sealed"):
            lines = (LABELS / labels / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
            rows = [json.loads(line) for line in lines]
            for where in (*TOOLS, "hook"):
                answers = [(row, passages(world, servers, where, row)) for row in rows]
                ok &= report(f"{labels} | {half}", where, set(world.keys.values()), answers)
        for server in servers.values():
            server.close()
    return ok


def report(half: str, where: str, sessions: Set[str], answers: Sequence[tuple[Row, list[Passage]]]) -> bool:
    """Print how the questions of a world's *half* were answered; return whether the bars are met."""
    verdicts: Counter[tuple[str, str]] = Counter()
    for row, shown in answers:
        if row["kind"] not in ("amended", "mention") or (where == "hook" and not shown):
            continue
        right, wrong = ("new", "old") if row["kind"] == "amended" else ("gold", "wrong")
        if where != "unified_memory_search" and sessions.isdisjoint(row[right]):
            continue  # a note holds now, which only unified search shows beside talk
        verdict = first_of(row, shown, right, wrong)
        verdicts[row["kind"], verdict] += 1
        if half.endswith("open") and verdict == wrong and "--misses" in sys.argv:
            print(where, row["id"], row["query"], [key for key, _ in shown][:6], row[right], row[wrong])
    amended, first = sum(n for (kind, _), n in verdicts.items() if kind == "amended"), verdicts["amended", "new"]
    mentions, wrong_first = (
        sum(n for (kind, _), n in verdicts.items() if kind == "mention"),
        verdicts["mention", "wrong"],
    )
    known = [(row, shown) for row, shown in answers if row["kind"] == "known" and (where != "hook" or shown)]
    best = sum(shown[0][0] in row["gold"] for row, shown in known if shown)
    print(f"| {half} | {where} | {amended} | {first} | {mentions} | {wrong_first} | {len(known)} | {best} |")
    return first >= FIRST * amended and wrong_first <= WRONG * mentions


def first_of(row: Row, shown: Sequence[Passage], right: str, wrong: str) -> str:
    """Return which of the two comes first, *right* or *wrong*; "" if neither is shown."""
    for key, text in shown:
        for side in (right, wrong):
            marks = row.get(f"{side}_marks")
            if key in row[side] and (not marks or any(re.search(mark, text, re.IGNORECASE) for mark in marks)):
                return side
    return ""


def passages(world: World, servers: dict[str, Server], where: str, row: Row) -> list[Passage]:
    """Return what is shown for the question of *row*, in order."""
    if row["kind"] not in ("amended", "mention", "known"):
        return []
    if where == "hook":
        text = world.hook(row["project"], row["query"])
        parts = re.split(r"\bchunk ([0-9a-f]{8}):", text)
        ids = {id[:8]: world.keys[session] for id, session in world.chunks().items()}
        return [(ids.get(id, ""), part) for id, part in zip(parts[1::2], parts[2::2], strict=True)]
    answer = servers[row["project"]].request("tools/call", {"name": where, "arguments": {"query": row["query"]}})
    results = answer["structuredContent"]["results"]  # type: ignore[index]
    return [
        (
            world.keys.get(result["context"].get("session_id", "")) or world.notes.get(result["id"], ""),
            result["content"],
        )
        for result in results
    ]


if __name__ == "__main__":
    sys.exit(main())
