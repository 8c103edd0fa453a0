"""Reading a transcript that is parsed as a whole: its turns, from a mark on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Ends, Mark
from autology.model.conversation import Turn


class TurnsReading:
    """The :class:`~autology.core.conversations.transcripts.Reading` of *turns*, which are numbered from 0.

    A turn's number stands for the byte of a mark. Turns after the mark may have changed: the proof covers what precedes
    its offset.
    """

    def __init__(self, turns: Sequence[Turn], stamp: Stamp, mark: Mark | None, broken: int = 0) -> None:
        self._turns = turns
        self._stamp = stamp
        self._mark = mark
        self._broken = broken
        self._proofs = _proofs(turns)
        offset = mark.offset if mark is not None else 0
        resumes = mark is not None and offset < len(self._proofs) and self._proofs[offset] == mark.proof
        self.restarts = not resumes
        self.start = offset if resumes else 0

    def near_end(self, size: int) -> TurnsReading:  # noqa: ARG002 - the turns are in memory already
        """Return it: only the calling client's session is read from near its end."""
        return self

    def ends(self, ends: Ends) -> TurnsReading:  # noqa: ARG002 - the turns are in memory already
        """Return it as a whole."""
        return self

    @property
    def gap(self) -> range:
        """Nothing is left out."""
        return range(0)

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns, in order."""
        return iter(self._turns[self.start :])

    def mark(self, offset: int) -> Mark:
        """Return a mark for resuming at *offset*."""
        return Mark(
            stamp=self._stamp,
            offset=offset,
            end=len(self._turns),
            proof=self._proofs[offset],
            session=self._turns[0].session if self._turns else "",
            broken=self._broken,
            copied=self._mark.copied if self._mark is not None else 0,
        )


def _proofs(turns: Sequence[Turn]) -> list[str]:
    """Return a hash of the turns before each number."""
    running = blake2b(digest_size=16)
    proofs = [running.hexdigest()]
    for turn in turns:
        running.update(f"{turn.id}\0{turn.text}\0{turn.calls}\0".encode("utf-8", "replace"))
        proofs.append(running.hexdigest())
    return proofs
