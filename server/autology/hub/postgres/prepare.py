"""Files prepared for the index: texts with term frequencies, word order and vectors, as PostgreSQL stores them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import md5

from autology.core.index.changes import Put
from autology.core.index.retrieval import Encoder
from autology.hub.postgres.connection import storable_text
from autology.ranking import bm25
from autology.text.tokens import index_stems, indexed

BODY, TITLE = "body", "title"
AVERAGE_LENGTH = {BODY: 120, TITLE: 12}
"""The text length assumed for the weights in postings, which only choose candidates. Candidates are then scored with
the average at query time."""
WEIGHT_SCALE = 1 << 14
"""Factor that makes a weight a whole number; `ranking.bm25` has none over 2.2."""
MAX_TERMS = 16_000
"""Maximum distinct terms counted per text: pgvector's limit for a sparse vector."""
LONGEST_KEY = 600
"""Characters of an indexed key: PostgreSQL allows 2,700 bytes per index row, other columns included. A text with longer
words is found by its other words."""
CACHED_NUMBERS = 30_000
"""Terms whose numbers are cached."""
TERM_NUMBERS = 1 << 28
"""The dimensions of the sparse vector of term frequencies."""


@dataclass(frozen=True, slots=True)
class IndexedText:
    """A passage, or title, tags and headings of a file.

    *place* is start, stop and heading; *counts* are the term frequencies, *words* is the word order.
    """

    field: str
    place: tuple[int | None, int | None, str | None]
    counts: Mapping[str, float]
    length: int
    words: bytes = b""
    says: str | None = None
    vector: bytes = b""


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file with its texts."""

    change: Put
    texts: tuple[IndexedText, ...]


def prepare(change: Put, encoder: Encoder | None) -> PreparedFile:
    """Prepare a file before the transaction, during which others wait: this is nine tenths of the work."""
    texts = change.texts
    vectors = encoder.encode(texts) if encoder else [b""] * len(texts)
    indexed = [_title(change)]
    for passage, text, vector in zip(change.passages, texts, vectors, strict=True):
        indexed.append(_body((passage.start, passage.stop, passage.heading), text, passage.text, vector))
    if change.entry.extra_text:
        indexed.append(_body((None, None, None), change.entry.extra_text))
    return PreparedFile(change, tuple(indexed))


def _title(change: Put) -> IndexedText:
    headings = " \n".join(dict.fromkeys(passage.heading for passage in change.passages))
    counts: dict[str, float] = {}
    length = 1
    for weight, text in zip(bm25.WEIGHTS, (change.entry.title, " \n".join(change.entry.tags), headings), strict=True):
        stems = index_stems(text)
        length += len(stems)
        for term in stems:
            counts[term] = counts.get(term, 0) + weight
    return IndexedText(TITLE, (None, None, None), _storable_keys(counts), length)


def _body(
    place: tuple[int | None, int | None, str | None], text: str, says: str | None = None, vector: bytes = b""
) -> IndexedText:
    counts, length, order = indexed(text)
    return IndexedText(BODY, place, _storable_keys(counts), length + 1, order, says, vector)


def _storable_keys(counts: Mapping[str, float]) -> dict[str, float]:
    return {storable_text(term): count for term, count in counts.items()}


def postings_of(text: IndexedText, number: int) -> Iterator[tuple[str, int]]:
    """Yield the terms of a text, each with its posting: the weight in the upper 32 bits, the text's number below."""
    norm = bm25.K1 * (1 - bm25.B + bm25.B * text.length / AVERAGE_LENGTH[text.field])
    for term, count in text.counts.items():
        if len(term) > LONGEST_KEY:
            continue
        yield term, int(WEIGHT_SCALE * (bm25.K1 + 1) * count / (count + norm)) << 32 | number


def vector_literal(row: bytes) -> str:
    """Return a row of signed bytes as a literal of pgvector."""
    return f"[{','.join(map(str, memoryview(row).cast('b')))}]"


def sparse_counts(counts: Mapping[str, float]) -> str:
    """Return term frequencies as a literal of pgvector's sparse vectors."""
    numbers: dict[int, float] = {}
    for term, count in counts.items():
        number = term_number(term)
        numbers[number] = numbers.get(number, 0) + count
    items = list(numbers.items())[:MAX_TERMS]
    return f"{{{','.join([f'{number}:{count:g}' for number, count in items])}}}/{TERM_NUMBERS}"


@lru_cache(maxsize=CACHED_NUMBERS)
def term_number(term: str) -> int:
    """Return the dimension of *term* in the sparse vectors, as the SQL function ``called`` does."""
    return int(md5(term.encode("utf-8"), usedforsecurity=False).hexdigest()[:7], 16) + 1
