"""Answers from the code graph: the links that a question asks for, nearest first, and what stays open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from autology.core.code import naming
from autology.core.code.code import Code, CodeState
from autology.core.code.question import WRITTEN, CodeQuestion, Wish, question
from autology.core.code.resolve import CodeMap, Open
from autology.core.code.unused import Unused, unreferred
from autology.model.code import DERIVING, FILE, METHOD, TYPES, CodeEdge, CodeLink, Symbol

MEANT = 5
"""Pieces of code of one name that are answered for together; of more the question must say which."""
SHOWN = 40
OTHERS = 20
UNUSED = 100
FAR = 4
"""Steps that the effects of a change are followed."""
DEEP = 20
"""Classes one below the other whose methods override each other; real ones have ten at most."""
_INTO = (CodeEdge.CALLS, CodeEdge.USES, *DERIVING)
_WAYS: Mapping[Wish, tuple[CodeEdge, ...]] = {
    Wish.CALLERS: (CodeEdge.CALLS,),
    Wish.CALLS: (CodeEdge.CALLS,),
    Wish.USERS: (*_INTO, CodeEdge.IMPORTS, CodeEdge.OVERRIDES),
    Wish.AFFECTED: (*_INTO, CodeEdge.IMPORTS, CodeEdge.OVERRIDES),
    Wish.DEPENDENCIES: (*_INTO, CodeEdge.IMPORTS),
    Wish.STRUCTURE: (CodeEdge.DEFINES, *DERIVING, CodeEdge.IMPORTS, CodeEdge.OVERRIDES),
    Wish.OVERRIDES: (CodeEdge.OVERRIDES,),
    Wish.OVERRIDDEN: (CodeEdge.OVERRIDES,),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A link with how far it lies from what was asked about; *through* is what it reaches that by, if not itself."""

    link: CodeLink
    distance: int
    through: Symbol | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A piece of code that has the name that was asked for, but is not answered for."""

    symbol: Symbol
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """What was asked of which code, the links, how many *more* there are, and the calls that nobody can tell.

    *others* have the name that was asked for as well. *unused* is what nothing refers to, and *left_out* how much was
    passed over there, by why.
    """

    wish: Wish
    about: tuple[Symbol, ...]
    kinds: tuple[str, ...]
    lines: tuple[int, ...]
    links: tuple[Told, ...]
    more: int
    open: tuple[Open, ...]
    files: int
    notes: tuple[str, ...]
    others: tuple[Named, ...] = ()
    unused: tuple[Unused, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it is about."""
        return tuple(dict.fromkeys(symbol.path for symbol in self.about))

    @property
    def lists_unused(self) -> bool:
        """Whether it says what is unused, and has no links."""
        return self.wish is Wish.UNUSED


def answer(code: Code, query: str, usual: Wish | None = None) -> CodeAnswer | None:
    """Return what the code says to *query*; None where it asks nothing of code, or names none of it."""
    asked = question(query, usual)
    return told(code, asked) if asked else None


def told(code: Code, asked: CodeQuestion) -> CodeAnswer | None:
    """Return what the code says to *asked*; None where it names nothing that there is."""
    state = code.current()
    notes = [*state.notes, *_unread(state.map)]
    files = sum(not symbol.name for symbol in state.map.symbols)
    if asked.wish is Wish.UNUSED:
        return _unused(code, state, asked.names, files, notes)
    found = next((found for name in asked.names if (found := naming.find(state.map, name))), [])
    if not found:
        return None
    about = [symbol for symbol in found if symbol.name][:MEANT] or found[:MEANT]
    if len(found) > len(about):
        notes.append(
            f"{len(found)} pieces of code have that name; these are {len(about)} of them: name the class or file too"
        )
    links = list(_Graph(state.map).links(about, asked.wish))
    names = {symbol.name.rpartition(".")[2] for symbol in about if symbol.name}
    opened = [each for each in state.map.open if each.name in names] if asked.wish in _TOWARDS else []
    named = [_named(state.map, symbol) for symbol in about]
    return CodeAnswer(
        asked.wish,
        tuple(about),
        tuple(each.kind for each in named),
        tuple(each.line for each in named),
        tuple(links[:SHOWN]),
        max(0, len(links) - SHOWN),
        tuple(opened),
        files,
        tuple(notes),
        tuple(_named(state.map, symbol) for symbol in found if symbol not in about)[:OTHERS],
    )


def _named(known: CodeMap, symbol: Symbol) -> Named:
    found = known.symbols[symbol]
    return Named(symbol, found.kind, found.line) if found else Named(symbol, FILE, 1)


def _unread(known: CodeMap) -> list[str]:
    return [f"{path} is not looked into: {fault}" for path, fault in list(known.faults.items())[:3]]


def _unused(code: Code, state: CodeState, names: Sequence[str], files: int, notes: Sequence[str]) -> CodeAnswer | None:
    """Return what nothing refers to: in the whole project, or in the first of *names* that exists."""
    inside: list[Symbol] = []
    folder = ""
    if names:
        inside = next((places for name in names if (places := naming.find(state.map, name))), [])
        folder = next((name for name in names if naming.below(state.map, name)), "")
        if not inside and not folder:
            return None
    result = unreferred(state.map, state.facts, code.texts())
    within = [each for each in result.unused if not names or _within(each.symbol, inside, folder)]
    named = [_named(state.map, symbol) for symbol in inside[:MEANT]]
    return CodeAnswer(
        Wish.UNUSED,
        tuple(each.symbol for each in named),
        tuple(each.kind for each in named),
        tuple(each.line for each in named),
        (),
        max(0, len(within) - UNUSED),
        (),
        files,
        tuple(notes),
        unused=tuple(within[:UNUSED]),
        left_out=result.left_out,
    )


def _within(symbol: Symbol, places: Sequence[Symbol], folder: str) -> bool:
    if folder and f"/{folder.strip('./')}/" in f"/{symbol.path}":
        return True
    return any(
        symbol.path == each.path and (not each.name or f"{symbol.name}.".startswith(f"{each.name}.")) for each in places
    )


_TOWARDS = (Wish.CALLERS, Wish.USERS, Wish.AFFECTED)
_CHAINS = (Wish.OVERRIDES, Wish.OVERRIDDEN)


def missing(code: Code, query: str) -> tuple[str, list[str]]:
    """Return which name *query* asks for that nothing has, and what is called nearly so."""
    asked = question(query)
    names = asked.names if asked else (query,)
    known = code.current().map
    near = next((near for name in names if (near := naming.nearest(known, name))), [])
    return names[0] if names else query, near


def unknown(code: Code, query: str) -> str:
    """Return that *query* asks for a piece of code that does not exist, and what it may mean; "" where it does not."""
    asked = question(query)
    if not asked or not asked.names or asked.names[0] not in query or not WRITTEN.search(asked.names[0]):
        return ""  # words that could be a name
    name, near = missing(code, query)
    meant = f" Did you mean {', '.join(near)}?" if near else ""
    return f"the code graph has nothing called '{name[:80]}'.{meant}"


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
        if wish in _CHAINS:
            found = self._chain(about, outward=wish is Wish.OVERRIDES)
        else:
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

    def _chain(self, about: Sequence[Symbol], outward: bool) -> Iterator[Told]:
        """Yield what overrides what, step by step: up to what the methods override, or down to what overrides them."""
        seen = front = list(dict.fromkeys(part for symbol in about for part in (symbol, *self._below(symbol))))
        for distance in range(1, DEEP + 1):
            steps = self._from if outward else self._into
            links = [each for symbol in front for each in steps[symbol] if each.type is CodeEdge.OVERRIDES]
            yield from (Told(link, distance) for link in links)
            reached = dict.fromkeys(link.target if outward else link.source for link in links)
            front = [symbol for symbol in reached if symbol not in seen]
            seen = [*seen, *front]

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
                        if link.type is CodeEdge.OVERRIDES and target != symbol:
                            continue  # another method in the place of the same one
                        yield Told(link, distance, None if target == symbol else target)
                        if link.source not in seen and link.type is not CodeEdge.OVERRIDES:
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
        return [each.link.target for each in self._chain([symbol], outward=True)]

    def _kind(self, symbol: Symbol) -> str:
        found = self._known.symbols.get(symbol)
        return found.kind if found else "file"
