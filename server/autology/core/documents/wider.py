"""Finding documents and nodes here and in what the team shares: one list, each of theirs with whose it is."""

from __future__ import annotations

from dataclasses import replace

from autology.core.documents.library import Library
from autology.core.documents.search import EVERYWHERE, PASSAGE, PREVIEW, DocumentHit, Found, search
from autology.core.documents.within import Within
from autology.core.wider import NO_TEAM, Wider
from autology.core.wider import Found as Theirs
from autology.text.redact import redact
from autology.text.spans import Clock

TEAM = "team"
"""What found a hit of theirs."""


def search_wider(
    library: Library,
    query: str,
    limit: int,
    team: Wider | None,
    preview: str = PASSAGE,
    within: Within = EVERYWHERE,
) -> Found:
    """Return the documents and nodes that best answer *query*, of this project and of all that are open to the user.

    Raises:
        AutologyError: as :func:`~autology.core.documents.search.search` does; a server that is away is only named.
    """
    own = search(library, query, limit, preview, within)
    if team is None:
        return replace(own, notes=(*own.notes, NO_TEAM))
    where = within.filter(library.files.root, Clock(library.graph.now()))
    found, notes = team.search(query.strip(), where, limit, library.graph.index.by_ids)
    hits = sorted([*own.hits, *map(_hit, found)], key=lambda hit: -hit.score)
    return Found(tuple(hits[:limit]), (*own.notes, *notes))


def _hit(found: Theirs) -> DocumentHit:
    passage = redact(found.passage or found.text)[0]
    return DocumentHit(found.source, found.score, passage[:PREVIEW].strip(), passage, TEAM, whose=found.whose)
