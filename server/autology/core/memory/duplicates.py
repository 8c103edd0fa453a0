"""Whether an item says what a stored one of its kind and scope says: the same text, or the same in other words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from autology.core.memory.memories import Memories
from autology.core.memory.projecting import names, same_content, same_key
from autology.model.entry import MEMORY
from autology.model.memory import Kind, Memory, Scope
from autology.model.query import Filter, Terms
from autology.ranking.codes import SCALE, products
from autology.ranking.same import LONGEST, NEAR, THRESHOLD, Verdict, duplicate
from autology.text.times import stamp
from autology.text.tokens import query_terms

WINDOW = timedelta(days=7)
"""How long ago an item may have been written whose saying is compared; the same text is of any age."""
NEAREST = 3
"""Items whose saying is compared, the nearest in meaning: each costs a millisecond or two."""
CLOSE = NEAR - 0.05
"""The cosine from which saying is compared; a row is of a title and a passage, so a little below NEAR."""
RECENT = 2_000
"""Passages that an item's row is compared with, the latest of its kind and scope: 1.5 ms."""
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
class _Group:
    """Items of one kind and scope: the rows of those that a batch brings, how near they are to all others, and ids.

    *near* has a line for each row that is brought, a number for each recent row and then for each one brought.
    """

    brought: dict[bytes, int] = field(default_factory=dict)
    recent: list[str] = field(default_factory=list)
    added: dict[int, str] = field(default_factory=dict)
    near: list[list[int]] | None = None


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
        self._names: dict[str, str] = {}
        self._groups: dict[tuple[Kind, Scope], _Group] = {}

    def expect(self, kind: Kind, scope: Scope, content: str) -> None:
        """Take note of an item that may come: all of a batch are compared at once, which costs a fifth."""
        if row := self._row(content):
            group = self._groups.setdefault((kind, scope), _Group())
            group.brought.setdefault(row, len(group.brought))

    def add(self, memory: Memory) -> None:
        """Take *memory* for stored."""
        self._names.update(dict.fromkeys(names(memory), memory.id))
        group = self._groups.get((memory.kind, memory.scope))
        if group is not None and (at := group.brought.get(self._row(memory.content))) is not None:
            group.added[at] = memory.id

    def by_key(self, memory: Memory) -> Memory | None:
        """Return the item that was stored with the idempotency key of *memory*."""
        return self._named(same_key(memory.scope, memory.idempotency_key)) if memory.idempotency_key else None

    def same(self, memory: Memory) -> Known | None:
        """Return the item that says what *memory* says; the same text first, whenever it was stored."""
        self.stats.total_checks += 1
        exact = self._named(same_content(memory.kind, memory.scope, memory.content_hash))
        if exact is not None:
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
        for id in (self._names.get(name), *known):
            found = self._by_id(id) if id is not None else None
            # The batch may have changed it meanwhile.
            if found is not None and name in names(found) and not found.expired(self._now):
                return found
        return None

    def _nearest(self, memory: Memory) -> Iterator[Memory]:
        """Yield what is nearest in meaning, of the same kind and scope, the nearest first."""
        if len(memory.content) > LONGEST:
            return
        found = self._by_meaning(memory) if self._memories.encode is not None else self._by_words(memory)
        for id in sorted(found, key=lambda id: -found[id])[:NEAREST]:
            other = self._by_id(id)
            same = other is not None and (other.kind, other.scope) == (memory.kind, memory.scope)
            if other is not None and same and not other.expired(self._now):
                yield other

    def _by_meaning(self, memory: Memory) -> dict[str, float]:
        """Return the ids of what is near enough to be compared, with how near it is."""
        self.expect(memory.kind, memory.scope, memory.content)
        group = self._groups.get((memory.kind, memory.scope))
        if group is None or (at := group.brought.get(self._row(memory.content))) is None:
            return {}
        if group.near is None or at >= len(group.near):
            self._compare(memory.kind, memory.scope, group)
        assert group.near is not None
        found: dict[str, float] = {}
        least = int(CLOSE * SCALE**2)
        for place, score in enumerate(group.near[at]):
            if score >= least:
                past = place - len(group.recent)
                id = group.recent[place] if past < 0 else group.added.get(past)
                if id is not None:
                    found[id] = max(score, found.get(id, 0.0))
        return found

    def _compare(self, kind: Kind, scope: Scope, group: _Group) -> None:
        """Hold the rows of all that is brought against those of what was stored lately, and against each other."""
        rows = [row for row in self._recent(kind, scope) if len(row[1]) == len(next(iter(group.brought)))]
        group.recent = [id for id, _ in rows]
        group.near = products(list(group.brought), [*(row for _, row in rows), *group.brought])

    def _recent(self, kind: Kind, scope: Scope) -> Sequence[tuple[str, bytes]]:
        return self._memories.index.rows(self._where(kind, scope), RECENT)

    def _by_words(self, memory: Memory) -> dict[str, float]:
        terms = Terms(query_terms(memory.content)[:TERMS])
        where = self._where(memory.kind, memory.scope)
        found = {
            candidate.source.id: candidate.score
            for candidate in self._memories.index.words(terms, where, False, NEAREST)
        }
        return found | {id: 0.0 for id in self._names.values() if id not in found}

    def _where(self, kind: Kind, scope: Scope) -> Filter:
        return Filter(kind=MEMORY, type=kind.value, scope=scope, since=self._since, alive_at=self._now)

    def _row(self, content: str) -> bytes:
        """Return the row of *content*, nothing where it is not compared."""
        if self._memories.encode is None or len(content) > LONGEST:
            return b""
        row = self._memories.encode([content])[0]
        return row if any(row) else b""
