"""The gain and cost of boosting by links: proposals that cite each other, with and without citations as links.

A question is the sentence around a citation, its answer what is cited; the citations that questions were made
from are left out. bench/material.py says where the set lies.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from autology.core import benchmark
from autology.core.content.codec import clean_passages
from autology.core.content.files import Stamp
from autology.core.hybrid_search import rank
from autology.core.index.changes import Put
from autology.core.index.index import Index
from autology.model.entry import NODE, Entry, Link
from autology.model.query import Filter
from autology.ranking import link_boost
from autology.wire.user import scratch_index
from bench.material import labelled_sets

ROOT = Path(__file__).resolve().parents[1]
MADE = "2026-01-01T00:00:00Z"
WORTHS = (0.0, 0.05, 0.1, 0.2, 0.3)
METRICS = ("recall@5", "recall@10", "ndcg@10", "mrr")
_TARGET = re.compile(r"\]\(([^()\s]+)\)")


def main() -> int:
    sets = labelled_sets()
    labelled = sets.load("links_keps")
    with tempfile.TemporaryDirectory(prefix="autology-links-", ignore_cleanup_errors=True) as folder:
        index = scratch_index(folder)
        count = fill(index, labelled)
        print(f"{len(labelled.docs)} proposals, {count} citations, {len(labelled.queries)} questions\n")
        print(f"| worth | {' | '.join(METRICS)} |\n|{'---|' * (len(METRICS) + 1)}")
        for worth in WORTHS:
            link_boost.LINKS = worth
            scores = sets.scorer.M.mean(sets.scorer.score(labelled, answers(index, labelled.queries)))
            print(f"| {worth} | {' | '.join(f'{scores[metric]:.4f}' for metric in METRICS)} |", flush=True)
    return 0


def fill(index: Index, labelled: Any) -> int:
    """Take the proposals in with what they cite; return how many citations there are."""
    asked = {
        (one, other) for q in labelled.queries for one in q.get("exclude", ()) for other in labelled.qrels[q["id"]]
    }
    numbered = {number[1]: d["id"] for d in labelled.docs if (number := re.match(r"[^/]+/(\d+)-", d["id"]))}
    puts, count = [], 0
    for each in labelled.docs:
        said = benchmark.read(each)
        parts = (part for target in _TARGET.findall(said.text) for part in re.findall(r"(\d{2,4})-[a-z]", target))
        cited = {numbered[part] for part in parts if part in numbered} - {said.id}
        told = tuple(Link("CITES", other) for other in sorted(cited) if (said.id, other) not in asked)
        count += len(told)
        entry = Entry(said.id, NODE, "concept", said.title, MADE, MADE, links=told)
        puts.append(Put(said.id, Stamp(1, 1), entry, tuple(clean_passages(said.text))))
    index.apply(puts)
    return count


def answers(index: Index, queries: list[dict[str, Any]]) -> dict[str, list[str]]:
    with index.keep_open():
        return {q["id"]: [hit.source.id for hit in rank(index, q["text"], Filter(), 103)] for q in queries}


if __name__ == "__main__":
    sys.exit(main())
