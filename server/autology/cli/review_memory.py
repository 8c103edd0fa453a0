"""The review of the client's own memory: where it repeats or contradicts a note, and what to do about it."""

from __future__ import annotations

import argparse

from autology.cli.exit_codes import FINDINGS, FINE
from autology.cli.screen import Screen
from autology.core.documents.client_memory_review import CONTRADICTS, Finding, Line, findings, line_called
from autology.core.nodes.capture import Material, capture
from autology.model.errors import ValidationError
from autology.model.node import TITLE_LIMIT
from autology.text.language.plural import counted
from autology.wire.project import Project

SOURCE = "import_client_memory"


def run(args: argparse.Namespace, project: Project, screen: Screen) -> int:
    """List what is found, or promote a line to a note, or strike it, if the user agrees."""
    if args.promote:
        return _promote(project, line_called(project.library, args.promote), screen)
    if args.strike:
        return _strike(project, line_called(project.library, args.strike), args.yes, screen)
    with screen.progress("comparing"):
        results = findings(project.library)
    if screen.json:
        screen.data({"memory": [_data(one) for one in results]})
    else:
        _list(results, screen)
    return FINDINGS if any(one.how == CONTRADICTS for one in results) else FINE


def _data(one: Finding) -> dict[str, object]:
    note = {"id": one.node.id, "title": one.node.title}
    return {"line": one.line.name, "says": one.line.statement, "as": one.how, "note": note, "there": one.there}


def _list(results: list[Finding], screen: Screen) -> None:
    screen.line(
        f"{counted(len(results), 'line')} of Claude Code's own memory to look at." if results else "Nothing to do."
    )
    for one in results:
        screen.line()
        how = screen.styled(one.how, "yellow" if one.how == CONTRADICTS else "cyan")
        screen.line(f"{screen.safe(one.line.name)}  {how}  {screen.safe(one.node.title)} ({one.node.id[:8]})")
        screen.line(f"  it says: {screen.safe(one.line.statement, 300)}")
        screen.line(f"  the note: {screen.safe(one.there, 300)}")
        promote = f"--promote {one.line.name} | " if one.how == CONTRADICTS else ""
        screen.line(f"  autology review --memory {promote}--strike {screen.safe(one.line.name)}", "dim")


def _promote(project: Project, line: Line, screen: Screen) -> int:
    title = line.statement if len(line.statement) <= TITLE_LIMIT else line.statement[: TITLE_LIMIT - 1] + "…"
    captured = capture(project.graph, Material(title, line.statement, source=SOURCE))
    return screen.report(
        {"promoted": line.name, "id": captured.node.id, "title": captured.node.title},
        screen.styled(f"✓ Captured: {screen.safe(captured.node.title)} ({captured.node.type.value})", "green"),
        f"  The line stays; to strike it: autology review --memory --strike {screen.safe(line.name)}",
    )


def _strike(project: Project, line: Line, agreed: bool, screen: Screen) -> int:
    if not agreed:
        if not screen.can_ask():
            step = "Repeat it with --yes if the user agrees: it changes what Claude Code remembers."
            raise ValidationError("strike", "needs the user's consent", step)
        screen.line(f"{screen.safe(line.name)}: {screen.safe(line.statement, 300)}")
        if not screen.confirm("Strike this line?", default=False):
            screen.line("Nothing was changed.")
            return FINE
    archive = project.strike_client_memory(line.path, line.number, line.written)
    outcome = f"✓ Struck from {screen.safe(line.path)}; the line is kept in {screen.safe(archive)}."
    return screen.report({"struck": line.name, "kept": archive}, screen.styled(outcome, "green"))
