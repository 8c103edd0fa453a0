"""``autology context``: what matters to a file or a task."""

from __future__ import annotations

import argparse
import os

from autology import relevant, wire
from autology.cli import project
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.core.context import Context, Relevant, Situation, context
from autology.core.watch import DRIFTS, changes
from autology.ranking.relevance import group

EXAMPLES = """\
autology context src/index.py
autology context src/index.py --task "make the index incremental"
autology context --recent src/auth/token.py src/auth/session.py --max-nodes 5"""
JSON = """\
{high: [{id, type, title, status, score, factors: [{factor, points, why}], excerpt, path}], medium: […], low: […],
 more?, next?, degraded?}, the most relevant first"""
TOKENS = 10_000
"""With --json everything is told; a program has room."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is being worked on."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the file at hand")
    parser.add_argument(
        "--recent", action="extend", nargs="+", default=[], metavar="FILE", help="files worked on before it"
    )
    parser.add_argument("--task", default="", metavar="TEXT", help="what is to be done")
    parser.add_argument("--max-nodes", type=int, default=10, metavar="1-50")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the nodes that matter, grouped, each with what counted; that there are none is a result."""
    if not (asked.file or asked.recent or asked.task.strip()):
        raise UsageError("FILE", "is missing", "Name a file, recent files or a task: `autology context src/index.py`.")
    root = project.root(asked)
    graph = wire.graph(root)
    graph.refresh()
    graph.embed_few()
    situation = Situation(asked.file, tuple(asked.recent), asked.task)
    found = context(graph, root, situation, asked.max_nodes, wire.watch(graph, root))
    if screen.json:
        screen.data(relevant.as_data(found, TOKENS))
        return 0
    _show(found, screen)
    if asked.file and not (os.path.exists(os.path.join(root, asked.file)) or os.path.exists(asked.file)):
        named = screen.safe(asked.file, 200)
        screen.line(f"Note: there is no file '{named}'; its name alone was asked with. A task is given with --task.")
    return 0


def _show(found: Context, screen: Screen) -> None:
    last = ""
    for each in found.nodes:
        if (name := group(each.score)) != last:
            screen.line(screen.styled(f"{name} relevance", "bold"))
            last = name
        _show_node(each, screen)
    if not found.nodes:
        screen.line("Nothing is known that matters to this. `autology query` searches by words.")
    if found.more:
        screen.line(f"{found.more} more matter less: --max-nodes {len(found.nodes) + found.more}")
    for note in found.notes:
        screen.line(f"Note: {screen.safe(note, 500)}")


def _show_node(each: Relevant, screen: Screen) -> None:
    node = each.node
    facts = screen.styled(f"{node.type.value} · {node.id[:8]} · {each.score:.2f}", "cyan")
    screen.line(f"  {screen.styled(screen.safe(node.title), 'bold')}  {facts}")
    for line in (*changes(node), *each.drifted[:DRIFTS]):
        screen.line(screen.styled(f"    needs review: {screen.safe(line, 300)}", "yellow"))
    for factor in each.factors:
        points = f"{factor.points:+.2f}" if factor.points else " " * 5
        screen.line(screen.styled(f"    {points}  {factor.name.replace('_', ' ')}: {screen.safe(factor.why)}", "dim"))
    screen.line()
