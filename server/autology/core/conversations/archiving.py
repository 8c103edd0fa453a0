"""Archiving transcripts before the client deletes them, within the user's limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import Pace
from autology.core.conversations.transcripts import Home
from autology.core.long_work import Progress
from autology.model.errors import StorageError


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """What was done: transcripts archived and dropped, and those that failed, with the reasons."""

    archived: int = 0
    dropped: int = 0
    failed: tuple[str, ...] = field(default=())


class _Excluded(Exception):  # noqa: N818 - not an error: what it stops is not wanted
    """The transcript is of a project that the user excluded."""


def archive(conversations: ConversationSources, progress: Progress | None, pace: Pace) -> ArchiveReport:
    """Archive what is new, newest first; drop what is too old or exceeds the limit."""
    rules = conversations.rules
    live, there = conversations.live.scan(), conversations.archive.scan()
    times = {name: stamp.mtime_ns for name, stamp in (*there.items(), *live.items())}
    oldest = (conversations.now() - timedelta(days=rules.days)).timestamp() * 1e9 if rules.days else 0.0
    room = rules.megabytes * 1_000_000
    added = dropped = 0
    failed: list[str] = []
    names = sorted(times, key=lambda name: times[name], reverse=True)
    for at, name in enumerate(names):
        if progress:
            progress(at + 1, len(names))
        size = there[name].size if name in there else 0
        wanted = rules.keep and times[name] >= oldest and room > size
        if wanted and name in live and (name not in there or there[name].mtime_ns != live[name].mtime_ns):
            size, done = archive_one(conversations, name, failed)
            added += done
            pace.rest()
            wanted = room >= size
        if size and not wanted and (rules.keep or name not in live):
            _drop(conversations, name, name in live)
            dropped += 1
        elif wanted:
            room -= size
    return ArchiveReport(added, dropped, tuple(failed))


def archive_session(conversations: ConversationSources, session: str) -> ArchiveReport:
    """Archive the transcripts of a session."""
    if not conversations.rules.keep:
        return ArchiveReport()
    failed: list[str] = []
    done = sum(archive_one(conversations, name, failed)[1] for name in conversations.live.of_session(session))
    return ArchiveReport(done, 0, tuple(failed))


def archive_one(conversations: ConversationSources, name: str, failed: list[str]) -> tuple[int, int]:
    """Archive a transcript; return its size, and 1 if it was added."""

    def home(folder: str) -> Home:
        if conversations.rules.excluded(folder):
            raise _Excluded
        return conversations.home(folder)

    try:
        return conversations.archive.keep(name, home), 1
    except _Excluded:
        conversations.archive.remove(name)
    except FileNotFoundError:
        pass  # the client deleted it first
    except StorageError as error:
        failed.append(error.message)
        conversations.note(f"{name}: {error.reason}")
    return 0, 0


def _drop(conversations: ConversationSources, name: str, is_live: bool) -> None:
    conversations.archive.remove(name)
    if not is_live:
        there, current = conversations.archive.scan(), conversations.live.current
        earlier = [other for other in conversations.index.marks() if current(other) == name and other not in there]
        conversations.index.forget(list(dict.fromkeys([name, *earlier])))
