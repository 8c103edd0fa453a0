"""``autology lint``: like analyze, one line per finding; for CI."""

from __future__ import annotations

import argparse

from autology.cli.analyze import analysis_of
from autology.cli.exit_codes import FINDINGS, FINE
from autology.cli.screen import Screen
from autology.core.analysis.finding import SEVERITIES, Finding, Subject
from autology.render import findings
from autology.render.next_steps import for_terminal

EXAMPLES = """\
autology lint
autology lint --format github
autology lint stale --fail-on notice"""
JSON = """\
{nodes, checks, counts: {error, warning, notice}, findings: [{check, severity, what, why, evidence,
 nodes: [{id?, title, path, line}], fix, more_nodes?}], degraded?}, most severe first"""
FORMATS = ("text", "github")
NOWHERE = Subject("", ".autology")
"""The place of a finding that is about no file."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the focus, the format and the threshold."""
    parser.add_argument("focus", nargs="?", metavar="FOCUS", help="a check, a note's type or id, a file or a folder")
    parser.add_argument("--format", choices=FORMATS, default="text", help="github: annotations for GitHub Actions")
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="warning",
        help="exit with 1 for findings of at least this severity (default: warning)",
    )


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print a line per finding; return 1 if one reaches the --fail-on severity."""
    analysis = analysis_of(args, screen)
    if screen.json:
        screen.data(findings.as_data(analysis, len(analysis.findings)))
    for finding in () if screen.json else analysis.findings:
        if args.format == "github":
            screen.line(_annotation(finding))
        else:
            subject = finding.subjects[0] if finding.subjects else NOWHERE
            problem = screen.safe(findings.line(finding.what), 400)
            screen.line(f"{screen.safe(subject.path)}:{subject.line}: {finding.severity}: {problem} [{finding.check}]")
    return FINDINGS if any(_fails(finding, args.fail_on) for finding in analysis.findings) else FINE


def _fails(finding: Finding, threshold: str) -> bool:
    return threshold != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(threshold)


def _annotation(finding: Finding) -> str:
    """The finding as a GitHub Actions annotation: one line, with delimiters escaped."""
    subject = finding.subjects[0] if finding.subjects else NOWHERE
    message = f"{findings.line(finding.what)}. {finding.why} {findings.line(for_terminal(finding.fix), findings.FIX)}"
    file, title = _escaped(subject.path, inside=True), _escaped(f"autology: {finding.check}", inside=True)
    return f"::{finding.severity} file={file},line={subject.line},title={title}::{_escaped(message)}"


def _escaped(text: str, inside: bool = False) -> str:
    plain = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return plain.replace(":", "%3A").replace(",", "%2C") if inside else plain
