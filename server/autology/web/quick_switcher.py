"""Calls: everything in the project by its title, for the quick switcher."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from autology.core.conversations import past_sessions
from autology.core.index.namesakes import namesakes
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import AutologyError
from autology.model.hit import Source
from autology.model.query import Filter
from autology.text.sanitising import clean_line
from autology.web.project import PageProject
from autology.web.snapshot import title_of

Json = dict[str, Any]

ITEMS = 30
"""Maximum items offered."""
LONGEST = 200
"""Maximum characters of a title that is typed."""


def jump(project: PageProject, text: str = "") -> Json:
    """Return notes, documents, memories and conversations whose title contains every word of *text*.

    Without words, the notes that changed last.
    """
    words = text[:LONGEST].casefold().split()
    matching = (item for item in _items(project, bool(words)) if _contains(item["title"], words))
    return {"items": list(islice(matching, ITEMS))}


def _items(project: PageProject, is_search: bool) -> Iterator[Json]:
    project.graph.catch_up()
    index = project.graph.index
    kinds = [(NODE, "note"), (DOCUMENT, "document")] if is_search else [(NODE, "note")]
    for kind, name in kinds:
        sources = sorted(index.listed(Filter(kind=kind), -1, ""), key=_modified, reverse=True)
        marks = namesakes(sources)
        yield from (_item(source, name, marks.get(source.id, "")) for source in sources)
    if not is_search:
        return
    yield from (_item(source, "memory") for source in sorted(project.memories.sources(), key=_modified, reverse=True))
    try:
        sessions = past_sessions.sessions(project.conversations, *project.names)
    except AutologyError:  # the view of conversations reports it
        return
    for session in sessions:
        yield {"id": session.id, "title": clean_line(session.question, LONGEST), "kind": "conversation"}


def _item(source: Source, kind: str, mark: str = "") -> Json:
    item = {"id": source.id, "title": title_of(source), "kind": kind, "type": source.type}
    return {**item, "mark": mark} if mark else item


def _contains(title: str, words: list[str]) -> bool:
    folded = title.casefold()
    return all(word in folded for word in words)


def _modified(source: Source) -> str:
    return source.modified
