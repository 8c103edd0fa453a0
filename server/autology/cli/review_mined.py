"""The part of ``autology review`` that lists what past sessions settled, and captures or dismisses it."""

from __future__ import annotations

import argparse

from autology import client_session
from autology.cli import input_text
from autology.cli.exit_codes import FINDINGS, FINE
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.conversations.mining import Candidate
from autology.core.recall.mined_queue import MinedQueue
from autology.render import mined
from autology.text.language.plural import counted
from autology.wire.project import Project

LINE = 300
SHORT_ID = 8


def run(args: argparse.Namespace, project: Project, screen: Screen) -> int:
    """List the candidates, or record an answer to one; return 1 if any wait."""
    project.conversation_search_from(client_session.from_environment).refresh()
    queue = project.mined_queue
    if args.accept or args.dismiss:
        if not args.id:
            raise UsageError("id", "is missing", "Name the candidate; `autology review --mined` lists them.")
        return _accept(args, queue, screen) if args.accept else _dismiss(args, queue, screen)
    waiting = queue.waiting()
    if args.id:
        waiting = [one for one in waiting if one.id.startswith(args.id)]
    if screen.json:
        screen.data({"mined": [mined.candidate(candidate) for candidate in waiting]})
    else:
        _list(waiting, screen)
    return FINDINGS if waiting else FINE


def _accept(args: argparse.Namespace, queue: MinedQueue, screen: Screen) -> int:
    has_text = args.content is not None or args.file is not None
    text = input_text.read(args.content, args.file, edit=False) if has_text else None
    node = queue.accept(args.id, args.title, text).node
    return screen.report(
        {"captured": {"id": node.id, "title": node.title, "type": node.type.value}},
        screen.styled(f"✓ Captured: {screen.safe(node.title)} ({node.type.value})", "green"),
        f"  {node.path}",
    )


def _dismiss(args: argparse.Namespace, queue: MinedQueue, screen: Screen) -> int:
    candidate = queue.dismiss(args.id)
    return screen.report({"dismissed": candidate.id}, f"✓ Dismissed: {screen.safe(candidate.quote)}")


def _list(waiting: list[Candidate], screen: Screen) -> None:
    number = counted(len(waiting), "candidate")
    screen.line(
        f"{number} from past sessions, in no note yet." if waiting else "Nothing to capture from past sessions."
    )
    for candidate in waiting:
        screen.line()
        quote = screen.styled(f"“{screen.safe(candidate.quote, LINE)}”", "bold")
        screen.line(f"{candidate.id[:SHORT_ID]}  {candidate.kind}: {quote}")
        if candidate.outcome:
            screen.line(f"  then: {screen.safe(candidate.outcome, LINE)}")
        screen.line(f"  by the {candidate.author}, {candidate.at[:10]}, session {candidate.session}", "dim")
        screen.line(f"  autology review --mined {candidate.id[:SHORT_ID]} --accept | --dismiss")
