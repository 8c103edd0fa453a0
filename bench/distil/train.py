"""The table: one row a word, so that the sum of a text's rows points where the model's vector points.

python train.py WORDS.txt WORDS.npy TAUGHT_DIR OUT.npz
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

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
from autology.embedding.wordpiece import pieces, words

DIMS = 256


@dataclass(frozen=True)
class Lesson:
    """How the table is trained; every default won on the mean over the five labelled sets."""

    epochs: int = 12
    batch: int = 2048
    rate: float = 0.02
    centre: float = 1.0  # of the corpus mean that is taken from the model's vectors
    likeness: float = 0.0  # weight of the loss on similarities within a batch
    warmth: float = 0.05
    pairs: float = 0.0  # weight of the loss on pairs that belong together
    stay: float = 0.0  # pull of a row towards where it began
    damp: float = 1.0  # power of a word's count within one text
    whiten: float = 0.0


class Bags:
    """Texts as sparse rows over the table's words, with the encoder's own tokenizer."""

    def __init__(self, vocabulary: list[str]) -> None:
        self.rows = {word: i for i, word in enumerate(vocabulary)}
        self.size = len(vocabulary)
        self.known: dict[str, list[int]] = {}

    def __call__(self, texts: list[str], damp: float = 1.0) -> sparse.csr_matrix:
        data, columns, starts = [], [], [0]
        for text in texts:
            counts: Counter[int] = Counter()
            for word in words(text):
                ids = self.known.get(word)
                if ids is None:
                    ids = self.known[word] = pieces(word, self.rows)
                counts.update(ids)
            columns.extend(counts)
            data.extend(c**damp for c in counts.values())
            starts.append(len(columns))
        shape = (len(texts), self.size)
        return sparse.csr_matrix((np.array(data, np.float32), np.array(columns, np.int32), np.array(starts)), shape)


def taught(folder: Path) -> tuple[list[dict], np.ndarray]:
    items, vectors = [], []
    for path in sorted(folder.glob("shard-*.npy")):
        vectors.append(np.load(path))
        items += [json.loads(line) for line in path.with_suffix(".jsonl").open(encoding="utf-8")]
    return items, np.concatenate(vectors).astype(np.float32)


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def start(bags: sparse.csr_matrix, single: np.ndarray, a: float = 1e-3) -> np.ndarray:
    """The untrained table: each word alone through the model, centred, weighted by how rare it is."""
    df = np.asarray((bags > 0).sum(0)).ravel() / bags.shape[0]
    return (single - single.mean(0)) * (a / (a + df))[:, None]


def train(bags: sparse.csr_matrix, targets: np.ndarray, table: np.ndarray, lesson: Lesson, pairs=None) -> np.ndarray:
    """Return *table* trained by Adam on one minus the cosine (and the losses that *lesson* weighs)."""
    rng = np.random.default_rng(1)
    table = table.astype(np.float32).copy()
    began = table.copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    steps = lesson.epochs * (bags.shape[0] // lesson.batch)
    step = 0
    scale = float(np.sqrt((table**2).mean()))
    for epoch in range(lesson.epochs):
        order = rng.permutation(bags.shape[0])
        losses, begun = [], time.time()
        for at in range(0, len(order) - lesson.batch + 1, lesson.batch):
            step += 1
            chosen = order[at : at + lesson.batch]
            bag, want = bags[chosen], targets[chosen]
            loss, grad_s = _loss(bag @ table, want, lesson)
            grad = bag.T @ grad_s
            if pairs is not None and lesson.pairs:
                pick = rng.integers(0, pairs[0].shape[0], lesson.batch // 2)
                grad += lesson.pairs * _pair_grad(pairs[0][pick], pairs[1][pick], table, lesson.warmth)
            if lesson.stay:
                grad += lesson.stay * (table - began)
            first += 0.1 * (grad - first)
            second += 0.01 * (grad**2 - second)
            rate = lesson.rate * scale * min(1.0, step / 20) * (1 - step / steps) ** 1.0
            table -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
            losses.append(loss)
        print(f"epoch {epoch} loss {np.mean(losses):.4f} {time.time() - begun:.1f} s")
    return table


def _loss(sums: np.ndarray, want: np.ndarray, lesson: Lesson) -> tuple[float, np.ndarray]:
    norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    got = sums / norms
    near = (got * want).sum(1, keepdims=True)
    grad_got = -want.copy()
    loss = float(1 - near.mean())
    if lesson.likeness:
        half = len(got) // 2
        a, b = got[:half], got[half : 2 * half]
        ta, tb = want[:half], want[half : 2 * half]
        p, q = _soft(ta @ tb.T / lesson.warmth), _soft(a @ b.T / lesson.warmth)
        d = (q - p) / lesson.warmth / 4 * lesson.likeness
        loss += lesson.likeness * float((p * (np.log(p + 1e-9) - np.log(q + 1e-9))).sum(1).mean()) / 4
        grad_got[:half] += d @ b
        grad_got[half : 2 * half] += d.T @ a
    grad = (grad_got - got * (grad_got * got).sum(1, keepdims=True)) / norms
    return loss, grad


def _pair_grad(a: sparse.csr_matrix, b: sparse.csr_matrix, table: np.ndarray, warmth: float) -> np.ndarray:
    sa, sb = a @ table, b @ table
    na, nb = (np.maximum(np.linalg.norm(s, axis=1, keepdims=True), 1e-6) for s in (sa, sb))
    ua, ub = sa / na, sb / nb
    q = _soft(ua @ ub.T / warmth)
    q2 = _soft(ub @ ua.T / warmth)
    eye = np.eye(len(q), dtype=np.float32)
    d = ((q - eye) + (q2 - eye).T) / 2
    ga, gb = d @ ub, d.T @ ua
    ga = (ga - ua * (ga * ua).sum(1, keepdims=True)) / na
    gb = (gb - ub * (gb * ub).sum(1, keepdims=True)) / nb
    return a.T @ ga + b.T @ gb


def _soft(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)
