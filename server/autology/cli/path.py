"""``autology path``: show how two notes or documents are connected."""

from __future__ import annotations

import argparse

from autology.cli.project import atlas_of
from autology.cli.screen import Screen
from autology.core.atlas.path import PathResult, find
from autology.model.argument_limits import DEEPEST_PATH, PATH_DEPTH

EXAMPLES = """\
autology path 3f2a91c0 docs/guide.md
autology path "Use PostgreSQL" "#performance"
autology path 3f2a91c0 81be22d4 --relation affects --relation uses --max-depth 4"""
JSON = """\
{found: true, length, path: [{id, title, type}], steps: [{source, type, target}]}, or
 {found: false, source, target, reason}; exit code 1 then"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two ends, and the links to follow."""
    about = "the id of a note or a document, its path or title, or a #tag"
    parser.add_argument("source", metavar="A", help=about)
    parser.add_argument("target", metavar="B", help=about)
    parser.add_argument(
        "--max-depth", type=int, default=PATH_DEPTH, metavar=f"1-{DEEPEST_PATH}", help="maximum number of links"
    )
    parser.add_argument("--relation", action="append", default=[], metavar="TYPE", help="only this type; repeatable")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print a shortest path; return 1 if there is none."""
    result = find(atlas_of(args), args.source, args.target, args.max_depth, args.relation)
    if screen.json:
        from autology.render.graph import data

        screen.data(data.path(result))
    else:
        _show(result, screen)
    return 0 if result.exists else 1


def _show(result: PathResult, screen: Screen) -> None:
    if not result.exists:
        source, target = screen.safe(result.source.title), screen.safe(result.target.title)
        screen.line(f"No path from {source} to {target}: {screen.safe(result.reason, 500)}.")
        return
    for number, vertex in enumerate(result.vertices):
        facts = vertex.type if vertex.id == vertex.title else f"{vertex.type}, {vertex.id}"
        screen.line(
            f"{screen.styled(screen.safe(vertex.title), 'bold')} {screen.styled(f'({screen.safe(facts)})', 'cyan')}"
        )
        if number < len(result.links):
            link = result.links[number]
            type = screen.safe(link.type)
            screen.line(f"  {f'↑ {type}' if link.backward else f'↓ {type}'}", "dim")
