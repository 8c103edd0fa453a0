"""Searching documents and nodes, lexically and semantically, here and on the team's hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.adoption import folding
from autology.core.documents.document_filter import DocumentFilter
from autology.core.documents.library import Library
from autology.core.hybrid_search import degraded, rank
from autology.core.likelihood import NO_VERDICT, IndexedQuestion, Passage, Verdict
from autology.core.nodes.search import unread
from autology.core.team import NO_TEAM, TeamHit, TeamSearch
from autology.model.argument_limits import PASSAGE, PREVIEWS, RESULTS
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import AutologyError, SearchError, StorageError, ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.query import Filter
from autology.ranking.answer_cut import LEAST
from autology.ranking.evidence import FAR_RECORDED, RECORDED, Match
from autology.ranking.fold_same_texts import folded
from autology.ranking.fusion import MIN_COSINE, Ranked
from autology.ranking.penalties import standing
from autology.text.documents.reading import body_start
from autology.text.language.calendar_spans import Clock
from autology.text.markdown import tag_block
from autology.text.redaction import redact, secrets_in, without

QUERY_LIMIT = 10_000
SPARE = 5
"""Extra hits fetched, because some may be folded into others."""
PREVIEW = 200
"""Maximum characters of a preview."""
EVERYWHERE = DocumentFilter()
START_SHOWN = 10 * PREVIEW
"""Characters of a document's start from which its preview is taken: it may begin with empty lines."""
AROUND = 20_000
"""Characters around a shown text that are searched for secrets that reach into it: a private key has 3,000. All of a
document of 3 MB takes 0.4 s."""
WEAK = 0.5
"""Share of the best score below which a hit is weak: of the 50 hits in the first ten that answer 54 questions about
eleven public projects, one is below it (0.33), and the next has 0.55; of all hits in the first ten, a quarter is."""
TEXT, VECTOR, BOTH, TEAM = "text", "vector", "both", "team"
"""The retriever of a hit: lexical, semantic, both, or a team's server."""


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document or node that answers, with its score (0-1), the matching text, and the retriever that found it.

    The score is the fused relevance, or the cosine if no word matched; *explain* lists its parts. *likelihood* is how
    likely it answers (0-1). *also* are further sources with nearly the same text; *whose* is the origin, "" for this
    project.
    """

    source: Source
    score: float
    preview: str
    passage: str
    branch: str = TEXT
    explain: Mapping[str, float] = field(default_factory=dict)
    also: tuple[Source, ...] = ()
    whose: str = ""
    likelihood: float = 0.0


@dataclass(frozen=True, slots=True)
class DocumentResults:
    """The hits, best first, notes on what was degraded, and whether one answers."""

    hits: tuple[DocumentHit, ...]
    notes: tuple[str, ...] = field(default=())
    verdict: Verdict = NO_VERDICT


def search(
    library: Library, query: str, limit: int = 20, preview: str = PASSAGE, within: DocumentFilter = EVERYWHERE
) -> DocumentResults:
    """Return the documents and nodes that best answer *query*.

    If the index cannot be updated, as on a full disk, the query is answered from its current contents.

    Raises:
        ValidationError: the query, the limit, the kind of preview or what it is narrowed to does not fit.
        SearchError: the index cannot be used.
    """
    query = _checked(query, limit, preview)
    where = within.filter(library.files.root, Clock(library.graph.now()))
    try:
        return library.read_current(lambda: _search(library, query, where, limit, preview))
    except StorageError as error:
        results = _as_it_is(library, query, where, limit, preview)
        if not results.hits:
            raise SearchError(f"{error.path}: {error.reason}", Sentence(do(Action.DOCTOR), " tells more.")) from None
        behind = f"the index may be behind the files: {error.reason}"
        return replace(results, notes=(*results.notes, behind))


def search_with_team(
    library: Library,
    query: str,
    limit: int,
    team: TeamSearch | None,
    preview: str = PASSAGE,
    within: DocumentFilter = EVERYWHERE,
) -> DocumentResults:
    """Return the best documents and nodes for *query*, from this project and those shared with the user.

    Raises:
        AutologyError: as :func:`search` does; servers that failed are only named.
    """
    own = search(library, query, limit, preview, within)
    if team is None:
        return replace(own, notes=(*own.notes, NO_TEAM))
    where = within.filter(library.files.root, Clock(library.graph.now()))
    shared, notes = team.search(query.strip(), where, limit, library.graph.index.by_ids)
    subject = IndexedQuestion(library.graph.index, query.strip())
    theirs = list(map(_team_hit, shared))
    matches = subject.matches([_as_passage(hit) for hit in theirs])
    theirs = [replace(hit, likelihood=match.likelihood) for hit, match in zip(theirs, matches, strict=True)]
    hits = sorted([*own.hits, *theirs], key=lambda hit: -hit.score)
    return DocumentResults(tuple(hits[:limit]), (*own.notes, *notes), own.verdict.beside(subject, matches))


def strong(results: DocumentResults) -> Sequence[DocumentHit]:
    """Return the hits, best first, without those that are much weaker than the best one; none if none answers."""
    hits = results.hits
    return results.verdict.shown(
        [hit for hit in hits if hit.score >= WEAK * hits[0].score and (hit.likelihood >= LEAST or hit is hits[0])]
    )


def _team_hit(hit: TeamHit) -> DocumentHit:
    passage = redact(hit.passage or hit.text)[0]
    return DocumentHit(hit.source, hit.score, passage[:PREVIEW].strip(), passage, TEAM, whose=hit.whose)


def _as_it_is(library: Library, query: str, where: Filter, limit: int, preview: str) -> DocumentResults:
    """Search the current contents of the index; return nothing if it cannot be read."""
    try:
        with library.graph.index.keep_open():
            return _search(library, query, where, limit, preview)
    except StorageError:
        return DocumentResults(())


def _checked(query: str, limit: int, preview: str) -> str:
    if not query.strip():
        raise ValidationError("query", "is empty", "Ask with the words that matter.")
    if len(query) > QUERY_LIMIT:
        raise ValidationError("query", f"has {len(query):,} characters", "Ask with the words that matter.")
    if not 1 <= limit <= RESULTS:
        raise ValidationError("limit", f"{limit} is outside 1-{RESULTS}", f"Give a number from 1 to {RESULTS}.")
    if preview not in PREVIEWS:
        raise ValidationError("preview", f"'{preview[:40]}' is none", f"Use one of: {', '.join(PREVIEWS)}.")
    return query.strip()


def _search(library: Library, query: str, where: Filter, limit: int, preview: str) -> DocumentResults:
    hits = []
    subject = IndexedQuestion(library.graph.index, query)
    for ranked in rank(library.graph.index, subject.query, where, limit + SPARE):
        try:
            passage, shown = _texts(library, ranked, preview)
        except AutologyError:
            continue  # removed or broken since it was indexed
        explain = {name: round(part, 4) for name, part in ranked.parts.items()}
        hit = DocumentHit(ranked.source, ranked.score, shown[:PREVIEW].strip(), passage, _branch(ranked), explain)
        hits.append(hit)
    graph = library.graph
    hits = _folded(hits)[:limit]
    matches = subject.matches([_as_passage(hit) for hit in hits])
    return DocumentResults(
        tuple(replace(hit, likelihood=_likelihood(hit, match)) for hit, match in zip(hits, matches, strict=True)),
        (*graph.notes, *unread(graph, (NODE, DOCUMENT)), *degraded(graph.index)),
        subject.verdict(matches, where, RECORDED, FAR_RECORDED),
    )


def _as_passage(hit: DocumentHit) -> Passage:
    return Passage(hit.source.id, hit.source.title, hit.passage)


def _likelihood(hit: DocumentHit, match: Match) -> float:
    return round(match.likelihood * standing(hit.source.status), 4)


def _folded(hits: Sequence[DocumentHit]) -> list[DocumentHit]:
    """Return *hits*, with near-duplicates and imported copies of a record listed under the better one."""
    others: dict[int, list[Source]] = {}
    better = folded([hit.passage for hit in hits])
    for copy, record in folding.folded([hit.source for hit in hits]).items():
        if better[copy] is None:
            first = record if (further := better[record]) is None else further
            better = [first if at == copy or one == copy else one for at, one in enumerate(better)]
    for hit, at in zip(hits, better, strict=True):
        if at is not None:
            others.setdefault(at, []).append(hit.source)
    return [replace(hit, also=tuple(others.get(at, ()))) for at, hit in enumerate(hits) if better[at] is None]


def _branch(hit: Ranked) -> str:
    """Return which retrievers found *hit*; hits reached by links are semantically near, too."""
    if not hit.parts.keys() - {"meaning", "links", "superseded", "localised", "age", "confidence"}:
        return VECTOR
    return BOTH if hit.near >= MIN_COSINE else TEXT


def _texts(library: Library, ranked: Ranked, preview: str) -> tuple[str, str]:
    """Return the matching passage and the text for the *preview*, both redacted."""
    if ranked.source.kind == DOCUMENT:
        text = library.stored(ranked.source).entry.text
        began = body_start(text, ranked.source.path)
    else:
        text, began = library.graph.stored(ranked.source).entry.content, 0
    passage = _clean(text, *(ranked.passage or (began, min(began + AROUND, len(text)))))
    # A matching passage is shown without tag blocks, a document's start unchanged.
    text_shown = tag_block.left_out(passage).strip() or passage.strip()
    if preview == PASSAGE:
        return text_shown, text_shown
    shown = _clean(text, began, min(began + START_SHOWN, len(text))) if ranked.passage else passage
    return text_shown, shown.strip()


def _clean(text: str, start: int, stop: int) -> str:
    """Return that part of *text* redacted, including secrets that reach into it from outside."""
    first = max(0, start - AROUND)
    around = text[first : stop + AROUND]
    secrets = secrets_in(around)
    return without(around, secrets, start - first, stop - first) if secrets else text[start:stop]
