"""A relation as a command line writes it: ``SOURCE TYPE TARGET``, or with the type last."""

from __future__ import annotations

import argparse

from autology.cli import project
from autology.cli.program import UsageError, meant
from autology.core.graph import Graph
from autology.model.node import RelationType

NAMES = tuple(each.value for each in RelationType)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the three words."""
    parser.add_argument("source", help="the node that it starts from: its id, the beginning of it, or its title")
    parser.add_argument("type", metavar="type", help=", ".join(NAMES))
    parser.add_argument("target", help="the node that it leads to")


def read(asked: argparse.Namespace, graph: Graph) -> tuple[str, str, str]:
    """Return (source, type, target); an end that was given by its title by its id.

    Raises:
        UsageError: there is no such type.
        AmbiguousNameError: a title is that of several nodes.
    """
    source, type, target = _words(asked)
    return project.titled(graph, source), type, project.titled(graph, target)


def _words(asked: argparse.Namespace) -> tuple[str, str, str]:
    if asked.type not in NAMES and asked.target in NAMES:
        return asked.source, asked.target, asked.type
    if asked.type not in NAMES:
        near = meant(asked.type, NAMES).removeprefix(". ")
        fits = f"{near} Use one of: {', '.join(NAMES)}."
        raise UsageError("type", f"'{asked.type[:40]}' is no relation type", fits.lstrip())
    return asked.source, asked.type, asked.target
