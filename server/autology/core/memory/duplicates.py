"""Whether an item says what a stored one of its kind and scope says: the same text, or the same in other words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from autology.core.memory.memories import Memories
from autology.core.memory.projecting import names, same_content, same_key
from autology.model.entry import MEMORY
from autology.model.hit import Candidate
from autology.model.memory import Memory
from autology.model.query import Filter, Terms
from autology.ranking.codes import SCALE, rescore
from autology.ranking.same import LONGEST, THRESHOLD, Verdict, duplicate
from autology.text.times import stamp
from autology.text.tokens import query_terms

WINDOW = timedelta(days=7)
"""How long ago an item may have been written whose saying is compared; the same text is of any age."""
NEAREST = 3
"""Items whose saying is compared, the nearest in meaning: each costs a millisecond or two."""
CLOSE = 0.45
"""The cosine from which saying is compared; 99 in 100 of the labelled pairs that say the same are over 0.6."""
TERMS = 24
"""Words by which the nearest are looked for where there is no encoder."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored already: the item, how alike it is (0-1), and in what the two differ, if they do."""

    memory: Memory
    similarity: float = 1.0
    differ: str | None = None

    @property
    def reason(self) -> str:
        """Why an item that says it again is left out."""
        if self.similarity == 1.0:
            return f"Duplicate content detected (hash: {self.memory.content_hash[:8]}...)"
        return f"Semantic similarity {self.similarity:.1%} exceeds threshold {THRESHOLD:.1%}"


@dataclass(slots=True)
class Stats:
    """How often was looked for duplicates, and what was found."""

    content_hash_matches: int = 0
    semantic_similarity_matches: int = 0
    total_checks: int = 0


@dataclass(slots=True)
class Batch:
    """The items that one batch adds before they are written: by what they may not have in common, and their rows."""

    names: dict[str, str] = field(default_factory=dict)
    rows: dict[tuple[object, ...], list[tuple[bytes, str]]] = field(default_factory=dict)


class Duplicates:
    """Looks for what an item says again, among what is stored and what its batch holds already.

    *by_id* returns an item as the batch has left it so far.
    """

    def __init__(self, memories: Memories, now: str, by_id: Callable[[str], Memory | None]) -> None:
        self.stats = Stats()
        self._memories = memories
        self._now = now
        self._by_id = by_id
        self._since = stamp(memories.now() - WINDOW)
        self._batch = Batch()

    def add(self, memory: Memory) -> None:
        """Take *memory* for stored."""
        self._batch.names.update(dict.fromkeys(names(memory), memory.id))
        if (row := self._row(memory)) is not None:
            self._batch.rows.setdefault(_group(memory), []).append((row, memory.id))

    def by_key(self, memory: Memory) -> Memory | None:
        """Return the item that was stored with the idempotency key of *memory*."""
        return self._named(same_key(memory.scope, memory.idempotency_key)) if memory.idempotency_key else None

    def same(self, memory: Memory) -> Known | None:
        """Return the item that says what *memory* says; the same text first, whenever it was stored."""
        self.stats.total_checks += 1
        exact = self._named(same_content(memory.kind, memory.scope, memory.content_hash))
        if exact is not None and exact.id != memory.id:
            self.stats.content_hash_matches += 1
            return Known(exact)
        return None

    def near(self, memory: Memory) -> tuple[Known, ...]:
        """Return what comes near *memory*: one item that says the same in other words, or all that do not quite."""
        apart: list[Known] = []
        for other in self._nearest(memory):
            verdict = self._compared(memory, other)
            if verdict.same:
                self.stats.semantic_similarity_matches += 1
                return (Known(other, verdict.similarity),)
            if verdict.similarity >= THRESHOLD:
                apart.append(Known(other, verdict.similarity, verdict.differ or "wording"))
        return tuple(apart)

    def _compared(self, memory: Memory, other: Memory) -> Verdict:
        return duplicate(memory, other, self._memories.encode)

    def _named(self, name: str) -> Memory | None:
        """Return the item of that name that has not expired: what is found no longer is no reason to leave one out."""
        known = [named.id for named in self._memories.index.by_name([name], MEMORY)]
        for id in (self._batch.names.get(name), *known):
            found = self._by_id(id) if id is not None else None
            # The batch may have changed it meanwhile.
            if found is not None and name in names(found) and not found.expired(self._now):
                return found
        return None

    def _nearest(self, memory: Memory) -> Iterator[Memory]:
        """Yield what is nearest in meaning, of the same kind and scope, the nearest first."""
        if len(memory.content) > LONGEST:
            return
        found = {candidate.source.id: candidate.score for candidate in self._candidates(memory)}
        row, batch = self._row(memory), self._batch.rows.get(_group(memory), [])
        if row is not None and batch:
            scores = rescore(row, [each for each, _ in batch])
            near = [(score / SCALE**2, id) for score, (_, id) in zip(scores, batch, strict=True)]
            found.update((id, score) for score, id in sorted(near, reverse=True)[:NEAREST] if score >= CLOSE)
        for id in sorted(found, key=lambda id: -found[id])[:NEAREST]:
            other = self._by_id(id)
            if other is not None and _group(other) == _group(memory) and not other.expired(self._now):
                yield other

    def _candidates(self, memory: Memory) -> list[Candidate]:
        where = Filter(
            kind=MEMORY,
            type=memory.kind.value,
            scope=memory.scope,
            since=self._since,
            alive_at=self._now,
        )
        index = self._memories.index
        if self._memories.encode is not None:
            near = index.meaning(memory.content, where, NEAREST)
            return [candidate for candidate in near if candidate.score >= CLOSE]
        terms = Terms(query_terms(memory.content)[:TERMS])
        return list(index.words(terms, where, False, NEAREST))

    def _row(self, memory: Memory) -> bytes | None:
        if self._memories.encode is None or len(memory.content) > LONGEST:
            return None
        row = self._memories.encode([memory.content])[0]
        return row if any(row) else None


def _group(memory: Memory) -> tuple[object, ...]:
    return (memory.kind, memory.scope)
