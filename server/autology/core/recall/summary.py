"""Summarising a result in a sentence or two, and how long ago that was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from autology.core.likelihood import NEAREST, NO_VERDICT, Verdict
from autology.core.recall.conversation_results import Recollection, extent
from autology.model.conversation import Chunk, ChunkKind
from autology.ranking.answer_wording import absence
from autology.ranking.code_intent import entities
from autology.text.language.timestamps import moment
from autology.text.sanitising import clean_line

TOPICS = 3
MONTH = 30
"""Days from which the time span is given in months."""
SURE = 0.9
"""The relevance from which the best result is mentioned."""
ACTION = 100
TOPIC = 40


def summary(
    query: str,
    results: Sequence[Recollection],
    total: int,
    now: datetime,
    verdict: Verdict = NO_VERDICT,
) -> str:
    """Return a summary of the answer to *query*, of *total* results the first of which are *results*.

    If the *verdict* is that none answers, this is said first, and *results* are called the nearest.
    """
    missing = absence(verdict.absent)
    if not results or not verdict.is_answered:
        nothing = (
            f'I couldn\'t find any previous discussions about "{query}". '
            "This might be a new topic we haven't explored together yet."
        )
        return f"{nothing} {nearness(results)} {missing}".strip() if results else nothing
    text = f'I found {total} relevant discussions about "{query}"'
    if topics := _topics(query, results):
        text += f" covering {', '.join(topics)}"
    projects = {result.chunk.project for result in results}
    if len(projects) > 1:
        text += f" across {len(projects)} projects"
    oldest, newest = extent(results)
    if oldest and newest and (days := (moment(newest) - moment(oldest)) / timedelta(days=1)) > MONTH:
        text += f" spanning {round(days / MONTH)} months"
    best = max(results, key=lambda result: result.relevance)
    if best.relevance > SURE:
        text += f". The most relevant discussion was {ago(best.chunk.at, now)} where we {_action(best.chunk)}"
    return f"{text}. {missing}".strip()


def nearness(nearest: Sequence[Recollection]) -> str:
    """Return which matters come nearest to a question that none answers, as text."""
    return f"Nearest, but hardly about it: {'; '.join(dict.fromkeys(map(_matter, nearest[:NEAREST])))}."


def _matter(result: Recollection) -> str:
    return f"“{clean_line(result.chunk.question or result.chunk.text, ACTION).rstrip('.!?')}”"


def ago(at: str, now: datetime) -> str:
    """Return how long before *now* that was; a record may have no time."""
    if not at:
        return "at an unknown time"
    seconds = max(0, int((now - moment(at)).total_seconds()))
    for unit, size in _UNITS:
        many = seconds // size
        if many:
            return f"{many} {unit}{'' if many == 1 else 's'} ago"
    return "just now"


def _topics(query: str, results: Sequence[Recollection]) -> list[str]:
    """Return the topics of most results, besides the query itself."""
    lowered = query.lower()
    counts: Counter[str] = Counter()
    for result in results:
        named = entities(clean_line(result.chunk.question, 400))
        names = (*named.functions, *named.files, *(_without_filler(concept) for concept in named.concepts))
        spellings = {topic.lower(): topic for topic in names}
        counts.update(t for low, t in spellings.items() if 2 < len(t) <= TOPIC and low not in lowered)
    return [topic for topic, _ in counts.most_common(TOPICS)]


def _without_filler(topic: str) -> str:
    """Return *topic* without conversational filler; "ok go" leaves nothing."""
    return " ".join(word for word in topic.split() if word.lower() not in _TALK)


def _action(chunk: Chunk) -> str:
    """Return what was done in *chunk*, to follow "we"."""
    if chunk.kind == ChunkKind.CODE:
        return f"worked on {clean_line(chunk.path or (chunk.language or 'some') + ' code', ACTION)}"
    if chunk.kind == ChunkKind.DECISION:
        sentence = clean_line(chunk.text, ACTION).rstrip(".!")
        _, verb, rest = sentence.partition("we ") if " we " in f" {sentence}" else ("", "", sentence)
        begins = rest.split(" ", 1)[0].lower()
        return rest if verb and begins in _DECIDED else f"decided: {sentence}"
    return f"discussed “{clean_line(chunk.question or chunk.text, ACTION).rstrip('.!?')}”"


_TALK = frozenset("ok okay go let's lets yes yeah sure thanks hello hi now".split())
_DECIDED = ("chose", "decided", "agreed", "settled", "picked", "went", "opted", "switched", "moved", "dropped", "kept")
_UNITS = (
    ("year", 365 * 86_400),
    ("month", 30 * 86_400),
    ("week", 7 * 86_400),
    ("day", 86_400),
    ("hour", 3_600),
    ("minute", 60),
)
