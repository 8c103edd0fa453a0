"""Learn how likely later talk replaces earlier talk, and print the weights that ranking/replacing.py has.

The pairs are those that recall and unified search compare for the questions of the open halves of
tests/labelled/change, …2, …3, …4 and …5: what holds now replaces what was amended; newer talk that only mentions a
matter does not replace what settled it, nor does any other later talk replace what answers. Each question is asked
twice, the second time without the expressions of change, as in a world for which none was written.
``--without`` prints instead how well the other worlds tell the pairs of each world.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, sqrt
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.ranking import amendments, change_statements, replacing, settling  # noqa: E402
from autology.ranking.replacing import Pair, pairs  # noqa: E402
from autology.tools import recall_previous_discussions, unified_memory_search  # noqa: E402
from autology.tools.project import ServedProject  # noqa: E402
from bench.moment_world import World  # noqa: E402
from bench.wording import learn_settling  # noqa: E402

LABELS = ROOT / "tests" / "labelled"
WORLDS = ("change", "change2", "change3", "change4", "change5")
NEVER = {"change": "never", "change3": "never3", "change4": "never4", "change5": "never5"}
SHRUNK = 10.0
"""The L2 penalty on weights of features in units of their deviation: with 3 to 30 the mean area under the curve of the
worlds left out differs by 0.001."""
ROUNDS = 12
UNRELATED, BESIDE = 0.7, 0.3
"""The weight of all pairs of an answer and other later talk, and of one where the answer itself replaced something."""
OF_CHANGE = ("named", "matter")
"""The sections of change_words.txt that have the expressions of change."""

Row = dict[str, Any]
Example = tuple[Pair, bool, float]
Compared = tuple[amendments.Text, amendments.Text, Pair]
"""A later passage, an earlier one, and what they have in common."""


def main() -> int:
    """Print the weights, or how well worlds tell the pairs of another one."""
    examples = {world: list(examples_of(world)) for world in WORLDS}
    if "--without" not in sys.argv:
        weights = learned([example for world in WORLDS for example in examples[world]])
        print(", ".join(f"{weight:.2f}" for weight in weights))
        return 0
    for without in WORLDS:
        weights = learned([example for world in WORLDS if world != without for example in examples[world]])
        scores = [(dot(weights, pair), replaces, weight) for pair, replaces, weight in examples[without]]
        right, others = ([(score, w) for score, label, w in scores if label is side] for side in (True, False))
        area = sum(w * v * ((a > b) + 0.5 * (a == b)) for a, w in right for b, v in others)
        print(f"{without}: area {area / sum(w for _, w in right) / sum(v for _, v in others):.3f}")
    return 0


def examples_of(world_name: str) -> Iterator[Example]:
    """Yield the pairs that the questions of a world compare, whether the later one replaces the other, and a weight."""
    settling_learned_without(world_name)
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        world = World(Path(name), LABELS / world_name)
        os.environ.update({key: value for key, value in world.environment.items() if key != "PATH"})
        for with_expressions in (True, False):
            expressions_count(with_expressions)
            projects = {project: ServedProject(str(world.project(project))) for project in world.projects}
            for project in projects.values():
                project.conversations.refresh()
                project.conversations.encode()
            for row in questions(world_name):
                for tool in (recalled, searched):
                    compared = compared_by(tool, projects[row["project"]], row["query"])
                    yield from labelled(row, world.keys, compared)
    expressions_count(True)


def settling_learned_without(world: str) -> None:
    """Tell whether talk settles something by what the other worlds teach: of its own it is known too well."""
    settling.settling.cache_clear()
    settling._weights.clear()
    settling._weights.update(learn_settling.weights_of([other for other in WORLDS if other != world]))


def questions(world: str) -> Iterator[Row]:
    """Yield the questions of a world that something answers."""
    for line in (LABELS / world / "open.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] != "never":
            yield row
    if world in NEVER:
        for line in (LABELS / NEVER[world] / "open.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["kind"] == "known" and row["world"] == world:
                yield {**row, "query": row["question"], "gold": row["answers"]}


def recalled(project: ServedProject, query: str) -> None:
    """Ask recall."""
    recall_previous_discussions.act(project, recall_previous_discussions.Recall(query=query))


def searched(project: ServedProject, query: str) -> None:
    """Ask unified search."""
    unified_memory_search.act(project, unified_memory_search.UnifiedSearch(query=query))


def compared_by(tool: Callable[[ServedProject, str], None], project: ServedProject, query: str) -> list[Compared]:
    """Return the pairs that are compared while *tool* is asked for *query*."""
    compared: list[Compared] = []

    def recorded(texts: Sequence[amendments.Text], *rest: Any) -> Mapping[tuple[int, int], Pair]:
        by_positions = pairs(texts, *rest)
        compared[:] = [(texts[later], texts[earlier], pair) for (later, earlier), pair in by_positions.items()]
        return by_positions

    replacing.pairs = recorded
    try:
        tool(project, query)
    finally:
        replacing.pairs = pairs
    return compared


def labelled(row: Row, keys: Mapping[str, str], compared: Sequence[Compared]) -> Iterator[Example]:
    """Yield those of the pairs *compared* whose label follows from *row*."""

    def is_of(side: str, text: amendments.Text) -> bool:
        marks = row.get(f"{side}_marks")
        is_one = keys.get(text.talk, "") in row.get(side, ())
        return is_one and (not marks or any(re.search(mark, text.text, re.IGNORECASE) for mark in marks))

    right, wrong = ("new", "old") if row["kind"] == "amended" else ("gold", "wrong")
    changes: list[Pair] = []
    others: list[tuple[Pair, float]] = []
    for later, earlier, pair in compared:
        is_other = not is_of(right, later) and not is_of(wrong, later)
        if row["kind"] == "amended":
            if is_of(wrong, earlier) and is_of(right, later):
                changes.append(pair)
            elif is_of(right, earlier) and is_other:
                others.append((pair, BESIDE))
        elif is_of(right, earlier) and (is_other or is_of(wrong, later)):
            others.append((pair, 0.5 if is_other else 1.0))
    yield from ((pair, True, 1 / len(changes)) for pair in changes)
    all_others = max(1.0, sum(weight for _, weight in others))
    share = 1.0 if row["kind"] == "mention" else UNRELATED
    yield from ((pair, False, share * weight / all_others) for pair, weight in others)


def expressions_count(counted: bool) -> None:
    """Read texts with the expressions of change, or as if none were known."""
    change_statements._sections.clear()
    for kind in OF_CHANGE:
        change_statements._read(kind)
        if not counted:
            change_statements._sections[kind] = [[frozenset({"\0"}), "<old>"]]
    for cached in (change_statements._keys, change_statements.segments, change_statements.decided_in):
        cached.cache_clear()


def learned(examples: Sequence[Example]) -> list[float]:
    """Return the weights of a logistic regression on *examples*, by Newton's method."""
    columns = list(zip(*(pair for pair, *_ in examples), strict=True))
    units = [max(1e-6, _deviation(column)) if any(column) else 1.0 for column in columns]
    units[0] = 1.0
    rows = [[value / unit for value, unit in zip(pair, units, strict=True)] for pair, *_ in examples]
    size = len(units)
    weights = [0.0] * size
    for _ in range(ROUNDS):
        slope = [0.0, *(-SHRUNK * weight for weight in weights[1:])]
        bend = [[SHRUNK * (at == other) * bool(at) for other in range(size)] for at in range(size)]
        for row, (_, label, weight) in zip(rows, examples, strict=True):
            likely = 1 / (1 + exp(-dot(weights, row)))
            error, steep = weight * (label - likely), weight * likely * (1 - likely)
            for at, value in enumerate(row):
                slope[at] += error * value
                scaled, line = steep * value, bend[at]
                for other in range(size):
                    line[other] += scaled * row[other]
        weights = [weight + step for weight, step in zip(weights, _solved(bend, slope), strict=True)]
    return [weight / unit for weight, unit in zip(weights, units, strict=True)]


def dot(weights: Sequence[float], values: Sequence[float]) -> float:
    """Return the sum of *values* by their *weights*."""
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _deviation(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a system of linear equations whose *matrix* is positive definite."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for below in rows[at + 1 :]:
            factor = below[at] / pivot[at]
            below[at:] = [value - factor * own for value, own in zip(below[at:], pivot[at:], strict=True)]
    solution = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        known = dot(rows[at][at + 1 : -1], solution[at + 1 :])
        solution[at] = (rows[at][-1] - known) / rows[at][at]
    return solution


if __name__ == "__main__":
    sys.exit(main())
