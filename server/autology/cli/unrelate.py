"""``autology unrelate``: remove a relation."""

from __future__ import annotations

import argparse

from autology.cli.project import project_of
from autology.cli.relate import add_relation, read_relation
from autology.cli.screen import Screen
from autology.core.nodes.relate import unrelate
from autology.render import nodes

EXAMPLES = "autology unrelate 3f2a91c0 affects 9be1d2aa"
JSON = "{source, type, target, changed, reactivated}: the titles of both ends, and what was done"
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the relation."""
    add_relation(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Remove the relation; it is no error if it does not exist."""
    graph = project_of(args).graph
    graph.refresh()
    source, kind, target = read_relation(args, graph)
    done = unrelate(graph, source, target, kind)
    if screen.json:
        ends = {"source": done.source, "type": done.type.value, "target": done.target}
        screen.data({**ends, "changed": done.changed, "reactivated": done.reactivated})
    else:
        screen.block(nodes.unrelated(done))
    return 0
