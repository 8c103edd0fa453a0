"""Answers from the code graph: the links that a question asks for, nearest first, and what stays open."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autology.core.code.code import Code
from autology.core.code.dialects import dialect_of, without_ending
from autology.core.code.question import CodeQuestion, Wish, question
from autology.core.code.resolve import CodeMap, Open
from autology.model.code import FILE, METHOD, TYPES, CodeEdge, CodeLink, Symbol

MEANT = 5
"""Pieces of code of one name that are answered for together; of more the question must say which."""
SHOWN = 40
FAR = 4
"""Steps that the effects of a change are followed."""
_INTO = (CodeEdge.CALLS, CodeEdge.USES, CodeEdge.EXTENDS, CodeEdge.IMPLEMENTS)
_WAYS: Mapping[Wish, tuple[CodeEdge, ...]] = {
    Wish.CALLERS: (CodeEdge.CALLS,),
    Wish.CALLS: (CodeEdge.CALLS,),
    Wish.USERS: (*_INTO, CodeEdge.IMPORTS),
    Wish.AFFECTED: (*_INTO, CodeEdge.IMPORTS),
    Wish.DEPENDENCIES: (*_INTO, CodeEdge.IMPORTS),
    Wish.STRUCTURE: (CodeEdge.DEFINES, CodeEdge.EXTENDS, CodeEdge.IMPLEMENTS, CodeEdge.IMPORTS),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A link with how far it lies from what was asked about; *through* is what it reaches that by, if not itself."""

    link: CodeLink
    distance: int
    through: Symbol | None = None


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """What was asked of which code, the links, how many *more* there are, and the calls that nobody can tell."""

    wish: Wish
    about: tuple[Symbol, ...]
    kinds: tuple[str, ...]
    lines: tuple[int, ...]
    links: tuple[Told, ...]
    more: int
    open: tuple[Open, ...]
    files: int
    notes: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it is about."""
        return tuple(dict.fromkeys(symbol.path for symbol in self.about))


def answer(code: Code, query: str, usual: Wish | None = None) -> CodeAnswer | None:
    """Return what the code says to *query*; None where it asks nothing of code, or names none of it."""
    asked = question(query, usual)
    return told(code, asked) if asked else None


def told(code: Code, asked: CodeQuestion) -> CodeAnswer | None:
    """Return what the code says to *asked*; None where it names nothing that there is."""
    state = code.current()
    found = next((found for name in asked.names if (found := find(state.map, name))), ())
    if not found:
        return None
    notes = list(state.notes)
    if len(found) > MEANT:
        notes.append(
            f"{len(found)} pieces of code have that name; these are {MEANT} of them: name the class or file too"
        )
    about = found[:MEANT]
    links = list(_Graph(state.map).links(about, asked.wish))
    notes += [f"{path} is not looked into: {fault}" for path, fault in list(state.map.faults.items())[:3]]
    names = {symbol.name.rpartition(".")[2] for symbol in about if symbol.name}
    opened = [each for each in state.map.open if each.name in names] if asked.wish in _TOWARDS else []
    defined = [state.map.symbols[symbol] for symbol in about]
    files = sum(not symbol.name for symbol in state.map.symbols)
    return CodeAnswer(
        asked.wish,
        tuple(about),
        tuple(each.kind if each else "file" for each in defined),
        tuple(each.line if each else 1 for each in defined),
        tuple(links[:SHOWN]),
        max(0, len(links) - SHOWN),
        tuple(opened),
        files,
        tuple(notes),
    )


_TOWARDS = (Wish.CALLERS, Wish.USERS, Wish.AFFECTED)


def find(known: CodeMap, name: str) -> list[Symbol]:
    """Return what *name* names: a file or folder's file, a class, function or method, with what is around it or not."""
    path, _, inner = name.partition(":")
    if dialect_of(path):
        files = [s for s in known.symbols if f"/{s.path}".endswith(f"/{path.lstrip('./')}") and s.name == inner]
        if files:  # else it is a method: Store.go
            return sorted(files, key=_order)
    exact = [s for s in known.symbols if f".{_dotted(s)}".endswith(f".{name}")]
    if not exact:
        folded = name.casefold()
        exact = [s for s in known.symbols if f".{_dotted(s)}".casefold().endswith(f".{folded}")]
    own = [symbol for symbol in exact if symbol.name]
    return sorted(own or exact, key=_order)


def _dotted(symbol: Symbol) -> str:
    file = without_ending(symbol.path).removesuffix("/__init__").replace("/", ".")
    return f"{file}.{symbol.name}" if symbol.name else file


def _order(symbol: Symbol) -> tuple[bool, int, Symbol]:
    """Code before its tests, what stands alone before what is within."""
    tested = any(part.startswith(("test", "__tests__", "spec")) for part in symbol.path.split("/"))
    return tested or bool(_TESTED.search(symbol.path)), symbol.name.count("."), symbol


_TESTED = re.compile(r"(_test|\.test|\.spec|Tests?|_spec)\.\w+\Z")


class _Graph:
    """The links by where they lead to and come from."""

    def __init__(self, known: CodeMap) -> None:
        self._known = known
        self._into: dict[Symbol, list[CodeLink]] = defaultdict(list)
        self._from: dict[Symbol, list[CodeLink]] = defaultdict(list)
        for link in known.links:
            self._into[link.target].append(link)
            self._from[link.source].append(link)

    def links(self, about: Sequence[Symbol], wish: Wish) -> Iterator[Told]:
        """Yield the links that *wish* asks for, nearest first, each once."""
        seen: set[tuple[Symbol, CodeEdge, Symbol]] = set()
        found = self._outward(about, wish) if wish not in _TOWARDS else self._inward(about, wish)
        for each in found:
            key = (each.link.source, each.link.type, each.link.target)
            if key not in seen:
                seen.add(key)
                yield each

    def _outward(self, about: Sequence[Symbol], wish: Wish) -> Iterator[Told]:
        ways = _WAYS[wish]
        for symbol in about:
            every = [symbol] if wish is Wish.STRUCTURE else [symbol, *self._below(symbol)]
            if wish is Wish.STRUCTURE and self._kind(symbol) not in (FILE, *TYPES):
                ways = (*ways, CodeEdge.CALLS)
            inside = {symbol, *self._below(symbol)}
            for part in every:
                for link in self._from[part]:
                    if link.type in ways and (link.type is CodeEdge.DEFINES or link.target not in inside):
                        yield Told(link, 1)
            if wish is Wish.STRUCTURE:
                for part in self._below(symbol):
                    for link in self._from[part]:
                        if link.type is CodeEdge.DEFINES:
                            yield Told(link, 2)

    def _inward(self, about: Sequence[Symbol], wish: Wish) -> Iterator[Told]:
        ways, far = _WAYS[wish], FAR if wish is Wish.AFFECTED else 1
        start = list(dict.fromkeys(part for symbol in about for part in self._whole(symbol, wish)))
        seen = set(start)
        front = start
        for distance in range(1, far + 1):
            reached: list[Symbol] = []
            nearer = frozenset(seen)
            for symbol in front:
                for target in (symbol, *self._overridden(symbol)):
                    for link in self._into[target]:
                        if link.type not in ways or (link.source in nearer and wish is not Wish.CALLERS):
                            continue
                        yield Told(link, distance, None if target == symbol else target)
                        if link.source not in seen:
                            seen.add(link.source)
                            reached.append(link.source)
            front = reached

    def _whole(self, symbol: Symbol, wish: Wish) -> Iterable[Symbol]:
        """What counts as *symbol*: to use a file or a class is to use what is in it."""
        yield symbol
        if wish is not Wish.CALLERS or self._kind(symbol) == "file":
            yield from self._below(symbol)

    def _below(self, symbol: Symbol) -> list[Symbol]:
        found = []
        waiting = [symbol]
        while waiting:
            for link in self._from[waiting.pop()]:
                if link.type is CodeEdge.DEFINES:
                    found.append(link.target)
                    waiting.append(link.target)
        return sorted(found)

    def _overridden(self, symbol: Symbol) -> list[Symbol]:
        """Return the methods that a method stands for where its class is used as another: of bases and protocols."""
        if self._kind(symbol) != METHOD:
            return []
        name = symbol.name.rpartition(".")[2]
        found: list[Symbol] = []
        waiting = [link.source for link in self._into[symbol] if link.type is CodeEdge.DEFINES]
        seen = set(waiting)
        while waiting:
            for link in self._from[waiting.pop()]:
                if link.type in (CodeEdge.EXTENDS, CodeEdge.IMPLEMENTS) and link.target not in seen:
                    seen.add(link.target)
                    waiting.append(link.target)
                    own = (each.target for each in self._from[link.target] if each.type is CodeEdge.DEFINES)
                    found += [each for each in own if each.name.rpartition(".")[2] == name]
        return found

    def _kind(self, symbol: Symbol) -> str:
        found = self._known.symbols.get(symbol)
        return found.kind if found else "file"
