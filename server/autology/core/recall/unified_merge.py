"""Merging the candidates of a unified search into one list: comparable scores, best first, duplicates folded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice

from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.documents.library import Library
from autology.core.likelihood import IndexedQuestions, Passage, Verdict
from autology.core.recall.amendment import Statement, evidence, of_chunk, weighed
from autology.core.recall.calling_project import calling_project
from autology.core.recall.conversation_results import in_time
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.discussions import as_passage
from autology.core.recall.request import ParsedRequest
from autology.core.recall.unified_answer import DOCUMENTS, KNOWLEDGE, MEMORIES, UnifiedResult
from autology.core.recall.unified_candidates import of_conversation
from autology.model.conversation import TOOL
from autology.model.entry import CODE, CONVERSATION, DECISION
from autology.model.errors import StorageError
from autology.model.query import Filter
from autology.ranking.answer_cut import TALK, answering
from autology.ranking.code_intent import DEFAULT_CONFIDENCE, Aim, Intent
from autology.ranking.coverage import FederatedHit, comparable
from autology.ranking.evidence import FAR_RECORDED, FAR_SAID
from autology.ranking.fold_same_texts import folded
from autology.text.conversation.chunks import heading, searched

LEAST = 0.02
"""The relevance below which a hit only shares a common word with the question."""
SECOND = 0.75
"""The factor for a hit of another sort than requested (bench/unified, training: 0.6 to 0.75 are equal, 0.85 ranks a
component above the code that it names; held out, all are equal)."""
_REQUESTED: Mapping[Aim, tuple[str, ...]] = {
    Aim.FIND_CODE: (CODE,),
    Aim.RECALL_DISCUSSION: (CONVERSATION, DECISION),
    Aim.TRACE_DEPENDENCIES: (CODE, KNOWLEDGE),
    Aim.UNDERSTAND_STRUCTURE: (KNOWLEDGE, DOCUMENTS),
}
_GROUPS = (CONVERSATION, CODE, DECISION, KNOWLEDGE, DOCUMENTS, MEMORIES)


def rescored(results: Sequence[UnifiedResult], query: str, intent: Intent) -> list[UnifiedResult]:
    """Return *results* with scores that are comparable across sources, without those that hardly answer."""
    scores = comparable(query, [FederatedHit(result.relevance, _matched_text(result)) for result in results])
    scored = [
        replace(result, relevance=round(score * _intent_factor(result, intent), 4))
        for result, score in zip(results, scores, strict=True)
    ]
    return [result for result in scored if result.relevance >= LEAST]


def judged(
    conversations: ConversationSearch,
    library: Library,
    question: ParsedRequest,
    results: Sequence[UnifiedResult],
    questions: IndexedQuestions,
) -> tuple[dict[str, float], Verdict]:
    """Return how likely each of *results* answers, by its id, and whether one does."""
    here = calling_project(conversations, question)
    likelihoods: dict[str, float] = {}
    verdicts: list[Verdict] = []
    talk = [result for result in results if result.chunk]
    others = [result for result in results if not result.chunk]
    within = Filter(kind=None, since=question.where.since, until=question.where.until)
    for index, where, of_index, far in (
        (conversations.index, question.where, talk, FAR_SAID),
        (library.graph.index, within, others, FAR_RECORDED),
    ):
        try:
            subject = questions.of(index, question.words)
            matches = [
                here.match(match, result.chunk, subject) if result.chunk else match
                for match, result in zip(
                    subject.matches([_passage(result) for result in of_index]), of_index, strict=True
                )
            ]
            verdicts.append(subject.verdict(matches, where, far=far))
        except StorageError:
            continue  # the answer says so
        for result, match in zip(of_index, matches, strict=True):
            likelihoods[result.id] = round(match.likelihood * result.standing, 4)
    absent = [verdict.absent for verdict in verdicts]
    common = tuple(word for word in absent[0] if all(word in words for words in absent[1:])) if absent else ()
    is_answered = any(verdict.is_answered for verdict in verdicts) or not verdicts
    is_near = any(verdict.is_near for verdict in verdicts)
    return likelihoods, Verdict(is_answered, common, is_near)


def _passage(result: UnifiedResult) -> Passage:
    return as_passage(result.chunk) if result.chunk else Passage(result.id, result.beside or result.title, result.text)


def in_force(
    results: Sequence[UnifiedResult], index: ConversationIndex | None, where: Filter, at_first: bool = False
) -> list[UnifiedResult]:
    """Return *results* with what holds now ahead of what it amended, which says so.

    Of passages of talk that are about as relevant, those that may replace others come first.
    """
    statements = [
        of_chunk(result.chunk, result.relevance)
        if result.chunk
        else Statement(result.id, result.at, result.at, f"{result.title}\n{result.text}", result.relevance)
        for result in results
    ]
    changes = weighed(statements, index, where, at_first)
    every = [*results, *(of_conversation(chunk, 0.0) for chunk in changes.looked_up)]
    changed = [
        replace(
            result,
            relevance=changes.relevances.get(result.id, result.relevance),
            amended=changes.amended.get(result.id),
        )
        for result in every
    ]
    best = sorted(changed, key=lambda result: -result.relevance)
    talk = ((result.relevance, result.chunk, result) for result in best if result.chunk)
    in_turn = iter(in_time(talk, at_first, changes.replacing))
    return [next(in_turn)[1] if result.chunk else result for result in best]


def with_amending(results: Sequence[UnifiedResult], likelihoods: Mapping[str, float]) -> dict[str, float]:
    """Return *likelihoods* by id, where what amends one of *results* answers as likely as that."""
    whole = dict(likelihoods)
    for result in results:
        if result.amended:
            whole[result.amended.id] = max(whole.get(result.amended.id, 0.0), whole.get(result.id, 0.0))
    return whole


def ordered(results: Iterable[UnifiedResult]) -> list[UnifiedResult]:
    """Return *results* best first, duplicates folded."""
    best: list[UnifiedResult] = []
    texts: list[tuple[str, str]] = []
    for result in sorted(results, key=lambda result: (-result.relevance, result.title, result.id)):
        session = result.chunk.session if result.chunk else result.path
        text = " ".join(result.text.split())
        if not any(session == other and text in longer for other, longer in texts):
            texts.append((session, text))
            best.append(result)
    return _folded(best)


def answers(results: Sequence[UnifiedResult], query: str, likelihoods: Mapping[str, float]) -> list[UnifiedResult]:
    """Return those of *results*, best first, that answer *query*."""
    amended = {result.id: result.amended for result in results if result.amended}
    texts = evidence({result.id: _matched_text(result) for result in results}, amended)
    hits = [FederatedHit(result.relevance, texts[result.id]) for result in results]
    return answering(query, hits, results, TALK, [likelihoods.get(result.id, 0.0) for result in results])


def by_kind(results: Iterable[UnifiedResult]) -> list[UnifiedResult]:
    """Return *results*, best first, one kind after another."""
    return sorted(results, key=_group)


def _matched_text(result: UnifiedResult) -> str:
    """Return the text in which the words of the query are counted."""
    chunk = result.chunk
    if chunk is None:
        return f"{result.title}\n{result.text}"
    # A tool's output answers by its own words, not by the question that it followed.
    return chunk.text if chunk.trust == TOOL else searched(heading(chunk), chunk.path, chunk.text)


def _intent_factor(result: UnifiedResult, intent: Intent) -> float:
    """Return the factor of *result* for the requested sort of result; 1 if none was requested."""
    requested = _REQUESTED.get(intent.aim, ()) if intent.confidence > DEFAULT_CONFIDENCE else ()
    return 1.0 if not requested or result.type in requested or result.source in requested else SECOND


def shown(results: Sequence[UnifiedResult], limit: int, merged: bool) -> list[UnifiedResult]:
    """Return the first *limit* of *results*, as :func:`ordered` returns them; of each kind unless *merged*."""
    if merged:
        return list(results[:limit])
    return [result for _, of_kind in groupby(results, kind_of) for result in islice(of_kind, limit)]


def kind_of(result: UnifiedResult) -> str:
    """Return the kind of *result*, by which results are listed apart."""
    return result.type if result.type in _GROUPS[:3] and result.chunk else result.source


def _group(result: UnifiedResult) -> int:
    return _GROUPS.index(kind_of(result))


def _folded(results: Sequence[UnifiedResult]) -> list[UnifiedResult]:
    """Return *results* with near-duplicates folded into one: a node before the record that it was imported from."""
    duplicates = folded([result.text for result in results])
    first = [at if duplicate is None else duplicate for at, duplicate in enumerate(duplicates)]
    nodes = {result.origin: at for at, result in enumerate(results) if result.origin}
    for at, result in enumerate(results):
        is_original = result.source in (DOCUMENTS, KNOWLEDGE) and not result.origin
        node = nodes.get(result.path) if is_original else None
        if node is not None:
            one, other = sorted((first[at], first[node]))
            first = [one if index == other else index for index in first]
    groups: dict[int, list[UnifiedResult]] = {}
    for at, result in zip(first, results, strict=True):
        groups.setdefault(at, []).append(result)
    return [_representative(group) for group in groups.values()]


def _representative(group: Sequence[UnifiedResult]) -> UnifiedResult:
    best = next((result for result in group if result.source == KNOWLEDGE), group[0])
    others = tuple(result for result in group if result is not best)
    return replace(best, relevance=group[0].relevance, also=others) if others else best
