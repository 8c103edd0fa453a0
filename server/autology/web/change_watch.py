"""The feed: what changes in the project while the page is open, on the page and elsewhere."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autology import log
from autology.core.content.files import Change
from autology.model.errors import AutologyError
from autology.web import snapshot
from autology.web.note_texts import NoteTexts

if TYPE_CHECKING:
    from autology.web.project import PageProject

Json = dict[str, Any]

INTERVAL = 0.25
"""Seconds between two looks at the project, while a page listens. At 5,000 unchanged notes, the looks and the walks
over the files that they cause take 2.6 % of a processor."""
TALK_INTERVAL = 0.7
"""Seconds between two looks at the transcripts, which grow with each message of a running session."""
KEPT = 500
"""Events kept for a page that was not connected for a while."""
MOST = 12
"""More events than this at once, as from a checkout of another branch, become a single one."""


@dataclass(slots=True)
class Seen:
    """What the last look read."""

    state: str
    notes: snapshot.Notes
    memories: Any
    talk_state: str
    sessions: Any
    talked: float = 0.0


class Feed:
    """The events of *project* since the first listener came; looks for changes only while someone listens."""

    def __init__(self, project: PageProject) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._looked = self._previous = 0.0
        self._reported: set[int] = set()
        self._number = 0
        self._events: deque[Json] = deque(maxlen=KEPT)
        self._last: Seen | None = None
        self._texts = NoteTexts(project.root)

    def after(self, number: int) -> list[Json]:
        """Return the events with a higher number than *number*, after looking for changes."""
        with self._lock:
            began = time.monotonic()
            if began - self._looked >= INTERVAL:
                with suppress(AutologyError):  # the views report it; the next look may succeed
                    self._look()
                self._looked, self._previous = time.monotonic(), began
            return [event for event in self._events if event["number"] > number]

    @property
    def number(self) -> int:
        """The number of the latest event; the first look is taken before."""
        self.after(0)
        with self._lock:
            return self._number

    def _look(self) -> None:
        project = self._project
        project.graph.catch_up()
        project.memories.catch_up()
        state = project.index_state
        talk_state, talked = self._talk_state()
        last = self._last
        if last is None:
            notes, memories = snapshot.notes_of(project), snapshot.memories_of(project)
            self._texts.read(notes.stamps)
            self._last = Seen(state, notes, memories, talk_state, self._sessions(), talked)
            return
        events: list[Json] = []
        if state != last.state:
            notes, memories = snapshot.notes_of(project), snapshot.memories_of(project)
            events += self._attributed(list(snapshot.note_events(last.notes, notes)), last.notes, notes)
            events += snapshot.memory_events(last.memories, memories)
            last.state, last.notes, last.memories = state, notes, memories
        if talk_state != last.talk_state:
            sessions = self._sessions()
            events += snapshot.session_events(last.sessions, sessions)
            last.talk_state, last.sessions = talk_state, sessions
        last.talked = talked
        for event in _summed_up(events):
            self._number += 1
            self._events.append({**event, "number": self._number})

    def _talk_state(self) -> tuple[str, float]:
        """Return the state of the index of conversations, after reading what was said since, and when that was."""
        from autology.wire import user

        now = time.monotonic()
        last = self._last
        if last is not None and now - last.talked < TALK_INTERVAL:
            return last.talk_state, last.talked
        try:
            self._project.conversation_search.refresh()
            return user.conversation_state(), now
        except Exception as error:  # noqa: BLE001 - transcripts of other programs must not end the feed of notes
            log.write("web", error)
            return (last.talk_state if last else ""), now

    def _sessions(self) -> Any:
        try:
            return snapshot.sessions_of(self._project)
        except AutologyError:
            return {}

    def _attributed(self, events: list[Json], before: snapshot.Notes, after: snapshot.Notes) -> Iterator[Json]:
        """Replace the events of a step that this page made by the step itself, which can be undone as a whole.

        A step is this page's if it was made since the previous look began; what one look sees of it, and the next, is
        reported once.
        """
        for event in events:
            source = after.sources.get(event["id"]) or before.sources[event["id"]]
            step = self._project.undo.latest_of(source.path)
            change = self._texts.change_of(source.path)
            if event["kind"] == "created":
                self._texts.read([source.path])
            if step is None or step.at < self._previous:
                yield self._undoable(event, change)
            elif step.number not in self._reported:
                self._reported.add(step.number)
                undo = {"call": "undo", "arguments": {"step": step.number}}
                kind = "undone" if step.reverts else "done"
                yield {"kind": kind, "id": event["id"], "title": step.about, "by": "page", "undo": undo}

    def _undoable(self, event: Json, change: Change | None) -> Json:
        if event["kind"] != "changed" or change is None:
            return event
        step = self._project.undo.observed(f"Changed “{event['title']}”", [change])
        return {**event, "undo": {"call": "undo", "arguments": {"step": step.number}}}


def _summed_up(events: Sequence[Json]) -> Sequence[Json]:
    if len(events) <= MOST:
        return events
    return [{"kind": "many", "id": "", "title": f"{len(events):,} changes"}]
