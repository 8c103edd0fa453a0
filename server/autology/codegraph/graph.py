"""The resolved code graph: symbols, the links between them, and the calls that stay ambiguous."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from autology.codegraph.facts import Definition, FileFacts


class LinkType(StrEnum):
    """How one symbol refers to another."""

    DEFINES = "DEFINES"
    CALLS = "CALLS"
    IMPORTS = "IMPORTS"
    EXTENDS = "EXTENDS"
    IMPLEMENTS = "IMPLEMENTS"
    USES = "USES"
    OVERRIDES = "OVERRIDES"


INHERITANCE = (LinkType.EXTENDS, LinkType.IMPLEMENTS)
SAME_FILE, IMPORTED, UNIQUE_NAME, SAME_METHODS = "same file", "imports", "unique name", "same methods"
"""The evidence for a link, strongest first; the last: a class has every method of a protocol."""


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A file (its *name* is ""), class, function or method."""

    path: str
    name: str

    @property
    def last(self) -> str:
        """The name without what it is defined in."""
        return self.name.rpartition(".")[2]

    @property
    def outer(self) -> Symbol:
        """The class or function that it is defined in, else its file."""
        return Symbol(self.path, self.name.rpartition(".")[0])

    def __str__(self) -> str:
        return f"{self.path}:{self.name}" if self.name else self.path


@dataclass(frozen=True, slots=True, order=True)
class CodeLink:
    """One symbol refers to another at a *line* of its file; *evidence* says how that is known."""

    source: Symbol
    type: LinkType
    target: Symbol
    line: int
    evidence: str


@dataclass(frozen=True, slots=True)
class AmbiguousCall:
    """A call in *source* of *name*, which as many definitions as *candidates* have."""

    source: Symbol
    name: str
    line: int
    candidates: int


@dataclass(frozen=True, slots=True)
class CodeMap:
    """Every symbol with its definition (None for a file), the links, the ambiguous calls and the parsing faults."""

    symbols: Mapping[Symbol, Definition | None]
    links: tuple[CodeLink, ...]
    ambiguous: tuple[AmbiguousCall, ...]
    faults: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NamedSymbol:
    """A symbol with the kind and the line of its definition, and the *reason* why it is listed, if one is given."""

    symbol: Symbol
    kind: str
    line: int
    reason: str = ""

    def __str__(self) -> str:
        return str(self.symbol)

    def data(self) -> dict[str, str | int]:
        """Return it as JSON."""
        entry: dict[str, str | int] = {"name": str(self.symbol), "type": self.kind, "line": self.line}
        return {**entry, "why": self.reason} if self.reason else entry


@dataclass(frozen=True, slots=True)
class CodeState:
    """The code graph as it is now, the facts that it was resolved from, and notes on what it lacks."""

    graph: CodeMap
    facts: Mapping[str, FileFacts]
    notes: tuple[str, ...] = ()
