"""Updating the index from the transcripts, in steps that are atomic wherever they end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice

from autology.core.content.files import Stamp
from autology.core.conversations.conversation_index import Advance, ConversationIndex
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.transcripts import Home, Mark, Reading
from autology.model.conversation import Call, Chunk, Turn
from autology.model.errors import StorageError
from autology.text.conversation.chunks import Origin, Run, chunks, exchanges, runs
from autology.text.redaction import redact

TURNS = 500
"""Turns looked up in one query among those of other transcripts."""
_HALF = Stamp(-1, -1)
"""The stamp of a transcript that was read in part: no file has it."""


def unread(conversations: ConversationSources) -> dict[str, bool]:
    """Return the transcripts with unread parts, in reading order; true for those that only the archive has."""
    live, marks = conversations.live.scan(), conversations.index.marks()
    gone = {name: stamp for name, stamp in conversations.archive.scan().items() if name not in live}
    names = [name for name, stamp in live.items() if name not in marks or marks[name].stamp != stamp]
    # An archived transcript has the time of its original, but not its size.
    names += [name for name, stamp in gone.items() if name not in marks or marks[name].stamp.mtime_ns != stamp.mtime_ns]
    # What was written first is read first, wherever it is: a fork leaves what it copied to its original.
    written = {**gone, **live}
    return {name: name in gone for name in sorted(names, key=lambda name: (written[name].mtime_ns, name))}


@dataclass(slots=True)
class Pace:
    """The size of a step, the rest per second of work, and the deadline."""

    step: int
    idle: float = 0.0
    until: float | None = None
    _begun: float = field(default_factory=time.monotonic)

    def over(self) -> bool:
        """Whether the deadline has passed."""
        return self.until is not None and time.monotonic() >= self.until

    def rest(self) -> None:
        """Rest for the work done since the last call."""
        if self.idle:
            time.sleep(self.idle * (time.monotonic() - self._begun))
            self._begun = time.monotonic()


class AdvanceBatch:
    """Parts of consecutive transcripts that are indexed together; :meth:`settle` indexes the rest."""

    def __init__(self, index: ConversationIndex, pace: Pace) -> None:
        self.pace = pace
        self._index = index
        self._steps: list[Advance] = []
        self._turns: dict[str, str] = {}
        self._many = 0

    def add(self, step: Advance) -> bool:
        """Add *step*; return false if another process indexed something of it first."""
        self._steps.append(step)
        self._turns.update((turn, step.transcript) for turn, _ in step.turns)
        self._many += len(step.chunks)
        return self._many < self.pace.step or self.settle()

    def settle(self) -> bool:
        """Index what was added; return false if another process indexed some of it first."""
        steps, self._steps, self._turns, self._many = self._steps, [], {}, 0
        first = self._index.advance(*steps) if steps else True
        self.pace.rest()
        return first

    def of_others(self, turns: Sequence[str], transcript: str) -> Collection[str]:
        """Return those of *turns* that another transcript already holds."""
        waiting = {turn for turn in turns if self._turns.get(turn, transcript) != transcript}
        return self._index.read_elsewhere(turns, transcript) | waiting

    def put_aside(self, transcript: str, named: Callable[[int], str]) -> None:
        """Keep the indexed turns of a replaced transcript under the first free name of *named*."""
        self.settle()
        marks = self._index.marks()
        self._index.rename(transcript, next(name for number in count(1) if (name := named(number)) not in marks))


def read(conversations: ConversationSources, name: str, archived: bool, batch: AdvanceBatch) -> bool:
    """Index the new part of a transcript; return whether there was one. Failures are noted."""
    try:
        return TranscriptReader(conversations, name, archived, batch).run()
    except FileNotFoundError:
        return False  # the client deleted it; what is in the index stays
    except StorageError as error:
        conversations.note(f"{name}: {error.reason}")
        return False


class TranscriptReader:
    """One reading of a transcript: :meth:`run` adds its new parts to the *batch*."""

    def __init__(self, conversations: ConversationSources, name: str, archived: bool, batch: AdvanceBatch) -> None:
        self._sources = conversations
        self._batch = batch
        self._name = name
        self._archived = archived
        self._before: Mark | None = None
        self._copied = 0
        self._turns: list[tuple[str, int]] = []
        self._archived_home: Home | None = None

    def run(self) -> bool:
        """Read the new part; return whether there was one. Raises FileNotFoundError, StorageError."""
        self._before = self._sources.index.mark(self._name)
        if self._archived or self._before is None:
            self._archived_home = self._sources.archive.home(self._name)
        reading = (
            self._sources.archive.read(self._name)
            if self._archived
            else self._sources.live.read(self._name, self._before)
        )
        if reading.restarts and self._before is not None and self._before.end:
            # Cut off or replaced: earlier turns stay indexed and are not indexed twice, as with a copy.
            self._batch.put_aside(self._name, lambda number: self._sources.live.earlier(self._name, number))
            self._before = None
        self._copied = self._before.copied if self._before else 0
        return self._take(reading)

    def _take(self, reading: Reading) -> bool:
        origin = Origin(self._name, lambda folder: self._home(folder).identity, self._path)
        known = self._before.end if self._before else 0
        since = reading.start
        held: list[Chunk] = []
        newest: list[Run] = []
        pace = self._batch.pace
        opening = self._sources.index.opening(self._name, since) if since else None
        for run in runs(exchanges(self._own(reading, known), opening)):
            # Two runs further: the last one is read again next time, and each reading has to make progress.
            if len(held) >= pace.step or (len(newest) > 1 and pace.over()):
                if not self._advance(since, held, replace(reading.mark(newest[-1].start), stamp=_HALF)):
                    return False
                since, held = run.start, []
                if pace.over():
                    return True
            held += chunks(run, origin)
            newest = [*newest[-1:], run]
        return self._advance(since, held, reading.mark(_growing(newest, since)))

    def _advance(self, since: int, held: list[Chunk], mark: Mark) -> bool:
        mark = replace(mark, copied=self._copied)
        turns, self._turns = self._turns, []
        step = Advance(self._name, since, tuple(held), tuple(turns), self._before, mark)
        self._before = mark
        return self._batch.add(step)

    def _own(self, reading: Reading, known: int) -> Iterator[Turn]:
        """Yield the turns that no other transcript has, redacted: a resumed session may begin with a copy."""
        turns = iter(reading)
        while some := list(islice(turns, TURNS)):
            others = self._batch.of_others([turn.id for turn in some], self._name)
            for turn in some:
                if turn.id in others:
                    self._copied += turn.start >= known
                elif not self._sources.rules.excluded(turn.folder):
                    self._turns.append((turn.id, turn.start))
                    yield clean(turn)

    def _home(self, folder: str) -> Home:
        home = self._sources.home(folder)
        archived = self._archived_home
        if archived is None:
            return home
        # For a folder that is gone, or holds another project now, the archive knows the project.
        inside = folder == archived.root or folder.startswith(os.path.join(archived.root, ""))
        return archived if home.identity == folder or (inside and archived.identity not in home.names) else home

    def _path(self, folder: str, path: str) -> str:
        """Return a file's path relative to its project's root, ``/``-separated; unchanged if it lies elsewhere."""
        if not os.path.isabs(path):
            return path.replace(os.sep, "/")
        for root in (self._home(folder).root, folder):
            if root and path.startswith(os.path.join(root, "")):
                return path[len(os.path.join(root, "")) :].replace(os.sep, "/")
        return path.replace(os.sep, "/")


def _growing(newest: Sequence[Run], since: int) -> int:
    """Return the byte from which runs may still change: the start of the last exchange but one."""
    if not newest:
        return since
    return newest[0].start if len(newest[-1].exchanges) == 1 else newest[-1].start


def clean(turn: Turn) -> Turn:
    """Return *turn* with secrets redacted."""
    text, findings = redact(turn.text) if turn.text else ("", ())
    calls = tuple(_clean_call(call) for call in turn.calls) if turn.calls else ()
    return replace(turn, text=text, calls=calls) if findings or calls != turn.calls else turn


def _clean_call(call: Call) -> Call:
    about, one = redact(call.about) if call.about else ("", ())
    code, other = redact(call.code) if call.code else ("", ())
    replaced = tuple(line for line in call.replaced if not redact(line)[1])
    is_clean = not one and not other and replaced == call.replaced
    return call if is_clean else replace(call, about=about, code=code, replaced=replaced)
