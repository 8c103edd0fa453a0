"""``autology memory find``: items by words, meaning and relations."""

from __future__ import annotations

import argparse
from typing import Any

from autology import wire
from autology.cli import project
from autology.cli.memory_store import scope_of
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.model.memory import Kind, Scope
from autology.text import excerpts

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
    """Add the question and its filters."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="what to look for, or an item's id")
    parser.add_argument(
        "--type", action="extend", nargs="+", default=[], choices=[kind.value for kind in Kind], metavar="KIND"
    )
    parser.add_argument(
        "--scope", action="extend", nargs="+", metavar="PART=NAME", help="only of this org=, project=, branch="
    )
    parser.add_argument("--mode", choices=MODES, default="auto", help="by words; and by meaning; and what is less near")
    parser.add_argument("--limit", type=int, metavar="1-100")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="items to pass over")
    parser.add_argument("--expand", choices=WAYS, help="with --mode deep: along relations, too")
    told = "the team's hub too; as it is anyway with the scope of an organisation or of another project"
    parser.add_argument("--team", action=argparse.BooleanOptionalAction, help=told)
    parser.add_argument("--include-expired", action="store_true", help="items whose time is over, too")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print what was found, best first; that nothing was found is a result."""
    from autology import remembered
    from autology.core.memory.find import Request

    if not "".join(asked.words).strip():
        raise UsageError("WORDS", "is missing", "Give the words that matter.")
    scope = scope_of(asked.scope)
    team = wire.asks_team(project.root(asked), Scope(**scope)) if asked.team is None else asked.team
    if "org" not in scope and (org := wire.memory_org()):
        scope["org"] = org
    request = Request(
        query=" ".join(asked.words),
        types=tuple(asked.type),
        scope=Scope(**scope) if scope else None,
        mode=asked.mode,
        limit=asked.limit,
        offset=asked.offset,
        expand=asked.expand,
        include_expired=asked.include_expired,
        include_peers=team,
    )
    found, done = project.ledger(asked).find(request)
    told = remembered.find_result(found, done.audit_logged)
    if screen.json:
        screen.data(told)
    else:
        _show(told, request.query, asked.offset, screen)
    return 0


def _show(told: dict[str, Any], query: str, offset: int, screen: Screen) -> None:
    for number, item in enumerate(told["items"], offset + 1):
        scope = " ".join(f"{name}={value}" for name, value in item["scope"].items())
        facts = " · ".join([item["kind"], screen.safe(item["id"]), f"{item['_searchScore']:.2f}", screen.safe(scope)])
        facts += f" · {screen.safe(item['source'])}" if "source" in item else ""
        screen.line(f"{number}. {screen.styled(facts, 'cyan')}")
        shown = screen.safe(excerpts.excerpt(item["content"], query, SNIPPET * (screen.width - 6)), 2_000)
        screen.line(f"   {excerpts.marked(shown, query, screen.marked)}")
    if not told["items"]:
        screen.line("Nothing found. Try fewer or other words, --mode deep, or a wider --scope.")
    left = told["query_metadata"]["total_found"] - offset - told["total"]
    if left > 0:
        screen.line(f"There is more: --offset {offset + told['total']}")
    for note in told.get("degraded", []):
        screen.line(f"Note: {screen.safe(note, 500)}")
