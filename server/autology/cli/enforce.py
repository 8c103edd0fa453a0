"""``autology enforce``: let hooks ask you, or refuse, when an edit or a command goes against a note."""

from __future__ import annotations

import argparse
import os
import sys

from autology import enforcement
from autology.cli.note_names import node_called
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes.enforcing import SUSPENDED, Enforceable, enforceable, state
from autology.core.nodes.graph import Graph
from autology.model.errors import AutologyError, ValidationError
from autology.text.language.plural import counted
from autology.wire import user

EXAMPLES = """\
autology enforce 3f2a91c0 ask
autology enforce "Use pnpm" deny
autology enforce 3f2a91c0 off
autology enforce list"""
JSON = "{enforced: [{id, title, project, answer: ask|deny, state: in force|suspended|elsewhere}]}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the note and the answer."""
    about = "the note's id, its first eight characters or more, or its title; `list`, the default, lists your choices"
    parser.add_argument("id", nargs="?", default="list", help=about)
    answers = "ask: Claude Code asks you first; deny: it refuses; off: only name the note"
    parser.add_argument("answer", nargs="?", choices=(*enforcement.ANSWERS, "off"), help=answers)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Record the choice, or list all; return 0."""
    graph = project_of(args).graph
    if args.id == "list" and not args.answer:
        _list(graph, screen)
        return 0
    if not args.answer:
        raise UsageError("answer", "is missing", "Add ask, deny or off.")
    if os.environ.get("CLAUDECODE") and not sys.stdin.isatty():
        step = "Run this command in a terminal of your own."
        raise ValidationError("enforce", "only you decide what is enforced, not a command that Claude runs", step)
    choices = enforcement.load()
    if args.answer == "off":
        id = _enforced_id(graph, choices, args.id)
        title = choices.pop(id)["title"]
        user.save_enforced(choices)
        message = f"✓ Only named from now on: {title}"
    else:
        note = enforceable(graph, node_called(graph, args.id))
        choices[note.id] = _choice(note, args.answer, graph.files.root)
        user.save_enforced(choices)
        does = "asks you before" if args.answer == "ask" else "refuses"
        message = f"✓ Claude Code {does} what goes against: {note.title} ({counted(note.rules, 'rule')})"
    if screen.json:
        _list(graph, screen)
    else:
        screen.line(screen.safe(message, 500))
    return 0


def _choice(note: Enforceable, answer: str, root: str) -> dict[str, str]:
    return {"answer": answer, "text": note.text, "title": note.title, "project": root}


def _enforced_id(graph: Graph, choices: enforcement.Enforced, name: str) -> str:
    """Return the id of the enforced note that *name* names; the note itself may be gone."""
    matching = [id for id, choice in choices.items() if id.startswith(name.lower()) or choice["title"] == name]
    if len(matching) != 1:
        try:
            matching = [node_called(graph, name)]
        except AutologyError:
            matching = []
    if len(matching) != 1 or matching[0] not in choices:
        raise ValidationError("id", f"no enforced note is called '{name[:60]}'", "`autology enforce list` lists them.")
    return matching[0]


def _list(graph: Graph, screen: Screen) -> None:
    choices = enforcement.load()
    rows = [
        {"id": id, **{name: choice[name] for name in ("title", "project", "answer")}, "state": state(graph, id, choice)}
        for id, choice in sorted(choices.items(), key=lambda item: item[1]["title"])
    ]
    if screen.json:
        screen.data({"enforced": rows})
        return
    for row in rows:
        screen.line(screen.safe(f"{row['id'][:8]}  {row['answer']:<4}  {row['title']} ({row['state']})", 500))
        if row["state"] == SUSPENDED:
            step = f"`autology enforce {row['id'][:8]} {row['answer']}` enforces the present text."
            screen.line(f"          its text changed since you chose; {step}")
    if not rows:
        screen.line("You enforce no note: `autology enforce ID ask` or `deny` does.")
