"""Where a user's conversations come from and go to: transcripts, archive, index, and the user's settings for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from autology.core.content.plan import ALONE
from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.conversations.transcripts import Archive, Home, Transcripts
from autology.core.long_work import Pool
from autology.text.folder_patterns import is_excluded

RULES_CACHED = 0.1
"""Seconds for which the user's settings are taken as read: reading them takes 0.2 ms, and each turn is checked."""


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """What is read, and what is archived for how long; *excludes* are patterns of folders."""

    read: bool = True
    keep: bool = True
    days: int = 0
    megabytes: int = 2_000
    excludes: tuple[str, ...] = ()

    def excluded(self, folder: str) -> bool:
        """Whether sessions in *folder* are neither read nor archived."""
        return is_excluded(folder, self.excludes)


class ConversationSources:
    """The transcripts (*live*), their archive and their index; *failed* lists what could not be read or archived.

    *rules* returns the user's current settings, which may change while a server runs.

    Worker processes of *pool* help where many are to be read.
    """

    def __init__(
        self,
        live: Transcripts,
        archive: Archive,
        index: ConversationIndex,
        home: Callable[[str], Home],
        rules: Callable[[], ConversationSettings],
        now: Callable[[], datetime],
        pool: Pool = ALONE,
    ) -> None:
        self.live = live
        self.archive = archive
        self.index = index
        self.now = now
        self.pool = pool
        self.failed: list[str] = []
        self._home = home
        self._homes: dict[str, Home] = {}
        self._read_rules = rules
        self._rules: ConversationSettings | None = None
        self._rules_read_at = 0.0

    @property
    def rules(self) -> ConversationSettings:
        """The user's settings as of a moment ago."""
        now = time.monotonic()
        if self._rules is None or now - self._rules_read_at > RULES_CACHED:
            self._rules, self._rules_read_at = self._read_rules(), now
        return self._rules

    def home(self, folder: str) -> Home:
        """Return the project that *folder* lies in."""
        cached = self._homes.get(folder)
        if cached is None:
            cached = self._homes[folder] = self._home(folder)
        return cached

    def note(self, problem: str) -> None:
        """Remember what could not be read or archived, for the results that it affects."""
        if problem not in self.failed:
            self.failed.append(problem)
