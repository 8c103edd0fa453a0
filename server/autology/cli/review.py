"""``autology review``: review notes: keep, amend, supersede or skip them."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from autology.cli import input_text
from autology.cli.exit_codes import FINDINGS, FINE
from autology.cli.note_names import node_called
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes import review
from autology.core.nodes.graph import Graph
from autology.core.nodes.review import NodeToReview, Reviews
from autology.model.errors import AutologyError
from autology.model.node import DecisionStatus, Node
from autology.render import findings
from autology.render.next_steps import error_for_terminal, for_terminal
from autology.text.language.plural import counted

EXAMPLES = """\
autology review
autology review 3f2a91c0 --keep --reason "the queue was moved, the rule is the same"
autology review 3f2a91c0 --amend --file decision.md --reason "the limit was raised with the provider"
autology review 3f2a91c0 --supersede 9b1c22d4
autology review 3f2a91c0 --status proposed --reason "the numbers were wrong"
autology review --seal
autology review --memory
autology review --memory --strike MEMORY.md:7
autology review --mined
autology review --mined 5d0c31aa --accept --title "Texts wait until 08:00"
autology review --mined 5d0c31aa --dismiss"""
JSON = """\
{waiting: [{id, type, title, status, path, reasons, findings}], others: [findings], degraded?};
{reviewed: {id, title, status}, as} for one note; {sealed, named} with --seal;
{memory: [{line, says, as: repeats or contradicts, note: {id, title}, there}]} with --memory;
{mined: [{id, kind, quote, author, at, session, turn, outcome}]} with --mined; {captured: {id, title, type}} and
 {dismissed: id} with --accept and --dismiss"""
WRITES = True
LATER = "left for later"
_CHOICES = "[k]eep [e]dit [s]upersede [Enter] skip [q]uit"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the note and the decision."""
    about = "the note's id, its first eight characters or more, or its title; default: all that need review"
    parser.add_argument("id", nargs="?", help=about)
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--keep", action="store_true", help="the note is still valid")
    actions.add_argument("--amend", action="store_true", help="change its text, even if accepted; needs --reason")
    actions.add_argument("--supersede", metavar="ID", help="this note replaces it")
    actions.add_argument(
        "--status",
        choices=[value.value for value in DecisionStatus if value is not DecisionStatus.SUPERSEDED],
        help="set the state of the decision, even if accepted; needs --reason",
    )
    actions.add_argument("--skip", action="store_true", help="leave it pending")
    actions.add_argument(
        "--seal",
        action="store_true",
        help="seal accepted decisions that have no seal, and link superseded notes to their replacements",
    )
    actions.add_argument(
        "--memory", action="store_true", help="compare Claude Code's own memory of the project with the notes"
    )
    parser.add_argument("--promote", metavar="FILE:LINE", help="with --memory: capture that line as a note")
    parser.add_argument("--strike", metavar="FILE:LINE", help="with --memory: remove that line, after asking")
    parser.add_argument("--yes", action="store_true", help="with --strike: the user has agreed")
    actions.add_argument("--accept", action="store_true", help="with --mined: capture the candidate as a note")
    actions.add_argument("--dismiss", action="store_true", help="with --mined: never offer the candidate again")
    settled = "list what past sessions settled and no note says: choices, rules and fixes, each quoted"
    parser.add_argument("--mined", action="store_true", help=settled)
    parser.add_argument("--reason", default="", metavar="TEXT", help="the reason; saved in the note")
    parser.add_argument("--title", help="with --amend or --accept: the new title")
    parser.add_argument(
        "--content", metavar="TEXT", help="with --amend or --accept: the new content; - for standard input"
    )
    parser.add_argument("--file", metavar="FILE", help="with --amend or --accept: read the new content from a file")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """List the notes to review, or record a decision; return 1 if any need review."""
    project = project_of(args)
    if args.mined:
        from autology.cli import review_mined

        return review_mined.run(args, project, screen)
    if args.accept or args.dismiss:
        raise UsageError("--accept", "needs --mined", "`autology review --mined` lists the candidates.")
    graph = project.graph
    if args.memory:
        from autology.cli import review_memory  # what compares statements takes a tenth of a second to load

        return review_memory.run(args, project, screen)
    if args.seal:
        return _upgrade(graph, screen)
    if args.keep or args.amend or args.supersede or args.status or args.skip:
        return _record(args, graph, screen)
    screen.begin("looking for notes to review")
    pending = review.reviews(graph, project.history)
    if args.id:
        id = graph.source(node_called(graph, args.id)).id
        pending = Reviews(tuple(item for item in pending.waiting if item.node.id == id), (), pending.notes)
    if screen.json:
        screen.data(_data(pending))
    elif screen.can_ask():
        return _interactive(pending, graph, screen)
    else:
        _list(pending, screen)
    return FINDINGS if pending.waiting or pending.others else FINE


def _upgrade(graph: Graph, screen: Screen) -> int:
    """Add seals and links that an older version did not write."""
    sealed, named = review.seal(graph), review.name_successors(graph)
    if screen.json:
        screen.data({"sealed": sealed, "named": named})
    else:
        successors = f"; {counted(named, 'superseded note')} now linked to their replacements" if named else ""
        screen.line(f"{counted(sealed, 'decision')} sealed{successors}.")
    return FINE


def _record(args: argparse.Namespace, graph: Graph, screen: Screen) -> int:
    if not args.id:
        raise UsageError("id", "is missing", "Name the note; `autology review` lists those to review.")
    id = node_called(graph, args.id)
    if args.keep:
        node, outcome = review.keep(graph, id, args.reason), "kept"
    elif args.amend:
        has_text = args.content is not None or args.file is not None
        content = input_text.read(args.content, args.file, edit=False) if has_text else None
        node, outcome = review.amend(graph, id, args.title, content, args.reason), "amended"
    elif args.supersede:
        node, outcome = review.supersede(graph, id, node_called(graph, args.supersede), args.reason), "superseded"
    elif args.status:
        node, outcome = review.restate(graph, id, args.status, args.reason), f"set to {args.status}"
    else:
        node, outcome = review.skip(graph, id, args.reason), "left for later"
    if screen.json:
        data = {"id": node.id, "title": node.title, "status": node.status.value}
        screen.data({"reviewed": data, "as": outcome})
    else:
        screen.line(f"✓ {outcome.capitalize()}: {screen.safe(node.title)} ({node.type.value})")
    return FINE


def _data(reviews: Reviews) -> dict[str, Any]:
    listed = [
        {
            "id": item.node.id,
            "type": item.node.type.value,
            "title": item.node.title,
            "status": item.node.status.value,
            "path": item.node.path,
            "reasons": list(item.reasons),
            "findings": [findings.finding(finding) for finding in item.findings],
        }
        for item in reviews.waiting
    ]
    data: dict[str, Any] = {"waiting": listed, "others": [findings.finding(finding) for finding in reviews.others]}
    return {**data, "degraded": list(reviews.notes)} if reviews.notes else data


def _list(reviews: Reviews, screen: Screen) -> None:
    screen.line(f"{counted(len(reviews.waiting), 'note')} to review." if reviews.waiting else "Nothing to review.")
    for item in reviews.waiting:
        screen.line()
        _show(item, screen)
        screen.line(f"  autology review {item.node.id[:8]} --keep | --amend | --supersede ID | --skip")
    for finding in reviews.others:
        what, fix = screen.safe(findings.line(finding.what)), findings.line(for_terminal(finding.fix), findings.FIX)
        screen.line(f"{what}: {screen.safe(fix, findings.FIX)}")
    screen.notes(reviews.notes)


def _show(item: NodeToReview, screen: Screen) -> None:
    node = item.node
    screen.line(f"{node.id[:8]}  {screen.styled(screen.safe(node.title), 'bold')}  ({node.type.value})")
    for reason in item.reasons[: findings.EVIDENCE]:
        screen.line(f"  {screen.safe(reason, 300)}")


def _interactive(reviews: Reviews, graph: Graph, screen: Screen) -> int:
    """Ask about one note after another, until the last or until the user quits.

    Each answer is saved immediately.
    """
    screen.line(f"{counted(len(reviews.waiting), 'note')} to review." if reviews.waiting else "Nothing to review.")
    remaining = len(reviews.waiting)
    try:
        for item in reviews.waiting:
            screen.line()
            _show(item, screen)
            outcome = _resolve(item.node, graph, screen)
            remaining -= outcome != LATER
            screen.line(f"  {'✓ ' if outcome != LATER else ''}{outcome}")
    except (EOFError, KeyboardInterrupt):
        screen.line()
    if remaining:
        screen.line(f"{counted(remaining, 'note')} left for later.")
    return FINDINGS if remaining or reviews.others else FINE


def _resolve(node: Node, graph: Graph, screen: Screen) -> str:
    """Ask until an answer succeeds; return the outcome. Raises EOFError if the user quits."""
    while True:
        answer = _answer(f"  {_CHOICES} ").lower()
        if answer in ("", "later", "l"):
            return LATER
        if answer[:1] == "q":
            raise EOFError
        try:
            if outcome := _ANSWERS[answer[:1]](node, graph):
                return outcome
            screen.line("  Nothing was changed.")
        except KeyError:
            screen.line(f"  Unknown answer '{screen.safe(answer, 20)}'.")
        except AutologyError as error:
            screen.line(f"  {screen.safe(error_for_terminal(error), 500)}")


def _keep(node: Node, graph: Graph) -> str:
    review.keep(graph, node.id, _answer(_WHY))
    return "kept"


def _supersede(node: Node, graph: Graph) -> str:
    newer = node_called(graph, _answer("  id of the replacement: "))
    review.supersede(graph, node.id, newer, _answer(_WHY))
    return "superseded"


def _edit(node: Node, graph: Graph) -> str:
    reason = _answer(_WHY)
    content = input_text.read(None, None, edit=True, draft=node.content)
    while content not in (None, node.content):
        try:
            review.amend(graph, node.id, None, content, reason)
        except AutologyError as error:
            print(f"  {error_for_terminal(error)}")
            reason = _answer("  reason (then your text opens again): ") or reason
            content = input_text.read(None, None, edit=True, draft=content or "")
        else:
            return "amended"
    return ""


_ANSWERS = {"k": _keep, "e": _edit, "u": _edit, "s": _supersede}
_WHY = "  reason (saved in the note): "


def _answer(question: str) -> str:
    """Return the answer. Raises EOFError at the end of input."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()
