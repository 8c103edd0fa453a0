"""Results of a search of conversations: chunks with their context, in order, with a summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.likelihood import NO_VERDICT, Verdict
from autology.core.recall.amendment import Amendment, Replacing
from autology.model.conversation import TOOL, Chunk, ChunkKind
from autology.model.next_step import NextStep
from autology.ranking.change_statements import is_talk
from autology.ranking.recency import ordered, placed
from autology.ranking.settling import SETTLES, settling
from autology.text.markdown.snippets import phrases

T = TypeVar("T")

LOCAL = "local"
HIGHLIGHTS, HIGHLIGHT = 3, 160
"""Phrases highlighted per result, and their maximum length."""
BESIDE = 240
"""Characters shown of what was said before and after."""
OLDEST = "0"
"""A stamp before any other."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A chunk found: its *relevance*, by which it is ordered, and how likely it answers, both 0-1."""

    chunk: Chunk
    relevance: float
    likelihood: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """A chunk that answers: how likely (0-1), its matching phrases, its context, and who shared it.

    Without words to answer, and of similar problems, *relevance* is relative to the others.
    *amended* is the later passage that changed what it says.
    """

    chunk: Chunk
    relevance: float
    highlights: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    source: str = LOCAL
    solution: Chunk | None = None
    amended: Amendment | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A result: the best chunks in order, the total and its projects, the time span, a summary, and search notes.

    *left_out* is the number of weaker chunks that were left out. If the *verdict* is that none answers, these are all,
    and *nearest* are the nearest of them.
    """

    query: str
    results: tuple[Recollection, ...]
    summary: str
    total: int
    sources: dict[str, int] = field(default_factory=dict)
    oldest: str | None = None
    newest: str | None = None
    notes: tuple[str, ...] = ()
    suggestions: tuple[NextStep, ...] = ()
    left_out: int = 0
    verdict: Verdict = NO_VERDICT
    nearest: tuple[Recollection, ...] = ()

    @property
    def count(self) -> int:
        """How many were found."""
        return self.total


def once(weighted: Iterable[tuple[Chunk, float]]) -> list[tuple[Chunk, float]]:
    """Return chunks, each with its relevance, best first; without those contained in another of the same session."""
    unique: list[tuple[Chunk, float]] = []
    texts: dict[str, list[str]] = {}
    for chunk, relevance in sorted(weighted, key=lambda item: (-item[1], item[0].id)):
        text = " ".join(chunk.text.split())
        spoken = texts.setdefault(chunk.session, [])
        if not any(text in other for other in spoken):
            spoken.append(text)
            unique.append((chunk, relevance))
    return unique


def in_order(judged: Iterable[Judged], oldest_first: bool = False, replacing: Replacing | None = None) -> list[Judged]:
    """Return chunks in display order: by relevance, and of those about as relevant newer first, or *oldest_first*.

    *replacing* is as for :func:`in_time`.
    """
    hits = ((hit.relevance, hit.chunk, hit) for hit in judged)
    return [hit for _, hit in in_time(hits, oldest_first, replacing)]


def in_time(
    hits: Iterable[tuple[float, Chunk, T]], oldest_first: bool = False, replacing: Replacing | None = None
) -> list[tuple[float, T]]:
    """Return *hits*, by relevance, and of chunks about as relevant newer ones first, or *oldest_first*.

    If it is known which are *replacing* which, only these come before what is about as relevant, and newer code before
    older; newer talk before older where one of the two has no vector yet.
    """
    dated = [(relevance, chunk.at if oldest_first else age(chunk), (chunk, hit)) for relevance, chunk, hit in hits]
    if oldest_first or replacing is None:
        in_turn = ordered(dated, oldest_first)
    else:
        known = replacing

        def passes(one: tuple[float, str, tuple[Chunk, T]], other: tuple[float, str, tuple[Chunk, T]]) -> bool:
            (_, when, (chunk, _)), (_, before, (older, _)) = one, other
            if (chunk.id, older.id) in known.pairs:
                return True
            by_age = chunk.kind == older.kind == ChunkKind.CODE or not known.unencoded.isdisjoint((chunk.id, older.id))
            return by_age and when > before

        in_turn = placed(dated, passes)
    return [(relevance, hit) for relevance, _, (_, hit) in in_turn]


def age(chunk: Chunk) -> str:
    """Return the stamp by which *chunk* counts as newer than others.

    A tool's output never does; talk that settles nothing only than that: it often only mentions a matter.
    """
    if chunk.trust == TOOL:
        return ""
    return OLDEST if is_talk(chunk.text) and settling(chunk.text) < SETTLES else chunk.at


def surrounded(
    index: ConversationIndex, chunk: Chunk, relevance: float, query: str, beside: bool = True
) -> Recollection:
    """Return *chunk* as a result, with what was said before and after it if *beside*."""
    before, after = _beside(index, chunk) if beside else ("", "")
    shown = tuple(phrases(chunk.text, query, HIGHLIGHTS, HIGHLIGHT)) if query else ()
    return Recollection(chunk, relevance, shown, before, after)


def _beside(index: ConversationIndex, chunk: Chunk) -> tuple[str, str]:
    near = [other for other in index.around(chunk.id, NEAR, NEAR) if _is_beside(other, chunk)]
    earlier = [other for other in near if other.position < chunk.position]
    later = [other for other in near if other.position > chunk.position]
    return (_end(earlier[-1].text) if earlier else "", _beginning(later[0].text) if later else "")


NEAR = 3
"""Chunks read on either side: code and decisions of the chunk itself come between it and the next talk."""


def _is_beside(other: Chunk, chunk: Chunk) -> bool:
    talk = other.kind == ChunkKind.CONVERSATION
    return talk and other.id != chunk.id and other.session == chunk.session and chunk.text not in other.text


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= BESIDE else f"{line[: BESIDE - 1].rstrip()}…"


def _end(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= BESIDE else f"…{line[1 - BESIDE :].lstrip()}"


def extent(results: Sequence[Recollection]) -> tuple[str | None, str | None]:
    """Return the stamps of the oldest and the newest of *results*."""
    stamps = [result.chunk.at for result in results if result.chunk.at]
    return (min(stamps), max(stamps)) if stamps else (None, None)
