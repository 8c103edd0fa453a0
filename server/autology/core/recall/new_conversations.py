"""Indexing new conversations before a question is answered, at a bounded cost."""

from __future__ import annotations

import threading
import time

from autology.core.content.freshness import WALK_SHARE
from autology.core.conversations.conversations import Conversations
from autology.model.errors import StorageError
from autology.model.next_step import Action, Sentence, do
from autology.text.language.plural import counted

READING, ENCODING = 0.8, 0.3
"""Seconds that a question waits for new conversations, so that it is answered within two. A second reads 1,000 passages
of a transcript of 200 MB on a busy machine, and 2,000 on an idle one: about a day of talk."""
OFF = "conversations are not read, by the settings: only earlier indexed ones were searched"


class NewConversations:
    """Reads the new parts of *conversations* when called; returns what stayed behind, in sentences."""

    def __init__(self, conversations: Conversations) -> None:
        self._all = conversations
        self._looking = threading.Lock()
        self._looked = 0.0
        self._cost = 0.0
        self._notes: tuple[str, ...] = ()
        self._excludes: tuple[str, ...] = ()

    def __call__(self) -> tuple[str, ...]:
        """Update the index from the transcripts, unless that was just done."""
        rules = self._all.rules
        with self._looking:
            if rules.excludes != self._excludes:
                self._forget(rules.excludes)
            if not rules.read:
                return (OFF,)
            if not self._looked or time.monotonic() - self._looked >= WALK_SHARE * self._cost:
                self._look()
            return self._notes

    def _forget(self, excludes: tuple[str, ...]) -> None:
        try:
            self._all.forget_excluded()
            self._excludes = excludes
        except StorageError as error:
            self._all.note(f"{error.path}: {error.reason}")

    def _look(self) -> None:
        begun = time.monotonic()
        new = behind = 0
        try:
            with self._all.index.keep_open():
                new = self._all.refresh(until=begun + READING)
                hurried = time.monotonic() - begun >= READING
                behind = self._all.behind() if hurried else 0
                if new or self._all.index.unencoded():
                    self._all.encode(until=time.monotonic() + ENCODING)
        except StorageError as error:
            self._all.note(f"{error.path}: {error.reason}")
        failed = self._all.failed[:1]
        messages: list[str] = [f"unreadable: {path}" for path in failed]
        if behind:
            many = counted(behind, "conversation", "are")
            now = Sentence("each search continues, ", do(Action.SYNC), " reads everything now")
            messages.append(Sentence(f"{many} not fully read yet; ", now))
        self._notes = tuple(messages)
        # What was read cost once; the share applies to the cost of each check for changes.
        self._cost = 0.0 if new else time.monotonic() - begun
        self._looked = time.monotonic()
