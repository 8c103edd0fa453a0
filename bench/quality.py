"""Ranking quality on every labelled set, compared with plain full-text search and lexical search alone.

bench/material.py says where the sets and their scorer lie.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autology.core import benchmark
from autology.core.hybrid_search import rank
from autology.core.index.retrieval import Encoder
from autology.model.entry import NODE
from autology.model.query import Filter
from autology.wire import user
from bench.material import labelled_sets

ROOT = Path(__file__).resolve().parents[1]
MEAN, GAIN, SLACK = 0.610, 0.010, 0.005  # the bars: the mean, its gain over words, the least beside plain search
POOLED = ("recall@5", "ndcg@10", "mrr")  # of all conversations in one index: not below the plain stack
MODEL_MEAN, MODEL_CODE = 0.640, 0.75  # with the optional model: the mean nDCG@10, and recall@10 on code
METRICS = ("recall@5", "recall@10", "ndcg@10", "mrr")

Search = Callable[[dict[str, Any], int], Sequence[str]]
Factory = Callable[[list[dict[str, Any]]], Search]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", nargs="+", help="these sets only")
    options.add_argument("--model", metavar="NAME", help="beside that, with this model, which is installed")
    options.add_argument("--write", metavar="FILE", help="write what is printed to a file too")
    chosen = options.parse_args()
    sets = labelled_sets()
    if chosen.model:
        LEGS["words + model"] = modelled(Kept(user.models().encoder(chosen.model)))
    names = chosen.sets or sets.names()
    stack = {"plain stack": sets.baselines.fts5_stack_default}
    table = {
        name: {leg: measured(sets.scorer, sets.load(name), factory) for leg, factory in LEGS.items()} for name in names
    }
    pooled = None
    if "locomo_session" in names:
        whole = sets.load("locomo_session", pooled=True)
        pooled = {leg: measured(sets.scorer, whole, factory) for leg, factory in (stack | LEGS).items()}
    text = described(table, pooled)
    print(text)
    if chosen.write:
        Path(chosen.write).write_text(text, encoding="utf-8", newline="\n")
    for line in (missing := missed(table, pooled)):
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missing else 0


# ---- what is measured --------------------------------------------------------------------------------------


def engine(documents: list[dict[str, Any]], meant: bool = True, model: Encoder | None = None) -> Search:
    """The engine, through an index as a project has it."""
    folder = tempfile.TemporaryDirectory(prefix="autology-quality-", ignore_cleanup_errors=True)
    index = user.scratch_index(folder.name, lambda: model)
    read = [benchmark.read(document) for document in documents]
    benchmark.fill(index, read)
    assert model is None or index.encoder_state(NODE).name == model.name

    def search(query: dict[str, Any], most: int) -> list[str]:
        with index.keep_open():
            return [hit.source.id for hit in rank(index, query["text"], Filter(), most, meant)]

    search.close = folder.cleanup  # type: ignore[attr-defined]
    return search


class Kept:
    """An encoder whose passages are kept on disk for the next time: the model takes an hour for all of the sets."""

    def __init__(self, encoder: Encoder) -> None:
        self.name, self.share, self.moves, self._encoder = encoder.name, encoder.share, encoder.moves, encoder
        file = ROOT / ".build" / "bench" / f"{encoder.name}.sqlite"
        file.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.execute("CREATE TABLE IF NOT EXISTS kept(text BLOB PRIMARY KEY, row BLOB NOT NULL) WITHOUT ROWID")

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        return [self._row(text) if "\n" in text else self._encoder.encode([text])[0] for text in texts]

    def _row(self, text: str) -> bytes:
        # A question has one line, and is encoded every time: that is measured.
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._db.execute("SELECT row FROM kept WHERE text = ?", (key,)).fetchone()
        if known is None:
            known = (self._encoder.encode([text])[0],)
            self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, known[0]))
        return bytes(known[0])


def modelled(encoder: Encoder) -> Factory:
    """The engine with a model that has seen every passage."""

    def factory(documents: list[dict[str, Any]]) -> Search:
        return engine(documents, model=encoder)

    return factory


def words(documents: list[dict[str, Any]]) -> Search:
    """The engine's leg of words alone."""
    return engine(documents, meant=False)


def plain(documents: list[dict[str, Any]]) -> Search:
    """What SQLite does by itself: whole notes, Porter stems, any of the words."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE note USING fts5(id UNINDEXED, text, tokenize='porter unicode61')")
    rows = ((each["id"], f"{each.get('title', '')}\n{each['text']}") for each in documents)
    db.executemany("INSERT INTO note VALUES (?, ?)", rows)

    def search(query: dict[str, Any], most: int) -> list[str]:
        terms = "".join(letter if letter.isalnum() else " " for letter in query["text"]).split()
        asked = " OR ".join(f'"{term}"' for term in terms)
        ask = "SELECT id FROM note WHERE note MATCH ? ORDER BY rank LIMIT ?"
        return [id for (id,) in db.execute(ask, (asked, most))] if asked else []

    return search


LEGS: dict[str, Factory] = {"plain FTS5": plain, "words": words, "words + static": engine}


def measured(scorer: Any, labelled: Any, factory: Factory) -> dict[str, float]:
    run, times = scorer.run_factory(labelled, factory)
    scores: dict[str, float] = scorer.M.mean(scorer.score(labelled, run))
    return {**scores, "p50": times["p50_ms"], "p95": times["p95_ms"]}


# ---- what is told ------------------------------------------------------------------------------------------


def described(table: dict[str, dict[str, dict[str, float]]], pooled: dict[str, dict[str, float]] | None) -> str:
    lines = ["# How well search ranks", "", _circumstances(), ""]
    lines += [f"| set | engine | {' | '.join(METRICS)} | p50 ms | p95 ms |", f"|{'---|' * (len(METRICS) + 4)}"]
    for name, legs in table.items():
        lines += [_line(name, leg, scores) for leg, scores in legs.items()]
    lines += [_line("mean", leg, mean(table, leg)) for leg in LEGS]
    if pooled:
        lines += [_line("locomo_session, pooled", leg, scores) for leg, scores in pooled.items()]
    lines += ["", "plain stack: FTS5 over passages of 200 words, whole texts, titles and phrases, added up."]
    lines += ["recall: the share of a question's answers among the first 5 or 10. nDCG@10: their gain, less the"]
    lines += ["later they come, over the best possible. MRR: one over the first answer's place. Means over questions."]
    return "\n".join(lines) + "\n"


def mean(table: dict[str, dict[str, dict[str, float]]], leg: str) -> dict[str, float]:
    return {
        metric: sum(legs[leg][metric] for legs in table.values()) / len(table) for metric in (*METRICS, "p50", "p95")
    }


def missed(table: dict[str, dict[str, dict[str, float]]], pooled: dict[str, dict[str, float]] | None) -> list[str]:
    whole, by_words = (mean(table, leg)["ndcg@10"] for leg in ("words + static", "words"))
    bars = [
        (whole >= MEAN, f"the mean nDCG@10 is {whole:.4f}; the bar is {MEAN}"),
        (whole >= by_words + GAIN, f"meaning adds {whole - by_words:.4f} to the words; the bar is {GAIN}"),
    ]
    for name, legs in table.items():
        least = legs["plain FTS5"]["ndcg@10"] - SLACK
        bars.append((legs["words + static"]["ndcg@10"] >= least, f"{name} is below plain search"))
    if "words + model" in LEGS:
        best = mean(table, "words + model")["ndcg@10"]
        bars.append((best >= MODEL_MEAN, f"with the model the mean nDCG@10 is {best:.4f}; the bar is {MODEL_MEAN}"))
        if code := table.get("cosqa"):
            hits = code["words + model"]["recall@10"]
            bars.append((hits >= MODEL_CODE, f"with the model recall@10 on code is {hits:.4f} of {MODEL_CODE}"))
    if pooled:
        found, stack = pooled["words + static"], pooled["plain stack"]
        for metric in POOLED:
            text = f"pooled {metric} is {found[metric]:.4f}; the plain stack has {stack[metric]:.4f}"
            bars.append((found[metric] >= stack[metric], text))
    return [text for met, text in bars if not met]


def _circumstances() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    revision = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    encoder = user.encoder()
    return (
        f"Revision {revision or 'unknown'}; encoder {encoder.name if encoder else 'none'}; Python"
        f" {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()} {platform.system()}."
    )


def _line(name: str, leg: str, scores: dict[str, float]) -> str:
    values = " | ".join(f"{scores[metric]:.3f}" for metric in METRICS)
    return f"| {name} | {leg} | {values} | {scores['p50']:.1f} | {scores['p95']:.1f} |"


if __name__ == "__main__":
    sys.exit(main())
