"""``autology memory find``: search items by keyword and meaning, optionally along relations."""

from __future__ import annotations

import argparse
from typing import Any

from autology.cli import search_hits
from autology.cli.memory_store import scope_of
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.model.argument_limits import EXPANSIONS, MEMORY_MODES, RESULTS
from autology.model.memory import Kind, Scope
from autology.render.verdicts import verdict_of
from autology.wire.user import memory_org

EXAMPLES = """\
autology memory find cache size
autology memory find who is on call --type runbook incident
autology memory find rollback --mode deep --expand relations --scope project=shop"""
JSON = """\
{success, items: [{id, kind, content, scope, metadata, created_at, updated_at, _searchScore, _isReassembled, …}],
 total, answered?: false, absent?, nearest?, query_metadata: {mode, total_found, …}, audit_metadata, degraded?},
 best first"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query and its filters."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="search text, or an item's id")
    parser.add_argument("--type", action="extend", nargs="+", default=[], choices=list(Kind), metavar="KIND")
    parser.add_argument(
        "--scope",
        action="extend",
        nargs="+",
        metavar="PART=NAME",
        help="only items of this scope: org=, project=, branch=",
    )
    parser.add_argument(
        "--mode",
        choices=MEMORY_MODES,
        default="auto",
        help="fast: lexical; auto (default): also semantic; deep: wider and reranked",
    )
    parser.add_argument("--limit", type=int, metavar=f"1-{RESULTS}")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="skip the first N items")
    parser.add_argument("--expand", choices=EXPANSIONS, help="with --mode deep: also follow relations")
    about = "search the team's hub too (default: only for another organisation or project)"
    parser.add_argument("--team", action=argparse.BooleanOptionalAction, help=about)
    parser.add_argument("--include-expired", action="store_true", help="include expired items")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results, best first; an empty result is not an error."""
    from autology.core.memory.find import Request
    from autology.render import memory_items

    if not "".join(args.words).strip():
        raise UsageError("WORDS", "is missing", "Give search words.")
    scope = scope_of(args.scope)
    project = project_of(args)
    team = project.team.may_have(Scope(**scope)) if args.team is None else args.team
    if "org" not in scope and (org := memory_org()):
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
    data = memory_items.find_result(*project.audited_memories.find(request))
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
        search_hits.show_snippet(item["content"], query, screen)
    suggestion = "" if data["items"] else "Try fewer or different words, --mode deep, or a wider --scope."
    nearest = [item["content"] for item in data.get("nearest", [])]
    search_hits.show_verdict(verdict_of(data), nearest, suggestion, screen)
    if weaker := data.get("more"):
        screen.line(weaker.replace("pass limit.", "--limit"), "dim")
    remaining = 0 if weaker else data["query_metadata"]["total_found"] - offset - data["total"]
    if remaining > 0:
        screen.line(f"More results: --offset {offset + data['total']}")
    screen.notes(data.get("degraded", []))
