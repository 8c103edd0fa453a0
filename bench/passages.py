"""Generated passages with the words, frequencies and vectors of real ones, put together from stretches of texts.

Each passage takes most of its stretches from one text and the others from anywhere, with some words that few have. Its
vector is that of its stretches together and some noise, so that neighbours are as near to each other as in life.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autology.core.index.retrieval import Encoder
from autology.hub.postgres.prepare import BODY, TITLE, IndexedText
from autology.ranking.quantized_vectors import row
from autology.text.tokens import STOP_WORDS, index_stems, indexed

STRETCH = 14
"""Words of a stretch."""
OWN, OTHERS = 4, 2
"""Stretches from the one text, and from anywhere."""
RARE = 200_000
"""Names that a passage may have two of, as often as Zipf says."""
NOISE, NOISES = 0.25, 4_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some words of a text, as the index takes them, and their vector."""

    words: tuple[str, ...]
    found: tuple[str, ...]
    order: bytes
    vector: tuple[int, ...]


class Maker:
    """Puts passages together from *texts*; the same seed makes the same."""

    def __init__(self, texts: Sequence[str], encoder: Encoder, seed: int) -> None:
        self.chance = random.Random(seed)
        self._texts = [some for text in texts if (some := list(_stretches(text, encoder)))]
        self._all = list(itertools.chain.from_iterable(self._texts))
        self._names = list(itertools.accumulate(1 / (at + 50) for at in range(RARE)))
        self.dims = dims = len(self._all[0].vector)
        lengths = 400 / dims**0.5 * NOISE * (OWN + OTHERS)
        self._noise = [tuple(round(self.chance.gauss(0, lengths)) for _ in range(dims)) for _ in range(NOISES)]

    def passage(self) -> tuple[IndexedText, tuple[str, ...]]:
        """Return a passage, and its words."""
        chance = self.chance
        own = chance.choice(self._texts)
        some = [*chance.choices(own, k=OWN), *chance.choices(self._all, k=OTHERS)]
        names = [f"name{at}x" for at in chance.choices(range(RARE), cum_weights=self._names, k=2)]
        found = Counter(itertools.chain(names, *(each.found for each in some)))
        words = tuple(itertools.chain(names, *(each.words for each in some)))
        together = list(map(sum, zip(chance.choice(self._noise), *(each.vector for each in some), strict=True)))
        order = b"".join(each.order for each in some)
        says = " ".join(words)
        return IndexedText(BODY, (0, len(says), None), found, found.total() + 1, order, says, row(together)), words

    def title(self, words: Sequence[str]) -> tuple[IndexedText, str]:
        """Return what is indexed of a title of some of *words*, and the title."""
        title = " ".join(self.chance.choices(words, k=4))
        stems = index_stems(title)
        times = {stem: 4.0 * many for stem, many in Counter(stems).items()}
        return IndexedText(TITLE, (None, None, None), times, len(stems) + 1), title

    def question(self) -> str:
        """Return some words of a passage that was never taken in, as somebody would ask for it."""
        own = self.chance.choice(self._texts)
        one, two = self.chance.choices(own, k=2)
        telling = [word for word in (*one.words, *two.words) if word not in STOP_WORDS and word.isalpha()]
        at = self.chance.randrange(max(1, len(telling) - 5))
        return " ".join(telling[at : at + self.chance.choice((2, 3, 4, 5))]) or "anything"


def _stretches(text: str, encoder: Encoder) -> Iterator[Stretch]:
    words = text.split()
    some = [" ".join(words[at : at + STRETCH]) for at in range(0, len(words), STRETCH)]
    for said, vector in zip(some, encoder.encode(some), strict=True):
        counts, _, order = indexed(said)
        if any(vector):
            folded = tuple(word.strip(".,;:()\"'").lower() for word in said.split())
            yield Stretch(folded, tuple(Counter(counts).elements()), order, tuple(memoryview(vector).cast("b")))
