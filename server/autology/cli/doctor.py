"""``autology doctor``: check everything and suggest fixes."""

from __future__ import annotations

import argparse

from autology import log
from autology.cli import doctor_environment
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core import doctor
from autology.core.adoption import imported_copies
from autology.core.conversations.doctor_checks import examine as examine_conversations
from autology.core.doctor import Diagnosis, Report
from autology.core.documents.doctor_checks import examine as examine_documents
from autology.core.memory.doctor_checks import examine as examine_memories
from autology.core.memory.doctor_checks import examine_purge_and_audit
from autology.core.nodes.graph import Graph
from autology.core.secrets_in_files import examine as examine_secrets
from autology.render.next_steps import for_terminal
from autology.text.language.plural import counted
from autology.wire.mirror import mirror_status

EXAMPLES = """\
autology doctor
autology doctor --fix
autology doctor --copies
autology doctor --secrets
autology doctor --log"""
JSON = "{facts: [{area, text}], findings: [{area, problem, fix, safe}], fixed: [done with --fix], log?: [lines]}"
LOG_LINES = 60
LOG_CAPACITY = 1_000
"""Lines of the log that are searched: the capacity of one of its files."""
LABELS = {"lifetimes": "expiry", "meaning": "semantic search", "merges": "git merge driver", "talk": "conversations"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--fix", action="store_true", help="update the index, complete interrupted changes")
    parser.add_argument(
        "--copies", action="store_true", help="let records take over imported copies that differ; texts go to the trash"
    )
    parser.add_argument("--secrets", action="store_true", help="only look for secrets in notes, documents and memories")
    parser.add_argument("--log", action="store_true", help="show the last errors in the log")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the facts and findings; return 1 if there are findings."""
    project = project_of(args)
    log_lines = log.tail(LOG_LINES) if args.log else None
    graph = project.graph
    fixed: list[str] = []

    def fix(graph: Graph) -> Report:
        fixed.extend(doctor.apply_fixes(graph))
        project.memories.refresh(walk=True)
        if placed := project.place_memories().placed:
            fixed.append(f"{counted(len(placed), 'item')} moved to the project of its branch")
        return Report()

    screen.begin("checking everything")
    if args.secrets:
        report = doctor.guarded("secrets", lambda: examine_secrets(project.library, project.memories))
        return _print(report, fixed, log_lines, screen)
    if args.copies and (joined := imported_copies.join(graph)):
        fixed.append(
            f"{counted(joined, 'imported note')} joined with the record; `autology restore` brings the text back"
        )
    fixes = doctor.guarded("fix", lambda: fix(graph)) if args.fix and graph.files.exists() else Report()
    report = fixes + doctor_environment.examine(project) + doctor.examine(graph, project.inspection)
    report += doctor.guarded("documents", lambda: examine_documents(project.library))
    report += doctor.guarded("memories", lambda: examine_memories(project.memories))
    report += doctor.guarded(
        "memories",
        lambda: examine_purge_and_audit(project.memories, project.audit, project.daily_purge, _audit_failures()),
    )
    report += doctor.guarded("sessions", lambda: examine_conversations(project.conversations))
    report += doctor.guarded("mirror", _mirror)
    return _print(report, fixed, log_lines, screen)


def _audit_failures() -> list[str]:
    """Return the times at which an audit entry could not be written, according to the log."""
    return [line.partition(" ")[0] for line in log.tail(LOG_CAPACITY) if " ERROR audit:" in line[:40]]


def _mirror() -> Report:
    """Return what this machine knows of its mirrors, without a look at their places; nothing without a mirror."""
    status = mirror_status()
    if not status.targets:
        return Report()
    findings: tuple[Diagnosis, ...] = ()
    if status.conflicts:
        problem = f"{counted(len(status.conflicts), 'memory', 'are')} in conflict with another machine's"
        step = "`autology mirror --status` lists them; end each with --keep or --take."
        findings = (Diagnosis("mirror", problem, step),)
    return Report((("mirror", f"last with {status.targets[0]}, as {status.machine}"),), findings)


def _print(report: Report, fixed: list[str], log_lines: list[str] | None, screen: Screen) -> int:
    if screen.json:
        screen.data(_as_json(report, fixed, log_lines))
    else:
        _show(report, fixed, log_lines, screen)
    return 1 if report.findings else 0


def _show(report: Report, fixed: list[str], log_lines: list[str] | None, screen: Screen) -> None:
    if log_lines is not None:
        screen.line(f"Log  {screen.safe(str(log.path()))}", "bold")
        screen.block("\n".join(log_lines) if log_lines else "  the log is empty")
        screen.line()
    for area, text in report.facts:
        screen.line(f"{LABELS.get(area, area):<17} {screen.safe(text, 500)}")
    if fixed:
        screen.line()
        screen.line(f"✓ {'; '.join(fixed)}.", "green")
    screen.line()
    for finding in report.findings:
        label = LABELS.get(finding.area, finding.area)
        screen.line(f"✗ {label}: {screen.safe(finding.problem, 500)}", "yellow")
        screen.line(f"    {screen.safe(finding.fix, 500)}")
    count = len(report.findings)
    no_problems = screen.styled("✓ No problems found.", "green")
    screen.line(f"{count} finding{'s' if count > 1 else ''}." if count else no_problems)
    if any(finding.safe for finding in report.findings):
        screen.line("`autology doctor --fix` applies the safe fixes.")


def _as_json(report: Report, fixed: list[str], log_lines: list[str] | None) -> dict[str, object]:
    data: dict[str, object] = {
        "facts": [{"area": area, "text": for_terminal(text)} for area, text in report.facts],
        "findings": [
            {"area": finding.area, "problem": finding.problem, "fix": for_terminal(finding.fix), "safe": finding.safe}
            for finding in report.findings
        ],
        "fixed": fixed,
    }
    return data if log_lines is None else {**data, "log": log_lines}
