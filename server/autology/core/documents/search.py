"""Finding documents, and nodes among them: by words, best first, with the passage that answered."""

from __future__ import annotations

from dataclasses import dataclass, field

from autology.core.documents.library import Library
from autology.model.entry import DOCUMENT
from autology.model.errors import AutologyError, SearchError, StorageError, ValidationError
from autology.model.hit import Source
from autology.model.node import NodeStatus
from autology.model.query import Filter, Terms
from autology.ranking import words
from autology.text.redact import redact
from autology.text.tagblock import body_start
from autology.text.tokens import query_terms

LIMIT = 100
QUERY_LIMIT = 10_000
TERMS = 32
"""Words of a question that are looked for: past these more words find nothing more, and cost."""
SUPERSEDED = 0.3
"""What a superseded node's score is multiplied by, as where nodes alone are searched."""
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


@dataclass(frozen=True, slots=True)
class _Ranked:
    source: Source
    score: float
    passage: tuple[int, int] | None
    branch: str


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
    for ranked in _ranked(library, query, limit):
        try:
            passage, start = _texts(library, ranked)
        except AutologyError:
            continue  # removed or broken since it was indexed
        shown = start if preview == START else passage
        hits.append(
            DocumentHit(ranked.source, ranked.score, redact(shown[:PREVIEW])[0].strip(), passage, ranked.branch)
        )
    return Found(tuple(hits), tuple(library.graph.notes))


def _ranked(library: Library, query: str, limit: int) -> list[_Ranked]:
    """Return what answers best, in order; scores in 0-1."""
    index = library.graph.index
    everything = Filter(kind=None)
    terms = Terms(query_terms(query)[:TERMS])
    every = index.words(terms, everything, True, limit)
    enough = len({candidate.source.id for candidate in every}) >= limit or len(terms.terms) == 1
    some = [] if enough else index.words(terms, everything, False, limit)
    found = [
        _Ranked(source, _weighed(source, min(max(score, 0.0), 1.0)), passage, TEXT)
        for source, score, passage in words.fuse(every, some)
    ]
    return sorted(found, key=lambda ranked: -ranked.score)[:limit]


def _weighed(source: Source, score: float) -> float:
    return score * SUPERSEDED if source.status == NodeStatus.SUPERSEDED else score


def _texts(library: Library, ranked: _Ranked) -> tuple[str, str]:
    """Return the passage that answered, and the text from its beginning."""
    if ranked.source.type == DOCUMENT:
        text = library.stored(ranked.source).decoded.text
        start = text[body_start(text) :]
    else:
        text = start = library.graph.stored(ranked.source).node.content
    span = ranked.passage if ranked.passage and ranked.passage[0] is not None else None
    passage = text[slice(*span)] if span else start
    return passage.strip(), start[: PREVIEW * 10].strip()
