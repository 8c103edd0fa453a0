"""``autology relate``: relate two notes."""

from __future__ import annotations

import argparse

from autology.cli.did_you_mean import did_you_mean
from autology.cli.note_names import titled
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes.graph import Graph
from autology.core.nodes.relate import relate
from autology.model.node import RelationType
from autology.render import nodes

EXAMPLES = """\
autology relate 3f2a91c0 supersedes 9be1d2aa
autology relate 3f2a91c0 affects 9be1d2aa --description "the lock is held longer" """
JSON = "{source, type, target, changed}: the titles of both ends, and whether anything was written"
NAMES = tuple(RelationType)
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the relation."""
    add_relation(parser)
    parser.add_argument("--description", metavar="TEXT")
    parser.add_argument("--confidence", type=float, default=0.8, metavar="0-1", help="default: 0.8")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Relate the two notes."""
    graph = project_of(args).graph
    graph.catch_up()
    source, kind, target = read_relation(args, graph)
    relation = relate(graph, source, target, kind, args.description, args.confidence)
    if screen.json:
        ends = {"source": relation.source, "type": relation.type.value, "target": relation.target}
        screen.data({**ends, "changed": relation.changed})
    else:
        screen.block(nodes.related(relation))
    return 0


def add_relation(parser: argparse.ArgumentParser) -> None:
    """Add the three arguments."""
    parser.add_argument("source", help="the source note: its id, a prefix of it, or its title")
    parser.add_argument("type", metavar="type", help=", ".join(NAMES))
    parser.add_argument("target", help="the target note")


def read_relation(args: argparse.Namespace, graph: Graph) -> tuple[str, str, str]:
    """Return (source, type, target), with ids in place of titles.

    Raises:
        UsageError: the type is unknown.
        AmbiguousNameError: several nodes have that title.
    """
    source, type, target = _words(args)
    return titled(graph, source), type, titled(graph, target)


def _words(args: argparse.Namespace) -> tuple[str, str, str]:
    if args.type not in NAMES and args.target in NAMES:
        return args.source, args.target, args.type
    if args.type not in NAMES:
        suggestion = did_you_mean(args.type, NAMES).removeprefix(". ")
        step = f"{suggestion} Use one of: {', '.join(NAMES)}."
        raise UsageError("type", f"unknown relation type '{args.type[:40]}'", step.lstrip())
    return args.source, args.type, args.target
