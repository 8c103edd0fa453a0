"""Where a user's conversations come from and go to: transcripts, archive, index, and the user's settings for them."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from autology.core.content.plan import ALONE
from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.conversations.transcripts import Archive, Home, Transcripts
from autology.core.long_work import Pool


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
        path = folder.replace("\\", "/").rstrip("/")
        return any(
            fnmatch.fnmatch(path, pattern) or fnmatch.fnmatch(path, f"{pattern.rstrip('/')}/*")
            for pattern in self.excludes
        )


class ConversationSources:
    """The transcripts (*live*), their archive and their index; *failed* lists what could not be read or archived.

    Worker processes of *pool* help where many are to be read.
    """

    def __init__(
        self,
        live: Transcripts,
        archive: Archive,
        index: ConversationIndex,
        home: Callable[[str], Home],
        rules: ConversationSettings,
        now: Callable[[], datetime],
        pool: Pool = ALONE,
    ) -> None:
        self.live = live
        self.archive = archive
        self.index = index
        self.rules = rules
        self.now = now
        self.pool = pool
        self.failed: list[str] = []
        self._home = home
        self._homes: dict[str, Home] = {}

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
