"""Searching documents and nodes here and on the team's hub, in one list that names whose each shared one is."""

from __future__ import annotations

from dataclasses import replace

from autology.core.documents.document_filter import DocumentFilter
from autology.core.documents.library import Library
from autology.core.documents.search import EVERYWHERE, PASSAGE, PREVIEW, DocumentHit, DocumentResults, search
from autology.core.team import NO_TEAM, TeamHit, TeamSearch
from autology.text.language.calendar_spans import Clock
from autology.text.redaction import redact

TEAM = "team"
"""The retriever named for a shared hit."""


def search_with_team(
    library: Library,
    query: str,
    limit: int,
    team: TeamSearch | None,
    preview: str = PASSAGE,
    within: DocumentFilter = EVERYWHERE,
) -> DocumentResults:
    """Return the best documents and nodes for *query*, of this project and of all that are shared with the user.

    Raises:
        AutologyError: as :func:`~autology.core.documents.search.search` does; servers that failed are only named.
    """
    own = search(library, query, limit, preview, within)
    if team is None:
        return replace(own, notes=(*own.notes, NO_TEAM))
    where = within.filter(library.files.root, Clock(library.graph.now()))
    shared, notes = team.search(query.strip(), where, limit, library.graph.index.by_ids)
    hits = sorted([*own.hits, *map(_hit, shared)], key=lambda hit: -hit.score)
    return DocumentResults(tuple(hits[:limit]), (*own.notes, *notes))


def _hit(hit: TeamHit) -> DocumentHit:
    passage = redact(hit.passage or hit.text)[0]
    return DocumentHit(hit.source, hit.score, passage[:PREVIEW].strip(), passage, TEAM, whose=hit.whose)
