"""Similarity of neighbouring sentences by this encoder, within one text and across topic boundaries.

Texts are the project's own documents and the markdown of other projects (bench/material.py). Places where one text was
joined to another are subjects that truly change; the similarities of document 003 (0.3, 0.5, 0.7) are mapped to the
shares of such places that lie below.

Then how near questions are to passages of other sets, and to the best passage of what answers them, in the labelled
sets beside: what the thresholds of a search by meaning are taken from.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from autology.core.memory.find import THRESHOLDS
from autology.embedding.static import StaticEncoder
from autology.ranking.quantized_vectors import SCALE, rescore
from autology.text.markdown.passages import passages
from autology.text.markdown.topic_splitting import BOUNDARIES, LEAST, windows
from autology.text.markdown.units import SENTENCE, units
from bench.material import LabelledSets, corpora, labelled_sets

ROOT = Path(__file__).resolve().parents[1]
TEXTS, SENTENCES = 200, 12


def main() -> int:
    sets = labelled_sets()
    texts = list(sentences(corpora()))
    if len(texts) < TEXTS // 2:
        print(f"too few texts to measure on: {len(texts)} of {TEXTS}", file=sys.stderr)
        return 1
    within, between = measured(texts, StaticEncoder())
    print("| percentile | within a text | where another begins |\n|---|---|---|")
    for share in (1, 5, 10, 15, 25, 50, 75, 90):
        print(f"| {share} | {percentile(within, share):.2f} | {percentile(between, share):.2f} |")
    for name in ("strong", "medium", "weak"):
        bound = getattr(BOUNDARIES, name)
        found, wrong = (sum(value < bound for value in values) / len(values) for values in (between, within))
        print(f"{name} < {bound}: {found:.0%} of the changes of subject, {wrong:.1%} of the other places")
    apart, together = questions(sets, StaticEncoder())
    for bound in sorted(threshold.cosine for threshold in THRESHOLDS.values()):
        below = sum(value < bound for value in apart) / max(1, len(apart))
        above = {name: sum(v >= bound for v in values) / max(1, len(values)) for name, values in together.items()}
        told = ", ".join(f"{name} {share:.0%}" for name, share in above.items())
        print(f"cosine {bound}: {below:.1%} of questions with passages of other sets below; of answers above: {told}")
    return 0


def questions(sets: LabelledSets, encoder: StaticEncoder) -> tuple[list[float], dict[str, list[float]]]:
    """Return how near questions are to passages of other sets, and to the best passage of their answers, by set."""
    chance = random.Random(7)
    names = sets.names()
    every = {name: sets.load(name) for name in names}
    apart: list[float] = []
    together: dict[str, list[float]] = {name: [] for name in names}
    for name, labelled in every.items():
        docs = {each["id"]: each for each in labelled.docs}
        for question in chance.sample(labelled.queries, min(100, len(labelled.queries))):
            (row,) = encoder.encode([question["text"]])
            due = [docs[id] for id in list(labelled.qrels.get(question["id"], ()))[:2] if id in docs]
            together[name] += [max(near(encoder, row, each, 40)) for each in due]
            for other in names:
                if other.split("_")[0] != name.split("_")[0]:
                    apart += [near(encoder, row, each, 1)[0] for each in chance.sample(every[other].docs, 6)]
    return apart, together


def near(encoder: StaticEncoder, row: bytes, document: dict[str, str], most: int) -> list[float]:
    """Return the cosines of a question and the first passages of a document."""
    found = passages(document["text"])[:most]
    rows = encoder.encode([f"{document.get('title') or ''}\n{each.heading}\n{each.text}" for each in found])
    return [product / SCALE**2 for product in rescore(row, rows)] or [0.0]


def sentences(folder: Path) -> Iterator[list[str]]:
    """Yield the first sentences of texts, chosen at random but always alike."""
    files = sorted([*ROOT.glob("docs/**/*.md"), *folder.rglob("*.md")])
    random.Random(7).shuffle(files)
    taken = 0
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")[:8_000]
        some = [text[unit.start : unit.stop] for unit in units(text) if unit.kind == SENTENCE and unit.size > 20]
        if len(some) > 4 * LEAST:
            yield some[:SENTENCES]
            taken += 1
        if taken == TEXTS:
            return


def measured(texts: list[list[str]], encoder: StaticEncoder) -> tuple[list[float], list[float]]:
    """Return the similarities at places within a text, and where the next one begins."""
    within: list[float] = []
    between: list[float] = []
    for one, other in pairwise(texts):
        rows = [memoryview(row).cast("b").tolist() for row in encoder.encode([*one, *other])]
        for at, value in enumerate(windows(rows), 1):
            if at == len(one):
                between.append(value)
            elif abs(at - len(one)) > 3:
                within.append(value)
    return sorted(within), sorted(between)


def percentile(values: list[float], share: int) -> float:
    return values[len(values) * share // 100]


if __name__ == "__main__":
    sys.exit(main())
