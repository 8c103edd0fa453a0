"""A question put to the index: words, and what an answer must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autology.model.entry import NODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.model.memory import Scope


@dataclass(frozen=True, slots=True)
class Terms:
    """What to look for: each term is a group of tokens; *pairs* are words that better stand side by side."""

    terms: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms)


@dataclass(frozen=True, slots=True)
class InSight:
    """What the conversation that asks has before its eyes: its *session*, from the stamp *since* on ("": all of it)."""

    session: str
    since: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What every answer must be; empty fields ask for nothing. Applied before any cut.

    *kind* None takes every vocabulary together, or those in *kinds*. *path* is a file's, or a folder's for all that
    lies in it. *author* is one of those named as such, whatever the case. *trust* is the least that whoever wrote it
    must be trusted: nothing of a tool's passes where it is ``assistant``. *since* and *until* are stamps, the first
    included and the last not; what lies partly between them passes. Of what was said: *projects* are identities, any
    of which will do; nothing passes that is *in_sight* of the conversation that asks. Of memories: any of *types* will
    do; every part that *scope* gives must be theirs, *alive_at* is a stamp by which none may have expired, and with
    *placed* none may be of a branch of no project.
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
    placed: bool = False

    def comparisons(self) -> Iterator[tuple[str, str, object]]:
        """Yield the conditions on single values as (field of a source, operator, value), kinds aside."""
        for name, (field, operator) in _COMPARISONS.items():
            if (value := getattr(self, name)) is not None:
                yield field, operator, value
        for part, value in self.scope.given().items() if self.scope else ():
            yield "scope_project" if part == "project" else part, "=", value


_COMPARISONS = {
    "type": ("type", "="),
    "status": ("status", "="),
    "min_confidence": ("confidence", ">="),
    "since": ("modified", ">="),  # what began before and lasted until then belongs to that time too
    "until": ("created", "<"),
    "session": ("session", "="),
    "language": ("language", "="),
}


def author_key(authors: Sequence[str]) -> str:
    """Return the names of *authors* as an index stores them: each is a whole line, without case."""
    return "".join(f"\n{' '.join(name.casefold().split())}\n" for name in authors)
