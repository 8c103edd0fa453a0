"""The table: one row a word, so that the sum of a text's rows points where the model's vector points.

python train.py WORDS.txt WORDS.npy TAUGHT_DIR OUT.bin
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse
from table import rounded, turned, write

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
from autology.embedding.wordpiece import pieces, words

NAME = "static-minilm-256-v2"
MODEL = "all-MiniLM-L6-v2"
DIMS = 256


@dataclass(frozen=True)
class Lesson:
    """How the table is made; each default won on the mean over the five labelled sets (README)."""

    epochs: int = 6
    batch: int = 2048
    rate: float = 0.02  # of the table's deviation, by Adam, falling to nothing
    damp: float = 0.5  # power of a word's count within a text, here and in the encoder
    trusted: int = 30  # texts with a word from which its row is trusted to teach the rows of others
    doubt: int = 5  # texts at which a row is half its own and half what other rows say
    unseen: float = 0.35  # length of a row that no text taught, over that of a rare word's
    levelled: float = 0.75  # power of a row's length: names and rare terms say less than their rarity


class Bags:
    """Texts as sparse rows over the table's words, with the encoder's own tokenizer."""

    def __init__(self, vocabulary: list[str]) -> None:
        self.rows = {word: i for i, word in enumerate(vocabulary)}
        self.known: dict[str, list[int]] = {}

    def __call__(self, texts: list[str]) -> sparse.csr_matrix:
        data, columns, starts = [], [], [0]
        for text in texts:
            counts: Counter[int] = Counter()
            for word in words(text):
                ids = self.known.get(word)
                if ids is None:
                    ids = self.known[word] = pieces(word, self.rows)
                counts.update(ids)
            columns.extend(counts)
            data.extend(counts.values())
            starts.append(len(columns))
        shape = (len(texts), len(self.rows))
        return sparse.csr_matrix((np.array(data, np.float32), np.array(columns, np.int32), np.array(starts)), shape)


def main(vocabulary: Path, alone: Path, folder: Path, out: Path) -> None:
    lesson = Lesson()
    listed = vocabulary.read_text(encoding="utf-8").split("\n")
    items, vectors = taught(folder)
    bags = Bags(listed)([item["text"] for item in items])
    single = np.load(alone).astype(np.float32)
    table = made(bags, vectors, single, lesson)
    samples = unit(damped(bags, lesson.damp)[:: max(1, len(items) // 20_000)] @ table)
    write(out, NAME, MODEL, listed, rounded(turned(table, samples)))


def made(bags: sparse.csr_matrix, vectors: np.ndarray, single: np.ndarray, lesson: Lesson) -> np.ndarray:
    """Return the table before it is turned and rounded."""
    centred = unit(vectors - vectors.mean(0))
    kept = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :DIMS].astype(np.float32)
    begin = start(bags, single) @ kept
    table = train(damped(bags, lesson.damp), unit(centred @ kept), begin, lesson)
    return finished(table, single, np.asarray((bags > 0).sum(0)).ravel(), lesson)


def start(bags: sparse.csr_matrix, single: np.ndarray, a: float = 1e-3) -> np.ndarray:
    """The untrained table: each word alone through the model, centred, weighted by how rare it is."""
    df = np.asarray((bags > 0).sum(0)).ravel() / bags.shape[0]
    return (single - single.mean(0)) * (a / (a + df))[:, None]


def train(bags: sparse.csr_matrix, targets: np.ndarray, table: np.ndarray, lesson: Lesson) -> np.ndarray:
    """Return *table* after Adam on one minus the cosine of a text's sum and the model's vector."""
    rng = np.random.default_rng(1)
    table = table.astype(np.float32).copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    steps = lesson.epochs * (bags.shape[0] // lesson.batch)
    scale = lesson.rate * float(np.sqrt((table**2).mean()))
    step = 0
    for epoch in range(lesson.epochs):
        order = rng.permutation(bags.shape[0])
        losses, begun = [], time.time()
        for at in range(0, len(order) - lesson.batch + 1, lesson.batch):
            step += 1
            chosen = order[at : at + lesson.batch]
            bag = bags[chosen]
            loss, slope = _loss(bag @ table, targets[chosen])
            grad = bag.T @ slope
            first += 0.1 * (grad - first)
            second += 0.01 * (grad**2 - second)
            rate = scale * min(1.0, step / 20) * (1 - step / steps)
            table -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
            losses.append(loss)
        print(f"epoch {epoch} loss {np.mean(losses):.4f} {time.time() - begun:.1f} s", flush=True)
    return table


def finished(table: np.ndarray, single: np.ndarray, texts: np.ndarray, lesson: Lesson) -> np.ndarray:
    """Return *table* with rows of rare words drawn to what the model says of them alone, and lengths levelled.

    The model's vector of a word alone is mapped to the table by what the well-taught rows have in common.
    """
    lengths = np.linalg.norm(table, axis=1)
    known = texts >= lesson.trusted
    weight = np.sqrt(np.minimum(texts[known], 1000) / 1000)[:, None]
    alone = np.concatenate([unit(single - single.mean(0)), np.ones((len(single), 1))], 1)
    a, b = alone[known] * weight, unit(table)[known] * weight
    told = unit(alone @ np.linalg.solve(a.T @ a + np.eye(a.shape[1]), a.T @ b))
    rare = lengths[known & (texts < 100)].mean()
    own = (texts / (texts + lesson.doubt))[:, None]
    mixed = own * table + (1 - own) * told * rare * lesson.unseen
    return (unit(mixed) * np.linalg.norm(mixed, axis=1, keepdims=True) ** lesson.levelled).astype(np.float32)


def taught(folder: Path) -> tuple[list[dict], np.ndarray]:
    """Return the texts and what the model said of them, without those that the labelled sets hold too."""
    items, vectors = [], []
    for path in sorted(folder.glob("shard-*.npy")):
        vectors.append(np.load(path))
        items += [json.loads(line) for line in path.with_suffix(".jsonl").open(encoding="utf-8")]
    left_out = set(json.loads((folder / "overlap.json").read_text(encoding="utf-8")))
    kept = [at for at in range(len(items)) if at not in left_out]
    return [items[at] for at in kept], np.concatenate(vectors)[kept].astype(np.float32)


def damped(bags: sparse.csr_matrix, power: float) -> sparse.csr_matrix:
    """Return the counts in *bags* raised to *power*."""
    bags = bags.copy()
    bags.data = bags.data**power
    return bags


def unit(x: np.ndarray) -> np.ndarray:
    """Return the rows of *x* at length one."""
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def _loss(sums: np.ndarray, want: np.ndarray) -> tuple[float, np.ndarray]:
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    got = sums / lengths
    near = (got * want).sum(1, keepdims=True)
    return float(1 - near.mean()), (got * near - want) / lengths


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:5]))
