"""``autology search``: find documents and nodes by their words and by what they mean."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime

from autology import wire
from autology.cli import project, tagged
from autology.cli.screen import Screen
from autology.core.documents.library import Library
from autology.core.documents.search import TEXT, DocumentHit, search
from autology.core.documents.with_team import search_with_team
from autology.core.documents.within import TYPES, Within
from autology.model.entry import DOCUMENT
from autology.text import excerpts
from autology.text.fence import clean_line
from autology.text.spans import Clock

EXAMPLES = """\
autology search retry policy
autology search "how do we deploy" --limit 3
autology search release notes --open
autology search retries --path docs/api --since "last month"
autology search retry policy --explain
autology search retry policy --team"""
JSON = """\
{results: [{id, title, type, path, score, preview, source, explain, also?: paths of nearly the same text,
 whose?: where it is from, of what others share}],
 degraded?}, best first"""
SNIPPET = 2
"""Lines of a snippet."""
PLACES = 12
"""Files and folders named where nothing lies at a path."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the question, and what to do with the best answer."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    parser.add_argument("--limit", type=int, default=10, metavar="1-100")
    parser.add_argument("--path", metavar="PATH", help="only this file, or what lies in this folder")
    parser.add_argument("--type", choices=TYPES, metavar="TYPE", help=f"only one of {', '.join(TYPES)}")
    tagged.arguments(parser)
    parser.add_argument("--author", metavar="NAME", help="only what names this author in its frontmatter")
    parser.add_argument("--since", metavar="WHEN", help="changed since a date as 2026-03-04, or words as 'last week'")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument("--team", action="store_true", help="what other projects of the team share, too")
    parser.add_argument("--explain", action="store_true", help="say what each score is made of")
    parser.add_argument("--open", action="store_true", help="open the best answer's file in $VISUAL or $EDITOR")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print what was found, best first; that nothing was found is a result."""
    query = " ".join(asked.words)
    library = project.library(asked)
    with screen.progress("reading documents") as progress:
        up_to_date = library.degraded.catch_up(lambda: library.refresh(progress=progress))
    if up_to_date:
        library.graph.embed_few()
    within = Within(asked.path, asked.type, tagged.given(asked), asked.author, asked.since, asked.until)
    if asked.team:
        found = search_with_team(library, query, asked.limit, wire.team_search(project.root(asked)), within=within)
    else:
        found = search(library, query, asked.limit, within=within)
    if screen.json:
        told = {"results": [_as_json(hit) for hit in found.hits]}
        screen.data({**told, "degraded": list(found.notes)} if found.notes else told)
    else:
        for number, hit in enumerate(found.hits, 1):
            _show(hit, query, number, screen, asked.explain)
        if not found.hits:
            screen.line(f"Nothing found. {_next(library, asked)}")
        for note in found.notes:
            screen.line(f"Note: {screen.safe(note, 500)}")
    if asked.open and (own := [hit for hit in found.hits if not hit.whose]):
        from autology.cli import spawn

        spawn.opened(os.path.join(library.files.root, *own[0].source.path.split("/")))
    return 0


def _next(library: Library, asked: argparse.Namespace) -> str:
    """What to try next where nothing was found: another path, where nothing lies at the one given."""
    if asked.path is None or _lie(library, asked.path):
        return "Try fewer or other words."
    tops = sorted({named.path.partition("/")[0] for named in library.graph.index.named(DOCUMENT)})
    there = f"Documents lie in: {', '.join(tops[:PLACES])}." if tops else "The project has no document yet."
    return f"No document or node lies at {clean_line(asked.path, 200)}. {there}"


def _lie(library: Library, path: str) -> bool:
    where = Within(path).filter(library.files.root, Clock(datetime.now(UTC)))
    return bool(library.graph.index.listed(where, 1, ""))


def _show(hit: DocumentHit, query: str, number: int, screen: Screen, explained: bool) -> None:
    source = hit.source
    facts = screen.styled(f"{source.type} · {screen.safe(_short(hit))} · {hit.score:.2f}", "cyan")
    screen.line(f"{number}. {screen.styled(screen.safe(source.title), 'bold')}  {facts}")
    whose = f", {screen.safe(hit.whose)}" if hit.whose else ""
    screen.line(screen.styled(f"   {screen.safe(source.path)}{whose}", "dim"))
    shown = screen.safe(excerpts.excerpt(hit.passage, query, SNIPPET * (screen.width - 6)), 2_000)
    if shown:
        screen.line(f"   {excerpts.marked(shown, query, screen.marked)}")
    if why := _why(hit, query):
        screen.line(screen.styled(f"   why: {screen.safe(why)}", "dim"))
    if hit.also:
        others = ", ".join(source.path for source in hit.also)
        screen.line(screen.styled(f"   nearly the same: {screen.safe(others)}", "dim"))
    if explained:
        made = " + ".join(f"{name} {part:.3f}" for name, part in hit.explain.items())
        screen.line(screen.styled(f"   score {hit.score:.3f} = {made}", "dim"))
    screen.line()


def _short(hit: DocumentHit) -> str:
    return hit.source.id if hit.source.type == "document" else hit.source.id[:8]


def _why(hit: DocumentHit, query: str) -> str:
    """Where the words that were asked for stand, whether the meaning is alike, and whether links speak for it."""
    fields = {"title": hit.source.title, "text": hit.passage}
    found = {name: excerpts.words_in(text, query) for name, text in fields.items()}
    told = [f"{', '.join(words)} in the {name}" for name, words in found.items() if words]
    if hit.explain.keys() - {"age", "confidence"} == {"links"}:
        return "linked with what answers best, and akin in meaning"
    told += ["alike in meaning"] if hit.branch != TEXT else []
    told += ["linked with what answers best"] if "links" in hit.explain else []
    return "; ".join(told)


def _as_json(hit: DocumentHit) -> dict[str, object]:
    source = hit.source
    named = {"id": source.id, "title": source.title, "type": source.type, "path": source.path}
    also = {"also": [other.path for other in hit.also]} if hit.also else {}
    found = {"score": round(hit.score, 3), "preview": hit.preview, "source": hit.branch, "explain": hit.explain}
    return {**named, **found, **also, **({"whose": hit.whose} if hit.whose else {})}
