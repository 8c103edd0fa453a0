"""Vectors of recently stored items, cached between calls: querying the index costs more than comparing."""

from __future__ import annotations

from dataclasses import dataclass, field

from autology.core.index.retrieval import VectorSearch
from autology.core.memory.projecting import title_of
from autology.core.memory.rows import Encode
from autology.core.ttl_cache import TtlCache
from autology.model.entry import MEMORY
from autology.model.memory import Kind, Memory, Scope
from autology.model.query import Filter
from autology.ranking.quantized_vectors import SCALE, rescore, sign_code
from autology.ranking.same_statement import LONGEST

LIMIT = 2_000
"""Passages of one kind and scope that an item is compared with, the latest: half a millisecond."""
FAR = 88
"""Signs of 256 in which two rows differ past which they are not multiplied out: of the labelled pairs that say the
same, and are near enough to be compared, none differs in more than 76."""
GROUPS = 64
"""Kinds and scopes kept, 0.7 MB each where there are so many items."""
SECONDS = 3_600.0
"""How long one is believed: what an editor saved in place, and another process indexed, is seen after that."""


@dataclass(slots=True)
class Group:
    """What is of one kind and scope, the latest last: an item's id, its row or a passage's, and the signs of that."""

    ids: list[str] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)

    def add(self, id: str, row: bytes) -> None:
        """Take in an item or one of its passages."""
        if any(row) and (not self.rows or len(row) == len(self.rows[0])):
            self.ids.append(id)
            self.rows.append(row)
            self.codes.append(int.from_bytes(sign_code(row), "big"))

    def drop(self, id: str) -> None:
        """Forget the item."""
        if id in self.ids:
            others = [at for at, other in enumerate(self.ids) if other != id]
            self.ids[:] = [self.ids[at] for at in others]
            self.rows[:] = [self.rows[at] for at in others]
            self.codes[:] = [self.codes[at] for at in others]

    def nearest(self, row: bytes, threshold: float) -> dict[str, float]:
        """Return how near to *row* each item is that is at least so near, by its id."""
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
    """The groups of *index*, with rows by *encode*; right as long as :meth:`forget` is called when others wrote."""

    def __init__(self, index: VectorSearch, encode: Encode) -> None:
        self._index = index
        self._encode = encode
        self._groups: TtlCache[Group] = TtlCache(GROUPS, SECONDS)

    def row(self, memory: Memory) -> bytes:
        """Return the row of *memory* as a whole, that of its passage where it is one; nothing if it is not compared."""
        if len(memory.content) > LONGEST:
            return b""
        [row] = self._encode([f"{title_of(memory)}\n\n{memory.content}"])
        return row if any(row) else b""

    def group(self, kind: Kind, scope: Scope, since: str, alive_at: str) -> Group:
        """Return what was stored of that kind and scope from *since* on; for a while, what has left that window too."""
        known = self._groups.get((kind, scope))
        if known is None:
            known = Group()
            where = Filter(kind=MEMORY, type=kind.value, scope=scope, since=since, alive_at=alive_at)
            for id, row in reversed(self._index.vectors(where, LIMIT)):
                known.add(id, row)
            self._groups.put((kind, scope), known)
        return known

    def stored(self, memory: Memory) -> None:
        """Take note that *memory* was written."""
        group = self._groups.get((memory.kind, memory.scope))
        if group is None:
            return
        group.drop(memory.id)
        group.add(memory.id, self.row(memory))
        if len(group.ids) > 2 * LIMIT:
            self.forget()

    def forget(self) -> None:
        """Query the index again: another process wrote."""
        self._groups.clear()
