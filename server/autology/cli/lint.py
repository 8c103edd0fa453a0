"""``autology lint``: the findings a line each, and an exit code, for continuous integration."""

from __future__ import annotations

import argparse

from autology import findings
from autology.cli.analyze import examined
from autology.cli.program import FINDINGS, FINE
from autology.cli.screen import Screen
from autology.cli.worded import as_commands
from autology.core.analysis.finding import SEVERITIES, Finding, Subject

EXAMPLES = """\
autology lint
autology lint --format github
autology lint stale --fail-on notice"""
JSON = """\
{nodes, checks, counts: {error, warning, notice}, findings: [{check, severity, what, why, evidence,
 nodes: [{id?, title, path, line}], fix, more_nodes?}], degraded?}, the worst first"""
FORMATS = ("text", "github")
NOWHERE = Subject("", ".autology")
"""What a finding about no file is told of."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to look at, how to tell, and what to fail on."""
    parser.add_argument("focus", nargs="?", metavar="FOCUS", help="a check, a node's type or id, a file or a folder")
    parser.add_argument("--format", choices=FORMATS, default="text", help="github: annotations of a workflow's run")
    parser.add_argument(
        "--fail-on", choices=(*SEVERITIES, "never"), default="warning", help="exit with 1 from this on (warning)"
    )


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print a line for each finding; return 1 where one is as bad as what is failed on."""
    found = examined(asked, screen)
    if screen.json:
        screen.data(findings.as_data(found, len(found.findings)))
    for finding in () if screen.json else found.findings:
        if asked.format == "github":
            screen.line(_annotation(finding))
        else:
            place = finding.subjects[0] if finding.subjects else NOWHERE
            what = screen.safe(findings.line(finding.what), 400)
            screen.line(f"{screen.safe(place.path)}:{place.line}: {finding.severity}: {what} [{finding.check}]")
    return FINDINGS if any(_fails(finding, asked.fail_on) for finding in found.findings) else FINE


def _fails(finding: Finding, least: str) -> bool:
    return least != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(least)


def _annotation(finding: Finding) -> str:
    """The finding as a workflow's run takes it: one line, what would end its parts escaped."""
    place = finding.subjects[0] if finding.subjects else NOWHERE
    told = f"{findings.line(finding.what)}. {finding.why} {findings.line(as_commands(finding.fix), findings.FIX)}"
    file, title = _escaped(place.path, inside=True), _escaped(f"autology: {finding.check}", inside=True)
    return f"::{finding.severity} file={file},line={place.line},title={title}::{_escaped(told)}"


def _escaped(text: str, inside: bool = False) -> str:
    plain = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return plain.replace(":", "%3A").replace(",", "%2C") if inside else plain
