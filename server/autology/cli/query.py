"""``autology query``: search the notes."""

from __future__ import annotations

import argparse

from autology.cli import search_hits, tag_options
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import USUAL, NodeHit, NodeQuery, search
from autology.model.argument_limits import DETAILS, RESULTS, SEARCH_MODES
from autology.model.node import NodeStatus, NodeType
from autology.ranking.answer_wording import left_out
from autology.render.review_status import DRIFTS, changes
from autology.text.redaction import redact, secrets_in, without

EXAMPLES = """\
autology query why sqlite
autology query --type decision --tags storage --limit 5
autology query --references src/index.py
autology query session tokens --explain"""
JSON = """\
{results: [{node: {id, title, …}, score, explain?, matched?, superseded_by?, also?: [id]}],
answered?: false, absent?, nearest?, more?, encoder?, degraded?}
best first; score is how likely a note answers; answered is false if none does, and nearest are then the nearest; absent
are words that no note holds; encoder is the one that semantic scores come from"""
TAGS_LISTED = 20
"""Maximum number of existing tags listed if a tag is unknown, most frequent first."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query and its filters."""
    parser.add_argument("words", nargs="*", metavar="WORDS", help="search text; default: list all matching notes")
    parser.add_argument("--type", choices=list(NodeType))
    tag_options.arguments(parser)
    parser.add_argument("--status", choices=list(NodeStatus))
    parser.add_argument("--min-confidence", type=float, metavar="0-1")
    parser.add_argument(
        "--references", action="extend", nargs="+", default=[], metavar="PATH", help="only notes about these files"
    )
    parser.add_argument("--related-to", metavar="ID", help="only notes related to this one")
    parser.add_argument("--mode", choices=SEARCH_MODES, default="hybrid")
    parser.add_argument("--limit", type=int, metavar=f"1-{RESULTS}")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="skip the first N results")
    parser.add_argument("--explain", action="store_true", help="show how each score is composed")
    parser.add_argument("--detail", choices=DETAILS, default="normal", help="how much content, with --json")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results, best first; an empty result is not an error."""
    query = " ".join(args.words)
    request = NodeQuery(
        query=query,
        type=args.type,
        tags=tag_options.tags(args),
        status=args.status,
        min_confidence=args.min_confidence,
        references=tuple(args.references),
        related_to=args.related_to,
        mode=args.mode,
        limit=args.limit,
        offset=args.offset,
    )
    project = project_of(args)
    graph = project.graph
    if query and args.mode == "hybrid" and graph.catch_up():
        graph.embed_few()
    answer = search(graph, request, project.watch)
    if screen.json:
        from autology.render import nodes

        screen.data(nodes.answer(answer, args.detail))
        return 0
    for number, hit in enumerate(answer.hits, args.offset + 1):
        show_hit(hit, query, screen, number, args.explain)
    suggestion = "" if answer.hits else _suggestion(graph, request, screen)
    search_hits.show_verdict(answer.verdict, [hit.node.title for hit in answer.nearest], suggestion, screen)
    if answer.left_out:
        screen.line(f"{left_out(answer.left_out)}: --limit {USUAL}", "dim")
    elif answer.more:
        screen.line(f"More results: --offset {args.offset + request.wanted}")
    if args.explain and answer.encoder:
        screen.line(f"Semantic scores by {answer.encoder}.")
    screen.notes(answer.notes)
    return 0


def _suggestion(graph: Graph, request: NodeQuery, screen: Screen) -> str:
    """Return a suggestion for an empty result."""
    if not graph.files.exists():
        return "This project has no .autology folder yet: run `autology init`."
    counts = graph.index.tags()
    if unknown := [tag for tag in request.tags if tag.strip().lower() not in counts]:
        frequent = sorted(counts, key=lambda tag: (-counts[tag], tag))[:TAGS_LISTED]
        hint = f"Existing tags: {', '.join(frequent)}." if frequent else "No note has a tag yet."
        return f"No note has the tag {screen.safe(unknown[0])}. {hint}"
    if request.references:
        return "Paths are relative to the project's root, such as src/index.py."
    if len(request.query.split()) > 1:
        return "Try fewer or different words."
    return "Try a different word." if request.query else "No note passes these filters."


def show_hit(hit: NodeHit, query: str, screen: Screen, number: int, explain: bool = False) -> None:
    """Print a hit: its title, path and best passage, and why it matched."""
    show_place(hit, screen, f"{number}. ", scored=bool(query))
    search_hits.show_snippet(_passage(hit), query, screen)
    fields = {"title": hit.node.title, "tags": " ".join(hit.node.tags), "text": hit.node.content}
    search_hits.show_reasons(search_hits.matches(query, fields), screen)
    if explain:
        search_hits.show_score(hit.relevance or hit.score, hit.explain, screen)
    for line in (*changes(hit.node), *hit.drifted[:DRIFTS]):
        screen.line(f"   needs review: {screen.safe(line, 300)}", "yellow")
    for newer in hit.superseded_by:
        screen.line(f"   replaced by: {screen.safe(newer.title)} ({newer.id[:8]})", "yellow")
    for copy in hit.also:
        screen.line(f"   also: {screen.safe(copy.path)}, an imported copy that differs", "dim")
    screen.line()


def show_place(hit: NodeHit, screen: Screen, number: str = "", scored: bool = True) -> None:
    """Print a hit's title, facts and path; its score only if there was a query."""
    node = hit.node
    title = screen.styled(screen.safe(node.title), "bold")
    effective = NodeStatus.NEEDS_REVIEW if hit.drifted or changes(node) else node.status
    status = [effective.value] if effective is not NodeStatus.ACTIVE else []
    score = [f"{hit.score:.2f}"] if scored else []
    facts = " · ".join([node.type.value, *status, node.id[:8], *score])
    screen.line(f"{number}{title}  {screen.styled(facts, 'cyan')}")
    origin = node.extra.get("origin")
    source = f"  (from {screen.safe(origin)})" if isinstance(origin, str) else ""
    screen.line(f"   {screen.safe(hit.path)}{source}", "dim")


def _passage(hit: NodeHit) -> str:
    if hit.passage:
        return without(hit.node.content, secrets_in(hit.node.content), *hit.passage)
    return redact(hit.node.content)[0][:3_000]
