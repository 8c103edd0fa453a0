"""Finding duplicates of a new item among the stored ones of its kind and scope, literal or paraphrased."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from autology.core.memory.index_entry import names, same_content, same_key
from autology.core.memory.memories import Memories
from autology.core.memory.recent_vectors import Group, Recent
from autology.model.entry import MEMORY
from autology.model.memory import Kind, Memory, Scope
from autology.model.query import Filter, Terms
from autology.ranking.same_statement import LONGEST, NEAR, THRESHOLD, duplicate
from autology.text.language.timestamps import stamp
from autology.text.tokens import query_terms

WINDOW = timedelta(days=7)
"""Maximum age of items compared semantically; an identical text is a duplicate at any age."""
NEAREST = 3
"""Maximum items compared semantically, the nearest ones: each costs a millisecond or two."""
CLOSE = NEAR - 0.05
"""Minimum cosine of compared items, a little below NEAR because a row covers title and passage."""
LOOKED = 12
"""Items fetched to find those: the nearest may have a narrower scope."""
TERMS = 24
"""Words of the lexical search for the nearest, without an encoder or if it knows none of the words."""


@dataclass(frozen=True, slots=True)
class SimilarMemory:
    """A stored item that resembles a new one: its similarity (0-1), and what differs, if anything does."""

    memory: Memory
    similarity: float = 1.0
    differ: str | None = None

    @property
    def reason(self) -> str:
        """Why an item that says the same again is skipped."""
        if self.similarity == 1.0:
            return f"Duplicate content detected (hash: {self.memory.content_hash[:8]}...)"
        return f"Semantic similarity {self.similarity:.1%} exceeds threshold {THRESHOLD:.1%}"


@dataclass(slots=True)
class DuplicateStats:
    """The number of duplicate checks, and of duplicates."""

    content_hash_matches: int = 0
    semantic_similarity_matches: int = 0
    total_checks: int = 0


class Duplicates:
    """Looks for duplicates of an item, among stored items and those of its batch.

    *by_id* returns an item with the changes of the batch so far.
    """

    def __init__(self, memories: Memories, now: str, by_id: Callable[[str], Memory | None]) -> None:
        self.stats = DuplicateStats()
        self._memories = memories
        self._now = now
        self._by_id = by_id
        self._since = stamp(memories.now() - WINDOW)
        self._names: dict[str, str] = {}
        self._known: dict[str, list[str]] = {}
        self._in_batch: dict[tuple[Kind, Scope], Group] = {}

    def look_up(self, names: Sequence[str]) -> list[str]:
        """Look up the items with one of *names* in one query; return their paths."""
        bearers = self._memories.index.by_name(names, MEMORY) if names else ()
        self._known.update({name: [bearer.id for bearer in bearers if name in bearer.names] for name in names})
        return [bearer.path for bearer in bearers]

    def add(self, memory: Memory) -> None:
        """Count *memory* as stored."""
        self._names.update(dict.fromkeys(names(memory), memory.id))
        if self._memories.recent is not None:
            group = self._in_batch.setdefault((memory.kind, memory.scope), Group())
            group.add(memory.id, self._memories.recent.row(memory))

    def by_key(self, memory: Memory) -> Memory | None:
        """Return the item that was stored with the idempotency key of *memory*."""
        return self._named(same_key(memory.scope, memory.idempotency_key)) if memory.idempotency_key else None

    def same(self, memory: Memory) -> SimilarMemory | None:
        """Return the item with the same text as *memory*, whenever it was stored."""
        self.stats.total_checks += 1
        exact = self._named(same_content(memory.kind, memory.scope, memory.content_hash))
        if exact is not None:
            self.stats.content_hash_matches += 1
            return SimilarMemory(exact)
        return None

    def expired(self, memory: Memory) -> Memory | None:
        """Return the item of the same text that has expired."""
        name = same_content(memory.kind, memory.scope, memory.content_hash)
        return next((other for other in self._bearing(name) if other.expired(self._now)), None)

    def near(self, memory: Memory) -> tuple[SimilarMemory, ...]:
        """Return the item that paraphrases *memory*, or else all near duplicates."""
        apart: list[SimilarMemory] = []
        for other, cosine in self._nearest(memory):
            verdict = duplicate(memory, other, self._memories.encode, cosine)
            if verdict.same:
                self.stats.semantic_similarity_matches += 1
                return (SimilarMemory(other, verdict.similarity),)
            if verdict.similarity >= THRESHOLD:
                apart.append(SimilarMemory(other, verdict.similarity, verdict.differ or "wording"))
        return tuple(apart)

    def _named(self, name: str) -> Memory | None:
        """Return the unexpired item of that name; an expired one is no longer found, and so no duplicate."""
        return next((other for other in self._bearing(name) if not other.expired(self._now)), None)

    def _bearing(self, name: str) -> Iterator[Memory]:
        if name not in self._known:
            self.look_up([name])
        for id in (self._names.get(name), *self._known[name]):
            other = self._by_id(id) if id is not None else None
            # The batch may have changed it meanwhile.
            if other is not None and name in names(other):
                yield other

    def _nearest(self, memory: Memory) -> Iterator[tuple[Memory, float | None]]:
        """Yield the semantically nearest items of the same kind and scope, nearest first, with the cosine if known."""
        if len(memory.content) > LONGEST:
            return
        recent = self._memories.recent
        row = recent.row(memory) if recent is not None else b""
        scores = self._by_meaning(memory, recent, row) if recent is not None and row else self._by_words(memory)
        near = ((self._by_id(id), scores[id]) for id in sorted(scores, key=lambda id: -scores[id])[:LOOKED])
        counting = ((other, score) for other, score in near if other is not None and self._counts(memory, other))
        for other, score in islice(counting, NEAREST):
            yield other, score if row else None

    def _counts(self, memory: Memory, other: Memory) -> bool:
        lately = other.updated_at >= self._since and not other.expired(self._now)
        return lately and (other.kind, other.scope) == (memory.kind, memory.scope)

    def _by_meaning(self, memory: Memory, recent: Recent, row: bytes) -> dict[str, float]:
        """Return the ids of the items near enough to be compared, with their cosines."""
        scores = recent.group(memory.kind, memory.scope, self._since, self._now).nearest(row, CLOSE)
        batch = self._in_batch.get((memory.kind, memory.scope))
        return scores | batch.nearest(row, CLOSE) if batch is not None else scores

    def _by_words(self, memory: Memory) -> dict[str, float]:
        terms = Terms(query_terms(memory.content)[:TERMS])
        kind = memory.kind.value
        where = Filter(kind=MEMORY, type=kind, scope=memory.scope, since=self._since, alive_at=self._now)
        scores = {
            candidate.source.id: candidate.score
            for candidate in self._memories.index.lexical_candidates(terms, where, False, NEAREST)
        }
        return scores | {id: 0.0 for id in self._names.values() if id not in scores}
