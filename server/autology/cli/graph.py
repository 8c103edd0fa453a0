"""``autology graph``: draw a note's neighbourhood, or the most important notes."""

from __future__ import annotations

import argparse
import os

from autology.cli import outfile
from autology.cli.project import atlas_of, project_of
from autology.cli.screen import Screen
from autology.core.atlas.atlas import Atlas
from autology.core.atlas.picture import DEEPEST, DEPTH, MOST, SHOWN, Picture, picture
from autology.text.language.plural import counted

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
    """Add the start, the depth and the format."""
    about = "the id of a note or a document, its path or title, or a #tag; default: the most important ones"
    about += "; with --unused a file, folder or class of the source"
    parser.add_argument("node", nargs="?", metavar="NODE", help=about)
    parser.add_argument("--depth", type=int, default=DEPTH, metavar=f"1-{DEEPEST}", help="number of links from NODE")
    parser.add_argument("--limit", type=int, default=SHOWN, metavar=f"1-{MOST}", help="maximum number of nodes")
    parser.add_argument("--format", choices=FORMATS, default=TEXT, metavar="FORMAT", help=", ".join(FORMATS))
    about = "query the code graph instead: a function, class or file, or a question such as 'what calls Graph.refresh'"
    parser.add_argument("--code", metavar="QUESTION", help=about)
    about = "list unused functions, classes and methods instead, in NODE or everywhere"
    parser.add_argument("--unused", action="store_true", help=about)
    about = "write the whole graph as an interactive page with zoom, filters and paths; - for standard output"
    parser.add_argument("--html", metavar="FILE", help=about)
    outfile.force(parser)
    parser.add_argument("--stats", action="store_true", help="print statistics of the whole graph")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the graph or its statistics."""
    if args.code:
        from autology.cli import code_answers

        return code_answers.show(project_of(args).code, args.code, screen)
    if args.html:
        outfile.check(args.html, args.force)
    if args.unused:
        from autology.cli import code_answers

        return code_answers.show_unused(project_of(args).code, args.node, screen)
    atlas = atlas_of(args)
    screen.begin("reading the graph")
    if args.stats:
        from autology.cli import graph_stats

        return graph_stats.show(atlas, screen)
    if args.html:
        return _page(atlas, args.html, args.force, screen)
    shown = picture(atlas, args.node, args.depth, args.limit)
    if screen.json or args.format == DATA:
        from autology.render.graph import data

        screen.data(data.picture(shown))
    elif args.format == TEXT:
        _draw(shown, screen)
    else:
        screen.raw(f"{_rendered(shown, args.format)}\n".encode())
    if shown.left_out and not screen.json:
        screen.say(f"only {len(shown.vertices)} nodes are drawn; --limit draws more, --depth fewer")
    return 0


def _rendered(picture: Picture, language: str) -> str:
    if language == MERMAID:
        from autology.render.graph.mermaid import mermaid

        return mermaid(picture)
    if language == DOT:
        from autology.render.graph.dot import dot

        return dot(picture)
    from autology.render.graph.svg import svg

    return svg(picture)


def _page(atlas: Atlas, file: str, overwrite: bool, screen: Screen) -> int:
    from autology.core.atlas.display import display_graph
    from autology.core.atlas.similar import with_similar
    from autology.render.graph.html import html

    notes = atlas.library.graph
    graph = display_graph(atlas)
    notes.encode()
    graph = with_similar(notes.index, graph)
    name = os.path.basename(atlas.library.files.root) or "graph"
    data = html(graph, name).encode("utf-8", "replace")
    if file == outfile.STANDARD_OUTPUT:
        screen.raw(data)
        return 0
    outfile.write(file, data, overwrite)
    counts = {"nodes": len(graph.vertices), "links": len(graph.links)}
    summary = f"{counted(counts['nodes'], 'node')}, {counted(counts['links'], 'link')}: {file}"
    return screen.report({"file": file, **counts}, screen.styled(f"✓ {screen.safe(summary, 500)}", "green"))


def _draw(picture: Picture, screen: Screen) -> None:
    from autology.render.graph.tree import tree

    if not picture.vertices:
        screen.line("Nothing to draw yet. Run `autology init` to import what the project has.")
    for line in tree(picture, screen.styled):
        screen.line(line)
