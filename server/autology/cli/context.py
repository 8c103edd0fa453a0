"""``autology context``: show the notes relevant to a file or a task, and why."""

from __future__ import annotations

import argparse
import os

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes.context import Context, Relevant, Situation, context
from autology.model.argument_limits import CONTEXT_NODES
from autology.ranking.note_relevance import group
from autology.render import relevant_nodes
from autology.render.review_status import DRIFTS, changes

EXAMPLES = """\
autology context src/index.py
autology context src/index.py --task "make the index incremental"
autology context --recent src/auth/token.py src/auth/session.py --max-nodes 5"""
JSON = """\
{high: [{id, type, title, status, score, factors: [{factor, points, why}], excerpt, path}], medium: […], low: […],
 more?, next?, degraded?}, most relevant first"""
TOKENS = 10_000
"""The budget with --json: large enough for all results."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the current work."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the current file")
    parser.add_argument(
        "--recent", action="extend", nargs="+", default=[], metavar="FILE", help="files worked on before it"
    )
    parser.add_argument("--task", default="", metavar="TEXT", help="the task")
    parser.add_argument("--max-nodes", type=int, default=10, metavar=f"1-{CONTEXT_NODES}")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the relevant notes, grouped, with the factors of their scores; an empty result is not an error."""
    if not (args.file or args.recent or args.task.strip()):
        raise UsageError("FILE", "is missing", "Name a file, recent files or a task: `autology context src/index.py`.")
    project = project_of(args)
    graph = project.graph
    graph.catch_up()
    graph.embed_few()
    situation = Situation(args.file, tuple(args.recent), args.task)
    result = context(graph, project.root, situation, args.max_nodes, project.watch)
    if screen.json:
        screen.data(relevant_nodes.as_data(result, TOKENS))
        return 0
    _show(result, screen)
    if args.file and not (os.path.exists(os.path.join(project.root, args.file)) or os.path.exists(args.file)):
        file = screen.safe(args.file, 200)
        screen.line(f"Note: the file '{file}' does not exist; only its name was used. Pass a task with --task.")
    return 0


def _show(result: Context, screen: Screen) -> None:
    heading = ""
    for item in result.nodes:
        if (name := group(item.score)) != heading:
            screen.line(f"{name} relevance", "bold")
            heading = name
        _show_node(item, screen)
    if not result.nodes:
        screen.line("No relevant notes found. `autology query` searches the notes.")
    if result.more:
        screen.line(f"{result.more} more with lower relevance: --max-nodes {len(result.nodes) + result.more}")
    screen.notes(result.notes)


def _show_node(item: Relevant, screen: Screen) -> None:
    node = item.node
    facts = screen.styled(f"{node.type.value} · {node.id[:8]} · {item.score:.2f}", "cyan")
    screen.line(f"  {screen.styled(screen.safe(node.title), 'bold')}  {facts}")
    for line in (*changes(node), *item.drifted[:DRIFTS]):
        screen.line(f"    needs review: {screen.safe(line, 300)}", "yellow")
    for factor in item.factors:
        points = f"{factor.points:+.2f}" if factor.points else " " * 5
        screen.line(f"    {points}  {factor.name.replace('_', ' ')}: {screen.safe(factor.why)}", "dim")
    screen.line()
