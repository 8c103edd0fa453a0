"""``autology mirror``: keep memories and past sessions in step with your other machines."""

from __future__ import annotations

import argparse
import os
import textwrap
from typing import Any

from autology import client_session
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.memory.audited_memories import ITEMS, NAMED
from autology.core.memory.ports import Event
from autology.mirror.memories import Conflict, MemoryChanges
from autology.mirror.mirror import Mirror, MirrorOptions, MirrorReport, MirrorStatus
from autology.mirror.sessions import SessionChanges
from autology.text.language.plural import counted
from autology.wire.mirror import mirror_status, open_mirror
from autology.wire.project import Project

EXAMPLES = """\
autology mirror ~/Sync/autology
autology mirror ssh:desktop
autology mirror ssh:ada@desktop:backup/autology
autology mirror
autology mirror --dry-run
autology mirror --take 3f2a91c0"""
JSON = """\
{place, machine, machines: [names], dry_run,
 memories: {changed, deleted, received, removed, merged, restored: [ids], conflicts: [{id, machines, file}]},
 sessions: {sent, received, sent_bytes}, answers, waiting, notes: [texts]}
or with --status {machine, places: [last first], conflicts: [{id, machines, file}]}"""
PROTECTION = (
    "Copied there: your memories, archived sessions and answers to mined candidates, without secrets. Nothing is"
    " encrypted: anyone who can read the folder can read them. Files are readable by you only, where the file system"
    " knows permissions; over ssh, your own ssh protects them."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the place, and what to do with it."""
    about = "a folder that your machines share (synced, network, stick), or ssh:[USER@]HOST[:PATH]; default: the last"
    parser.add_argument("place", nargs="?", metavar="PLACE", help=about)
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
    parser.add_argument("--status", action="store_true", help="only show the places used and the open conflicts")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--keep", metavar="ID", default="", help="end a conflict: the memory's text here holds")
    choice.add_argument("--take", metavar="ID", default="", help="end a conflict: the other machine's text holds")
    parser.add_argument("--name", metavar="NAME", default="", help="what other machines call this one, at first")
    parser.add_argument("--again", action="store_true", help="fill a place again that was emptied")
    skipping = "take what is there, without waiting for damaged or missing files before it"
    parser.add_argument("--skip-damaged", action="store_true", help=skipping)
    parser.epilog = f"{textwrap.fill(PROTECTION, 80)}\n\n{parser.epilog or ''}"


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Mirror, then print what was sent and received; open conflicts are findings."""
    before = mirror_status()
    if args.status:
        return _show_status(before, screen)
    place = _place(args, before)
    project = project_of(args)
    mirror = open_mirror(project, args.name)
    conversations = project.conversations
    failed: tuple[str, ...] = ()
    if not args.dry_run:
        with screen.progress("archiving sessions") as progress:
            failed = conversations.keep(progress).failed
    options = MirrorOptions(args.dry_run, args.again, args.skip_damaged, args.keep, args.take)
    report = _run(mirror, place, options, screen)
    if not args.dry_run:
        project.audit.record([_event(report, project)])
    if report.received.transcripts:
        with screen.progress("reading sessions") as progress:
            conversations.refresh(progress)
    if not conversations.rules.keep:
        report.notes.append("archiving sessions is off: only those archived before are sent")
    report.notes += [*failed, *report.memories.notes, *report.sent.notes, *report.received.notes]
    if not before.targets:
        report.notes.append(PROTECTION)
    if screen.json:
        screen.data(_as_json(report, args.dry_run))
    else:
        _show(report, args.dry_run, screen)
    return 1 if report.memories.conflicts else 0


def _place(args: argparse.Namespace, status: MirrorStatus) -> str:
    if args.place or status.targets:
        return str(args.place or status.targets[0])
    raise UsageError("PLACE", "is missing: nothing was mirrored yet", "Give a folder that your machines share.")


def _run(mirror: Mirror, place: str, options: MirrorOptions, screen: Screen) -> MirrorReport:
    return mirror.run(place, os.getcwd(), options, screen.progress)


def _event(report: MirrorReport, project: Project) -> Event:
    """Return what the audit says of a run: which memories left, came, and were removed."""
    memories = report.memories
    lists = {"sent": memories.changed, "deleted": memories.deleted, "received": memories.received}
    lists |= {"removed": memories.removed, "conflicts": [conflict.memory for conflict in memories.conflicts]}
    fields = {
        "actor": client_session.caller(project.source),
        "source": project.source,
        "resource": ITEMS,
        "place": report.place,
        "outcome": "success",
        **{name: len(ids) for name, ids in lists.items()},
        **{f"{name}_ids": ids[:NAMED] for name, ids in lists.items() if ids},
    }
    return Event("memory_mirror_complete", "info", fields)


# ---- printing ------------------------------------------------------------------------------------


def _show_status(status: MirrorStatus, screen: Screen) -> int:
    if screen.json:
        conflicts = [_conflict(conflict) for conflict in status.conflicts]
        screen.data({"machine": status.machine or None, "places": list(status.targets), "conflicts": conflicts})
        return 1 if status.conflicts else 0
    if not status.targets:
        screen.line("Nothing is mirrored: `autology mirror PLACE` begins it, and nothing leaves before.")
        return 0
    screen.line(f"This machine: {screen.safe(status.machine)}")
    for place in status.targets:
        screen.line(f"  {screen.safe(place, 1_000)}")
    _show_conflicts(status.conflicts, screen)
    return 1 if status.conflicts else 0


def _show(report: MirrorReport, is_dry: bool, screen: Screen) -> None:
    others = ", ".join(dict.fromkeys(report.machines)) or "none yet"
    done = "Dry run: nothing was written. With" if is_dry else "✓ Mirrored with"
    screen.line(
        f"{done} {screen.safe(report.place, 500)} as {screen.safe(f'{report.machine}; other machines: {others}')}"
    )
    memories = report.memories
    sent = _memories(memories.changed, memories.deleted) + _sessions(report.sent)
    received = _memories(memories.received, memories.removed) + _sessions(report.received)
    received += [counted(report.answers, "answer")] if report.answers else []
    screen.line(f"  sent: {', '.join(sent) or 'nothing new'}")
    screen.line(f"  received: {', '.join(received) or 'nothing new'}")
    if memories.removed:
        screen.line("  Deleted elsewhere, now in the trash here: `autology restore` lists them.")
    if memories.merged:
        screen.line(f"  Merged: {counted(len(memories.merged), 'memory')} changed on both sides.")
    if memories.restored:
        screen.line(
            f"  Restored: {', '.join(memory[:8] for memory in memories.restored)}, as another machine changed it."
        )
    if report.waiting:
        screen.line(f"  {counted(report.waiting, 'file')} not complete yet", "yellow")
    _show_conflicts(memories.conflicts, screen)
    screen.notes(dict.fromkeys(report.notes))


def _memories(changed: list[str], gone: list[str]) -> list[str]:
    parts = [counted(len(changed), "memory")] if changed else []
    return parts + ([counted(len(gone), "deletion")] if gone else [])


def _sessions(changes: SessionChanges) -> list[str]:
    size = f" ({changes.sent_bytes / 1e6:.1f} MB)" if changes.sent_bytes else ""
    many = changes.sent or changes.received
    return [f"{counted(many, 'session')}{size}"] if many else []


def _show_conflicts(conflicts: list[Conflict] | tuple[Conflict, ...], screen: Screen) -> None:
    for conflict in conflicts:
        machines = f" and on {', '.join(conflict.machines)}" if conflict.machines else ""
        screen.line(f"  Conflict: {screen.safe(f'{conflict.memory} was changed here{machines}')}", "yellow")
        screen.line(f"    both texts: {screen.safe(conflict.file, 1_000)}")
        screen.line(f"    `autology mirror --keep {conflict.memory}` keeps the text here, as it is or as you edit it;")
        screen.line("    --take instead of --keep takes the other one.")


def _as_json(report: MirrorReport, is_dry: bool) -> dict[str, Any]:
    memories = report.memories
    return {
        "place": report.place,
        "machine": report.machine,
        "machines": report.machines,
        "dry_run": is_dry,
        "memories": _memory_ids(memories),
        "sessions": {
            "sent": report.sent.sent,
            "received": report.received.received,
            "sent_bytes": report.sent.sent_bytes,
        },
        "answers": report.answers,
        "waiting": report.waiting + report.received.waiting,
        "notes": list(dict.fromkeys(report.notes)),
    }


def _memory_ids(memories: MemoryChanges) -> dict[str, Any]:
    return {
        "changed": memories.changed,
        "deleted": memories.deleted,
        "received": memories.received,
        "removed": memories.removed,
        "merged": memories.merged,
        "restored": memories.restored,
        "conflicts": [_conflict(conflict) for conflict in memories.conflicts],
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {"id": conflict.memory, "machines": list(conflict.machines), "file": conflict.file}
