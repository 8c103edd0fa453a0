"""``autology graph``: draw what surrounds a node, or what matters most."""

from __future__ import annotations

import argparse
import os

from autology.cli import outfile, project
from autology.cli.screen import Screen
from autology.core.atlas.atlas import Atlas
from autology.core.atlas.picture import DEEPEST, DEPTH, MOST, SHOWN, Picture, picture
from autology.text.counted import counted

EXAMPLES = """\
autology graph
autology graph 3f2a91c0 --depth 2
autology graph docs/guide.md --format mermaid
autology graph --format svg --limit 100 > graph.svg
autology graph --html graph.html
autology graph --stats
autology graph --code 'what calls Graph.refresh'
autology graph --unused core"""
JSON = """\
{nodes: [{id, title, type}], edges: [{source, type, target}], complete}; with --stats
 {nodes, nodes_by_type, edges, edges_by_type, density, average_degree, components, orphans, hubs, bridges,
 dangling, pagerank, betweenness}; with --html {file, nodes, links}; with --code
 {asked, about: [{name, type, line}], links: [{source, type, target, line, known_by, distance?, through?}], more?,
 others?: [{name, type, line}], open?: [{source, calls, line, could_be}], degraded?}; with --unused
 {asked, about, links, unused: [{name, type, line, why}], left_out: {reason: count}, more?, degraded?}"""
FORMATS = TEXT, MERMAID, DOT, SVG, DATA = "text", "mermaid", "dot", "svg", "json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node, how far to go, and how to draw it."""
    told = "the id of a node or a document, its path or title, or a #tag; without one, what matters most"
    told += "; with --unused a file, folder or class of the source"
    parser.add_argument("node", nargs="?", metavar="NODE", help=told)
    parser.add_argument("--depth", type=int, default=DEPTH, metavar=f"1-{DEEPEST}", help="links away from NODE")
    parser.add_argument("--limit", type=int, default=SHOWN, metavar=f"1-{MOST}", help="nodes at most")
    parser.add_argument("--format", choices=FORMATS, default=TEXT, metavar="FORMAT", help=", ".join(FORMATS))
    told = "what the source says instead: a function, class or file, or a question as 'what calls Graph.refresh'"
    parser.add_argument("--code", metavar="QUESTION", help=told)
    told = "what nothing in the source refers to instead: functions, classes and methods, in NODE or everywhere"
    parser.add_argument("--unused", action="store_true", help=told)
    told = "write the whole graph as one page to look around in: zoom, filters, ways; - prints it"
    parser.add_argument("--html", metavar="FILE", help=told)
    outfile.force(parser)
    parser.add_argument("--stats", action="store_true", help="measure the whole graph instead")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the picture, or the numbers."""
    if asked.code:
        from autology.cli import code

        return code.show(project.root(asked), asked.code, screen)
    if asked.html:
        outfile.check(asked.html, asked.force)
    if asked.unused:
        from autology.cli import code

        return code.show_unused(project.root(asked), asked.node, screen)
    atlas = project.atlas(asked, screen)
    if asked.stats:
        from autology.cli import numbers

        return numbers.show(atlas, screen)
    if asked.html:
        return _page(atlas, asked.html, asked.force, screen)
    shown = picture(atlas, asked.node, asked.depth, asked.limit)
    if screen.json or asked.format == DATA:
        from autology.drawn import data

        screen.data(data.picture(shown))
    elif asked.format == TEXT:
        _draw(shown, screen)
    else:
        screen.raw(f"{_written(shown, asked.format)}\n".encode())
    if shown.left_out and not screen.json:
        screen.say(f"only {len(shown.places)} nodes are drawn; --limit draws more, --depth fewer")
    return 0


def _written(shown: Picture, language: str) -> str:
    if language == MERMAID:
        from autology.drawn.mermaid import mermaid

        return mermaid(shown)
    if language == DOT:
        from autology.drawn.dot import dot

        return dot(shown)
    from autology.drawn.svg import svg

    return svg(shown)


def _page(atlas: Atlas, file: str, overwrite: bool, screen: Screen) -> int:
    from autology.core.atlas.whole import whole
    from autology.drawn.html import html

    found = whole(atlas)
    name = os.path.basename(atlas.library.files.root) or "graph"
    data = html(found, name).encode("utf-8", "replace")
    if file == outfile.STANDARD_OUTPUT:
        screen.raw(data)
        return 0
    outfile.write(file, data, overwrite)
    if screen.json:
        screen.data({"file": file, "nodes": len(found.spots), "links": len(found.links)})
    else:
        told = f"{counted(len(found.spots), 'node')}, {counted(len(found.links), 'link')}: {file}"
        screen.line(screen.styled(f"✓ {screen.safe(told, 500)}", "green"))
    return 0


def _draw(shown: Picture, screen: Screen) -> None:
    from autology.drawn.tree import tree

    if not shown.places:
        screen.line("There is nothing to draw yet. `autology init` brings in what the project has.")
    for line in tree(shown, screen.styled):
        screen.line(line)
