"""``autology archive``: read past sessions and keep them, compressed and without secrets."""

from __future__ import annotations

import argparse
import time
from typing import Any

from autology import log, wire
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.conversations.conversations import Conversations
from autology.core.conversations.coverage import Coverage
from autology.core.conversations.keeping import Kept
from autology.model.errors import StorageError
from autology.text.counted import counted

EXAMPLES = """\
autology archive
autology archive --status
autology archive --session 048e5d0c-6802-46b6-acdc-999dcf7e63d6"""
JSON = """\
{read: transcripts with something new, kept, dropped, failed: [reasons],
 sessions: {all, live, kept, unkept, lost, agents, behind}, chunks: {conversation, code, decision},
 unencoded, broken, bytes}"""
ENCODING = 60.0
"""Seconds in which a session's end makes what was said found by meaning; the next server does the rest."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add which sessions, and whether only to look."""
    parser.add_argument("--status", action="store_true", help="only say what there is")
    parser.add_argument("--session", metavar="ID", help="this session alone, and its sub-agents")
    parser.add_argument("--wait", metavar="SECONDS", type=float, default=0.0, help="begin so much later")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Read what is new, keep what is not kept."""
    conversations = wire.conversations(project.root(asked))
    if asked.session:
        return _one(conversations, asked.session, asked.wait, screen)
    read, kept = 0, Kept()
    if not asked.status:
        time.sleep(max(0.0, asked.wait))
        with screen.progress("reading sessions") as progress:
            read = conversations.refresh(progress)
        with screen.progress("keeping sessions") as progress:
            kept = conversations.keep(progress)
        conversations.encode()
    found = conversations.coverage()
    if screen.json:
        screen.data(_as_json(read, kept, found))
    else:
        _show(conversations, None if asked.status else (read, kept), found, screen)
    return 1 if kept.failed else 0


def _one(conversations: Conversations, session: str, wait: float, screen: Screen) -> int:
    """Read and keep one session; who started this is gone, so what fails is logged."""
    time.sleep(max(0.0, wait))
    try:
        read = conversations.read_session(session)
        kept = conversations.keep_session(session)
        conversations.encode(until=time.monotonic() + ENCODING)
    except StorageError as error:
        log.write("archive", error)
        raise
    for reason in kept.failed:
        log.write("archive", StorageError(session, reason))
    if screen.json:
        screen.data({"read": read, "kept": kept.kept, "dropped": 0, "failed": list(kept.failed)})
    else:
        done = f"{counted(read, 'transcript')} read, {kept.kept} kept"
        screen.line(f"✓ {done}." if read or kept.kept else f"There is no transcript of {screen.safe(session)}.")
    return 1 if kept.failed or not (read or kept.kept) else 0


def _show(conversations: Conversations, done: tuple[int, Kept] | None, found: Coverage, screen: Screen) -> None:
    if done:
        read, kept = done
        told = [f"{counted(read, 'transcript')} had something new", f"{kept.kept} kept anew"]
        told += [f"{kept.dropped} dropped, as the settings say"] if kept.dropped else []
        screen.line(screen.styled(f"✓ {', '.join(told)}.", "green"))
        for reason in kept.failed:
            screen.line(screen.styled(f"✗ {screen.safe(reason, 500)}", "yellow"))
        screen.line()
    for line in lines(found):
        screen.line(line)
    if not conversations.rules.keep:
        screen.line("Nothing is kept: the setting `archive` is off.")
    if not conversations.rules.read:
        screen.line("Nothing is read: the setting `conversations` is off.")


def lines(found: Coverage) -> list[str]:
    """Return what there is, in lines."""
    agents = f", and {counted(found.agents, 'transcript')} of sub-agents" if found.agents else ""
    told = [
        f"{counted(found.sessions, 'session')}{agents}",
        f"  {found.live:,} with the client, {found.kept:,} kept ({found.size / 1e6:.1f} MB), {found.lost:,} lost",
    ]
    if found.behind:
        told.append(f"  {counted(found.behind, 'transcript', 'are')} not read to the end yet: `autology sync`")
    held = ", ".join(f"{kind} {many:,}" for kind, many in sorted(found.chunks.items()))
    by_words = f"; {found.unencoded:,} by words only" if found.unencoded else ""
    passages = counted(sum(found.chunks.values()), "passage")
    told.append(f"  {passages} to be found{f' ({held})' if held else ''}{by_words}")
    if found.broken:
        told.append(f"  {counted(found.broken, 'line')} passed over: no records")
    return told


def _as_json(read: int, kept: Kept, found: Coverage) -> dict[str, Any]:
    names = ("live", "kept", "unkept", "lost", "agents", "behind")
    return {
        "read": read,
        "kept": kept.kept,
        "dropped": kept.dropped,
        "failed": list(kept.failed),
        "sessions": {"all": found.sessions, **{name: getattr(found, name) for name in names}},
        "chunks": dict(found.chunks),
        "unencoded": found.unencoded,
        "broken": found.broken,
        "bytes": found.size,
    }
