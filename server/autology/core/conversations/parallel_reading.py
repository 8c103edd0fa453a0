"""Reading whole transcripts in several processes; this one indexes what they read, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from autology.core.conversations import sync
from autology.core.conversations.conversation_index import Advance, ConversationIndex
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import AdvanceBatch, Pace
from autology.core.conversations.transcripts import UNPACKED
from autology.core.long_work import Pool, Progress
from autology.model.errors import StorageError

TRANSCRIPTS = "transcripts"
"""The kind of these jobs for worker processes."""
JOB_BYTES = 500_000
"""Bytes of transcripts per job: 0.3 seconds of work."""
LARGEST = 8_000_000
"""Bytes past which a transcript is read here, step by step: what is read of it elsewhere waits in memory as a whole."""

Transcript = tuple[str, bool]
"""A transcript's name, and whether only the archive has it."""
WholeReading = tuple[Advance, ...] | None
"""All parts of a transcript; None if it has to be read where it is indexed."""


def read_all(
    conversations: ConversationSources, unread: Mapping[str, bool], pool: Pool, batch: AdvanceBatch, progress: Progress
) -> None:
    """Index the *unread* transcripts in order, read with the help of *pool*; failures are noted."""
    groups = list(_groups(conversations, unread))
    jobs = [transcripts if is_shared else [] for transcripts, is_shared in groups]
    done = 0
    with pool.results(TRANSCRIPTS, jobs, lambda job: read_whole(conversations, job)) as results:
        for (transcripts, is_shared), readings in zip(groups, results, strict=True):
            for at, (name, archived) in enumerate(transcripts):
                progress(done, len(unread))
                done += 1
                reading = readings[at] if is_shared else None
                if reading is None or not _add(batch, name, reading):
                    sync.read(conversations, name, archived, batch)
    if done:
        progress(done, done)


def read_whole(conversations: ConversationSources, transcripts: Sequence[Transcript]) -> list[WholeReading]:
    """Read *transcripts*, each as if no other had any of its turns, and prepare them for the index."""
    return [_read_whole(conversations, name, archived) for name, archived in transcripts]


def _read_whole(conversations: ConversationSources, name: str, archived: bool) -> WholeReading:
    collected = _Collected(conversations.index)
    try:
        sync.TranscriptReader(conversations, name, archived, collected).run()
    except (FileNotFoundError, StorageError, _ReplacedError):
        return None
    return tuple(collected.steps)


def _add(batch: AdvanceBatch, name: str, reading: Sequence[Advance]) -> bool:
    """Add what was read; return false if another transcript has some of its turns, which count there."""
    if batch.of_others([turn for step in reading for turn, _ in step.turns], name):
        return False
    for step in reading:
        if not batch.add(step):
            break  # another process was first
    return True


def _groups(conversations: ConversationSources, unread: Mapping[str, bool]) -> Iterator[tuple[list[Transcript], bool]]:
    """Yield the *unread* transcripts in groups of some bytes, in order; false with one that is too large to share."""
    live, archived = conversations.live.scan(), conversations.archive.scan()
    group: list[Transcript] = []
    total = 0
    for name, is_archived in unread.items():
        stamps, factor = (archived, UNPACKED) if is_archived else (live, 1)
        size = factor * stamps[name].size if name in stamps else 0
        if group and (size > LARGEST or total + size > JOB_BYTES):
            yield group, True
            group, total = [], 0
        if size > LARGEST:
            yield [(name, is_archived)], False
            continue
        group.append((name, is_archived))
        total += size
    if group:
        yield group, True


class _ReplacedError(Exception):
    """Raised for a transcript that was replaced: what was read before is put aside first."""


class _Collected(AdvanceBatch):
    """The parts of one transcript, prepared, to be indexed by the process that asked for them."""

    def __init__(self, index: ConversationIndex) -> None:
        super().__init__(index, Pace(LARGEST))
        self.steps: list[Advance] = []

    def add(self, step: Advance) -> bool:
        self.steps.append(self._index.prepare_advance(step))
        return True

    def of_others(self, turns: Sequence[str], transcript: str) -> Collection[str]:
        del turns, transcript
        return ()

    def put_aside(self, transcript: str, named: Callable[[int], str]) -> None:
        del transcript, named
        raise _ReplacedError
