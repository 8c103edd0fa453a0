"""Following the links of the code graph from a few symbols, nearest links first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autology.codegraph.facts import FILE, METHOD, TYPES
from autology.codegraph.graph import INHERITANCE, CodeLink, CodeMap, LinkType, Symbol
from autology.codegraph.queries.questions import QuestionKind

MAX_EFFECTS = 4
"""Steps that the effects of a change are followed."""
MAX_OVERRIDES = 20
"""Steps from an override to what it overrides; real class hierarchies have ten levels at most."""
INCOMING = (QuestionKind.CALLERS, QuestionKind.USERS, QuestionKind.AFFECTED)
"""Questions that follow links against their direction."""
_OVERRIDES = (QuestionKind.OVERRIDES, QuestionKind.OVERRIDDEN)
_REFERENCES = (LinkType.CALLS, LinkType.USES, *INHERITANCE)
_TYPES: Mapping[QuestionKind, tuple[LinkType, ...]] = {
    QuestionKind.CALLERS: (LinkType.CALLS,),
    QuestionKind.CALLS: (LinkType.CALLS,),
    QuestionKind.USERS: (*_REFERENCES, LinkType.IMPORTS, LinkType.OVERRIDES),
    QuestionKind.AFFECTED: (*_REFERENCES, LinkType.IMPORTS, LinkType.OVERRIDES),
    QuestionKind.DEPENDENCIES: (*_REFERENCES, LinkType.IMPORTS),
    QuestionKind.STRUCTURE: (LinkType.DEFINES, *INHERITANCE, LinkType.IMPORTS, LinkType.OVERRIDES),
}


@dataclass(frozen=True, slots=True)
class LinkHit:
    """A link, how many steps away it is, and the overridden method *through* which it leads to the symbol, if so."""

    link: CodeLink
    distance: int
    through: Symbol | None = None


class Traversal:
    """The links of a code graph by their ends."""

    def __init__(self, graph: CodeMap) -> None:
        self._graph = graph
        self._incoming: dict[Symbol, list[CodeLink]] = defaultdict(list)
        self._outgoing: dict[Symbol, list[CodeLink]] = defaultdict(list)
        for link in graph.links:
            self._incoming[link.target].append(link)
            self._outgoing[link.source].append(link)

    def hits(self, symbols: Sequence[Symbol], kind: QuestionKind) -> Iterator[LinkHit]:
        """Yield the links that answer a question of *kind* about *symbols*, nearest first, each once."""
        if kind in _OVERRIDES:
            hits = self._overrides(symbols, outgoing=kind is QuestionKind.OVERRIDES)
        elif kind in INCOMING:
            hits = self._incoming_hits(symbols, kind)
        else:
            hits = self._outgoing_hits(symbols, kind)
        visited: set[tuple[Symbol, LinkType, Symbol]] = set()
        for hit in hits:
            key = (hit.link.source, hit.link.type, hit.link.target)
            if key not in visited:
                visited.add(key)
                yield hit

    def _outgoing_hits(self, symbols: Sequence[Symbol], kind: QuestionKind) -> Iterator[LinkHit]:
        types = _TYPES[kind]
        structure = kind is QuestionKind.STRUCTURE
        for symbol in symbols:
            members = self._members(symbol)
            inside = {symbol, *members}
            if structure and self._kind(symbol) not in (FILE, *TYPES):
                types = (*types, LinkType.CALLS)
            for part in [symbol] if structure else [symbol, *members]:
                for link in self._outgoing[part]:
                    if link.type in types and (link.type is LinkType.DEFINES or link.target not in inside):
                        yield LinkHit(link, 1)
            for part in members if structure else ():
                for link in self._outgoing[part]:
                    if link.type is LinkType.DEFINES:
                        yield LinkHit(link, 2)

    def _incoming_hits(self, symbols: Sequence[Symbol], kind: QuestionKind) -> Iterator[LinkHit]:
        front = list(dict.fromkeys(part for symbol in symbols for part in self._used_with(symbol, kind)))
        visited = set(front)
        for distance in range(1, (MAX_EFFECTS if kind is QuestionKind.AFFECTED else 1) + 1):
            nearer = frozenset(visited)
            reached: list[Symbol] = []
            for hit in self._step(front, kind, distance):
                source = hit.link.source
                if source in nearer and kind is not QuestionKind.CALLERS:
                    continue
                yield hit
                if source not in visited and hit.link.type is not LinkType.OVERRIDES:
                    visited.add(source)
                    reached.append(source)
            front = reached

    def _step(self, front: Sequence[Symbol], kind: QuestionKind, distance: int) -> Iterator[LinkHit]:
        """Yield the links to the symbols of *front* and to the methods that these override."""
        for symbol in front:
            for target in (symbol, *self._overridden(symbol)):
                for link in self._incoming[target]:
                    sibling = link.type is LinkType.OVERRIDES and target != symbol  # overrides the same method
                    if link.type in _TYPES[kind] and not sibling:
                        yield LinkHit(link, distance, None if target == symbol else target)

    def _overrides(self, symbols: Sequence[Symbol], outgoing: bool) -> Iterator[LinkHit]:
        """Yield which methods override which, step by step: up to the overridden ones, or down to the overriding."""
        links = self._outgoing if outgoing else self._incoming
        front = list(dict.fromkeys(part for symbol in symbols for part in (symbol, *self._members(symbol))))
        visited = set(front)
        for distance in range(1, MAX_OVERRIDES + 1):
            step = [link for symbol in front for link in links[symbol] if link.type is LinkType.OVERRIDES]
            yield from (LinkHit(link, distance) for link in step)
            reached = dict.fromkeys(link.target if outgoing else link.source for link in step)
            front = [symbol for symbol in reached if symbol not in visited]
            visited.update(front)

    def _used_with(self, symbol: Symbol, kind: QuestionKind) -> Iterator[Symbol]:
        """Yield *symbol* and its members: who uses one of those uses the class or file, too."""
        yield symbol
        if kind is not QuestionKind.CALLERS or self._kind(symbol) == FILE:
            yield from self._members(symbol)

    def _members(self, symbol: Symbol) -> list[Symbol]:
        """Return everything that is defined in *symbol*."""
        members = []
        waiting = [symbol]
        while waiting:
            inner = [link.target for link in self._outgoing[waiting.pop()] if link.type is LinkType.DEFINES]
            members += inner
            waiting += inner
        return sorted(members)

    def _overridden(self, symbol: Symbol) -> list[Symbol]:
        """Return the methods of bases and protocols through which a method may be called."""
        if self._kind(symbol) != METHOD:
            return []
        return [hit.link.target for hit in self._overrides([symbol], outgoing=True)]

    def _kind(self, symbol: Symbol) -> str:
        definition = self._graph.symbols.get(symbol)
        return definition.kind if definition else FILE
