"""Recalling discussions: lexical and semantic, filtered before the cut, relevance before recency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from autology.core.hybrid_search import degraded as less_than_whole
from autology.core.hybrid_search import rank
from autology.core.likelihood import NEAREST, NO_VERDICT, IndexedQuestion, IndexedQuestions, Passage, Verdict
from autology.core.recall.amendment import Amendment, Weighed, evidence, of_chunk, weighed
from autology.core.recall.calling_project import calling_project
from autology.core.recall.conversation_results import (
    Judged,
    Recalled,
    Recollection,
    extent,
    in_order,
    once,
    surrounded,
)
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.request import ParsedRequest, RecallRequest, parsed
from autology.core.recall.summary import summary
from autology.core.recall.tool_output_weight import trusted
from autology.core.team import NO_TEAM
from autology.model.conversation import TOOL, Chunk, ChunkKind
from autology.model.next_step import Action, NextStep, Sentence, do
from autology.model.query import Filter
from autology.ranking.amendments import APART
from autology.ranking.answer_cut import TALK, answering
from autology.ranking.coverage import FederatedHit, SessionPassage, relevances
from autology.ranking.evidence import JUDGED, ordering
from autology.ranking.time_nearness import is_near, raised
from autology.text.conversation.chunks import heading, searched, without_edits
from autology.text.language.calendar_spans import Clock, Span
from autology.text.language.time_expressions import event_times
from autology.text.language.timestamps import moment
from autology.text.source_code.languages import named

POOL = 100
"""Chunks considered for one answer; more do not change its first 50."""
LISTED = 0.5
"""The relevance of everything in a list by time or project, without a query."""
MUCH_LESS = 0.5
"""The share of the likeliest hit's likelihood below which another comes after it, however relevant.

With 0.65, the right session is among the first three for two fewer of the 66 prompts of tests/labelled/prompts5 (open
half); without, a passage that only shares the question's little words comes first.
"""
NOTHING = Sentence("no past sessions are indexed; ", do(Action.ARCHIVE, status=True), " shows what the client has")


def recall(search: ConversationSearch, request: RecallRequest, tool: str) -> Recalled:
    """Return the discussions that best answer *request*, made through *tool*. Raises ValidationError."""
    return search.answer(tool, request.query, request.filters, lambda notes: _recall(search, request, notes))


def code(
    search: ConversationSearch, query: str, language: str | None, context: bool, limit: int, tool: str
) -> Recalled:
    """Return the code that best answers *query*, with the surrounding talk if *context*. Raises ValidationError."""
    language = named(language) if language else None
    request = RecallRequest(query, type=ChunkKind.CODE.value, language=language, limit=limit)
    filters = {**request.filters, "context": context}
    return search.answer(
        tool, query, filters, lambda notes: _recall(search, request, notes, context, Action.SEARCH_CODE_HISTORY)
    )


def _recall(
    search: ConversationSearch,
    request: RecallRequest,
    notes: Sequence[str],
    context: bool = True,
    action: Action = Action.RECALL,
) -> Recalled:
    """Return what answers *request*, which *action* searches for."""
    with search.index.keep_open():
        question = parsed(request, search.now(), search.index.projects, search.in_sight())
        questions = IndexedQuestions()
        subject = questions.of(search.index, question.words) if question.words else None
        question, ranked = answered(search, question, questions)
        judged, verdict = _judged(search, question, subject, ranked[: max(JUDGED, request.limit)])
        listed = min(len(judged), request.limit)
        statements = [of_chunk(hit.chunk, hit.relevance) for hit in judged]
        at_first = question.asks_for_the_first_state
        changes = weighed(statements, search.index, question.where, at_first)
        judged = _in_force(judged, changes)
        hits = judged
        if request.only_answers and subject:
            hits = _with_amending(verdict.shown(_answering(question.words, judged, changes.amended)), judged, changes)
        others = [] if hits else judged[:NEAREST]
        shown, nearest = (
            tuple(
                replace(
                    surrounded(search.index, hit.chunk, hit.likelihood, question.words, context),
                    amended=changes.amended.get(hit.chunk.id),
                )
                for hit in in_order(some, at_first, changes.replacing if subject else None)
            )
            for some in (hits[: request.limit], others)
        )
    shared, failures = peers(search, request, question)
    if subject and shared:
        matches = subject.matches([as_passage(result.chunk) for result in shared])
        shared = [
            replace(result, relevance=round(match.likelihood, 4)) for result, match in zip(shared, matches, strict=True)
        ]
        verdict = verdict.beside(subject, matches)
    total = len(hits if request.only_answers and subject else ranked) + len(shared)
    shown = _with_shared(shown, shared, request.limit)
    messages = (*question.notes, *notes, *degraded(search, question), *failures)
    suggestions = () if shown or nearest else widened(search, question, action)
    recalled = answer(request.query.strip(), shown, total, search, messages, suggestions, verdict, nearest)
    return replace(recalled, left_out=max(0, listed - len(hits)))


def _judged(
    search: ConversationSearch,
    question: ParsedRequest,
    subject: IndexedQuestion | None,
    ranked: Sequence[tuple[Chunk, float]],
) -> tuple[list[Judged], Verdict]:
    """Return *ranked* with how likely they answer, and whether one does."""
    if subject is None:
        return [Judged(chunk, relevance, relevance) for chunk, relevance in ranked], NO_VERDICT
    here = calling_project(search, question)
    matches = [
        here.match(match, chunk, subject)
        for match, (chunk, _) in zip(subject.matches([as_passage(chunk) for chunk, _ in ranked]), ranked, strict=True)
    ]
    judged = [
        Judged(chunk, ordering(relevance, match.likelihood), round(match.likelihood, 4))
        for (chunk, relevance), match in zip(ranked, matches, strict=True)
    ]
    return _likeliest_ahead(judged), subject.verdict(matches, question.where)


def _likeliest_ahead(judged: Sequence[Judged]) -> list[Judged]:
    """Return *judged* with those that are much less likely to answer than the likeliest one behind it."""
    if not judged:
        return []
    likeliest = max(judged, key=lambda hit: (hit.likelihood, hit.relevance))
    most = max(0.0, likeliest.relevance - APART)
    return [
        replace(hit, relevance=min(hit.relevance, most)) if hit.likelihood < MUCH_LESS * likeliest.likelihood else hit
        for hit in judged
    ]


def as_passage(chunk: Chunk) -> Passage:
    """Return *chunk* as it is judged: a tool's output by its own words, not by the question that it followed."""
    return Passage(chunk.id, "" if chunk.trust == TOOL else f"{heading(chunk)}\n{chunk.path or ''}", chunk.text)


def _in_force(judged: Sequence[Judged], changes: Weighed) -> list[Judged]:
    """Return *judged* in the order of what holds now; what amends a hit answers as likely as that."""
    likelihoods = {hit.chunk.id: hit.likelihood for hit in judged}
    for id, amendment in changes.amended.items():
        likelihoods[amendment.id] = max(likelihoods.get(amendment.id, 0.0), likelihoods[id])
    chunks = [*((hit.chunk, hit.relevance) for hit in judged), *((chunk, 0.0) for chunk in changes.looked_up)]
    hits = [
        Judged(chunk, changes.relevances.get(chunk.id, relevance), likelihoods.get(chunk.id, 0.0))
        for chunk, relevance in chunks
    ]
    return sorted(hits, key=lambda hit: -hit.relevance)


def _with_amending(shown: Sequence[Judged], judged: Sequence[Judged], changes: Weighed) -> list[Judged]:
    """Return those of *judged* that are *shown*, with what amends them: that holds now."""
    ids = {hit.chunk.id for hit in shown}
    ids |= {changes.amended[id].id for id in ids if id in changes.amended}
    return [hit for hit in judged if hit.chunk.id in ids]


def _answering(words: str, judged: Sequence[Judged], amended: Mapping[str, Amendment]) -> list[Judged]:
    chunks = [hit.chunk for hit in judged]
    texts = evidence({chunk.id: searched(heading(chunk), chunk.path, chunk.text) for chunk in chunks}, amended)
    hits = [FederatedHit(hit.relevance, texts[hit.chunk.id]) for hit in judged]
    return answering(words, hits, judged, TALK, [hit.likelihood for hit in judged])


def answer(
    query: str,
    shown: tuple[Recollection, ...],
    total: int,
    search: ConversationSearch,
    notes: Sequence[str],
    suggestions: Sequence[NextStep] = (),
    verdict: Verdict = NO_VERDICT,
    nearest: tuple[Recollection, ...] = (),
) -> Recalled:
    """Return *shown* as a recollection with its summary."""
    oldest, newest = extent(shown)
    if not total and not search.index.projects():
        notes = (*notes, NOTHING)
    return Recalled(
        query,
        shown,
        summary(query, shown, total, search.now().now, verdict),
        total,
        dict(Counter(result.source for result in shown)),
        oldest,
        newest,
        tuple(dict.fromkeys(notes)),
        tuple(suggestions),
        verdict=verdict,
        nearest=nearest,
    )


def answered(
    search: ConversationSearch, question: ParsedRequest, questions: IndexedQuestions, weigh: bool = True
) -> tuple[ParsedRequest, list[tuple[Chunk, float]]]:
    """Return the candidates for *question*, and the question that they answer: without its time if none is from then.

    *weigh* is as for :func:`candidates`.
    """
    ranked = candidates(search, question, questions, weigh)
    if question.timeless is None or question.is_spoken_of(chunk.text for chunk, _ in ranked):
        return question, ranked
    return question.timeless, candidates(search, question.timeless, questions, weigh)


def candidates(
    search: ConversationSearch, question: ParsedRequest, questions: IndexedQuestions, weigh: bool = True
) -> list[tuple[Chunk, float]]:
    """Return the chunks that answer *question*, each with its relevance, best first, duplicates folded.

    Their author counts too, unless *weigh* is false: an error is recognised by a tool's output.
    """
    if not question.possible:
        return []
    if not question.words:
        sources = search.index.listed(question.where, POOL, "")
        return once((chunk, LISTED) for chunk in search.index.chunks([source.id for source in sources]).values())
    ranked = rank(search.index, questions.of(search.index, question.words).query, question.where, POOL)
    chunks = search.index.chunks([hit.source.id for hit in ranked])
    weighted = [(chunks[hit.source.id], hit.score) for hit in ranked if hit.source.id in chunks]
    passages = [SessionPassage(score, without_edits(chunk.text), chunk.session) for chunk, score in weighted]
    relevant = relevances(question.words, passages)
    if question.times:
        stamps = [chunk.at for chunk, _ in weighted]
        relevant = raised(relevant, stamps, times_of_event(question, stamps))
    here = calling_project(search, question)
    return once(
        (
            chunk,
            round(here.relevance(trusted(relevance, chunk, question.words), chunk) if weigh else relevance, 4),
        )
        for (chunk, _), relevance in zip(weighted, relevant, strict=True)
    )


def times_of_event(question: ParsedRequest, stamps: Sequence[str]) -> Sequence[Span]:
    """Return the times of which *question* asks what happened then, among passages said at *stamps* ("" if unknown).

    If none of them is from near those times, "in June" and "last week" are as of the last of them: the talk about it
    may have ended years ago.
    """
    if is_near(stamps, question.times) or not any(stamps):
        return question.times
    return event_times(question.request.query, Clock(moment(max(stamps))))


def degraded(search: ConversationSearch, question: ParsedRequest) -> list[str]:
    """Return what degraded the search."""
    if not question.words:
        return []
    notes = list(less_than_whole(search.index, question.where.kind))
    if behind := search.index.unencoded():
        notes.append(f"{behind:,} passages are only found lexically so far; they are encoded automatically")
    return notes


def peers(
    search: ConversationSearch, request: RecallRequest, question: ParsedRequest
) -> tuple[list[Recollection], list[str]]:
    """Return the team's shared answers, if requested, and messages about servers that failed."""
    if not request.include_peers:
        return [], []
    if search.team is None:
        return [], [NO_TEAM]
    if not question.possible:  # a project unknown here may be known to others by its identity
        return [], []
    in_sight = question.where.in_sight
    shared, failures = search.team.recall(question.words, replace(question.where, in_sight=None), request.limit)
    return [result for result in shared if in_sight is None or result.chunk.session != in_sight.session], failures


def _with_shared(own: Sequence[Recollection], shared: Sequence[Recollection], limit: int) -> tuple[Recollection, ...]:
    """Return both together, more relevant first; the user's own shared passages count as local."""
    mine = {result.chunk.id for result in own}
    every = [*own, *(result for result in shared if result.chunk.id not in mine)]
    return tuple(sorted(every, key=lambda result: -result.relevance)[:limit]) if shared else tuple(own)


def widened(search: ConversationSearch, question: ParsedRequest, action: Action) -> list[NextStep]:
    """Return a search with fewer filters that finds something, as *question*, a search by *action*, did not."""
    if not question.words:
        return []
    in_sight = question.where.in_sight
    kinds = {action: ChunkKind.CODE.value if action is Action.SEARCH_CODE_HISTORY else None, Action.RECALL: None}
    for wider, kind in kinds.items():
        where = Filter(kind=kind, in_sight=in_sight)
        if where != question.where and rank(search.index, question.words, where, 1):
            return [do(wider, query=question.words)]
    return []
