"""``autology relate``: relate two notes."""

from __future__ import annotations

import argparse

from autology.cli import relation
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.nodes.relate import relate
from autology.render import nodes

EXAMPLES = """\
autology relate 3f2a91c0 supersedes 9be1d2aa
autology relate 3f2a91c0 affects 9be1d2aa --description "the lock is held longer" """
JSON = "{source, type, target, changed}: the titles of both ends, and whether anything was written"
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the relation."""
    relation.arguments(parser)
    parser.add_argument("--description", metavar="TEXT")
    parser.add_argument("--confidence", type=float, default=0.8, metavar="0-1", help="else 0.8")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Relate the two notes."""
    graph = project_of(args).graph
    graph.refresh()
    source, kind, target = relation.read(args, graph)
    done = relate(graph, source, target, kind, args.description, args.confidence)
    if screen.json:
        ends = {"source": done.source, "type": done.type.value, "target": done.target}
        screen.data({**ends, "changed": done.changed})
    else:
        screen.block(nodes.related(done))
    return 0
