"""Finding documents, and nodes among them: by words and by meaning, best first, with the passage that answered."""

from __future__ import annotations

from dataclasses import dataclass, field

from autology.core.documents.library import Library
from autology.core.rank import rank
from autology.model.entry import DOCUMENT
from autology.model.errors import AutologyError, SearchError, StorageError, ValidationError
from autology.model.hit import Source
from autology.model.query import Filter
from autology.ranking.fuse import Ranked
from autology.text.redact import secrets_in, without
from autology.text.tagblock import body_start

LIMIT = 100
QUERY_LIMIT = 10_000
PREVIEW = 200
"""Characters of a preview."""
PASSAGE, START = "passage", "start"
PREVIEWS = (PASSAGE, START)
TEXT, VECTOR, BOTH = "text", "vector", "both"


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document or node that answers: how well (0-1), the text that does, and which branch found it."""

    source: Source
    score: float
    preview: str
    passage: str
    branch: str = TEXT


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first, and what was degraded while looking."""

    hits: tuple[DocumentHit, ...]
    notes: tuple[str, ...] = field(default=())


def search(library: Library, query: str, limit: int = 20, preview: str = PASSAGE) -> Found:
    """Return the documents and nodes that best answer *query*.

    Raises:
        ValidationError: the query, the limit or the kind of preview does not fit.
        SearchError: the index cannot be used.
    """
    asked = _checked(query, limit, preview)
    try:
        return library.asked(lambda: _search(library, asked, limit, preview))
    except StorageError as error:
        raise SearchError(f"{error.path}: {error.reason}. `autology doctor` tells more.") from None


def _checked(query: str, limit: int, preview: str) -> str:
    if not query.strip():
        raise ValidationError("query", "is empty", "Ask with the words that matter.")
    if len(query) > QUERY_LIMIT:
        raise ValidationError("query", f"has {len(query):,} characters", "Ask with the words that matter.")
    if not 1 <= limit <= LIMIT:
        raise ValidationError("limit", f"{limit} is outside 1-{LIMIT}", f"Give a number from 1 to {LIMIT}.")
    if preview not in PREVIEWS:
        raise ValidationError("preview", f"'{preview[:40]}' is none", f"Use one of: {', '.join(PREVIEWS)}.")
    return query.strip()


def _search(library: Library, query: str, limit: int, preview: str) -> Found:
    hits = []
    for ranked in rank(library.graph.index, query, Filter(kind=None), limit):
        try:
            passage, start = _texts(library, ranked)
        except AutologyError:
            continue  # removed or broken since it was indexed
        shown = start if preview == START else passage
        hits.append(
            DocumentHit(ranked.source, ranked.score, shown[:PREVIEW].strip(), passage, _branch(ranked))
        )
    return Found(tuple(hits), tuple(library.graph.notes))


def _branch(hit: Ranked) -> str:
    """Which of the engine's legs found *hit*."""
    by_words = any(part for name, part in hit.parts.items() if name not in ("meaning", "superseded"))
    if "meaning" not in hit.parts:
        return TEXT
    return BOTH if by_words else VECTOR


def _texts(library: Library, ranked: Ranked) -> tuple[str, str]:
    """Return the passage that answered, and the text from its beginning, both without secrets."""
    if ranked.source.type == DOCUMENT:
        text = library.stored(ranked.source).decoded.text
        start = text[body_start(text) :]
    else:
        text = start = library.graph.stored(ranked.source).node.content
    span = ranked.passage if ranked.passage and ranked.passage[0] is not None else None
    if found := secrets_in(text):
        began = len(text) - len(start)
        start = without(text, found, began)
        passage = without(text, found, *span) if span else start
    else:
        passage = text[slice(*span)] if span else start
    return passage.strip(), start[: PREVIEW * 10].strip()
