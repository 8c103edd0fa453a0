"""How often the decision that a change names is among the five most relevant to the changed files.

Three histories of open projects (histories/make.py says whence), lived again in order: the first change that names a
decision is captured as one is after a commit, with its files as references and what was said of it. Each later change
that names it is a case: its files go in, and of what is known by then the decisions that it names must come out; then
its files are added to them, as one would by hand. The cases were split in halves by turns before anything was tuned on
the first. Beside it: a search for the files' names, and the files with what was said of the change.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.core.hybrid_search import rank  # noqa: E402
from autology.core.nodes.capture import Material, capture  # noqa: E402
from autology.core.nodes.context import Situation, context  # noqa: E402
from autology.core.nodes.graph import Graph  # noqa: E402
from autology.core.nodes.update import Fields, update  # noqa: E402
from autology.model.query import Filter  # noqa: E402
from autology.wire.project import Project  # noqa: E402

HISTORIES = ("tcl", "libstdcxx", "cxx")
HALVES = ("tuned on", "unseen")
FIRST = 5
BAR = 0.8
"""The least share of the decisions that are to be among the first five."""
CASES = 100
NAMES = re.compile(r"\b(?:TIPs?|LWG|CWG|Core|DR|PR|P\d{4}(?:R\d+)?|N\d{4})\b(?:[ #]*[\w+]*/?\d+)?")
"""How a change names what it belongs to: not told when what was said of it is asked with."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a history: its day, the decisions that it names, its files, and what was said of it."""

    at: str
    names: list[str]
    files: list[str]
    said: str


@dataclass(frozen=True, slots=True)
class Case:
    """Shares of the decisions found: by the files, by the files' names, by the files with what was said."""

    files: float
    names: float
    told: float


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(f"| history | half | cases | decisions known | recall@{FIRST} | by file names | with what was said |")
    print("|---|---|---|---|---|---|---|")
    halves: tuple[list[Case], list[Case]] = ([], [])
    for name in HISTORIES:
        with tempfile.TemporaryDirectory(prefix="autology-context-") as folder:
            os.environ["AUTOLOGY_DATA_DIR"] = str(Path(folder, "data"))
            project = Path(folder, "project")
            Path(project, ".autology").mkdir(parents=True)
            cases, known = lived(Project(str(project)).graph, str(project), history(name))
        for at, half in enumerate(HALVES):
            halves[at].extend(cases[at::2])
            report(name, half, cases[at::2], known)
    for half, cases in zip(HALVES, halves, strict=True):
        report("all", half, cases)
    found, names = (statistics.mean(shares) for shares in ([c.files for c in cases], [c.names for c in cases]))
    print(f"\nunseen: {found:.3f}; the bar is {BAR}{', missed' if found < BAR else ''}")
    return 0 if sum(map(len, halves)) >= CASES and found >= max(BAR, names) else 1


def history(name: str) -> list[Change]:
    text = (Path(__file__).resolve().parent / "histories" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [Change(**json.loads(line)) for line in text.splitlines()]


def lived(graph: Graph, root: str, changes: Sequence[Change]) -> tuple[list[Case], int]:
    """Return the cases of a history and how many decisions it has."""
    known: dict[str, str] = {}
    cases = []
    for change in changes:
        graph.now = partial(datetime.fromisoformat, f"{change.at}T12:00:00+00:00")
        if wanted := {known[name] for name in change.names if name in known}:
            cases.append(Case(*(share(found, wanted) for found in asked(graph, root, change))))
        for name in change.names:
            if name in known:
                node = graph.stored(graph.source(known[name])).entry
                update(graph, node.id, Fields(references=tuple(dict.fromkeys([*node.references, *change.files]))))
            else:
                title = f"{name}: {change.said}"[:100]
                made = capture(graph, Material(title, change.said or title, "decision", references=tuple(change.files)))
                known[name] = made.node.id
    return cases, len(known)


def asked(graph: Graph, root: str, change: Change) -> Iterator[list[str]]:
    def relevant(task: str) -> list[str]:
        found = context(graph, root, Situation(change.files[0], tuple(change.files[1:]), task))
        return [each.node.id for each in found.nodes]

    yield relevant("")
    words = " ".join(PurePosixPath(file).name for file in change.files)
    yield [hit.source.id for hit in rank(graph.index, words, Filter(), FIRST)]
    yield relevant(NAMES.sub(" ", change.said))


def share(found: Sequence[str], wanted: set[str]) -> float:
    return len(wanted.intersection(found[:FIRST])) / len(wanted)


def report(name: str, half: str, cases: Sequence[Case], known: int = 0) -> None:
    means = [statistics.mean(values) for values in zip(*((c.files, c.names, c.told) for c in cases), strict=True)]
    print(f"| {name} | {half} | {len(cases)} | {known or ''} | {' | '.join(f'{mean:.3f}' for mean in means)} |")


if __name__ == "__main__":
    sys.exit(main())
