"""``autology review``: what waits for a person's word, and the word that settles it."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from autology import findings, wire
from autology.cli import project, texts
from autology.cli.program import FINDINGS, FINE, UsageError
from autology.cli.screen import Screen
from autology.core import review
from autology.core.graph import Graph
from autology.core.review import Reviews, Waiting
from autology.model.errors import AutologyError
from autology.model.node import DecisionStatus, Node
from autology.text.counted import counted

EXAMPLES = """\
autology review
autology review 3f2a91c0 --keep --reason "the queue was moved, the rule is the same"
autology review 3f2a91c0 --amend --file decision.md --reason "the limit was raised with the provider"
autology review 3f2a91c0 --supersede 9b1c22d4
autology review 3f2a91c0 --status proposed --reason "the numbers were wrong"
autology review --seal"""
JSON = """\
{waiting: [{id, type, title, status, path, reasons, findings}], others: [findings], degraded?};
{reviewed: {id, title, status}, as} of one node; {sealed, named} with --seal"""
LATER = "left for later"
_ASKED = "k keep, u update, s supersede, Enter later, q stop"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node, and what is said of it."""
    told = "the node's id, its first eight characters or more, or its title; else all are told"
    parser.add_argument("id", nargs="?", help=told)
    said = parser.add_mutually_exclusive_group()
    said.add_argument("--keep", action="store_true", help="it still holds as it is")
    said.add_argument("--amend", action="store_true", help="change its text, an accepted one too: with --reason")
    said.add_argument("--supersede", metavar="ID", help="that node replaces it")
    said.add_argument(
        "--status",
        choices=[each.value for each in DecisionStatus if each is not DecisionStatus.SUPERSEDED],
        help="where the decision stands, an accepted one's too: with --reason",
    )
    said.add_argument("--skip", action="store_true", help="leave it for later")
    said.add_argument(
        "--seal",
        action="store_true",
        help="seal each accepted decision that has no seal yet, and let superseded nodes name what replaced them",
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="why; kept in the note")
    parser.add_argument("--title", help="with --amend: the new title")
    parser.add_argument("--content", metavar="TEXT", help="with --amend: the new content; - for standard input")
    parser.add_argument("--file", metavar="FILE", help="with --amend: a file that holds the new content")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Tell what waits, or record what is said of one node; 1 where something waits."""
    root = project.root(asked)
    graph = wire.graph(root)
    if asked.seal:
        return _up_to_date(graph, screen)
    if asked.keep or asked.amend or asked.supersede or asked.status or asked.skip:
        return _said(asked, graph, screen)
    found = review.reviews(graph, wire.history(root))
    if asked.id:
        wanted = graph.source(project.meant(graph, asked.id)).id
        found = Reviews(tuple(each for each in found.waiting if each.node.id == wanted), (), found.notes)
    if screen.json:
        screen.data(_data(found))
    elif screen.asks():
        return _asked_through(found, graph, screen)
    else:
        _list(found, screen)
    return FINDINGS if found.waiting or found.others else FINE


def _up_to_date(graph: Graph, screen: Screen) -> int:
    """Bring what an older version wrote to what this one writes."""
    many, named = review.seal(graph), review.name_successors(graph)
    if screen.json:
        screen.data({"sealed": many, "named": named})
    else:
        told = f"; {counted(named, 'superseded node')} now name what replaced them" if named else ""
        screen.line(f"{counted(many, 'decision')} sealed{told}.")
    return FINE


def _said(asked: argparse.Namespace, graph: Graph, screen: Screen) -> int:
    if not asked.id:
        raise UsageError("id", "is missing", "Name the node; `autology review` lists those that wait.")
    id = project.meant(graph, asked.id)
    if asked.keep:
        done, how = review.keep(graph, id, asked.reason), "kept"
    elif asked.amend:
        given = asked.content is not None or asked.file is not None
        content = texts.given(asked.content, asked.file, edit=False) if given else None
        done, how = review.amend(graph, id, asked.title, content, asked.reason), "amended"
    elif asked.supersede:
        done, how = review.supersede(graph, id, project.meant(graph, asked.supersede), asked.reason), "superseded"
    elif asked.status:
        done, how = review.restate(graph, id, asked.status, asked.reason), f"set to {asked.status}"
    else:
        done, how = review.skip(graph, id, asked.reason), "left for later"
    if screen.json:
        told = {"id": done.id, "title": done.title, "status": done.status.value}
        screen.data({"reviewed": told, "as": how})
    else:
        screen.line(f"✓ {how.capitalize()}: {screen.safe(done.title)} ({done.type.value})")
    return FINE


def _data(found: Reviews) -> dict[str, Any]:
    listed = [
        {
            "id": each.node.id,
            "type": each.node.type.value,
            "title": each.node.title,
            "status": each.node.status.value,
            "path": each.node.path,
            "reasons": list(each.reasons),
            "findings": [findings.finding(one) for one in each.findings],
        }
        for each in found.waiting
    ]
    told: dict[str, Any] = {"waiting": listed, "others": [findings.finding(one) for one in found.others]}
    return {**told, "degraded": list(found.notes)} if found.notes else told


def _list(found: Reviews, screen: Screen) -> None:
    screen.line(f"{counted(len(found.waiting), 'node')} to review." if found.waiting else "Nothing waits for a review.")
    for each in found.waiting:
        screen.line()
        _show(each, screen)
        screen.line(f"  autology review {each.node.id[:8]} --keep | --amend | --supersede ID | --skip")
    for finding in found.others:
        what, fix = screen.safe(findings.line(finding.what)), findings.line(finding.fix, findings.FIX)
        screen.line(f"{what}: {screen.safe(fix, findings.FIX)}")
    for note in found.notes:
        screen.line(f"Note: {screen.safe(note, 500)}")


def _show(each: Waiting, screen: Screen) -> None:
    node = each.node
    screen.line(f"{node.id[:8]}  {screen.styled(screen.safe(node.title), 'bold')}  ({node.type.value})")
    for reason in each.reasons[: findings.EVIDENCE]:
        screen.line(f"  {screen.safe(reason, 300)}")


def _asked_through(found: Reviews, graph: Graph, screen: Screen) -> int:
    """Go through what waits, one node after another, until all are answered or whoever answers stops.

    What was answered is kept at once: stopping loses nothing of it.
    """
    screen.line(f"{counted(len(found.waiting), 'node')} to review." if found.waiting else "Nothing waits for a review.")
    left = len(found.waiting)
    try:
        for each in found.waiting:
            screen.line()
            _show(each, screen)
            done = _settled(each.node, graph, screen)
            left -= done != LATER
            screen.line(f"  {'✓ ' if done != LATER else ''}{done}")
    except (EOFError, KeyboardInterrupt):
        screen.line()
    if left:
        screen.line(f"{counted(left, 'node')} left for later.")
    return FINDINGS if left or found.others else FINE


def _settled(node: Node, graph: Graph, screen: Screen) -> str:
    """Ask until an answer can be done; return what was done. Raises EOFError where whoever answers stops."""
    while True:
        answer = _answer(f"  [{_ASKED}] ").lower()
        if answer in ("", "later", "l"):
            return LATER
        if answer[:1] == "q":
            raise EOFError
        try:
            if done := _ANSWERS[answer[:1]](node, graph):
                return done
            screen.line("  Nothing was changed.")
        except KeyError:
            screen.line(f"  There is no answer '{screen.safe(answer, 20)}'.")
        except AutologyError as error:
            screen.line(f"  {screen.safe(str(error), 500)}")


def _kept(node: Node, graph: Graph) -> str:
    review.keep(graph, node.id, _answer(_WHY))
    return "kept"


def _superseded(node: Node, graph: Graph) -> str:
    newer = project.meant(graph, _answer("  the id of what replaces it: "))
    review.supersede(graph, node.id, newer, _answer(_WHY))
    return "superseded"


def _updated(node: Node, graph: Graph) -> str:
    why = _answer(_WHY)
    content = texts.given(None, None, edit=True, draft=node.content)
    while content not in (None, node.content):
        try:
            review.amend(graph, node.id, None, content, why)
        except AutologyError as error:
            print(f"  {error}")
            why = _answer("  why (then what you wrote is opened again): ") or why
            content = texts.given(None, None, edit=True, draft=content or "")
        else:
            return "amended"
    return ""


_ANSWERS = {"k": _kept, "s": _superseded, "u": _updated}
_WHY = "  why (kept in the note): "


def _answer(question: str) -> str:
    """Return what is answered. Raises EOFError where nobody is there any more."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()
