"""Similar problems, features and procedures in past sessions, each with its solution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from autology.core.hybrid_search import rank
from autology.core.likelihood import IndexedQuestions
from autology.core.recall.conversation_results import Recalled, surrounded
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.discussions import POOL, answer, answered, degraded
from autology.core.recall.request import ParsedRequest, RecallRequest, checked, parsed
from autology.model.conversation import ASSISTANT, TOOL, USER, Chunk, ChunkKind
from autology.ranking.code_intent import entities
from autology.ranking.recency import ordered
from autology.ranking.task_forms import PastWork
from autology.ranking.task_likeness import likenesses
from autology.text.conversation.chunks import SIGNS
from autology.text.stable_errors import stable
from autology.text.tokens import query_terms

LATER = 24
"""Chunks after a conversation in which its code and decisions are looked for."""
COMPARED = 60
"""Past conversations compared with a problem, half of them of the project at hand, some 1 ms each."""
ALIKE = 1.5
"""The likeness from which the best one is surely alike."""
SHARPNESS = 4
"""The power of the likeness relative to the best one's: only between nearly equal ones does recency decide."""
CONTEXT = 40
"""Words taken from a problem's code, names first: more of them outweigh the description."""


def similar(
    search: ConversationSearch, problem: str, code: str, limit: int, tool: str, own: Sequence[str] = ()
) -> Recalled:
    """Return conversations about a task like *problem*, which occurred in *code*. Raises ValidationError.

    *own* are the identities of the project at hand: its conversations come before equally similar ones of others.
    """
    text = checked(problem, "problem_description")
    request = RecallRequest(text, limit=limit)
    return search.answer(
        tool,
        text,
        {"code_context": code, "limit": limit},
        lambda notes: _similar(search, request, code, own, notes),
        tuple(own),
    )


def _similar(
    search: ConversationSearch, request: RecallRequest, code: str, own: Sequence[str], notes: Sequence[str]
) -> Recalled:
    with search.index.keep_open():
        question = parsed(request, search.now(), search.index.projects, search.in_sight())
        question = _of_problem(question, code)
        if question.timeless:
            question = replace(question, timeless=_of_problem(question.timeless, code))
        question, ranked = answered(search, question, IndexedQuestions(), weigh=False)
        nearer = replace(
            question,
            where=replace(question.where, kind=ChunkKind.CONVERSATION.value, trust=ASSISTANT, projects=tuple(own)),
        )
        own_hits = _by_words_or_meaning(search, nearer) if own else []
        hits = (hit for hits in zip_longest(own_hits, (chunk for chunk, _ in ranked)) for hit in hits if hit)
        talks = _by_likeness(search, question.words, _talks(search, hits), own)
        shown = tuple(
            replace(surrounded(search.index, talk, relevance, question.words), solution=_solution(search, talk, hit))
            for relevance, _, (talk, hit) in ordered((r, talk.at, (talk, hit)) for talk, hit, r in talks)[
                : request.limit
            ]
        )
    return answer(request.query, shown, len(talks), search, (*question.notes, *notes, *degraded(search, question)))


def _by_words_or_meaning(search: ConversationSearch, question: ParsedRequest) -> list[Chunk]:
    """Return the chunks nearest to *question*; a like feature may share none of its words."""
    hits = rank(search.index, question.words, question.where, POOL, min_cosine=0.0)
    chunks = search.index.chunks([hit.source.id for hit in hits])
    return [chunks[hit.source.id] for hit in hits if hit.source.id in chunks]


def _of_problem(question: ParsedRequest, code: str) -> ParsedRequest:
    """Return *question* by the stable parts of its error, with the most distinctive words of *code*."""
    return replace(question, words=f"{stable(question.words or question.request.query)} {_distinctive(code)}".strip())


def _talks(search: ConversationSearch, ranked: Iterable[Chunk]) -> list[tuple[Chunk, Chunk]]:
    """Return the conversation that each hit of *ranked* belongs to, each once, with its best hit."""
    talks: dict[str, tuple[Chunk, Chunk]] = {}
    for hit in ranked:
        if len(talks) == COMPARED:
            break
        is_talk = hit.kind == ChunkKind.CONVERSATION and hit.trust != TOOL
        talk = hit if is_talk else next(iter(search.index.of_turn(hit.exchange)), hit)
        talks.setdefault(talk.id, (talk, hit))
    return list(talks.values())


def _by_likeness(
    search: ConversationSearch, request: str, talks: Sequence[tuple[Chunk, Chunk]], own: Sequence[str]
) -> list[tuple[Chunk, Chunk, float]]:
    """Return *talks* with their relevance to *request*."""
    works = [_work(search, talk, own) for talk, _ in talks]
    scores = likenesses(request, works, search.vectors)
    best = max(scores, default=0.0) or 1.0
    return [
        (talk, hit, round(min(1.0, best / ALIKE) * (score / best) ** SHARPNESS, 4))
        for (talk, hit), score in zip(talks, scores, strict=True)
    ]


def _work(search: ConversationSearch, talk: Chunk, own: Sequence[str]) -> PastWork:
    """Return what was said and done in *talk*."""
    items = [item for item in search.index.around(talk.id, 0, LATER) if item.at <= talk.until and item.id != talk.id]
    code = [item for item in items if item.kind == ChunkKind.CODE]
    tools = [item.text for item in items if item.trust == TOOL and item.kind == ChunkKind.CONVERSATION]
    asks = "\n".join(part for part in talk.text.split("\n\n") if not part.startswith(SIGNS[ASSISTANT]))
    return PastWork(
        asks=asks.replace(SIGNS[USER], ""),
        talk=talk.text,
        tools="\n".join(tools),
        code="\n".join(f"{item.path or ''}\n{item.text}" for item in code),
        edits=any(item.path for item in code),
        own=not own or talk.project in own,
    )


def _solution(search: ConversationSearch, talk: Chunk, hit: Chunk) -> Chunk | None:
    """Return the last code or decision of the exchange of *hit*, or of those in *talk*."""
    own = [item for item in search.index.of_exchange(hit.exchange) if item.kind != ChunkKind.CONVERSATION]
    later = search.index.around(talk.id, 0, LATER) if hit.id == talk.id else []
    own += [item for item in later if item.kind != ChunkKind.CONVERSATION and item.at <= talk.until]
    return max(own, key=lambda chunk: chunk.position) if own else None


def _distinctive(code: str) -> str:
    """Return the most distinctive words of *code*."""
    named = entities(code[:20_000])
    first = [*named.functions, *named.files]
    rest = (group[-1] for group in query_terms(code[:20_000]))
    return " ".join(list(dict.fromkeys([*first, *rest]))[:CONTEXT])
