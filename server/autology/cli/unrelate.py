"""``autology unrelate``: remove a relation."""

from __future__ import annotations

import argparse

from autology.cli.project import project_of
from autology.cli.relate import add_relation, read_relation
from autology.cli.screen import Screen
from autology.core.nodes.relate import unrelate
from autology.render import nodes

EXAMPLES = "autology unrelate 3f2a91c0 affects 9be1d2aa"
JSON = "{source, type, target, changed, reactivated}: the titles of both ends, and whether something changed"
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the relation."""
    add_relation(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Remove the relation; a relation that does not exist is not an error."""
    graph = project_of(args).graph
    graph.catch_up()
    source, kind, target = read_relation(args, graph)
    removal = unrelate(graph, source, target, kind)
    if screen.json:
        ends = {"source": removal.source, "type": removal.type.value, "target": removal.target}
        screen.data({**ends, "changed": removal.changed, "reactivated": removal.reactivated})
    else:
        screen.block(nodes.unrelated(removal))
    return 0
