"""What an index in memory was fed with, and the filter over it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count

from autology.core.content.files import Stamp
from autology.core.index.catalogue import Edge
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.retrieval import Encoder
from autology.model.conversation import trusted_as
from autology.model.entry import NODE, Entry
from autology.model.hit import Source
from autology.model.query import Filter

_MADE = count(1)
TWICE = "has the same id as"


class MemoryFiles:
    """The :class:`~autology.core.index.changes.IndexedFiles` of a project that is on no disk."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder
        self.lose()

    def lose(self) -> None:
        """Be replaced by an empty index, as one is that was deleted or damaged."""
        self._generation = f"memory-{next(_MADE)}"
        self._puts: dict[str, Put] = {}
        self._faults: dict[str, Fault] = {}
        self._remarks: dict[str, str] = {}

    @contextmanager
    def keep_open(self) -> Iterator[None]:
        yield

    def generation(self) -> str:
        return self._generation

    def stamps(self, kind: str = NODE) -> Mapping[str, Stamp]:
        puts = {path: put.stamp for path, put in self._puts.items() if put.entry.kind == kind}
        return puts | {path: fault.stamp for path, fault in self._faults.items() if fault.kind == kind}

    def prepare(self, change: Put, vectors: bool = True) -> Put:
        return change

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        for change in sorted(changes, key=lambda change: not isinstance(change, Gone)):
            former = self._puts.pop(change.path, None)
            self._faults.pop(change.path, None)
            if former and not (isinstance(change, Put) and former.entry.id == change.entry.id):
                # Another file may have that id to itself now: it is to be read again.
                self._faults = {path: fault for path, fault in self._faults.items() if TWICE not in fault.reason}
            if isinstance(change, Put):
                other = next((put for put in self._puts.values() if put.entry.id == change.entry.id), None)
                if other:
                    reason = f"{TWICE} {other.path}; give one of them a new id"
                    self._faults[change.path] = Fault(change.path, change.stamp, reason, change.entry.kind)
                else:
                    self._puts[change.path] = change
            elif isinstance(change, Fault):
                self._faults[change.path] = change

    def set_metadata(self, name: str, text: str) -> None:
        self._remarks[name] = text

    def metadata(self, name: str) -> str:
        return self._remarks.get(name, "")

    def faults(self, kind: str = NODE) -> Sequence[tuple[str, str]]:
        return sorted((path, fault.reason) for path, fault in self._faults.items() if fault.kind == kind)

    # ---- for the other parts

    def every_edge(self, kind: str | None) -> Iterator[Edge]:
        for put in self._puts.values():
            for r in put.entry.links:
                if kind in (None, r.kind or put.entry.kind):
                    yield Edge(put.entry.id, r.type, r.target, r.confidence, r.description)

    def _edges_of(self, where: Filter) -> list[Edge]:
        every = self.every_edge(NODE) if where.related_to is not None else ()
        return [edge for edge in every if where.related_to in (edge.source, edge.target)]

    def puts(self, keep: Callable[[Put], bool]) -> list[Put]:
        return sorted(filter(keep, self._puts.values()), key=lambda put: put.entry.id)

    def passes(self, put: Put, where: Filter) -> bool:
        node = put.entry
        related = {edge.source if edge.target == where.related_to else edge.target for edge in self._edges_of(where)}
        return (
            where.kind in (None, node.kind)
            and (not where.kinds or node.kind in where.kinds)
            and where.type in (None, node.type)
            and where.status in (None, node.status)
            and node.confidence >= (where.min_confidence or 0)
            and set(where.tags) <= set(node.tags)
            and (
                not where.references
                or any(_touches(own, requests) for own in node.references for requests in where.references)
            )
            and (where.related_to is None or node.id in related)
            and (where.ids is None or node.id in where.ids)
            and (where.path is None or put.path == where.path or put.path.startswith(f"{where.path}/"))
            and (where.author is None or _named_as(where.author) in map(_named_as, node.authors))
            and _was_said(node, where)
            and _is_for(node, where)
        )


def _was_said(said: Entry, where: Filter) -> bool:
    return (
        (not where.projects or said.project in where.projects)
        and (where.since is None or said.modified >= where.since)
        and (where.until is None or said.created < where.until)
        and where.session in (None, said.session)
        and where.language in (None, said.language)
        and (where.trust is None or said.trust in trusted_as(where.trust))
    )


def _named_as(author: str) -> str:
    return " ".join(author.casefold().split())


def _is_for(memory: Entry, where: Filter) -> bool:
    own = {"org": memory.org, "project": memory.scope_project, "branch": memory.branch}
    return (
        (not where.types or memory.type in where.types)
        and (where.scope is None or all(own[name] == part for name, part in where.scope.set_parts().items()))
        and (where.alive_at is None or memory.expires_at is None or memory.expires_at > where.alive_at)
    )


def _touches(own: str, asked: str) -> bool:
    return own == asked or own.startswith(f"{asked}/") or asked.startswith(f"{own}/")


def source_of(put: Put) -> Source:
    node = put.entry
    return Source(
        id=node.id,
        type=node.type,
        title=node.title,
        status=node.status,
        confidence=node.confidence,
        created=node.created,
        modified=node.modified,
        path=put.path,
        decision_status=node.decision_status,
        session=node.session,
        origin=node.origin,
        kind=node.kind,
        project=node.project,
        language=node.language,
        org=node.org,
        scope_project=node.scope_project,
        branch=node.branch,
        expires_at=node.expires_at,
    )
