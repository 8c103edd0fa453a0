"""``autology archive``: back up Claude Code sessions before they are deleted."""

from __future__ import annotations

import argparse
import time
from typing import Any

from autology import log
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.conversations.archiving import ArchiveReport
from autology.core.conversations.conversations import Conversations
from autology.core.conversations.coverage import Coverage
from autology.model.errors import StorageError
from autology.text.language.plural import counted
from autology.text.sanitising import clean_line
from autology.wire.project import Project

EXAMPLES = """\
autology archive
autology archive --status
autology archive --session 048e5d0c-6802-46b6-acdc-999dcf7e63d6"""
JSON = """\
{read: transcripts with new content, kept, dropped, failed: [reasons],
 sessions: {all, live, kept, unkept, lost, agents, behind}, chunks: {conversation, code, decision},
 unencoded, broken, bytes, unreadable: [reasons]}"""
EMBEDDING_SECONDS = 60.0
"""Seconds for embedding at the end of a session; the next server does the rest."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: which session, and whether to change anything."""
    parser.add_argument("--status", action="store_true", help="only show the state of the archive")
    parser.add_argument("--session", metavar="ID", help="only this session and its sub-agents")
    parser.add_argument("--wait", metavar="SECONDS", type=float, default=0.0, help="wait before starting")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Index new content and archive sessions that are not archived yet."""
    project = project_of(args)
    conversations = project.conversations
    if args.session:
        return _archive_session(project, args.session, args.wait, screen)
    read, report = 0, ArchiveReport()
    if not args.status:
        time.sleep(max(0.0, args.wait))
        with screen.progress("reading sessions") as progress:
            read = conversations.refresh(progress)
        with screen.progress("archiving sessions") as progress:
            report = conversations.keep(progress)
        conversations.encode()
    coverage = conversations.coverage()
    if screen.json:
        screen.data(_as_json(read, report, coverage))
    else:
        _show(conversations, None if args.status else (read, report), coverage, screen)
    return 1 if report.failed else 0


def _archive_session(project: Project, session: str, wait: float, screen: Screen) -> int:
    """Index, archive and mine one session; failures are logged, as the hook that started this has exited."""
    time.sleep(max(0.0, wait))
    conversations = project.conversations
    try:
        read = conversations.read_session(session)
        report = conversations.keep_session(session)
        conversations.encode(until=time.monotonic() + EMBEDDING_SECONDS)
        if project.graph.files.exists():
            project.mined_queue.waiting()  # the next session's start offers them
    except StorageError as error:
        log.write("archive", error)
        raise
    for reason in report.failed:
        log.write("archive", StorageError(session, reason))
    if screen.json:
        screen.data({"read": read, "kept": report.archived, "dropped": 0, "failed": list(report.failed)})
    else:
        summary = f"{counted(read, 'transcript')} read, {report.archived} archived"
        screen.line(f"✓ {summary}." if read or report.archived else f"No transcript found of {screen.safe(session)}.")
    return 1 if report.failed or not (read or report.archived) else 0


def _show(
    conversations: Conversations, outcome: tuple[int, ArchiveReport] | None, coverage: Coverage, screen: Screen
) -> None:
    if outcome:
        read, report = outcome
        parts = [f"{counted(read, 'transcript')} had new content", f"{report.archived} archived"]
        parts += [f"{report.dropped} dropped because of the settings"] if report.dropped else []
        screen.line(f"✓ {', '.join(parts)}.", "green")
        for reason in report.failed:
            screen.line(f"✗ {screen.safe(reason, 500)}", "yellow")
        screen.line()
    for line in lines(coverage):
        screen.line(line)
    if not conversations.rules.keep:
        screen.line("Archiving is off: see the setting `archive`.")
    if not conversations.rules.read:
        screen.line("Reading sessions is off: see the setting `conversations`.")


def lines(coverage: Coverage) -> list[str]:
    """Return the state of the archive as lines of text."""
    agents = f", and {counted(coverage.agents, 'transcript')} of sub-agents" if coverage.agents else ""
    archived = f"{coverage.archived:,} archived ({coverage.size / 1e6:.1f} MB)"
    rows = [
        f"{counted(coverage.sessions, 'session')}{agents}",
        f"  {coverage.live:,} live, {archived}, {coverage.lost:,} lost",
    ]
    if coverage.behind:
        rows.append(f"  {counted(coverage.behind, 'transcript', 'are')} not fully read yet: run `autology sync`")
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(coverage.chunks.items()))
    unencoded = f"; {coverage.unencoded:,} without embeddings yet" if coverage.unencoded else ""
    passages = counted(sum(coverage.chunks.values()), "passage")
    rows.append(f"  {passages} indexed{f' ({kinds})' if kinds else ''}{unencoded}")
    if coverage.broken:
        rows.append(f"  {counted(coverage.broken, 'line')} skipped: invalid records")
    return rows + [f"  unreadable: {clean_line(reason, 300)}" for reason in coverage.unreadable]


def _as_json(read: int, report: ArchiveReport, coverage: Coverage) -> dict[str, Any]:
    return {
        "read": read,
        "kept": report.archived,
        "dropped": report.dropped,
        "failed": list(report.failed),
        "sessions": {
            "all": coverage.sessions,
            "live": coverage.live,
            "kept": coverage.archived,
            "unkept": coverage.unarchived,
            "lost": coverage.lost,
            "agents": coverage.agents,
            "behind": coverage.behind,
        },
        "chunks": dict(coverage.chunks),
        "unencoded": coverage.unencoded,
        "broken": coverage.broken,
        "bytes": coverage.size,
        "unreadable": list(coverage.unreadable),
    }
