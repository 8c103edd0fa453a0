"""``autology status``: how much the project knows, and what is wrong with it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from autology import wire
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.memory.status import stats
from autology.core.status import Status, status
from autology.text.counted import counted

EXAMPLES = """\
autology status
autology status --json | jq .totalNodes"""
JSON = """\
{totalNodes, nodesByType, totalRelations, relationsByType, nodesByStatus, drifted,
 changedSinceAccepted: [{id, what}], memories: {project, user, expired},
 unreadable: [{path, reason}], danglingRelations: {count, relations}, index, degraded, project,
 unreadSources?: what the code graph does not read}"""
LISTED = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """It takes nothing of its own."""
    del parser


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the counts and troubles."""
    root = project.root(asked)
    graph = wire.graph(root)
    if graph.files.exists():
        with screen.progress("reading notes") as progress:
            graph.refresh(walk=True, progress=progress)
    found = status(graph, wire.watch(graph, root))
    unread = wire.code(root).unread()
    kept = stats(wire.memories(graph, root))
    if screen.json:
        from autology import render  # loads every use case, which words need not

        memories = {"project": kept.project, "user": kept.user, "expired": kept.expired}
        whole = {**render.status(found), "memories": memories, "project": root}
        screen.data({**whole, "unreadSources": unread} if unread else whole)
    else:
        _show(found, root, screen)
        if kept.project or kept.user:
            told = f"{kept.project:,} in the project, {kept.user:,} of the user, {kept.expired:,} past their time"
            screen.line(f"{screen.styled('Memories', 'bold')}   {told}")
        if unread:
            screen.line(f"{screen.styled('Code', 'bold')}       {screen.safe(unread, 500)}")
    return 0


def _show(found: Status, root: str, screen: Screen) -> None:
    screen.line(f"{screen.styled('Project', 'bold')}    {screen.safe(root)}")
    if not found.exists:
        screen.line("There is no .autology here yet. `autology init` makes it and brings in what is there.")
        return
    screen.line()
    _table(counted(found.total_nodes, "node"), found.nodes_by_type, screen)
    _table("by status", found.nodes_by_status, screen)
    _table(counted(found.total_relations, "relation"), found.relations_by_type, screen)
    if found.unreadable:
        screen.line(screen.styled(f"{counted(len(found.unreadable), 'file')} cannot be read as a node:", "red"))
        for path, reason in found.unreadable[:LISTED]:
            screen.line(f"  {screen.safe(path)}: {screen.safe(reason)}")
    if found.drifted:
        told = f"{counted(found.drifted, 'node')} drifted from what they refer to: `autology review` says how."
        screen.line(screen.styled(told, "yellow"))
    if found.changed:
        many = counted(len(found.changed), "accepted decision")
        screen.line(screen.styled(f"{many} changed since: `autology review` says what of each.", "yellow"))
        for id, what in list(found.changed.items())[:LISTED]:
            screen.line(f"  {id[:8]}: {screen.safe(what)}")
    if found.dangling:
        told = f"{counted(found.dangling, 'relation', 'lead')} to a node that does not exist."
        screen.line(screen.styled(told, "yellow"))
    for note in found.notes:
        screen.line(screen.styled(f"Note: {screen.safe(note, 500)}", "yellow"))
    if found.unreadable or found.dangling:
        screen.line("`autology doctor` names each with its fix.")


def _table(heading: str, counts: Mapping[str, int], screen: Screen) -> None:
    screen.line(screen.styled(heading, "bold"))
    for name, count in counts.items():
        row = f"  {name:<14}{count:>7,}"
        screen.line(row if count else screen.styled(row, "dim"))
    screen.line()
