"""An answer from the code graph, and how every front shows it: as data and as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autology.codegraph.file_endings import without_ending
from autology.codegraph.graph import AmbiguousCall, NamedSymbol
from autology.codegraph.queries.questions import QuestionKind
from autology.codegraph.queries.traversal import LinkHit
from autology.text.language.plural import counted
from autology.text.sanitising import clean_line

SHOWN_AMBIGUOUS = 10
LINE = 600
"""Characters of a line."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """The symbols that a question is *about*, the links that answer it, and how many *more* there are.

    *ambiguous* are calls that may be meant, *others* symbols of the same name. A list of unused code has no links:
    *unused* and *left_out*, how many symbols may be used all the same, by the reason. *files* is the size of the graph.
    """

    kind: QuestionKind
    about: tuple[NamedSymbol, ...]
    files: int
    notes: tuple[str, ...]
    links: tuple[LinkHit, ...] = ()
    more: int = 0
    ambiguous: tuple[AmbiguousCall, ...] = ()
    others: tuple[NamedSymbol, ...] = ()
    unused: tuple[NamedSymbol, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of what it is about."""
        return tuple(dict.fromkeys(named.symbol.path for named in self.about))

    @property
    def names(self) -> tuple[str, ...]:
        """The last parts of the names of what it is about."""
        symbols = [named.symbol for named in self.about]
        return tuple(dict.fromkeys(symbol.last or _stem(symbol.path) for symbol in symbols))

    @property
    def summary(self) -> str:
        """How much of the code answers, in words."""
        size = f"{len(self.links) + self.more:,} links that answer"
        if self.kind is QuestionKind.UNUSED:
            size = f"{counted(len(self.unused) + self.more, 'piece')} of code that nothing refers to"
        return f"the code graph of {self.files:,} files holds {size}"

    def data(self) -> Json:
        """Return the answer as JSON."""
        entry: Json = {
            "asked": self.kind.value,
            "about": [named.data() for named in self.about],
            "links": [_link(hit) for hit in self.links],
        }
        if self.others:
            entry["others"] = [named.data() for named in self.others]
        if self.kind is QuestionKind.UNUSED:
            entry["unused"] = [named.data() for named in self.unused]
            entry["left_out"] = dict(self.left_out)
        if self.more:
            entry["more"] = self.more
        if self.ambiguous:
            entry["open"] = [
                {"source": str(call.source), "calls": call.name, "line": call.line, "could_be": call.candidates}
                for call in self.ambiguous[:SHOWN_AMBIGUOUS]
            ]
        return entry

    def lines(self) -> list[str]:
        """Return the answer as lines of text."""
        if self.kind is QuestionKind.UNUSED:
            return self._unused_lines()
        lines = [_line(hit) for hit in self.links]
        if not lines:
            lines.append(f"- nothing in the code ({self.kind.value} of {', '.join(map(str, self.about))})")
        if self.more:
            lines.append(f"- … and {self.more:,} more")
        for call in self.ambiguous[:SHOWN_AMBIGUOUS]:
            line = f"- open: {call.source} calls {call.name} (line {call.line}), which {call.candidates} define"
            lines.append(clean_line(line, LINE))
        if self.others:
            lines.append(clean_line(f"- of that name, too: {', '.join(map(str, self.others))}", 2_000))
        return lines

    def _unused_lines(self) -> list[str]:
        lines = [f"- {one} ({one.kind}, line {one.line}): {one.reason}" for one in self.unused]
        lines = [clean_line(line, LINE) for line in lines]
        if not lines:
            lines.append("- nothing: all that is defined here is referred to, or may be")
        if self.more:
            lines.append(f"- … and {self.more:,} more")
        if self.left_out:
            reasons = ", ".join(f"{reason} ({count:,})" for reason, count in self.left_out.items())
            lines.append(
                f"- nothing is known to refer to these in the whole project either, but something may: {reasons}"
            )
        return lines


def _link(hit: LinkHit) -> Json:
    link = hit.link
    entry: Json = {
        "source": str(link.source),
        "type": link.type.value,
        "target": str(link.target),
        "line": link.line,
        "known_by": link.evidence,
    }
    if hit.distance > 1:
        entry["distance"] = hit.distance
    return {**entry, "through": str(hit.through)} if hit.through else entry


def _line(hit: LinkHit) -> str:
    link = hit.link
    details = f"line {link.line}, by {link.evidence}"
    if hit.distance > 1:
        details += f", {hit.distance} steps"
    if hit.through:
        details += f", through {hit.through}"
    return clean_line(f"- {link.source} —[{link.type.value}]→ {link.target} ({details})", LINE)


def _stem(path: str) -> str:
    return without_ending(path.rpartition("/")[2]).rpartition(".")[2]
