"""``autology path``: how two nodes, documents or tags are connected."""

from __future__ import annotations

import argparse

from autology.cli import project
from autology.cli.screen import Screen
from autology.core.atlas.path import DEPTH, Found, find

EXAMPLES = """\
autology path 3f2a91c0 docs/guide.md
autology path "Use PostgreSQL" "#performance"
autology path 3f2a91c0 81be22d4 --relation affects --relation uses --max-depth 4"""
JSON = """\
{found: true, length, path: [{id, title, type}], steps: [{source, type, target}]}, or
 {found: false, source, target, reason}; exit code 1 then"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two ends, and which links to follow."""
    told = "the id of a node or a document, its path or title, or a #tag"
    parser.add_argument("source", metavar="A", help=told)
    parser.add_argument("target", metavar="B", help=told)
    parser.add_argument("--max-depth", type=int, default=DEPTH, metavar="1-100", help="links at most")
    parser.add_argument("--relation", action="append", default=[], metavar="TYPE", help="only these; may be repeated")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print a shortest path; that there is none is a finding."""
    found = find(project.atlas(asked, screen), asked.source, asked.target, asked.max_depth, asked.relation)
    if screen.json:
        from autology.drawn import data

        screen.data(data.path(found))
    else:
        _show(found, screen)
    return 0 if found.found else 1


def _show(found: Found, screen: Screen) -> None:
    if not found.found:
        source, target = screen.safe(found.source.title), screen.safe(found.target.title)
        screen.line(f"No path from {source} to {target}: {screen.safe(found.reason, 500)}.")
        return
    for number, place in enumerate(found.places):
        facts = place.type if place.id == place.title else f"{place.type}, {place.id}"
        screen.line(
            f"{screen.styled(screen.safe(place.title), 'bold')} {screen.styled(f'({screen.safe(facts)})', 'cyan')}"
        )
        if number < len(found.legs):
            leg = found.legs[number]
            type = screen.safe(leg.type)
            screen.line(screen.styled(f"  {f'↑ {type}' if leg.backward else f'↓ {type}'}", "dim"))
