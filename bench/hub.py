"""A hub compared with the local index: the same ranking, its speed, and a million passages.

A real server is started from the development environment's wheel and removed afterwards. bench/material.py says where
the sets lie.
"""

from __future__ import annotations

import argparse
import dataclasses
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

from autology.core import benchmark
from autology.core.hybrid_search import rank
from autology.model.query import Filter
from autology.wire import user
from bench import scopes
from bench.material import labelled_sets
from bench.quality import engine, measured
from tests.hub import fixtures
from tests.hub.servers import Server

SETS = ("cranfield", "links_keps", "locomo_turn")
SAID = ("cranfield", "links_keps", "locomo_session")
"""Sets of whose texts passages are made up."""
NEAR = 0.01
"""How far nDCG@10 may be from the local index'."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", nargs="*", default=list(SETS), help="these sets")
    options.add_argument("--most", type=int, default=0, metavar="N", help="at most so many questions of each")
    options.add_argument("--passages", type=int, nargs="*", default=[], metavar="N", help="hubs of N made-up passages")
    chosen = options.parse_args()
    sets = labelled_sets()
    missed = 0
    with fixtures.running() as server:
        for name in chosen.sets:
            labelled = sets.load(name)
            if chosen.most:
                labelled = dataclasses.replace(labelled, queries=labelled.queries[: chosen.most])
            missed += _compared(sets.scorer, name, labelled, server)
    if chosen.passages:
        documents = (document for name in SAID for document in sets.load(name).docs[::4])
        missed += scopes.compared([document["text"] for document in documents], chosen.passages)
    return 1 if missed else 0


def _compared(scorer: Any, name: str, labelled: Any, server: Server) -> bool:
    times: dict[str, list[float]] = {"local": [], "hub": []}
    filled: dict[str, float] = {}

    def hub(documents: list[dict[str, Any]]) -> Any:
        index, pool = fixtures.an_index(server, user.encoder())
        began = time.perf_counter()
        benchmark.fill(index, [benchmark.read(document) for document in documents])
        filled["seconds"] = time.perf_counter() - began

        def search(query: dict[str, Any], most: int) -> Sequence[str]:
            with index.keep_open():
                return [hit.source.id for hit in rank(index, query["text"], Filter(), most)]

        search.close = pool.close  # type: ignore[attr-defined]
        return _timed(search, times["hub"])

    local = measured(scorer, labelled, lambda documents: _timed(engine(documents), times["local"]))
    far = measured(scorer, labelled, hub)
    print(
        f"{name}: local nDCG@10 {local['ndcg@10']:.4f}, hub {far['ndcg@10']:.4f}; filled in {filled['seconds']:.1f} s"
    )
    for where, taken in times.items():
        taken.sort()
        print(
            f"  {where}: p50 {statistics.median(taken) * 1000:.1f} ms,"
            f" p95 {taken[int(len(taken) * 0.95)] * 1000:.1f} ms"
        )
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"  processor time of this side so far: {used.ru_utime + used.ru_stime:.1f} s", flush=True)
    return abs(local["ndcg@10"] - far["ndcg@10"]) > NEAR


def _timed(search: Any, taken: list[float]) -> Any:
    def asked(query: dict[str, Any], most: int) -> Sequence[str]:
        began = time.perf_counter()
        found = search(query, most)
        taken.append(time.perf_counter() - began)
        return found  # type: ignore[no-any-return]

    if hasattr(search, "close"):
        asked.close = search.close  # type: ignore[attr-defined]
    return asked


if __name__ == "__main__":
    sys.exit(main())
