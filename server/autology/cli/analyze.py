"""``autology analyze``: what is wrong with what is known, in words."""

from __future__ import annotations

import argparse

from autology import findings, wire
from autology.cli import project
from autology.cli.screen import Screen
from autology.cli.worded import as_commands
from autology.core.analysis.analyze import Analysis, analyze
from autology.core.analysis.finding import Finding
from autology.model.errors import StorageError
from autology.text.counted import counted

EXAMPLES = """\
autology analyze
autology analyze stale
autology analyze src/auth
autology analyze --all"""
JSON = """\
{nodes, checks, counts: {error, warning, notice}, findings: [{check, severity, what, why, evidence,
 nodes: [{id?, title, path, line}], fix, more_nodes?}], more?, degraded?}, the worst first"""
SHOWN = 7
"""Findings shown at once: as many as somebody may act on."""
STYLES = {"error": "red", "warning": "yellow", "notice": "cyan"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to look at."""
    parser.add_argument("focus", nargs="?", metavar="FOCUS", help="a check, a node's type or id, a file or a folder")
    parser.add_argument("--all", action="store_true", help="every finding, not only the worst")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the findings, the worst first; to fail where there are some is `autology lint`'s."""
    found = examined(asked, screen)
    if screen.json:
        screen.data(findings.as_data(found, len(found.findings)))
        return 0
    shown = found.findings if asked.all else found.findings[:SHOWN]
    screen.line(f"{counted(found.nodes, 'node')} looked at: {_verdict(found)}.")
    for finding in shown:
        screen.line()
        _show(finding, screen)
    if len(shown) < len(found.findings):
        screen.line()
        screen.line(f"{len(found.findings) - len(shown)} more: --all, or name a check: {', '.join(found.checks)}.")
    for note in found.notes:
        screen.line(f"Note: {screen.safe(note, 500)}")
    return 0


def examined(asked: argparse.Namespace, screen: Screen) -> Analysis:
    """Return what the project that is asked about is found to be. Raises StorageError where there is none."""
    root = project.root(asked)
    graph = wire.graph(root)
    if not graph.files.exists():
        raise StorageError(root, "holds no .autology", "Run `autology init` there, or name another with --project.")
    with screen.progress("reading notes") as progress:
        graph.refresh(walk=True, progress=progress)
    return analyze(graph, wire.history(root), asked.focus)


def _verdict(found: Analysis) -> str:
    counts = findings.counts(found)
    told = [counted(many, severity) for severity, many in counts.items() if many]
    return ", ".join(told) if told else "nothing to mend"


def _show(finding: Finding, screen: Screen) -> None:
    severity = screen.styled(finding.severity, STYLES[finding.severity])
    screen.line(f"{severity}  {screen.styled(screen.safe(findings.line(finding.what)), 'bold')}  ({finding.check})")
    screen.line(f"  why: {finding.why}")
    for told in finding.evidence[: findings.EVIDENCE]:
        screen.line(screen.styled(f"  rests on: {screen.safe(findings.line(told))}", "dim"))
    screen.line(f"  fix: {screen.safe(findings.line(as_commands(finding.fix), findings.FIX), findings.FIX)}")
