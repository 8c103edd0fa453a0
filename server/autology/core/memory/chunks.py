"""Splitting memories into passages for the index: long ones where their subject changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from autology.core.content.codec import clean
from autology.core.memory.vector_cache import Encode
from autology.core.ttl_cache import TtlCache
from autology.model.memory import Kind, Memory
from autology.model.passage import Passage
from autology.text.markdown import topic_splitting
from autology.text.markdown.passages import passages
from autology.text.markdown.sections import sections, with_parents
from autology.text.markdown.topic_splitting import BOUNDARIES, Cut
from autology.text.redaction import secrets_in, without

CUT = (Kind.SECTION, Kind.RUNBOOK, Kind.INCIDENT)
"""The kinds that are split by topic; others are split like documents."""
SECONDS = 3_600.0
CUTS = 500
"""Maximum cached cuts: one is needed when an item is stored, and again in the answer."""


@dataclass(frozen=True, slots=True)
class ChunkStats:
    """The number of items split, and of their chunks, characters and topic shifts.

    *coherence* is the mean similarity of neighbouring sentences in a chunk; None if nothing was compared.
    """

    items: int = 0
    chunks: int = 0
    characters: int = 0
    shifts: int = 0
    coherence: float | None = None


class Chunks:
    """Splits memories; without *encode*, which encodes sentences, only by headings and paragraphs."""

    def __init__(self, encode: Encode | None = None) -> None:
        self._encode = encode
        self._cuts: TtlCache[Cut] = TtlCache(CUTS, SECONDS)

    def passages(self, memory: Memory) -> tuple[Passage, ...]:
        """Return the passages of *memory*, offsets into its content, with secrets left out."""
        secrets = secrets_in(memory.content)
        if not secrets:
            return tuple(self._passages(memory))
        return tuple(
            replace(part, heading=clean(part.heading), text=without(memory.content, secrets, part.start, part.stop))
            for part in self._passages(memory)
        )

    def cut(self, memory: Memory) -> Cut | None:
        """Return how *memory* is split by topic; None if its kind is not split so, or it is short."""
        if memory.kind not in CUT or len(memory.content) <= topic_splitting.WHOLE:
            return None
        key = (blake2b(memory.content.encode("utf-8", "surrogatepass")).digest(), self._encode is not None)
        if (cut := self._cuts.get(key)) is None:
            similarities = self._similarities if self._encode is not None else None
            cut = topic_splitting.cut(memory.content, similarities, BOUNDARIES)
            self._cuts.put(key, cut)
        return cut

    def report(self, memories: Iterable[Memory]) -> ChunkStats:
        """Return statistics on how *memories* are split."""
        cuts = [cut for memory in memories if (cut := self.cut(memory)) is not None]
        chunks = [chunk.stop - chunk.start for cut in cuts for chunk in cut.chunks]
        coherence = [value for cut in cuts for value in cut.coherence]
        return ChunkStats(
            items=len(cuts),
            chunks=len(chunks),
            characters=sum(chunks),
            shifts=sum(len(cut.shifts) for cut in cuts),
            coherence=sum(coherence) / len(coherence) if coherence else None,
        )

    def _passages(self, memory: Memory) -> Iterable[Passage]:
        cut = self.cut(memory)
        if cut is None:
            return passages(memory.content)
        paths = with_parents(sections(memory.content))
        starts = [path[-1].start for path in paths]
        return [
            Passage(chunk.start, chunk.stop, heading, memory.content[chunk.start : chunk.stop])
            for chunk in cut.chunks
            for at in [bisect_right(starts, chunk.start)]
            for heading in [" > ".join(section.title for section in paths[at - 1]) if at else ""]
        ]

    def _similarities(self, sentences: Sequence[str]) -> Sequence[float]:
        assert self._encode is not None
        return topic_splitting.windows([memoryview(row).cast("b").tolist() for row in self._encode(sentences)])
