"""Vectors of recently stored items, cached between calls: querying the index costs more than comparing."""

from __future__ import annotations

from dataclasses import dataclass, field

from autology.core.index.retrieval import VectorSearch
from autology.core.memory.index_entry import title_of
from autology.core.memory.vector_cache import Encode
from autology.core.ttl_cache import TtlCache
from autology.model.entry import MEMORY
from autology.model.memory import Kind, Memory, Scope
from autology.model.query import Filter
from autology.ranking.quantized_vectors import SCALE, rescore, sign_code
from autology.ranking.same_statement import LONGEST

LIMIT = 2_000
"""Passages of one kind and scope compared with an item, the latest ones: half a millisecond."""
FAR = 88
"""Maximum differing signs, of 256, for two rows to be multiplied: of the labelled duplicates near enough to be
compared, none differs in more than 76."""
GROUPS = 64
"""Maximum cached kinds and scopes, up to 0.7 MB each."""
SECONDS = 3_600.0
"""Seconds that one is cached: an edit in place that another process indexed is seen after that."""


@dataclass(slots=True)
class Group:
    """The items of one kind and scope, the latest last: each id with its row, or a passage's, and the row's signs."""

    ids: list[str] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)

    def add(self, id: str, row: bytes) -> None:
        """Add an item or one of its passages."""
        if any(row) and (not self.rows or len(row) == len(self.rows[0])):
            self.ids.append(id)
            self.rows.append(row)
            self.codes.append(int.from_bytes(sign_code(row), "big"))

    def drop(self, id: str) -> None:
        """Remove an item."""
        if id in self.ids:
            others = [at for at, other in enumerate(self.ids) if other != id]
            self.ids[:] = [self.ids[at] for at in others]
            self.rows[:] = [self.rows[at] for at in others]
            self.codes[:] = [self.codes[at] for at in others]

    def nearest(self, row: bytes, threshold: float) -> dict[str, float]:
        """Return the similarity to *row* of each item that reaches *threshold*, by id."""
        if not self.rows or len(row) != len(self.rows[0]):
            return {}
        code = int.from_bytes(sign_code(row), "big")
        apart = map(int.bit_count, map(code.__xor__, self.codes))
        close = [at for at, differing in enumerate(apart) if differing <= FAR]
        nearest: dict[str, float] = {}
        for at, score in zip(close, rescore(row, [self.rows[at] for at in close]), strict=True):
            if (near := score / SCALE**2) >= threshold:
                nearest[self.ids[at]] = max(near, nearest.get(self.ids[at], 0.0))
        return nearest


class Recent:
    """The groups of *index*, with rows by *encode*; valid as long as :meth:`forget` is called after other processes'
    writes."""

    def __init__(self, index: VectorSearch, encode: Encode) -> None:
        self._index = index
        self._encode = encode
        self._groups: TtlCache[Group] = TtlCache(GROUPS, SECONDS)

    def row(self, memory: Memory) -> bytes:
        """Return the row of *memory* if it is a single passage; None if it is not compared."""
        if len(memory.content) > LONGEST:
            return b""
        [row] = self._encode([f"{title_of(memory)}\n\n{memory.content}"])
        return row if any(row) else b""

    def group(self, kind: Kind, scope: Scope, since: str, alive_at: str) -> Group:
        """Return the items of that kind and scope stored since *since*; slightly older ones may be included."""
        known = self._groups.get((kind, scope))
        if known is None:
            known = Group()
            where = Filter(kind=MEMORY, type=kind.value, scope=scope, since=since, alive_at=alive_at)
            for id, row in reversed(self._index.vectors(where, LIMIT)):
                known.add(id, row)
            self._groups.put((kind, scope), known)
        return known

    def stored(self, memory: Memory) -> None:
        """Record that *memory* was written."""
        group = self._groups.get((memory.kind, memory.scope))
        if group is None:
            return
        group.drop(memory.id)
        group.add(memory.id, self.row(memory))
        if len(group.ids) > 2 * LIMIT:
            self.forget()

    def forget(self) -> None:
        """Drop the cache: another process wrote."""
        self._groups.clear()
