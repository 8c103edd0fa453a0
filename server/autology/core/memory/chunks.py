"""Memories in passages, as the index takes them: long ones cut where their subject changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from autology.core.content.codec import clean
from autology.core.memory.rows import Encode
from autology.core.ttl_cache import Kept
from autology.model.memory import Kind, Memory
from autology.model.passage import Passage
from autology.text.markdown import topic_splitting
from autology.text.markdown.passages import passages
from autology.text.markdown.sections import Section, sections
from autology.text.markdown.topic_splitting import BOUNDARIES, Cut
from autology.text.redaction import secrets_in, without

CUT = (Kind.SECTION, Kind.RUNBOOK, Kind.INCIDENT)
"""The kinds that are cut by meaning; others are cut as documents are."""
SECONDS = 3_600.0
CUTS = 500
"""Items of which is remembered how they are cut: it is asked for when they are stored, and told in the answer."""


@dataclass(frozen=True, slots=True)
class ChunkStats:
    """How many items were cut, into how many chunks of how many characters, how often their subject changes there.

    *coherence* is how alike neighbouring sentences of one chunk are, in the mean; None where nothing was compared.
    """

    items: int = 0
    chunks: int = 0
    characters: int = 0
    shifts: int = 0
    coherence: float | None = None


class Chunks:
    """Cuts memories; *encode* gives the rows of sentences, without it headings and paragraphs alone decide."""

    def __init__(self, encode: Encode | None = None) -> None:
        self._encode = encode
        self._cuts: Kept[Cut] = Kept(CUTS, SECONDS)

    def passages(self, memory: Memory) -> tuple[Passage, ...]:
        """Return the passages of *memory*, offsets into its content, with secrets left out."""
        whole = tuple(self._whole(memory))
        found = secrets_in(memory.content)
        if not found:
            return whole
        return tuple(
            Passage(each.start, each.stop, clean(each.heading), without(memory.content, found, each.start, each.stop))
            for each in whole
        )

    def cut(self, memory: Memory) -> Cut | None:
        """Return how *memory* is cut by meaning, or None where its kind is not, or it is short enough."""
        if memory.kind not in CUT or len(memory.content) <= topic_splitting.WHOLE:
            return None
        key = (blake2b(memory.content.encode("utf-8", "surrogatepass")).digest(), self._encode is not None)
        if (known := self._cuts.get(key)) is None:
            similarities = self._similarities if self._encode is not None else None
            known = topic_splitting.cut(memory.content, similarities, BOUNDARIES)
            self._cuts.put(key, known)
        return known

    def report(self, memories: Iterable[Memory]) -> ChunkStats:
        """Return how *memories* are cut."""
        cuts = [found for memory in memories if (found := self.cut(memory)) is not None]
        chunks = [chunk.stop - chunk.start for found in cuts for chunk in found.chunks]
        alike = [value for found in cuts for value in found.coherence]
        return ChunkStats(
            items=len(cuts),
            chunks=len(chunks),
            characters=sum(chunks),
            shifts=sum(len(found.shifts) for found in cuts),
            coherence=sum(alike) / len(alike) if alike else None,
        )

    def _whole(self, memory: Memory) -> Iterator[Passage]:
        cut = self.cut(memory)
        if cut is None:
            yield from passages(memory.content)
            return
        headings = sections(memory.content)
        for chunk in cut.chunks:
            yield Passage(
                chunk.start, chunk.stop, _heading(headings, chunk.start), memory.content[chunk.start : chunk.stop]
            )

    def _similarities(self, sentences: Sequence[str]) -> Sequence[float]:
        assert self._encode is not None
        return topic_splitting.windows([memoryview(row).cast("b").tolist() for row in self._encode(sentences)])


def _heading(headings: Sequence[Section], at: int) -> str:
    """Return the titles of the sections that the place *at* lies in, ``A > B``."""
    open_: list[Section] = []
    for section in headings:
        if section.start > at:
            break
        while open_ and open_[-1].level >= section.level:
            open_.pop()
        open_.append(section)
    return " > ".join(part.title for part in open_)
