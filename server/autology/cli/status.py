"""``autology status``: show counts and what needs attention."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from autology.cli.json_keys import snake_case
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.memory.status import stats
from autology.core.nodes.status import Status, status
from autology.text.language.plural import counted

EXAMPLES = """\
autology status
autology status --json | jq .total_nodes"""
JSON = """\
{total_nodes, nodes_by_type, total_relations, relations_by_type, nodes_by_status, drifted,
 changed_since_accepted: [{id, what}], memories: {project, user, expired},
 unreadable: [{path, reason}], dangling_relations: {count, relations}, index, degraded, project,
 unread_sources?: languages that the code graph does not read}"""
LISTED = 10


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the counts and problems."""
    project = project_of(args)
    _ = project.settings  # hooks take the user's switches from what was read last
    graph = project.graph
    screen.begin("counting the notes")
    result = status(graph, project.watch)
    unread = project.code.unread()
    memories = stats(project.memories)
    if screen.json:
        from autology.render import statistics

        totals = {"project": memories.project, "user": memories.user, "expired": memories.expired}
        data = {**statistics.status(result), "memories": totals, "project": project.root}
        screen.data(snake_case({**data, "unread_sources": unread} if unread else data))
    else:
        _show(result, project.root, screen)
        if memories.project or memories.user:
            summary = f"{memories.project:,} of the project, {memories.user:,} of yours, {memories.expired:,} expired"
            screen.line(f"{screen.styled('Memories', 'bold')}   {summary}")
        if unread:
            screen.line(f"{screen.styled('Code', 'bold')}       {screen.safe(unread, 500)}")
    return 0


def _show(result: Status, root: str, screen: Screen) -> None:
    screen.line(f"{screen.styled('Project', 'bold')}    {screen.safe(root)}")
    if not result.exists:
        screen.line("There is no .autology folder yet. Run `autology init` to create it and import existing records.")
        return
    screen.line()
    _table(counted(result.total_nodes, "note"), result.nodes_by_type, screen)
    _table("by status", result.nodes_by_status, screen)
    _table(counted(result.total_relations, "relation"), result.relations_by_type, screen)
    if result.unreadable:
        screen.line(f"{counted(len(result.unreadable), 'file')} cannot be read as a note:", "red")
        for path, reason in result.unreadable[:LISTED]:
            screen.line(f"  {screen.safe(path)}: {screen.safe(reason)}")
    if result.drifted:
        message = f"{counted(result.drifted, 'note')} may be outdated (their files changed): see `autology review`."
        screen.line(message, "yellow")
    if result.changed:
        count = counted(len(result.changed), "accepted decision")
        screen.line(f"{count} changed since acceptance: see `autology review`.", "yellow")
        for id, change in list(result.changed.items())[:LISTED]:
            screen.line(f"  {id[:8]}: {screen.safe(change)}")
    if result.dangling:
        message = f"{counted(result.dangling, 'relation', 'lead')} to a note that does not exist."
        screen.line(message, "yellow")
    for note in result.notes:
        screen.line(f"Note: {screen.safe(note, 500)}", "yellow")
    if result.unreadable or result.dangling:
        screen.line("`autology doctor` lists them, each with its fix.")


def _table(heading: str, counts: Mapping[str, int], screen: Screen) -> None:
    screen.line(heading, "bold")
    for name, count in counts.items():
        row = f"  {name:<14}{count:>7,}"
        screen.line(row if count else screen.styled(row, "dim"))
    screen.line()
