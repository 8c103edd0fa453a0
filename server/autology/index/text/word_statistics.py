"""How often words occur in an index, and which of its words others may be misspellings of."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from autology.core.index.retrieval import RankedWords
from autology.index.open_index import IndexPart, generation_of
from autology.index.text import posting_search
from autology.index.text.postings import BODY, Postings
from autology.index.text.spelling import spelled

REMEMBERED = 10_000
"""Words whose rows are cached, 300 bytes each: most of a text repeats."""


class SqliteWordStatistics(IndexPart):
    """The :class:`~autology.core.index.retrieval.WordStatistics` of an index file."""

    def frequencies(self, terms: Sequence[tuple[str, ...]]) -> tuple[int, list[int]]:
        """Return the number of passages, and about how many of them contain each of *terms*."""

        def read(db: sqlite3.Connection) -> tuple[int, list[int]]:
            postings = self._postings(db)
            queries = posting_search.term_queries(postings, terms)
            return postings.count, posting_search.alive_frequencies(postings, queries)

        return self._file.snapshot(read)

    def spelled(self, words: Sequence[str]) -> dict[str, str]:
        """Return the words of the index that some of *words*, which it does not contain, may be misspellings of."""
        return self._file.snapshot(lambda db: dict(spelled(self._postings(db), words))) if words else {}

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        """Return the built-in encoder's row of each of *words*; nothing without it."""
        encoder = self._encoders.built_in()
        if encoder is None:
            return ()
        cached = self._opened.word_rows  # another thread may replace it meanwhile
        rows = self._opened.word_rows = {} if len(cached) > REMEMBERED else cached
        missing = list(frozenset(words).difference(rows))
        rows.update(zip(missing, encoder.encode(missing), strict=True))
        return [rows[word] for word in words]

    def ranks(self, words: Sequence[str]) -> list[int | None]:
        """Return the rank of each of *words* by general frequency, None for rare ones and without the encoder."""
        encoder = self._encoders.built_in()
        if not isinstance(encoder, RankedWords):
            return [None] * len(words)
        return encoder.ranks(words)

    def _postings(self, db: sqlite3.Connection) -> Postings:
        return Postings(db, BODY, (), self._opened.cache(generation_of(db)).segments)
