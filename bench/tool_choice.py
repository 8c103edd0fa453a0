"""Whether the descriptions of the tools lead to the tool that a request needs, without a model.

The requests in evals/choice were written from the specification of the tools, not from their descriptions. Each is
ranked against name, description and schema of every tool, by words (BM25) and by meaning (the built-in encoder). A
model reads better than either: the figures are for comparing two wordings, not for judging one.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from client import ROOT

from autology.embedding.static import StaticEncoder
from autology.text.stemmer import stem
from autology.tools.server import TOOLS

Json = dict[str, Any]
Scores = list[float]

SETS = ("open", "sealed")
"""The halves of the requests; nobody who words descriptions reads the sealed one."""
K1, B = 1.2, 0.75
"""The usual saturation and length normalisation of BM25."""
FUSED = 60
"""The usual constant of reciprocal rank fusion."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", choices=SETS, help="list the requests of a set whose tool is not among the first 3")
    options = parser.parse_args()
    texts = {tool.name: _text(tool.name, tool.described().model_dump(by_alias=True, mode="json")) for tool in TOOLS}
    names = list(texts)
    rankings = {"words": Words(list(texts.values())), "meaning": Meaning(list(texts.values()))}
    print("| requests | by | first | among the first 3 | reciprocal rank |\n|---|---|---|---|---|")
    unfit = 0
    for name in SETS:
        requests = [json.loads(line) for line in _file(name).read_text(encoding="utf-8").splitlines()]
        unfit += sum(_unfit(request) for request in requests)
        orders = {
            by: [_order(ranking.scores(request["request"])) for request in requests] for by, ranking in rankings.items()
        }
        orders["both"] = [_order(_fused(pair)) for pair in zip(*orders.values(), strict=True)]
        for by, ranked in orders.items():
            ranks = [_rank(order, names, request) for order, request in zip(ranked, requests, strict=True)]
            first, third = (sum(rank <= most for rank in ranks) for most in (1, 3))
            mean = sum(1 / rank for rank in ranks) / len(ranks)
            print(f"| {len(requests)} {name} | {by} | {first} | {third} | {mean:.3f} |")
            if options.misses == name:
                for rank, order, request in zip(ranks, ranked, requests, strict=True):
                    if rank > 3:
                        print(f"  {by}: {request['tool']} is {rank}, after {names[order[0]]}: {request['request']}")
    print(f"\nArguments that a request needs and its tool does not list: {unfit}")
    return 1 if unfit else 0


class Words:
    """BM25 over the stems of *texts*."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.counts = [Counter(_stems(text)) for text in texts]
        self.average = sum(counts.total() for counts in self.counts) / len(texts)
        self.containing = Counter(word for counts in self.counts for word in counts)

    def scores(self, request: str) -> Scores:
        return [sum(self._score(word, counts) for word in set(_stems(request))) for counts in self.counts]

    def _score(self, word: str, counts: Mapping[str, int]) -> float:
        times, containing = counts.get(word, 0), self.containing[word]
        if not times:
            return 0.0
        rarity = math.log(1 + (len(self.counts) - containing + 0.5) / (containing + 0.5))
        return rarity * times * (K1 + 1) / (times + K1 * (1 - B + B * sum(counts.values()) / self.average))


class Meaning:
    """Cosine of the built-in encoder's vectors."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.encoder = StaticEncoder()
        self.vectors = [self._vector(text) for text in texts]

    def scores(self, request: str) -> Scores:
        vector = self._vector(request)
        return [sum(a * b for a, b in zip(vector, other, strict=True)) for other in self.vectors]

    def _vector(self, text: str) -> Scores:
        row = memoryview(self.encoder.encode([text])[0]).cast("b")
        length = math.sqrt(sum(value * value for value in row)) or 1.0
        return [value / length for value in row]


def _fused(orders: Sequence[Sequence[int]]) -> Scores:
    scores = [0.0] * len(orders[0])
    for order in orders:
        for rank, tool in enumerate(order, 1):
            scores[tool] += 1 / (FUSED + rank)
    return scores


def _order(scores: Scores) -> list[int]:
    return sorted(range(len(scores)), key=lambda tool: -scores[tool])


def _rank(order: Sequence[int], names: Sequence[str], request: Json) -> int:
    fitting = {request["tool"], *request["also"]}
    return next(rank for rank, tool in enumerate(order, 1) if names[tool] in fitting)


def _unfit(request: Json) -> int:
    """Return how many arguments the schema of the request's tool lacks, or allows other values for."""
    properties = next(tool for tool in TOOLS if tool.name == request["tool"]).described().input_schema["properties"]
    unfit = 0
    for names, value in request["arguments"].items():
        schema = next((properties[name] for name in names.split("|") if name in properties), None)
        unfit += schema is None or value not in ("*", *schema.get("enum", [value]))
    return unfit


def _text(name: str, tool: Json) -> str:
    """Return what the model reads of a tool."""
    return f"{name} {tool['description']} {' '.join(_read(tool['inputSchema']['properties']))}"


def _read(properties: Json) -> list[str]:
    parts: list[str] = []
    for name, schema in properties.items():
        parts += [name, schema.get("description", ""), *schema.get("enum", [])]
        inner = schema.get("items", schema)
        parts += [*inner.get("enum", []), *_read(inner.get("properties", {}))]
    return parts


def _stems(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[a-z]+", text.lower())]


def _file(name: str) -> Path:
    return ROOT / "evals" / "choice" / f"{name}.jsonl"


if __name__ == "__main__":
    sys.exit(main())
