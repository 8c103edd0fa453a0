"""LongMemCode's FastAPI scenarios, answered from the code graph.

Its runner hands an adapter structured questions (who calls, what is called, what a class contains, who extends it, what
no one calls, what a file defines, which symbol has a name) and scores the SCIP ids that come back: exact first, exact
set (F1) or the share of those required; the headline weighs the means of six of the seven categories. The scoring here
follows runners/lmc-runner and docs/METHODOLOGY.md; latencies are not compared.

Ours: the code graph that reads Python without further parsers, its symbols named as SCIP names them. Words and meaning
play no part. The source is FastAPI's wheel, from the package index.
Theirs: the files in results/ of the repository, of ArgosBrain, whose index the ids and most expected answers were made
from, and of grep with ArgosBrain's table of names.

The results name FastAPI 0.117.0 as the corpus, but 64 of the 217 ids that are asked for are not in it; 0.136.0 has all
but three. `--version` chooses another.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from autology.codegraph.facts import TYPES
from autology.codegraph.graph import INHERITANCE, CodeMap, LinkType, Symbol
from autology.wire.project import Project
from bench.published._checkouts import checkout, circumstances
from bench.published._locomo import scratch

SCENARIOS = "scenarios/fastapi.json"
RESULTS = {"ArgosBrain": "argosbrain-fastapi-2026-04-20.json", "grep": "grep-fastapi-2026-04-20.json"}
VERSION = "0.136.0"
WEIGHTS = {
    "Completion": 0.32,
    "BugFix": 0.22,
    "Refactor": 0.12,
    "TestGen": 0.10,
    "FeatureAdd": 0.10,
    "ApiDiscovery": 0.14,
}
"""Of the categories, as their runner has them; ControlFlow has none."""

Query = Mapping[str, Any]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--version", default=VERSION, help=f"of FastAPI (default {VERSION})")
    chosen = options.parse_args()
    folder = checkout("CataDef/LongMemCode", SCENARIOS, *(f"results/{name}" for name in RESULTS.values()))
    scenarios = json.loads((folder / SCENARIOS).read_text(encoding="utf-8"))
    with scratch() as place:
        code = Code(source(Path(place), chosen.version))
        scores: dict[str, list[float]] = defaultdict(list)
        by_question: dict[str, list[float]] = defaultdict(list)
        for each in scenarios:
            value = scored(each["expected"], code.answer(each["query"]))
            scores[each["category"]].append(value)
            by_question[each["query"]["op"]].append(value)
    own = {category: sum(values) / len(values) for category, values in scores.items()}
    rows = {name: theirs(folder / "results" / file) for name, file in RESULTS.items()} | {"Autology": own}
    print(f"{circumstances()}; FastAPI {chosen.version}, {len(scenarios)} scenarios\n")
    print(f"| score | {' | '.join(sorted(own))} | weighted |\n|{'---|' * (len(own) + 2)}")
    for name, means in rows.items():
        cells = [means[category] for category in sorted(own)] + [weighted(means)]
        print(f"| {name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    asked = (f"{kind} {sum(values) / len(values):.3f} of {len(values)}" for kind, values in by_question.items())
    print(f"\nAutology, by question: {', '.join(asked)}")
    return 0


def source(place: Path, version: str) -> Path:
    """Return a project with the source of FastAPI in this version."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(place)]
    subprocess.run([*command, f"fastapi=={version}"], check=True, stderr=subprocess.DEVNULL)
    (wheel,) = place.glob("*.whl")
    root = place / "project"
    (root / ".autology").mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(root, [name for name in archive.namelist() if name.startswith("fastapi/")])
    os.environ["AUTOLOGY_DATA_DIR"] = str(place / "data")
    return root


class Code:
    """Answers to the structured questions."""

    def __init__(self, root: Path) -> None:
        self.graph: CodeMap = Project(str(root)).code.current().graph
        self.ids = {symbol: self._id(symbol) for symbol in self.graph.symbols}
        self.symbols = {id: symbol for symbol, id in self.ids.items()}
        self.questions: dict[str, Callable[[Query], Sequence[Symbol]]] = {
            "lookup": self._lookup,
            "callers": self._callers,
            "callees": self._callees,
            "contained_by": self._contained,
            "implementors": self._implementors,
            "orphans": self._orphans,
            "file_symbols": self._of_file,
        }

    def answer(self, query: Query) -> list[str]:
        return list(dict.fromkeys(self.ids[symbol] for symbol in self.questions[query["op"]](query)))

    def _lookup(self, query: Query) -> Sequence[Symbol]:
        if not query.get("bare_name"):
            symbol = self.symbols.get(query["name"])
            return [symbol] if symbol else []
        name = query["name"].replace("#", ".")
        named = [symbol for symbol in self.graph.symbols if name in (symbol.name, symbol.last)]
        return [symbol for symbol in named if query.get("kind") != "struct" or self._is_type(symbol)]

    def _callers(self, query: Query) -> Sequence[Symbol]:
        target = self.symbols.get(query["sym_stable_id"])
        return [link.source for link in self._uses() if target in (link.target, Symbol(link.target.path, ""))]

    def _callees(self, query: Query) -> Sequence[Symbol]:
        source = self.symbols.get(query["sym_stable_id"])
        return [link.target for link in self._uses() if link.source == source]

    def _contained(self, query: Query) -> Sequence[Symbol]:
        outer = self.symbols.get(query["sym_stable_id"])
        return [symbol for symbol in self.graph.symbols if symbol.name and symbol.outer == outer]

    def _implementors(self, query: Query) -> Sequence[Symbol]:
        base = self.symbols.get(query["sym_stable_id"])
        types = (*INHERITANCE, LinkType.OVERRIDES)
        return [link.source for link in self.graph.links if link.type in types and link.target == base]

    def _orphans(self, query: Query) -> Sequence[Symbol]:
        used = {link.target for link in self._uses()}
        functions = query.get("kind") == "function"
        unused = [symbol for symbol in self.graph.symbols if symbol.name and symbol not in used]
        return [symbol for symbol in unused if not (functions and self._is_type(symbol))]

    def _of_file(self, query: Query) -> Sequence[Symbol]:
        return [symbol for symbol in self.graph.symbols if symbol.path == f"fastapi/{query['file_path']}"]

    def _uses(self) -> list[Any]:
        return [link for link in self.graph.links if link.type in (LinkType.CALLS, LinkType.USES)]

    def _is_type(self, symbol: Symbol) -> bool:
        definition = self.graph.symbols[symbol]
        return definition is not None and definition.kind in TYPES

    def _id(self, symbol: Symbol) -> str:
        """Return what SCIP calls it: ``fastapi `fastapi.params`/Query#__init__().``; a file is ``file:params.py``."""
        if not symbol.name:
            return f"file:{symbol.path.removeprefix('fastapi/')}"
        parts, at = [], symbol
        while at.name:
            parts.append(f"{at.last}{'#' if self._is_type(at) else '().'}")
            at = at.outer
        module = symbol.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return f"fastapi `{module}`/{''.join(reversed(parts))}"


def scored(expected: Query, ids: Sequence[str]) -> float:
    """Return the score of an answer, 0 to 1, by the shape of what is expected."""
    if expected["kind"] == "exact_symbol":
        return float(ids[:1] == [expected["stable_id"]])
    if expected["kind"] == "contains":
        required = expected["required"]
        return sum(id in ids for id in required) / len(required) if required else 1.0
    assert expected["kind"] == "exact_set", expected["kind"]
    due, answered = set(expected["stable_ids"]), set(ids)
    return 2 * len(due & answered) / (len(due) + len(answered)) if due or answered else 1.0


def theirs(file: Path) -> dict[str, float]:
    categories = json.loads(file.read_text(encoding="utf-8"))["per_category"]
    return {name: each["avg_score"] for name, each in categories.items()}


def weighted(means: Mapping[str, float]) -> float:
    return sum(means[name] * weight for name, weight in WEIGHTS.items()) / sum(WEIGHTS.values())


if __name__ == "__main__":
    sys.exit(main())
