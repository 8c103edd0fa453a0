"""``autology hub push``: share this project's files, and send queued memories."""

from __future__ import annotations

import argparse
import time
from typing import Any

from autology.cli import hub_space
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.hub.model import ADMIN, WRITER
from autology.hub.ports import Hub
from autology.hub.sync import project_files, push_memories
from autology.hub.sync.background_retry import PAUSE
from autology.hub.sync.conversations import share_conversations
from autology.model.errors import HubError
from autology.wire import user
from autology.wire.project import Project

EXAMPLES = """\
autology hub push
autology hub push --memories
autology hub push --changed"""
PATIENCE = 60.0
"""Seconds to wait for another process that is sending; a first push of a large project takes longer."""
JSON = """\
{files?: {sent, gone, same}, memories: {sent, waiting}, chunks?, conflicts: [paths], notes: [texts]}
or with --changed {waits: whether something still waits, waiting, conflicts}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the selection."""
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--memories", action="store_true", help="only queued memories, not the files")
    changed = "memories, and files that changed since the last push, as after each write"
    part.add_argument("--changed", action="store_true", help=changed)
    parser.add_argument("--soon", action="store_true", help=argparse.SUPPRESS)  # started by a command that wrote


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Send everything; changes that cannot be sent now stay queued, in order."""
    project = project_of(args)
    if args.changed:
        return _changed(args, project, screen)
    hub, outbox = hub_space.hub_of(args), user.outbox()
    library, memories = project.library, project.memories
    with screen.progress("reading files") as progress:
        library.refresh(walk=True, progress=progress)
        memories.refresh(walk=True)
    with outbox.sending(PATIENCE):
        lost = hub_space.requeue_lost(outbox, hub)
        push_memories.queue_changes(memories, outbox, hub.space.org)
        pushed = push_memories.send_queued(memories, outbox, hub)
    pushed.notes += lost
    result: dict[str, Any] = {"memories": {"sent": pushed.sent, "waiting": pushed.waiting}}
    try:
        if not args.memories and hub.role() in (WRITER, ADMIN):
            result |= _shared(hub, project, screen)
        elif not args.memories:
            pushed.notes.append(f"{hub.space} does not exist, or you may not write to it: the files were not shared")
    except HubError as error:
        pushed.notes.append(error.message)
    result |= {"conflicts": pushed.conflicts, "notes": list(dict.fromkeys(pushed.notes))}
    if screen.json:
        screen.data(result)
    else:
        _show(result, screen)
    return 1 if pushed.conflicts or pushed.notes else 0


def _changed(args: argparse.Namespace, project: Project, screen: Screen) -> int:
    """Send changes, after a pause for further writes; of several such processes only one sends."""
    hub_space.hub_of(args)
    outbox = user.outbox()
    if args.soon and not outbox.schedule(project.root):
        return 0
    time.sleep(PAUSE if args.soon else 0)
    waits = project.team.send(PATIENCE)
    result = {"waits": waits, "waiting": len(outbox.waiting()), "conflicts": list(outbox.conflicts())}
    line = "Something still waits: see `autology hub status`." if waits else "✓ all changes were sent"
    screen.report(result, line)
    return 1 if waits else 0


def _shared(hub: Hub, project: Project, screen: Screen) -> dict[str, object]:
    """Share the files and, by consent, conversations; return the numbers. Raises HubError."""
    shared, readers, share_log = project.memories.shared(), project.graph.readers, project.team.share_log(hub.space)
    with screen.progress("sharing files") as progress:
        files = project_files.share_all(hub, shared, readers, share_log, project.branch, progress)
    result: dict[str, object] = {"files": {"sent": files.sent, "gone": files.gone, "same": files.same}}
    if hub.has_consent():
        with screen.progress("sharing conversations") as progress:
            result["chunks"] = share_conversations(hub, project.conversations, project.names[0], progress)
    return result


def _show(result: dict[str, Any], screen: Screen) -> None:
    if "files" in result:
        screen.line("✓ files: {sent:,} sent, {gone:,} deleted, {same:,} up to date".format(**result["files"]))
    screen.line("✓ memories: {sent:,} sent, {waiting:,} wait".format(**result["memories"]))
    if "chunks" in result:
        screen.line(f"✓ conversations: {result['chunks']:,} passages sent")
    hub_space.show_messages(result["conflicts"], result["notes"], screen)
