"""A relation on the command line: ``SOURCE TYPE TARGET``, or with the type last."""

from __future__ import annotations

import argparse

from autology.cli.note_names import titled
from autology.cli.usage import UsageError, did_you_mean
from autology.core.nodes.graph import Graph
from autology.model.node import RelationType

NAMES = tuple(kind.value for kind in RelationType)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the three arguments."""
    parser.add_argument("source", help="the source note: its id, a prefix of it, or its title")
    parser.add_argument("type", metavar="type", help=", ".join(NAMES))
    parser.add_argument("target", help="the target note")


def read(args: argparse.Namespace, graph: Graph) -> tuple[str, str, str]:
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
        near = did_you_mean(args.type, NAMES).removeprefix(". ")
        fits = f"{near} Use one of: {', '.join(NAMES)}."
        raise UsageError("type", f"unknown relation type '{args.type[:40]}'", fits.lstrip())
    return args.source, args.type, args.target
