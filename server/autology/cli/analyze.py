"""``autology analyze``: find problems in the notes, with reasons and fixes."""

from __future__ import annotations

import argparse

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.analysis.analyze import Analysis, analyze
from autology.core.analysis.finding import Finding
from autology.core.long_work import without_garbage_collection
from autology.model.errors import StorageError
from autology.render import findings
from autology.render.next_steps import for_terminal
from autology.text.language.plural import counted

EXAMPLES = """\
autology analyze
autology analyze stale
autology analyze src/auth
autology analyze --all"""
JSON = """\
{nodes, checks, counts: {error, warning, notice}, findings: [{check, severity, what, why, evidence,
 nodes: [{id?, title, path, line}], fix, more_nodes?}], more?, degraded?}, most severe first"""
FINDINGS_SHOWN = 7
"""Maximum number of findings shown without --all."""
STYLES = {"error": "red", "warning": "yellow", "notice": "cyan"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the focus."""
    parser.add_argument("focus", nargs="?", metavar="FOCUS", help="a check, a note's type or id, a file or a folder")
    parser.add_argument("--all", action="store_true", help="show every finding, not only the most severe")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the findings, most severe first; only `autology lint` fails because of them."""
    analysis = analysis_of(args, screen)
    if screen.json:
        screen.data(findings.as_data(analysis, len(analysis.findings)))
        return 0
    shown = analysis.findings if args.all else analysis.findings[:FINDINGS_SHOWN]
    screen.line(f"Checked {counted(analysis.nodes, 'note')}: {_verdict(analysis)}.")
    for finding in shown:
        screen.line()
        _show(finding, screen)
    if len(shown) < len(analysis.findings):
        screen.line()
        screen.line(f"{len(analysis.findings) - len(shown)} more: --all, or a check: {', '.join(analysis.checks)}.")
    screen.notes(analysis.notes)
    return 0


def analysis_of(args: argparse.Namespace, screen: Screen) -> Analysis:
    """Return the analysis of the project. Raises StorageError if there is none."""
    project = project_of(args)
    graph = project.graph
    if not graph.files.exists():
        raise StorageError(
            project.root, "has no .autology folder", "Run `autology init` there, or use another --project."
        )
    with screen.progress("reading notes") as progress:
        graph.refresh(walk=True, progress=progress)
    screen.begin("checking the notes")
    with without_garbage_collection():
        return analyze(graph, project.history, args.focus)


def _verdict(analysis: Analysis) -> str:
    counts = findings.counts(analysis)
    parts = [counted(count, severity) for severity, count in counts.items() if count]
    return ", ".join(parts) if parts else "no problems found"


def _show(finding: Finding, screen: Screen) -> None:
    severity = screen.styled(finding.severity, STYLES[finding.severity])
    screen.line(f"{severity}  {screen.styled(screen.safe(findings.line(finding.what)), 'bold')}  ({finding.check})")
    screen.line(f"  why: {finding.why}")
    for reason in finding.evidence[: findings.EVIDENCE]:
        screen.line(f"  evidence: {screen.safe(findings.line(reason))}", "dim")
    screen.line(f"  fix: {screen.safe(findings.line(for_terminal(finding.fix), findings.FIX), findings.FIX)}")
