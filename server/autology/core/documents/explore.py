"""Following links: what a document or node leads to, and what leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autology.core.documents import citations
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.index.catalogue import Edge
from autology.model.argument_limits import DIRECTIONS, IN, LINK_DEPTH, OUT
from autology.model.errors import ValidationError

SHOWN = 1_000
"""Maximum links in an answer."""


@dataclass(frozen=True, slots=True)
class Explored:
    """The links, nearest first; *more* if the list was cut."""

    id: str
    edges: tuple[Edge, ...]
    more: bool = False


def explore(library: Library, id: str, relation: str | None = None, direction: str = OUT, depth: int = 1) -> Explored:
    """Return the links of what *id* names, of one type if *relation* says so, up to *depth* steps away.

    Raises:
        DocumentNotFoundError, AmbiguousNameError: it names nothing, or several.
        ValidationError: the direction or the depth does not fit.
    """
    if direction not in DIRECTIONS:
        fits = f"Use one of: {', '.join(DIRECTIONS)}."
        raise ValidationError("direction", f"'{direction[:40]}' is no direction", fits)
    if not 1 <= depth <= LINK_DEPTH:
        raise ValidationError("depth", f"{depth} is outside 1-{LINK_DEPTH}", f"Give a number from 1 to {LINK_DEPTH}.")

    def read() -> Explored:
        start = find(library, id).id
        edges = list(_reached(library, start, relation, direction, depth))
        return Explored(start, tuple(edges[:SHOWN]), len(edges) > SHOWN)

    return library.read_current(read)


def _reached(library: Library, start: str, relation: str | None, direction: str, depth: int) -> Iterator[Edge]:
    front, visited, shown = [start], {start}, set()
    wanted = relation.strip().casefold() if relation and relation.strip() else None
    for _ in range(depth):
        ends: dict[str, None] = {}
        at = set(front)
        for edge in citations.touching(library.graph.index, front) if front else ():
            out, back = edge.source in at and direction != IN, edge.target in at and direction != OUT
            key = (edge.source, edge.type, edge.target)
            if not (out or back) or key in shown or (wanted and edge.type.casefold() != wanted):
                continue
            shown.add(key)
            ends.update(dict.fromkeys([*([edge.target] if out else []), *([edge.source] if back else [])]))
            yield edge
            if len(shown) > SHOWN:
                return
        front = [id for id in ends if id not in visited]
        visited.update(front)
