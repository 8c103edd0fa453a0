"""Snapshots of what the project contains, and the events that lead from one to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autology.core.content.files import Stamp
from autology.core.conversations import past_sessions
from autology.core.index.catalogue import Edge
from autology.model.hit import Source
from autology.model.node import TITLE_LIMIT, Node, RelationType
from autology.model.query import Filter
from autology.text.redaction import redact
from autology.text.sanitising import clean_line
from autology.wire.project import Project

Json = dict[str, Any]
Link = tuple[str, str, str]

RELATIONS = frozenset(RelationType)
CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes by id, the stamps of their files by path, and the relations between them."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    links: frozenset[Link] = frozenset()


def notes_of(project: Project) -> Notes:
    """Return the notes as the index has them."""
    index = project.graph.index
    sources = {source.id: source for source in index.listed(Filter(), -1, "")}
    links = frozenset(_link(edge) for edge in index.edges() if edge.type in RELATIONS)
    return Notes(sources, dict(index.stamps()), links)


def memories_of(project: Project) -> Mapping[str, Source]:
    """Return the memories by id, as the index has them."""
    return {source.id: source for source in project.memories.sources()}


def sessions_of(project: Project) -> Mapping[str, Json]:
    """Return the latest sessions of the project by id, as the index has them."""
    latest = past_sessions.sessions(project.conversations, *project.names)
    return {one.id: {"question": one.question, "passages": one.passages, "ended": one.ended} for one in latest}


def note_events(before: Notes, after: Notes) -> Iterator[Json]:
    """Yield an event for each note that was created, deleted or changed, and for each relation added or removed.

    A file that changed only by a relation that it holds is not reported as changed.
    """
    created = after.sources.keys() - before.sources.keys()
    deleted = before.sources.keys() - after.sources.keys()
    for id in sorted(created):
        yield {**_note("created", after.sources[id]), "undo": {"call": "delete", "arguments": {"id": id}}}
    for id in sorted(deleted):
        yield {**_note("deleted", before.sources[id]), "undo": {"call": "restore", "arguments": {"id": id}}}
    new, gone = created | deleted, before.links ^ after.links
    between = [link for link in sorted(gone) if not {link[0], link[2]} & new]
    for link in between:
        yield _relation(link, link in after.links, after.sources)
    linked = {end for source, _, target in gone for end in (source, target)}
    for id in sorted(after.sources.keys() & before.sources.keys()):
        was, now = before.sources[id], after.sources[id]
        same_file = was.path == now.path and before.stamps.get(was.path) == after.stamps.get(now.path)
        if not same_file and (id not in linked or (was.title, was.status) != (now.title, now.status)):
            yield _note("changed", now)


def memory_events(before: Mapping[str, Source], after: Mapping[str, Source]) -> Iterator[Json]:
    """Yield an event for each memory that was stored or removed."""
    for id in sorted(after.keys() - before.keys()):
        yield _note("remembered", after[id])
    for id in sorted(before.keys() - after.keys()):
        yield _note("forgotten", before[id])


def session_events(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Json]:
    """Yield an event for each session that began or went on."""
    for id, session in after.items():
        if id not in before:
            yield {"kind": "session", "id": id, "title": clean_line(session["question"], 200)}
        elif before[id] != session:
            yield {"kind": "continued", "id": id, "title": clean_line(session["question"], 200), "quiet": True}


def _link(edge: Edge) -> Link:
    return (edge.source, edge.type, edge.target)


def _note(kind: str, source: Source) -> Json:
    event = {"kind": kind, "id": source.id, "title": title_of(source), "type": source.type}
    return {**event, "by": CLAUDE} if source.session and kind in ("created", "remembered") else event


def _relation(link: Link, is_added: bool, sources: Mapping[str, Source]) -> Json:
    source, type, target = link
    call = "unrelate" if is_added else "relate"
    return {
        "kind": "linked" if is_added else "unlinked",
        "id": source,
        "title": title_of(sources[source]) if source in sources else source,
        "relation": type,
        "target": target,
        "target_title": title_of(sources[target]) if target in sources else target,
        "undo": {"call": call, "arguments": {"source": source, "target": target, "type": type}},
    }


def title_of(source: Source | Node) -> str:
    """Return a title that can be shown."""
    return clean_line(redact(source.title)[0], TITLE_LIMIT)
