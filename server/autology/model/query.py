"""A query for the index: terms, and the filter for its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autology.model.entry import NODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.model.memory import Scope


@dataclass(frozen=True, slots=True)
class Terms:
    """Search terms: each is a group of tokens; *pairs* are words that score higher when adjacent."""

    terms: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms)


@dataclass(frozen=True, slots=True)
class InSight:
    """The part of a conversation that its agent still sees: its *session*, from the time *since* on ("": all of it)."""

    session: str
    since: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """The conditions for every result; empty fields are ignored. Applied before any cut.

    *kind* None means all kinds, or those in *kinds*. *path* is a file's, or a folder's for everything in it. *author*
    is an exact author's name, ignoring case. *trust* is the minimum trust of the authors: ``assistant`` excludes tool
    output. *since* and *until* are timestamps, the first inclusive, the last exclusive; a partial overlap passes. For
    conversations: *projects* are identities, any of which matches; what the calling conversation has *in_sight* is
    excluded. For memories: any of *types* matches; every part that *scope* sets must be equal, *alive_at* excludes
    memories that have expired by then, and *placed* excludes memories with a branch but no project.
    """

    kind: str | None = NODE
    kinds: tuple[str, ...] = ()
    type: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    min_confidence: float | None = None
    references: tuple[str, ...] = ()
    related_to: str | None = None
    ids: tuple[str, ...] | None = None
    projects: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    session: str | None = None
    language: str | None = None
    path: str | None = None
    author: str | None = None
    trust: str | None = None
    types: tuple[str, ...] = ()
    scope: Scope | None = None
    alive_at: str | None = None
    in_sight: InSight | None = None
    exclude_strays: bool = False

    def comparisons(self) -> Iterator[tuple[str, str, object]]:
        """Yield the conditions on single values as (field of a source, operator, value), without kinds."""
        for name, (field, operator) in _COMPARISONS.items():
            if (value := getattr(self, name)) is not None:
                yield field, operator, value
        for part, value in self.scope.set_parts().items() if self.scope else ():
            yield "scope_project" if part == "project" else part, "=", value


_COMPARISONS = {
    "type": ("type", "="),
    "status": ("status", "="),
    "min_confidence": ("confidence", ">="),
    "since": ("modified", ">="),  # what began before and lasted until then overlaps that time too
    "until": ("created", "<"),
    "session": ("session", "="),
    "language": ("language", "="),
}


def author_key(authors: Sequence[str]) -> str:
    """Return the names of *authors* as an index stores them: one per line, case-folded."""
    return "".join(f"\n{' '.join(name.casefold().split())}\n" for name in authors)
