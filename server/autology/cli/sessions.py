"""``autology sessions``: find a past session, to resume it or to hand it over."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import PurePath

from autology import client_session
from autology.cli.recall import folder_or_name
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.conversations.handoff import handoff
from autology.core.conversations.session_facts import SessionFacts
from autology.core.recall.request import RecallRequest
from autology.core.recall.session_search import MOST
from autology.core.recall.summary import ago
from autology.model.agents import OWN
from autology.places import project_root
from autology.render import sessions
from autology.text.language.plural import counted
from autology.wire.project import Project

EXAMPLES = """\
autology sessions
autology sessions quiet hours at night for texts
autology sessions --project . --since 'last week' --limit 20
autology sessions --handoff 3f2a91c0 > handoff.md"""
JSON = """\
 {sessions: [{id, agent, title, outcome, project, branch, machine?, began, ended, prompts, files,
 partly?, resume}],
 degraded?}, best first;
{session, goal, state, decisions, open_ends, failing, files, text} with --handoff"""
PROJECT = "only this project: a folder of it, its name, or its repository's identity (default: all projects)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the description, its filters, and the handoff."""
    about = "what the session was about, in any words; default: the latest sessions"
    parser.add_argument("words", nargs="*", metavar="WORDS", help=about)
    parser.add_argument("--since", metavar="WHEN", help="a date such as 2026-03-04, or words such as 'last week'")
    parser.add_argument("--limit", type=int, default=10, metavar=f"1-{MOST}")
    text = "print what another session needs to go on: goal, state, decisions, open ends, files, all quoted"
    parser.add_argument("--handoff", metavar="ID", help=text)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the sessions, each with the command that resumes it; an empty result is not an error."""
    project = Project(project_root())
    search = project.session_search_from(client_session.from_environment)
    if args.handoff is not None:
        if args.words:
            raise UsageError("--handoff", "cannot be combined with words", "Give one or the other.")
        return _hand_over(project, search.called(args.handoff), screen)
    folder = folder_or_name(args.project, project.conversation_search)
    request = RecallRequest(
        query=" ".join(args.words),
        project=folder,
        names=project.names_of(folder) if folder else (),
        since=args.since,
        limit=args.limit,
    )
    matches = search.find(request)
    if screen.json:
        screen.data(sessions.session_list(matches))
        return 0
    now = project.conversations.now()
    screen.line(f"{counted(matches.count, 'session')}." if matches.count else "No session matches.")
    for facts in matches.sessions:
        _show(facts, now, screen)
    screen.notes(matches.notes)
    return 0


def _hand_over(project: Project, session: str, screen: Screen) -> int:
    result = handoff(project.conversations, session)
    if screen.json:
        screen.data(sessions.handoff_data(result))
    else:
        screen.block(sessions.handoff_text(result).rstrip("\n"))
    return 0


def _show(facts: SessionFacts, now: datetime, screen: Screen) -> None:
    screen.line()
    screen.line(screen.styled(screen.safe(facts.title or "(without a prompt)", screen.width), "cyan"))
    if facts.outcome and facts.outcome != facts.title:
        screen.line(f"  → {screen.safe(facts.outcome, screen.width - 4)}")
    place = PurePath(facts.folder.replace("\\", "/")).name or facts.folder
    machine = f"on {facts.machine}" if facts.machine else ""
    at_least = "at least " if facts.left_out else ""
    prompts = f"{at_least}{counted(facts.prompts, 'prompt')}"
    about = [ago(facts.ended, now), machine, place, facts.branch or "", prompts]
    about += [f"in {facts.agent}" if facts.agent != OWN else ""]
    about += [sessions.duration(facts), f"{at_least}{counted(len(facts.files), 'file')}" if facts.files else ""]
    screen.line(f"  {screen.styled(screen.safe(' · '.join(part for part in about if part)), 'dim')}")
    command = sessions.resuming(facts)
    # A shortened command would not run.
    screen.line(f"  {screen.safe(command or f'autology sessions --handoff {facts.id}', 2_000)}")
