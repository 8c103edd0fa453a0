"""``autology search``: search documents and notes together."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime

from autology.cli import search_hits, tag_options
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.documents.document_filter import TYPES, DocumentFilter
from autology.core.documents.library import Library
from autology.core.documents.search import TEXT, DocumentHit, search, search_with_team, strong
from autology.core.likelihood import NEAREST
from autology.model.argument_limits import RESULTS
from autology.model.entry import DOCUMENT
from autology.render.verdicts import verdict_data
from autology.text.language.calendar_spans import Clock
from autology.text.sanitising import clean_line

EXAMPLES = """\
autology search retry policy
autology search "how do we deploy" --limit 3
autology search release notes --open
autology search retries --path docs/api --since "last month"
autology search retry policy --explain
autology search retry policy --all
autology search retry policy --team"""
JSON = """\
{results: [{id, title, type, path, score, relevance, preview, source, explain, also?: paths of near-identical texts,
 whose?: the project of a shared result}],
 answered?: false, absent?: words that nothing holds, degraded?}, best first; score is how
 likely it answers, relevance, the sum of explain, orders the results"""
FOLDERS_LISTED = 12
"""Maximum number of files and folders listed if a path does not exist."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query, its filters, and the options for its results."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="search text")
    parser.add_argument("--limit", type=int, default=10, metavar=f"1-{RESULTS}")
    parser.add_argument("--path", metavar="PATH", help="only this file, or files in this folder")
    parser.add_argument("--type", choices=TYPES, metavar="TYPE", help=f"only one of {', '.join(TYPES)}")
    tag_options.arguments(parser)
    parser.add_argument("--author", metavar="NAME", help="only results with this author in their frontmatter")
    parser.add_argument("--since", metavar="WHEN", help="changed since a date such as 2026-03-04, or 'last week'")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument("--team", action="store_true", help="include what the team's other projects share")
    parser.add_argument("--all", action="store_true", help="show also results that are much weaker than the best one")
    parser.add_argument("--explain", action="store_true", help="show how each score is composed")
    parser.add_argument("--open", action="store_true", help="open the best result's file in $VISUAL or $EDITOR")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results, best first; an empty result is not an error."""
    query = " ".join(args.words)
    project = project_of(args)
    library = project.library
    if library.catch_up():
        library.graph.embed_few()
    filters = DocumentFilter(args.path, args.type, tag_options.tags(args), args.author, args.since, args.until)
    if args.team:
        result = search_with_team(library, query, args.limit, project.team.search, within=filters)
    else:
        result = search(library, query, args.limit, within=filters)
    if screen.json:
        data = {"results": [_as_json(hit) for hit in result.hits], **verdict_data(result.verdict)}
        screen.data({**data, "degraded": list(result.notes)} if result.notes else data)
    else:
        shown = result.hits if args.all else strong(result)
        for number, hit in enumerate(shown, 1):
            _show(hit, query, number, screen, args.explain)
        if weaker := len(result.hits) - len(shown):
            screen.line(f"{weaker} weaker {'one' if weaker == 1 else 'ones'}: --all", "dim")
        # Words are not missing from everything if only a path was searched.
        verdict = result.verdict if result.hits or args.path is None else result.verdict._replace(absent=())
        suggestion = "" if shown else _suggestion(library, args)
        search_hits.show_verdict(verdict, [hit.source.title for hit in result.hits[:NEAREST]], suggestion, screen)
        screen.notes(result.notes)
    if args.open and (local := [hit for hit in result.hits if not hit.whose]):
        from autology.cli import spawn

        spawn.open_file(os.path.join(library.files.root, *local[0].source.path.split("/")))
    return 0


def _suggestion(library: Library, args: argparse.Namespace) -> str:
    """Return a suggestion for an empty result: other paths if that of --path does not exist."""
    if args.path is None or _is_indexed(library, args.path):
        return "Try fewer or different words."
    top_level = sorted({named.path.partition("/")[0] for named in library.graph.index.named(DOCUMENT)})
    hint = (
        f"Documents are in: {', '.join(top_level[:FOLDERS_LISTED])}."
        if top_level
        else "The project has no documents yet."
    )
    return f"No document or note at {clean_line(args.path, 200)}. {hint}"


def _is_indexed(library: Library, path: str) -> bool:
    where = DocumentFilter(path).filter(library.files.root, Clock(datetime.now(UTC)))
    return bool(library.graph.index.listed(where, 1, ""))


def _show(hit: DocumentHit, query: str, number: int, screen: Screen, explain: bool) -> None:
    source = hit.source
    parts = (source.type, *(() if source.kind == DOCUMENT else (screen.safe(source.id[:8]),)), f"{hit.likelihood:.2f}")
    facts = screen.styled(" · ".join(parts), "cyan")
    screen.line(f"{number}. {screen.styled(screen.safe(source.title), 'bold')}  {facts}")
    project = f", {screen.safe(hit.whose)}" if hit.whose else ""
    screen.line(f"   {screen.safe(source.path)}{project}", "dim")
    search_hits.show_snippet(hit.passage, query, screen)
    search_hits.show_reasons(_reasons(hit, query), screen)
    if hit.also:
        others = ", ".join(source.path for source in hit.also)
        screen.line(f"   near-identical: {screen.safe(others)}", "dim")
    if explain:
        search_hits.show_score(hit.score, hit.explain, screen)
    screen.line()


def _reasons(hit: DocumentHit, query: str) -> list[str]:
    """Return the fields with matching words, and whether semantic similarity or links contributed."""
    if hit.explain.keys() - {"age", "confidence"} == {"links"}:
        return ["linked to the best results, and similar in meaning"]
    reasons = search_hits.matches(query, {"title": hit.source.title, "text": hit.passage})
    reasons += ["similar in meaning"] if hit.branch != TEXT else []
    reasons += ["linked to the best results"] if "links" in hit.explain else []
    return reasons


def _as_json(hit: DocumentHit) -> dict[str, object]:
    source = hit.source
    source_fields = {"id": source.id, "title": source.title, "type": source.type, "path": source.path}
    also = {"also": [other.path for other in hit.also]} if hit.also else {}
    hit_fields = {
        "score": round(hit.likelihood, 4),
        "relevance": round(hit.score, 3),
        "preview": hit.preview,
        "source": hit.branch,
        "explain": hit.explain,
    }
    return {**source_fields, **hit_fields, **also, **({"whose": hit.whose} if hit.whose else {})}
