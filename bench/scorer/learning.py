"""Weights by logistic regression, in plain Python, the same each time; and how unlike words three letters are."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from autology.text.secrets.classifier import BITS, LETTERS, TRIGRAMS
from bench.scorer.examples import Example, Word

Row = tuple[Sequence[int], bool, float]
RATE, ROUNDS, DROPPED = 0.1, 3, 0.2
"""How far a step goes, how often all rows are seen, and the share of features that a row goes without each time."""
SURE = 7.0


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight a feature, and what is added to all."""

    each: Sequence[float]
    bias: float

    def score(self, word: Word) -> float:
        """Return the score of *word*: above nought it is more likely a secret than not."""
        return self.bias + self.inner(word) + sum(self.each[place] for place in word.outer)

    def inner(self, word: Word) -> float:
        """Return what the word itself adds."""
        return sum(self.each[place] for place in word.inner)


def rows(examples: Iterable[Example], weight: float) -> list[Row]:
    """Return the words of *examples* that are known to be a secret or none."""
    return [
        (word.inner + word.outer, word.secret, weight)
        for example in examples
        for word in example.words
        if word.secret is not None
    ]


def learned(data: Sequence[Row], seed: int = 0) -> Weights:
    """Return weights learned from *data*."""
    each, squares = array("d", [0.0]) * (1 << BITS), array("d", [1e-2]) * (1 << BITS)
    bias, squared = -3.0, 1.0
    rng = Random(seed)
    order = list(range(len(data)))
    for _ in range(ROUNDS):
        rng.shuffle(order)
        for place in order:
            features, secret, weight = data[place]
            kept = [feature for feature in features if rng.random() > DROPPED]
            score = bias + sum([each[feature] for feature in kept]) / (1 - DROPPED)
            if (score < -SURE and not secret) or (score > SURE and secret):
                continue
            slope = (1 / (1 + math.exp(-score)) - secret) * weight
            if abs(slope) < 0.002:
                continue
            for feature in kept:
                squares[feature] += slope * slope
                each[feature] -= RATE * slope / math.sqrt(squares[feature])
            squared += slope * slope
            bias -= RATE * slope / math.sqrt(squared)
    return Weights(each, bias)


def trigrams(texts: Iterable[str]) -> bytes:
    """Return the surprise, in sixteenths of a bit, of each third letter after two, as *texts* spell words."""
    threes: Counter[str] = Counter()
    twos: Counter[str] = Counter()
    for text in texts:
        spelled = re.findall(r"[a-z]{2,}", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())
        for word, count in Counter(spelled).items():
            edged = "{" + word + "{"
            for at in range(len(edged) - 2):
                threes[edged[at : at + 3]] += min(count, 20)
                twos[edged[at : at + 2]] += min(count, 20)
    table = bytearray(TRIGRAMS)
    letters = [chr(97 + code) for code in range(LETTERS)]
    for place in range(TRIGRAMS):
        three = letters[place // LETTERS**2] + letters[place // LETTERS % LETTERS] + letters[place % LETTERS]
        share = (threes[three] + 0.05) / (twos[three[:2]] + 0.05 * LETTERS)
        table[place] = min(255, round(-math.log2(share) * 16))
    return bytes(table)
