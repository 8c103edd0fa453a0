"""Precision and recall of the warnings before edits and commands, on tuned and unseen cases."""

import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology import wire  # noqa: E402
from autology.hooks import pre_command, pre_edit  # noqa: E402
from autology.hooks.project import HookProject  # noqa: E402
from tests.labelled.guarded import know, put, requested  # noqa: E402
from tests.labelled.reading import halves, rows_of  # noqa: E402

BAR = (0.95, 0.8)
"""The least precision and recall of all unseen edits, and of each half of what was labelled from the requirement."""

SETS = (
    ("116", "guard", "guard_nodes", 1),
    ("59 written later", "guard_later", "guard_nodes_later", 2),
    ("38 written last", "guard_last", "guard_nodes_last", 0),
)
"""What each set is called, its edits, what the project knows, and how many of its halves were looked at.

They also count an ordinary edit of a governed file as one to name, which is now a quiet line and no warning."""

Row = dict[str, Any]


def main() -> int:
    show = {word.removeprefix("--show-") for word in sys.argv if word.startswith("--show-")}
    print("| edits | | named rightly | wrongly | missed | precision | recall |\n|---|---|---|---|---|---|---|")
    unseen: list[tuple[Row, str]] = []
    for title, name, nodes, looked_at in SETS:
        with tempfile.TemporaryDirectory(prefix="autology-bench-") as place:
            folder = Path(place) / "project"
            os.environ |= {"AUTOLOGY_DATA_DIR": f"{place}/data", "AUTOLOGY_CACHE_DIR": f"{place}/cache"}
            known = know(folder, nodes)
            for number, rows in enumerate(halves(name), start=1):
                half = "tuned on" if number <= looked_at else "unseen"
                found = list(zip(rows, judged(folder, known, rows), strict=True))
                report(f"{title}, {half}", found, half.split(maxsplit=1)[0] in show)
                unseen += found if half == "unseen" else []
    whole = report("all unseen", unseen, shown=False, bar=BAR)
    return 0 if all([whole, both("open", "open" in show), both("sealed", "sealed" in show)]) else 1


def both(half: str, shown: bool) -> bool:
    """Report the edits and the commands of a *half* that was labelled from the requirement alone."""
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as place:
        folder = Path(place) / "project"
        os.environ |= {"AUTOLOGY_DATA_DIR": f"{place}/data", "AUTOLOGY_CACHE_DIR": f"{place}/cache"}
        known = know(folder, "guard/nodes")
        rows = rows_of(f"guard/{half}")
        edits = [row for row in rows if row["kind"] == "edit"]
        commands = [row for row in rows if row["kind"] == "command"]
        named = list(zip(edits, judged(folder, known, edits), strict=True))
        look = wire.glance(str(folder))
        assert look is not None, "the index cannot be looked into"
        with look:
            against = [pre_command.matching(row["command"], look) for row in commands]
        names = [known[matches[0].id] if matches else "" for matches in against]
        return all(
            [
                report(f"edits, {half}", named, shown, BAR),
                report(f"commands, {half}", list(zip(commands, names, strict=True)), shown, BAR),
            ]
        )


def judged(folder: Path, known: dict[str, str], rows: Iterable[Row]) -> list[str]:
    """Return the node that is named for each edit, "" for none."""
    found = []
    look = wire.glance(str(folder))
    assert look is not None, "the index cannot be looked into"
    with look:
        for row in rows:
            put(folder, row)
            change = pre_edit.edit(requested(folder, row), HookProject(str(folder), {"session_id": "bench"}))
            governing = pre_edit.governing(change, look)[0] if change else []
            found.append(known[governing[0].id] if governing else "")
    return found


def report(name: str, found: Sequence[tuple[Row, str]], shown: bool, bar: tuple[float, float] = (0.0, 0.0)) -> bool:
    right = wrong = missed = 0
    for row, node in found:
        wanted = (row["node"] or "").split("|")
        right += bool(node) and node in wanted
        wrong += bool(node) and node not in wanted
        missed += bool(row["node"]) and node not in wanted
        if shown and node not in wanted:
            what, wants = row.get("file") or row["command"], row["node"]
            print(f"  {what}: {row['why']}; wanted {wants}, named {node or 'none'}", file=sys.stderr)
    precision, recall = right / max(1, right + wrong), right / sum(bool(row["node"]) for row, _ in found)
    below = precision < bar[0] or recall < bar[1]
    mark = " below the bar" if below else ""
    print(f"| {name} | {len(found)} | {right} | {wrong} | {missed} | {precision:.3f} | {recall:.3f} |{mark}")
    return not below


if __name__ == "__main__":
    sys.exit(main())
