"""Ranking quality of unified search over nodes, documents, conversations and code, by kind of the right source.

The project of tests/labelled/mixed.json is made anew: each of its topics has a node, a document, a talk and code, and
each question one right source among them. One half of the questions was tuned on, the other never.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.core.nodes.capture import Material, capture  # noqa: E402
from autology.tools import unified_memory_search  # noqa: E402
from autology.tools.project import ServedProject  # noqa: E402
from tests.fakes.talk import Edit, Said, write  # noqa: E402

KINDS = ("node", "document", "conversation", "code")
FIRST, TOP = 0.7, 0.9
"""The least share of right sources that come first, and among the first three, on the unseen half."""

Row = dict[str, Any]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--half", choices=("tuned", "unseen"), help="one half alone")
    options.add_argument("--missed", action="store_true", help="print what came first in place of what is right")
    chosen = options.parse_args()
    mixed = json.loads((ROOT / "tests" / "labelled" / "mixed.json").read_text(encoding="utf-8"))
    print("| half | right answer | questions | first | among three |\n|---|---|---|---|---|")
    ok = True
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        project = made(Path(name), mixed)
        for half in (chosen.half,) if chosen.half else ("tuned", "unseen"):
            places = {
                row["question"]: place(project, row, chosen.missed) for row in mixed["questions"] if row["half"] == half
            }
            for kind in (*KINDS, "all"):
                own = [
                    places[row["question"]]
                    for row in mixed["questions"]
                    if row["half"] == half and kind in (row["kind"], "all")
                ]
                first, top = (sum(at < most for at in own) / len(own) for most in (1, 3))
                print(f"| {half} | {kind} | {len(own)} | {first:.2f} | {top:.2f} |")
            ok &= half == "tuned" or (first >= FIRST and top >= TOP)
    return 0 if ok else 1


def made(folder: Path, mixed: Row) -> ServedProject:
    """Make the project in *folder*, with its past."""
    for name in ("data", "cache", "claude"):
        os.environ["CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"] = str(folder / name)
    root = folder / "shop"
    (root / ".autology").mkdir(parents=True)
    for row in mixed["documents"]:
        file = root / row["path"]
        file.parent.mkdir(exist_ok=True)
        file.write_text(row["text"], encoding="utf-8", newline="\n")
    project = ServedProject(str(root))
    for row in mixed["nodes"]:
        capture(project.graph, Material(row["title"], row["content"], row["type"]))
    for row in mixed["talks"]:
        edits = (Edit(row["path"], row["code"]),) if "code" in row else ()
        said = Said(row["at"], row["question"], row["answer"], edits, row.get("output", ""))
        write(folder / "claude", str(root), row["session"], [said])
    project.conversations.refresh()
    project.conversations.encode()
    return project


def place(project: ServedProject, row: Row, tell: bool) -> int:
    """Return at which place what is right comes; 99 where it does not."""
    given = unified_memory_search.UnifiedSearch(query=row["question"])
    told = unified_memory_search.act(project, given)
    assert isinstance(told, dict)
    found = [next((kind for kind in KINDS if is_right(each, kind, row)), "") for each in told["results"]]
    at = next((at for at, kind in enumerate(found) if kind == row["kind"]), 99)
    if tell and at:
        first = told["results"][0]
        print(f"{at}: {row['question']!r} ({row['kind']}): {first['type']} {first['content'][:70]!r}", file=sys.stderr)
    return at


def is_right(result: Row, kind: str, row: Row) -> bool:
    if kind != row["kind"]:
        return False
    return row["right"] in set(named(result, kind))


def named(result: Row, kind: str) -> Iterator[str]:
    """Yield what names *result* as a source of that *kind*."""
    context = result.get("context", {})
    if kind == "conversation" and result["type"] in ("conversation", "decision"):
        yield context.get("session_id", "")
    if kind == "code" and result["type"] == "code":
        yield context.get("path", "")
    if kind == "node":
        yield result.get("title", "")
    if kind == "document":
        yield context.get("path", "") or result.get("path", "")


if __name__ == "__main__":
    sys.exit(main())
