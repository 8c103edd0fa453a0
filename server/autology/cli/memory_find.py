"""``autology memory find``: search items, lexically, semantically and along relations."""

from __future__ import annotations

import argparse
from typing import Any

from autology import wire
from autology.cli import project
from autology.cli.memory_store import scope_of
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.model.memory import Kind, Scope
from autology.text.markdown import snippets

EXAMPLES = """\
autology memory find cache size
autology memory find who is on call --type runbook incident
autology memory find rollback --mode deep --expand relations --scope project=shop"""
JSON = """\
{success, items: [{id, kind, content, scope, metadata, created_at, updated_at, _searchScore, _isReassembled, …}],
 total, query_metadata: {mode, total_found, …}, audit_metadata, degraded?}, best first"""
MODES = ("fast", "auto", "deep")
WAYS = ("relations", "parents", "children")
SNIPPET = 2
"""Lines of a snippet."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query and its filters."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="search text, or an item's id")
    parser.add_argument(
        "--type", action="extend", nargs="+", default=[], choices=[kind.value for kind in Kind], metavar="KIND"
    )
    parser.add_argument(
        "--scope", action="extend", nargs="+", metavar="PART=NAME", help="only this org=, project=, branch="
    )
    parser.add_argument("--mode", choices=MODES, default="auto", help="lexical; also semantic; wider and reranked")
    parser.add_argument("--limit", type=int, metavar="1-100")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="skip the first N items")
    parser.add_argument("--expand", choices=WAYS, help="with --mode deep: also follow relations")
    about = "search the team's hub too (default: only for another organisation or project)"
    parser.add_argument("--team", action=argparse.BooleanOptionalAction, help=about)
    parser.add_argument("--include-expired", action="store_true", help="include expired items")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results, best first; finding nothing is a result."""
    from autology.core.memory.find import Request
    from autology.render import memory_items

    if not "".join(args.words).strip():
        raise UsageError("WORDS", "is missing", "Give search words.")
    scope = scope_of(args.scope)
    team = wire.asks_team(project.root(args), Scope(**scope)) if args.team is None else args.team
    if "org" not in scope and (org := wire.memory_org()):
        scope["org"] = org
    request = Request(
        query=" ".join(args.words),
        types=tuple(args.type),
        scope=Scope(**scope) if scope else None,
        mode=args.mode,
        limit=args.limit,
        offset=args.offset,
        expand=args.expand,
        include_expired=args.include_expired,
        include_peers=team,
    )
    data = memory_items.find_result(*project.ledger(args).find(request))
    if screen.json:
        screen.data(data)
    else:
        _show(data, request.query, args.offset, screen)
    return 0


def _show(data: dict[str, Any], query: str, offset: int, screen: Screen) -> None:
    for number, item in enumerate(data["items"], offset + 1):
        scope = " ".join(f"{name}={value}" for name, value in item["scope"].items())
        facts = " · ".join([item["kind"], screen.safe(item["id"]), f"{item['_searchScore']:.2f}", screen.safe(scope)])
        facts += f" · {screen.safe(item['source'])}" if "source" in item else ""
        screen.line(f"{number}. {screen.styled(facts, 'cyan')}")
        shown = screen.safe(snippets.excerpt(item["content"], query, SNIPPET * (screen.width - 6)), 2_000)
        screen.line(f"   {snippets.marked(shown, query, screen.marked)}")
    if not data["items"]:
        screen.line("Nothing found. Try fewer or different words, --mode deep, or a wider --scope.")
    left = data["query_metadata"]["total_found"] - offset - data["total"]
    if left > 0:
        screen.line(f"More results: --offset {offset + data['total']}")
    for note in data.get("degraded", []):
        screen.line(f"Note: {screen.safe(note, 500)}")
