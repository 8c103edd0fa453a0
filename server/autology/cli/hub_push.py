"""``autology hub push``: share what the project's files say, and send memories that wait."""

from __future__ import annotations

import argparse
import time

from autology import wire
from autology.cli import hubbed, project
from autology.cli.screen import Screen
from autology.core.documents.library import Library
from autology.core.hub import conversations, memories, sharing
from autology.core.hub.port import ADMIN, WRITER, Hub
from autology.core.hub.soon import PAUSE
from autology.core.memory.memories import Memories
from autology.model.errors import HubError

EXAMPLES = """\
autology hub push
autology hub push --memories
autology hub push --changed"""
PATIENCE = 60.0
"""Seconds for whoever sends already: a first push of a large project takes longer, and says so."""
JSON = """\
{files?: {sent, gone, same}, memories: {sent, waiting}, chunks?, conflicts: [paths], notes: [texts]}
or with --changed {waits: whether some of it does, waiting, conflicts}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is sent."""
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--memories", action="store_true", help="only memories that wait, not what the files say")
    told = "what changed since the last push, and memories: what goes by itself after each write"
    some.add_argument("--changed", action="store_true", help=told)
    parser.add_argument("--soon", action="store_true", help=argparse.SUPPRESS)  # as a command that wrote starts it


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Send it; what cannot be sent now waits, in order."""
    at = project.root(asked)
    if asked.changed:
        return _changed(asked, at, screen)
    hub, outbox = hubbed.seen(asked), wire.outbox()
    library = wire.library(wire.graph(at), at)
    own = wire.memories(library.graph, at)
    with screen.progress("reading files") as progress:
        library.refresh(walk=True, progress=progress)
        own.refresh(walk=True)
    with outbox.sending(PATIENCE):
        lost = hubbed.reconciled(outbox, hub)
        memories.offered(own, outbox, hub.space.org)
        exchanged = memories.sent(own, outbox, hub)
    exchanged.notes += lost
    told: dict[str, object] = {"memories": {"sent": exchanged.sent, "waiting": exchanged.waiting}}
    try:
        if not asked.memories and hub.role() in (WRITER, ADMIN):
            told |= _shared(hub, library, own, at, screen)
        elif not asked.memories:
            exchanged.notes.append(f"{hub.space} is not there, or not yours to write: its files were not shared")
    except HubError as error:
        exchanged.notes.append(str(error))
    told |= {"conflicts": exchanged.conflicts, "notes": list(dict.fromkeys(exchanged.notes))}
    if screen.json:
        screen.data(told)
    else:
        _show(told, screen)
    return 1 if exchanged.conflicts or exchanged.notes else 0


def _changed(asked: argparse.Namespace, root: str, screen: Screen) -> int:
    """Send what changed, once what is written together with it is there too; of several that begin at once one does."""
    hubbed.seen(asked)
    outbox = wire.outbox()
    if asked.soon and not outbox.intend(root):
        return 0
    time.sleep(PAUSE if asked.soon else 0)
    waits = wire.send(root, PATIENCE)
    if screen.json:
        screen.data({"waits": waits, "waiting": len(outbox.waiting()), "conflicts": list(outbox.conflicts())})
    else:
        screen.line("Some of it waits: `autology hub status` says what." if waits else "✓ what changed was sent")
    return 1 if waits else 0


def _shared(hub: Hub, library: Library, own: Memories, root: str, screen: Screen) -> dict[str, object]:
    """Share what the files say and, by consent, what was said; return how much. Raises HubError."""
    readers, shares = library.graph.readers, wire.shares(root, hub.space)
    with screen.progress("sharing files") as progress:
        done = sharing.whole(hub, own.shared(), readers, shares, wire.branch(root), progress)
    told: dict[str, object] = {"files": {"sent": done.sent, "gone": done.gone, "same": done.same}}
    if hub.shares():
        with screen.progress("sharing conversations") as progress:
            said = wire.conversations(root)
            told["chunks"] = conversations.share(hub, said, wire.project_identity(root), progress)
    return told


def _show(told: dict[str, object], screen: Screen) -> None:
    memory, files = told["memories"], told.get("files")
    assert isinstance(memory, dict)
    if isinstance(files, dict):
        screen.line(f"✓ files: {files['sent']:,} sent, {files['gone']:,} taken out, {files['same']:,} as they were")
    screen.line(f"✓ memories: {memory['sent']:,} sent, {memory['waiting']:,} wait")
    if "chunks" in told:
        screen.line(f"✓ conversations: {told['chunks']:,} passages sent")
    for path in told["conflicts"]:  # type: ignore[attr-defined]
        screen.line(f"conflict: {screen.safe(path, 500)}")
        screen.line("  Change the memory to what is meant, or leave yours as it is; delete that file, and push.")
    for note in told["notes"]:  # type: ignore[attr-defined]
        screen.line(f"Note: {screen.safe(note, 500)}")
