"""An index in memory, with the same promises as the one in SQLite."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from autology.core.index.changes import Put
from autology.core.index.embedding_queue import QueuedPassage
from autology.core.index.retrieval import EncoderState
from autology.core.index.second_pass import SourceRange, SourceVectors
from autology.model.hit import Candidate, Place
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.ranking.quantized_vectors import SCALE, rescore
from autology.ranking.relevance_feedback import moved
from autology.text.misspelt_search_words import is_misspelt
from autology.text.tokens import apart, index_text, is_run
from tests.fakes.index_files import MemoryFiles, source_of
from tests.fakes.index_lookups import MemoryCatalogue, MemoryRelations

Span = tuple[int | None, int | None]
Text = tuple[Put, Span | None, list[str], float]


class MemoryTextSearch(MemoryFiles):
    """The :class:`~autology.core.index.retrieval.TextSearch` of a project that is on no disk."""

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> Sequence[Candidate]:
        passing = self.puts(lambda put: self.passes(put, where))
        if not terms:
            return []
        terms = terms if every else Terms(apart(terms.terms), terms.pairs)
        titles = [(put, None, _title_tokens(put), 4.0) for put in passing]
        bodies = [(put, span, tokens, 1.0) for put in passing for span, tokens in _body_tokens(put)]
        return [
            *_best("title", titles, terms, every, limit),
            *_best("body", bodies, terms, every, limit),
        ]

    def spans(self, ids: Sequence[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        puts = [put for put in self._puts.values() if put.entry.id in set(ids) and put.passages]
        return {put.entry.id: tuple(sorted((p.start, p.stop) for p in put.passages)) for put in puts}


class MemoryVectorSearch(MemoryFiles):
    """The :class:`~autology.core.index.retrieval.VectorSearch` of it; no passage ever waits for an encoder."""

    def semantic_candidates(
        self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()
    ) -> Sequence[Candidate]:
        own = self._encoder.encode([text])[0] if self._encoder else b""
        if not any(own):
            return []
        likely = [
            (place.score, row)
            for place in like
            for put in self._puts.values()
            if put.entry.id == place.id
            for passage, row in self._vectors(put)
            if (passage.start, passage.stop) == place.passage
        ]
        requests = moved(own, likely)
        received = []
        for put in self.puts(lambda put: self.passes(put, where)):
            rows = [(passage, row) for passage, row in self._vectors(put) if any(row)]
            near = sorted(
                ((rescore(requests, [row])[0] / SCALE**2, at) for at, (_, row) in enumerate(rows)), reverse=True
            )
            if near:
                passage, row = rows[near[0][1]]
                others = tuple(score for score, _ in near[1:])
                span = (passage.start, passage.stop)
                nearness = rescore(own, [row])[0] / SCALE**2
                received.append(Candidate(source_of(put), "meaning", near[0][0], span, others, nearness))
        return sorted(received, key=lambda candidate: -candidate.score)[:limit]

    def _vectors(self, put: Put) -> list[tuple[Passage, bytes]]:
        return list(zip(put.passages, self._encoder.encode(put.texts) if self._encoder else [], strict=True))

    def vectors(self, where: Filter, limit: int) -> Sequence[tuple[str, bytes]]:
        passing = self.puts(lambda put: self.passes(put, where))
        latest = sorted(passing, key=lambda put: put.entry.modified, reverse=True)
        if self._encoder is None:
            return []
        return [(put.entry.id, row) for put in latest for _, row in self._vectors(put) if any(row)][:limit]

    def vector_count(self) -> int:
        if not self._encoder:
            return 0
        return sum(any(row) for put in self._puts.values() for _, row in self._vectors(put))

    def encoder(self, kind: str | None = None) -> tuple[str, float]:
        state = self.encoder_state(kind)
        return state.name, state.share

    def encoder_state(self, kind: str | None = None) -> EncoderState:
        return EncoderState(self._encoder.name, self._encoder.share) if self._encoder else EncoderState()

    def claim(self, kinds: Sequence[str], limit: int) -> Sequence[QueuedPassage]:
        return []

    def embed(self, texts: Mapping[int, str | None]) -> None:
        assert not texts, "it encodes at once, so that nothing is ever due"

    @property
    def may_lack_vectors(self) -> bool:
        return False

    def unencoded_sources(self) -> Sequence[SourceRange]:
        return []

    def encoded(self, sources: SourceRange) -> Sequence[SourceVectors]:
        raise AssertionError("it encodes at once, so that nothing waits")

    def store_vectors(self, sources: Sequence[SourceVectors]) -> None:
        assert not sources, "it encodes at once, so that nothing waits"


class MemoryWordStatistics(MemoryVectorSearch):
    """The :class:`~autology.core.index.retrieval.WordStatistics` of a project that is on no disk."""

    def frequencies(self, terms: Sequence[tuple[str, ...]]) -> tuple[int, Sequence[int]]:
        texts = [tokens for put in self.puts(lambda _: True) for _, tokens in _body_tokens(put)]
        return len(texts), [sum(_times(group, tokens) > 0 for tokens in texts) for group in terms]

    def spelled(self, words: Sequence[str]) -> Mapping[str, str]:
        known = {token for put in self.puts(lambda _: True) for _, tokens in _body_tokens(put) for token in tokens}
        meant = {word: sorted(token for token in known if is_misspelt(word, token)) for word in words}
        return {word: tokens[0] for word, tokens in meant.items() if tokens}

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        return self._encoder.encode(words) if self._encoder else []

    def ranks(self, words: Sequence[str]) -> Sequence[int | None]:
        return [None for _ in words]


class MemoryIndex(MemoryCatalogue, MemoryRelations, MemoryTextSearch, MemoryWordStatistics):
    """The :class:`~autology.core.index.index.Index` of a project that is on no disk."""


def _title_tokens(put: Put) -> list[str]:
    texts = [put.entry.title, *put.entry.tags, *dict.fromkeys(passage.heading for passage in put.passages)]
    return index_text(" \n".join(texts)).split()


def _body_tokens(put: Put) -> Iterator[tuple[Span, list[str]]]:
    for passage in put.passages:
        text = f"{put.entry.title}\n{passage.heading}\n{passage.text}"
        yield (passage.start, passage.stop), index_text(text).split()
    yield (None, None), index_text(put.entry.extra_text).split()


def _best(field: str, texts: Sequence[Text], terms: Terms, every: bool, limit: int) -> list[Candidate]:
    result: dict[str, Candidate] = {}
    having = [sum(_times(group, tokens) > 0 for _, _, tokens, _ in texts) for group in terms.terms]
    for put, span, tokens, weight in texts:
        beside = 0 if every else sum(pair in set(pairwise(tokens)) for pair in terms.pairs)
        times = [_times(group, tokens) for group in terms.terms]
        if not (all(times) if every else any(times)):
            continue
        rarity = [math.log(1 + len(texts) / count) if count else 0.0 for count in having]
        score = (
            weight * sum(t / (t + 1) * rare for t, rare in zip(times, rarity, strict=True)) / (1 + len(tokens) / 200)
        )
        score += 0.25 * beside
        passage = None if span is None or span[0] is None else (span[0], span[1] or 0)
        known = result.get(put.entry.id)
        others = tuple(sorted((known.score, *known.others), reverse=True)) if known else ()
        if known is None or known.score < score:
            result[put.entry.id] = Candidate(source_of(put), field, score, passage, others)
        else:
            result[put.entry.id] = known._replace(others=tuple(sorted((score, *known.others), reverse=True)))
    if every:
        return list(reversed(result.values()))[:limit]
    return sorted(result.values(), key=lambda candidate: (-candidate.score, candidate.source.id))[:limit]


def _times(group: tuple[str, ...], tokens: list[str]) -> int:
    if len(group) == 1 and len(group[0]) == 1 and is_run(group[0]):
        return sum(token.startswith(group[0]) for token in tokens)
    if len(group) == 1:
        return tokens.count(group[0])
    if is_run(group[0]):
        width = len(group)
        return sum(tuple(tokens[at : at + width]) == group for at in range(len(tokens) - width + 1))
    return tokens.count(group[-1]) or min(tokens.count(part) for part in group[:-1])
