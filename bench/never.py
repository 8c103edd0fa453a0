"""Whether the tools say of a question that nothing answers it, where that is so, and only there.

The questions are those of tests/labelled/never over the worlds of tests/labelled/change and …/moment, those of
…/never3, …4 and …5 over worlds of …/change3, …4 and …5, and those of tests/labelled/change itself, all by people who
had seen none of the rules. "Not answered" is what the answer says; "named" are questions whose answer names a word that
nothing speaks of. Of the sealed half only sums are printed.
"""

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from bench.client import Server, serving  # noqa: E402
from bench.moment_world import World  # noqa: E402

LABELS = ROOT / "tests" / "labelled"
WORLDS = ("change", "moment", "change3", "change4", "change5")
SETS = ("never", "never3", "never4", "never5", "change")
TOOLS = {"recall": "recall_previous_discussions", "unified": "unified_memory_search", "notes": "autology_query"}
SAYS_SO, WRONGLY = 0.85, 0.05
"""The least share of questions on what was never discussed that are not answered, and the most of others."""
HEAD = (
    "| half | questions | tool | never discussed | not answered | named"
    " | discussed | wrongly not answered | hits, mean |\n"
    "|---|---|---|---|---|---|---|---|---|"
)

Row = dict[str, Any]


def main() -> int:
    rows: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for world_name in WORLDS:
        with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
            world = World(Path(name), LABELS / world_name)
            servers = {
                project: Server(serving(), world.project(project), world.environment) for project in world.projects
            }
            for half in halves():
                for row in questions(half, world_name):
                    for tool, name_of_tool in TOOLS.items():
                        if row["never"] or tool == "unified" or row["via"] in ("any", tool):
                            answer = asked(servers[row["project"]], name_of_tool, row["query"])
                            rows[half, row["set"], tool].append({**row, **answer})
            for server in servers.values():
                server.close()
    print(HEAD)
    ok = True
    for half in halves():
        for set_name in SETS:
            for tool in TOOLS:
                ok &= report(half, set_name, tool, rows[half, set_name, tool])
    return 0 if ok else 1


def halves() -> tuple[str, ...]:
    """Return the halves that are asked: the open one only with ``--open``."""
    return ("open",) if "--open" in sys.argv else ("open", "sealed")


def questions(half: str, world: str) -> Iterator[Row]:
    """Yield the questions of a *half* on *world*."""
    for set_name in SETS[:-1]:
        for line in (LABELS / set_name / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["world"] == world:
                yield {
                    "set": set_name,
                    "never": row["kind"] == "never",
                    "via": row["via"],
                    "project": row["project"],
                    "query": row["question"],
                }
    if world == "change":
        for line in (LABELS / "change" / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            gold = row.get("gold") or row.get("new") or []
            via = "notes" if gold and all(key.startswith("n") for key in gold) else "recall"
            never = row["kind"] == "never"
            yield {"set": "change", "never": never, "via": via, "project": row["project"], "query": row["query"]}


def asked(server: Server, tool: str, query: str) -> Mapping[str, Any]:
    """Return whether *tool* answers *query*, what it names as absent, and the number of its hits."""
    answer = server.request("tools/call", {"name": tool, "arguments": {"query": query}})["structuredContent"]
    assert isinstance(answer, dict)
    return {
        "answered": answer.get("answered", True),
        "absent": answer.get("absent", []),
        "hits": len(answer["results"]),
    }


def report(half: str, set_name: str, tool: str, rows: list[Row]) -> bool:
    """Print how *tool* did; return whether the bars are met, which are those of conversations and of all sources."""
    never, known = ([row for row in rows if row["never"] is side] for side in (True, False))
    silent, named = sum(not row["answered"] for row in never), sum(bool(row["absent"]) for row in never)
    wrong = sum(not row["answered"] for row in known)
    hits = sum(row["hits"] for row in known) / max(1, len(known))
    print(
        f"| {half} | {set_name} | {tool} | {len(never)} | {silent / max(1, len(never)):.2f} |"
        f" {named / max(1, len(never)):.2f} | {len(known)} | {wrong / max(1, len(known)):.2f} | {hits:.1f} |"
    )
    if half == "open" and "--misses" in sys.argv:
        for row in rows:
            if row["answered"] is row["never"]:
                print("  never" if row["never"] else "  known", tool, row["query"], row["absent"])
    return silent >= SAYS_SO * len(never) and wrong <= WRONGLY * len(known)


if __name__ == "__main__":
    sys.exit(main())
