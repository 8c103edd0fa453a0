"""``autology query``: search the notes."""

from __future__ import annotations

import argparse

from autology import wire
from autology.cli import project, tagged
from autology.cli.screen import Screen
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import MODES, NodeHit, NodeQuery, search
from autology.model.node import NodeStatus, NodeType
from autology.render.review_status import DRIFTS, changes
from autology.text.markdown import snippets
from autology.text.redaction import redact, secrets_in, without

EXAMPLES = """\
autology query why sqlite
autology query --type decision --tags storage --limit 5
autology query --references src/index.py
autology query session tokens --explain"""
JSON = """\
{results: [{node: {id, title, …}, score, explain?, matched?, superseded_by?}], more?, encoder?, degraded?}
best first; encoder is the one that semantic scores come from"""
DETAILS = ("brief", "normal", "full")
TAGS = 20
"""Existing tags listed when an unknown one is given, most frequent first."""
SNIPPET = 2
"""Lines of a snippet."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query and its filters."""
    parser.add_argument("words", nargs="*", metavar="WORDS", help="search text; default: list all matching notes")
    parser.add_argument("--type", choices=[value.value for value in NodeType])
    tagged.arguments(parser)
    parser.add_argument("--status", choices=[value.value for value in NodeStatus])
    parser.add_argument("--min-confidence", type=float, metavar="0-1")
    parser.add_argument(
        "--references", action="extend", nargs="+", default=[], metavar="PATH", help="only notes about these files"
    )
    parser.add_argument("--related-to", metavar="ID", help="only notes related to this one")
    parser.add_argument("--mode", choices=MODES, default="hybrid")
    parser.add_argument("--limit", type=int, default=10, metavar="1-100")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="skip the first N results")
    parser.add_argument("--explain", action="store_true", help="show how each score is composed")
    parser.add_argument("--detail", choices=DETAILS, default="normal", help="how much content, with --json")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results, best first; finding nothing is a result."""
    query = " ".join(args.words)
    ask = NodeQuery(
        query=query,
        type=args.type,
        tags=tagged.tags(args),
        status=args.status,
        min_confidence=args.min_confidence,
        references=tuple(args.references),
        related_to=args.related_to,
        mode=args.mode,
        limit=args.limit,
        offset=args.offset,
    )
    root = project.root(args)
    graph = wire.graph(root)
    if query and args.mode == "hybrid" and graph.catch_up():
        graph.embed_few()
    answer = search(graph, ask, wire.watch(graph, root))
    if screen.json:
        from autology.render import nodes

        screen.data(nodes.answer(answer, args.detail))
        return 0
    for number, hit in enumerate(answer.hits, args.offset + 1):
        show_hit(hit, query, screen, number, args.explain)
    if not answer.hits:
        screen.line(f"Nothing found. {_suggestion(graph, ask, screen)}")
    if answer.more:
        screen.line(f"More results: --offset {args.offset + args.limit}")
    if args.explain and answer.encoder:
        screen.line(f"Semantic scores by {answer.encoder}.")
    for note in answer.notes:
        screen.line(f"Note: {screen.safe(note, 500)}")
    return 0


def _suggestion(graph: Graph, ask: NodeQuery, screen: Screen) -> str:
    """A suggestion if nothing was found."""
    if not graph.files.exists():
        return "This project has no .autology folder yet: run `autology init`."
    counts = graph.index.tags()
    if unknown := [tag for tag in ask.tags if tag.strip().lower() not in counts]:
        frequent = sorted(counts, key=lambda tag: (-counts[tag], tag))[:TAGS]
        hint = f"Existing tags: {', '.join(frequent)}." if frequent else "No note has a tag yet."
        return f"No note has the tag {screen.safe(unknown[0])}. {hint}"
    if ask.references:
        return "Paths are relative to the project's root, such as src/index.py."
    if len(ask.query.split()) > 1:
        return "Try fewer or different words."
    return "Try a different word." if ask.query else "No note passes these filters."


def show_hit(hit: NodeHit, query: str, screen: Screen, number: int, explained: bool = False) -> None:
    """Print a hit: its title, path and best passage, and why it matched."""
    show_place(hit, screen, f"{number}. ", scored=bool(query))
    shown = screen.safe(snippets.excerpt(_passage(hit), query, SNIPPET * (screen.width - 6)), 2_000)
    if shown:
        screen.line(f"   {snippets.marked(shown, query, screen.marked) if query else shown}")
    if why := _why(hit, query):
        screen.line(screen.styled(f"   why: {screen.safe(why)}", "dim"))
    if explained:
        parts = " + ".join(f"{name} {part:.3f}" for name, part in hit.explain.items())
        screen.line(screen.styled(f"   score {hit.score:.3f} = {parts}", "dim"))
    for line in (*changes(hit.node), *hit.drifted[:DRIFTS]):
        screen.line(screen.styled(f"   needs review: {screen.safe(line, 300)}", "yellow"))
    for newer in hit.superseded_by:
        screen.line(screen.styled(f"   replaced by: {screen.safe(newer.title)} ({newer.id[:8]})", "yellow"))
    screen.line()


def show_place(hit: NodeHit, screen: Screen, number: str = "", scored: bool = True) -> None:
    """Print a hit's title, facts and path; its score only if there was a query."""
    node = hit.node
    title = screen.styled(screen.safe(node.title), "bold")
    standing = NodeStatus.NEEDS_REVIEW if hit.drifted or changes(node) else node.status
    status = [standing.value] if standing is not NodeStatus.ACTIVE else []
    score = [f"{hit.score:.2f}"] if scored else []
    facts = " · ".join([node.type.value, *status, node.id[:8], *score])
    screen.line(f"{number}{title}  {screen.styled(facts, 'cyan')}")
    origin = node.extra.get("origin")
    came = f"  (from {screen.safe(origin)})" if isinstance(origin, str) else ""
    screen.line(screen.styled(f"   {screen.safe(hit.path)}{came}", "dim"))


def _passage(hit: NodeHit) -> str:
    if hit.passage:
        return without(hit.node.content, secrets_in(hit.node.content), *hit.passage)
    return redact(hit.node.content)[0][:3_000]


def _why(hit: NodeHit, query: str) -> str:
    """Which query words matched where."""
    if not query:
        return ""
    fields = {"title": hit.node.title, "tags": " ".join(hit.node.tags), "text": hit.node.content}
    matches = {name: snippets.words_in(text, query) for name, text in fields.items()}
    return "; ".join(f"{', '.join(words)} in the {name}" for name, words in matches.items() if words)
