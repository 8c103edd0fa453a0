"""The effect of chunking on search: fixed size, natural breaks, changes of subject.

All else is equal: the same texts and questions, the same size of chunk, the same engine, no headings beside the chunks.
bench/material.py says where the sets lie; only those whose texts are long enough to be cut tell the three apart. Of the
largest the texts that answer a question are taken, and some others beside.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autology.core.content.files import Stamp
from autology.core.hybrid_search import rank
from autology.core.index.changes import Put
from autology.embedding.static import StaticEncoder
from autology.model.entry import NODE, Entry
from autology.model.passage import Passage
from autology.model.query import Filter
from autology.text.markdown import topic_splitting
from autology.wire import user
from bench.material import labelled_sets

ROOT = Path(__file__).resolve().parents[1]
SETS = ("locomo_session", "links_keps", "cranfield")
MOST = 250
"""Texts of a set."""
METRICS = ("recall@5", "recall@10", "ndcg@10")
MADE = "2026-01-01T00:00:00Z"

Cut = Callable[[str], Sequence[topic_splitting.TextChunk]]
Search = Callable[[dict[str, Any], int], Sequence[str]]
encoder = StaticEncoder()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    options.add_argument("--most", type=int, default=MOST, help="texts of a set")
    chosen = options.parse_args()
    sets = labelled_sets()
    print(f"| set | texts cut | way | chunks | {' | '.join(METRICS)} |\n|{'---|' * (len(METRICS) + 4)}")
    lost = []
    for name in chosen.sets:
        labelled = sets.load(name, pooled=True)
        some(labelled, chosen.most)
        long = sum(len(each["text"]) > topic_splitting.WHOLE for each in labelled.docs)
        scores = {}
        for way, cut in WAYS.items():
            many: list[int] = []
            run, _ = sets.scorer.run_factory(labelled, lambda docs, cut=cut, many=many: asked(docs, cut, many))
            scores[way] = sets.scorer.M.mean(sets.scorer.score(labelled, run))
            values = " | ".join(f"{scores[way][metric]:.4f}" for metric in METRICS)
            print(f"| {name} | {long} of {len(labelled.docs)} | {way} | {sum(many):,} | {values} |", flush=True)
        lost += [
            f"{name}: {metric}: meaning {scores['meaning'][metric]:.4f}, fixed size {scores['fixed size'][metric]:.4f}"
            for metric in METRICS
            if long and scores["meaning"][metric] < scores["fixed size"][metric]
        ]
    for line in lost:
        print(f"no better: {line}", file=sys.stderr)
    return 1 if lost else 0


def some(labelled: Any, most: int) -> None:
    """Keep at most *most* texts, those that answer a question first, and the questions that they answer."""
    docs = list(labelled.docs)
    random.Random(11).shuffle(docs)
    due = {id for found in labelled.qrels.values() for id in found}
    docs.sort(key=lambda each: each["id"] not in due)
    labelled.docs[:] = docs[:most]
    kept = {each["id"] for each in labelled.docs}
    labelled.queries[:] = [q for q in labelled.queries if set(labelled.qrels.get(q["id"], ())) & kept]
    for question, found in list(labelled.qrels.items()):
        labelled.qrels[question] = {id: grade for id, grade in found.items() if id in kept}


def asked(docs: list[dict[str, Any]], cut: Cut, many: list[int]) -> Search:
    """Return a search over *docs*, each cut that way; tell how *many* chunks there are."""
    folder = tempfile.TemporaryDirectory(prefix="autology-splitting-", ignore_cleanup_errors=True)
    index = user.scratch_index(folder.name)
    for at in range(0, len(docs), 100):
        puts = [put(each, cut) for each in docs[at : at + 100]]
        many.append(sum(len(each.passages) for each in puts))
        index.apply(puts)

    def search(query: dict[str, Any], k: int, _kept: object = folder) -> list[str]:
        with index.keep_open():
            return [hit.source.id for hit in rank(index, query["text"], Filter(), k)]

    return search


def put(document: dict[str, Any], cut: Cut) -> Put:
    text = document["text"]
    chunks = [Passage(chunk.start, chunk.stop, "", text[chunk.start : chunk.stop]) for chunk in cut(text)]
    entry = Entry(document["id"], NODE, "concept", document.get("title") or "", MADE, MADE)
    return Put(document["id"], Stamp(len(text), 1), entry, tuple(chunks))


def fixed(text: str) -> list[topic_splitting.TextChunk]:
    """Cut after so many characters, wherever that is."""
    if len(text) <= topic_splitting.WHOLE:
        return [topic_splitting.TextChunk(0, len(text))]
    size = topic_splitting.TARGET
    return [topic_splitting.TextChunk(at, min(at + size, len(text))) for at in range(0, len(text), size)]


def natural(text: str) -> Sequence[topic_splitting.TextChunk]:
    return topic_splitting.cut(text).chunks


def meaning(text: str) -> Sequence[topic_splitting.TextChunk]:
    return topic_splitting.cut(text, similarities, topic_splitting.BOUNDARIES).chunks


def similarities(sentences: Sequence[str]) -> Sequence[float]:
    return topic_splitting.windows([memoryview(row).cast("b").tolist() for row in encoder.encode(sentences)])


WAYS: dict[str, Cut] = {"fixed size": fixed, "natural breaks": natural, "meaning": meaning}

if __name__ == "__main__":
    sys.exit(main())
