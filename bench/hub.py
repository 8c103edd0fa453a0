"""A team's hub beside the local index: does it rank alike, how fast is it, and what does it hold.

A real server is started from the development environment's wheel and removed afterwards. The sets lie where
bench/quality has them.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import itertools
import random
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

from autology import wire
from autology.core import benchmark
from autology.core.ports import Put, Stamp
from autology.core.rank import rank
from autology.model.entry import NODE, Entry
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from bench.quality import SHARED, engine, measured
from tests.hub import fixtures
from tests.hub.servers import Server

SETS = ("cranfield", "links_keps", "locomo_turn")
BATCH = 500
NEAR = 0.01
"""How far nDCG@10 may be from the local index'."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", nargs="*", default=list(SETS), help="these sets")
    options.add_argument("--most", type=int, default=0, metavar="N", help="at most so many questions of each")
    options.add_argument("--large", type=int, default=0, metavar="N", help="also a space of N made-up passages")
    chosen = options.parse_args()
    sys.path.insert(0, str(SHARED))
    scorer, sets = (importlib.import_module(name) for name in ("evaluate", "data"))
    missed = 0
    with fixtures.running() as server:
        for name in chosen.sets:
            labelled = sets.load(SHARED / "data", name)
            if chosen.most:
                labelled = dataclasses.replace(labelled, queries=labelled.queries[: chosen.most])
            missed += _compared(scorer, name, labelled, server)
        if chosen.large:
            _large(server, chosen.large)
    return 1 if missed else 0


def _compared(scorer: Any, name: str, labelled: Any, server: Server) -> bool:
    times: dict[str, list[float]] = {"local": [], "hub": []}
    filled: dict[str, float] = {}

    def hub(documents: list[dict[str, Any]]) -> Any:
        index, links = fixtures.an_index(server, wire.encoder())
        began = time.perf_counter()
        benchmark.fill(index, [benchmark.read(document) for document in documents])
        filled["seconds"] = time.perf_counter() - began

        def search(query: dict[str, Any], most: int) -> Sequence[str]:
            with index.held():
                return [hit.source.id for hit in rank(index, query["text"], Filter(), most)]

        search.close = links.close  # type: ignore[attr-defined]
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


def _large(server: Server, passages: int) -> None:
    """Fill a space with texts of Zipf's words, and ask it as a reader of it does, under row-level security."""
    space = fixtures.a_space("large")
    owner = fixtures.a_hub(server, space)
    owner.index._encoder = wire.encoder
    chance = random.Random(7)
    spread = list(itertools.accumulate(1 / rank for rank in range(1, 30_001)))

    def text() -> str:
        return " ".join(f"word{number}" for number in chance.choices(range(30_000), cum_weights=spread, k=60))

    began, used = time.perf_counter(), time.process_time()
    for at in range(0, passages, BATCH):
        owner.index.apply([_page(number, text()) for number in range(at, min(at + BATCH, passages))])
    took, own = time.perf_counter() - began, time.process_time() - used
    print(f"{passages:,} passages: filled in {took:.0f} s ({own:.0f} s of processor time on this side)")
    size = "SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) FROM pg_class c JOIN pg_namespace n"
    size += " ON n.oid = c.relnamespace WHERE n.nspname = 'autology' AND c.relkind = 'r'"
    print(f"  takes {owner.links.read(lambda link: link.run(size))[0][0]}")
    reader = fixtures.a_hub(server, space, "reader", "reader")
    reader.index._encoder = wire.encoder
    kinds: dict[str, Any] = {
        "words": lambda words: reader.index.words(Terms(query_terms(words)), Filter(), False, 10),
        "every word": lambda words: reader.index.words(Terms(query_terms(words)), Filter(), True, 10),
        "meaning": lambda words: reader.index.meaning(words, Filter(), 10),
        "all together": lambda words: rank(reader.index, words, Filter(), 10),
    }
    for name, ask in kinds.items():
        taken: list[float] = []
        for _ in range(30):
            words = " ".join(f"word{number}" for number in chance.choices(range(30_000), cum_weights=spread, k=3))
            began = time.perf_counter()
            ask(words)
            taken.append(time.perf_counter() - began)
        print(f"  {name}: p50 {statistics.median(taken) * 1000:.1f} ms, most {max(taken) * 1000:.1f} ms", flush=True)
    for hub in (owner, reader):
        hub.close()


def _page(number: int, text: str) -> Put:
    day = "2026-03-01T00:00:00Z"
    entry = Entry(f"n{number}", NODE, "concept", f"Page {number}", day, day)
    return Put(f"n/{number}.md", Stamp(1, 1), entry, (Passage(0, len(text), "", text),))


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
