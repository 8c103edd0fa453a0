"""One user's conversations: the transcripts, their archive, and the index over them."""

from __future__ import annotations

from autology.core.conversations import archiving, coverage, embedding_texts, parallel_reading, sync
from autology.core.conversations.archiving import ArchiveReport
from autology.core.conversations.coverage import Coverage
from autology.core.conversations.sources import ConversationSources
from autology.core.index import embedding_queue
from autology.core.long_work import Progress, without_garbage_collection
from autology.model.errors import StorageError

PACE_STEP = 100
"""Chunks per transaction in the background: some 60 ms, the longest that a concurrent question waits."""
STEP = 1_000
"""Chunks per transaction while a command waits."""
HURRIED = 250
"""Chunks per transaction while a question waits for its deadline: some 0.15 s, 0.3 on a busy machine."""
ALL_STEP = 4_000
"""Chunks per transaction when nothing waits, from many transcripts together: 20 MB of memory, and a second for other
writers. bench/conversations: a transaction for each transcript takes twice as long."""
ENCODED = 100
"""Chunks encoded at a time, in some 50 ms."""
RESTING = 2.0
"""Seconds of rest per second of background work: a third of a core, and a question seldom collides with it."""


_EXCLUDED = "excluded"
"""Under this name the index holds the patterns of folders that were excluded when it was last updated."""


class Conversations(ConversationSources):
    """One user's conversations, as far as they were read; :meth:`refresh` reads new ones."""

    def behind(self) -> int:
        """Return how many transcripts have unread parts."""
        return len(sync.unread(self)) if self.rules.read else 0

    def refresh(self, progress: Progress | None = None, idle: float = 0.0, until: float | None = None) -> int:
        """Read new transcript parts; return how many transcripts had any.

        *idle* is how long to rest for each second of work, in the background; at *until*, in :func:`time.monotonic`
        seconds, it stops wherever it is: a later call continues.
        """
        if not self.rules.read:
            return 0
        self.forget_excluded()
        unread = sync.unread(self)
        pace = sync.Pace(PACE_STEP if idle else ALL_STEP if until is None else HURRIED, idle, until)
        batch = sync.AdvanceBatch(self.index, pace)
        if not idle and until is None:
            with without_garbage_collection():
                parallel_reading.read_all(self, unread, self.pool, batch, progress or (lambda *_: None))
                self._settle(batch)
            return len(unread)
        done = 0
        for name, archived in unread.items():
            if done and pace.over():  # reads one part at least, however long the search for changes took
                break
            if progress:
                progress(done, len(unread))
            sync.read(self, name, archived, batch)
            done += 1
        self._settle(batch)
        if progress and done:
            progress(done, len(unread))
        return done

    def forget_excluded(self) -> None:
        """Forget folders that were excluded since the last call. Raises StorageError."""
        patterns = "\n".join(self.rules.excludes)
        if self.index.metadata(_EXCLUDED) != patterns:
            self.index.forget_folders(self.rules.excluded)
            self.index.set_metadata(_EXCLUDED, patterns)

    def catch_up(self) -> None:
        """Read, archive and encode everything new, in the background: for a server that just started."""
        self.refresh(idle=RESTING)
        self._tidy(sync.Pace(1, RESTING))
        self.keep(idle=RESTING)
        self.encode(idle=RESTING)

    def read_session(self, session: str) -> int:
        """Read the new parts of a session and its sub-agents; return how many transcripts had any."""
        names = self.live.of_session(session) if self.rules.read else ()
        batch = sync.AdvanceBatch(self.index, sync.Pace(STEP))
        done = sum(sync.read(self, name, False, batch) for name in names)
        self._settle(batch)
        return done

    def sessions_in(self, folder: str) -> int:
        """Return how many sessions the client has of a folder."""
        if not self.rules.read or self.rules.excluded(folder):
            return 0
        return sum(not self.live.is_agent(name) for name in self.live.of_folder(folder))

    def read_folder(self, folder: str, progress: Progress | None = None) -> None:
        """Read and archive the sessions in a folder."""
        names, failed = self.live.of_folder(folder) if self.rules.read else (), list[str]()
        batch = sync.AdvanceBatch(self.index, sync.Pace(STEP))
        for done, name in enumerate(names, 1):
            sync.read(self, name, False, batch)
            if self.rules.keep:
                archiving.archive_one(self, name, failed)
            if progress:
                progress(done, len(names))
        self._settle(batch)

    def keep(self, progress: Progress | None = None, idle: float = 0.0) -> ArchiveReport:
        """Archive what is new, and drop what is too old or too much; return what was done."""
        return archiving.archive(self, progress, sync.Pace(1, idle))

    def keep_session(self, session: str) -> ArchiveReport:
        """Archive a session and its sub-agents."""
        return archiving.archive_session(self, session)

    def encode(self, idle: float = 0.0, until: float | None = None) -> int:
        """Encode what was read, for semantic search; return how much is left."""
        pace = sync.Pace(ENCODED, idle, until)
        left = self.index.unencoded()
        while left and not pace.over():
            left = self.index.encode(ENCODED)
            pace.rest()
        return left

    def embed(self, seconds: float) -> bool:
        """Encode with the user's chosen model for about *seconds*; return whether any may be left.

        Raises:
            EncodingError: the model failed after all; search goes on without it.
        """
        return embedding_queue.embed(self.index, embedding_texts.readers(self.index), seconds)

    def embed_all(self, progress: Progress) -> int:
        """Encode everything with the user's chosen model; return how much. Raises: EncodingError."""
        return embedding_queue.embed_all(self.index, embedding_texts.readers(self.index), progress)

    def _tidy(self, pace: sync.Pace) -> None:
        try:
            while self.index.tidy():
                pace.rest()
        except StorageError as error:
            self.note(f"what was read: {error.reason}")

    def _settle(self, batch: sync.AdvanceBatch) -> None:
        try:
            batch.settle()
        except StorageError as error:
            self.note(f"what was read last: {error.reason}")

    def coverage(self) -> Coverage:
        """Return how many sessions exist, are read, are archived, are lost."""
        return coverage.coverage(self)
