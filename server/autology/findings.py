"""What an analysis found, as data: one way for every front."""

from __future__ import annotations

from collections import Counter
from typing import Any

from autology.core.analysis.analyze import Analysis
from autology.core.analysis.finding import SEVERITIES, Finding, Subject
from autology.model.node import TITLE_LIMIT
from autology.text.fence import clean_line
from autology.text.redact import redact

Json = dict[str, Any]

SUBJECTS = 20
"""Nodes named of one finding; the rest is counted."""
EVIDENCE = 10
LINE = 300
FIX = 6_000
"""Characters of a fix: a call that is cut cannot be made. The longest relates a new node to 20 others."""


def told(found: Analysis, limit: int) -> Json:
    """Return {nodes, checks, counts, findings: [{check, severity, what, why, evidence, nodes, fix}], more?, …}."""
    entry: Json = {
        "nodes": found.nodes,
        "checks": list(found.checks),
        "counts": counts(found),
        "findings": [finding(each) for each in found.findings[:limit]],
    }
    if len(found.findings) > limit:
        left = len(found.findings) - limit
        entry["more"] = f"{left} more: ask with a check's name as focus; `autology lint` in a terminal prints all."
    return {**entry, "degraded": list(found.notes)} if found.notes else entry


def counts(found: Analysis) -> dict[str, int]:
    """Return how many findings there are of each severity."""
    counted = Counter(each.severity for each in found.findings)
    return {severity: counted[severity] for severity in SEVERITIES}


def finding(each: Finding) -> Json:
    """Return one finding; of many nodes the first."""
    entry: Json = {
        "check": each.check,
        "severity": each.severity,
        "what": line(each.what),
        "why": each.why,
        "evidence": [line(told) for told in each.evidence[:EVIDENCE]],
        "nodes": [_subject(subject) for subject in each.subjects[:SUBJECTS]],
        "fix": line(each.fix, FIX),
    }
    if len(each.subjects) > SUBJECTS:
        entry["more_nodes"] = len(each.subjects) - SUBJECTS
    return entry


def line(text: str, limit: int = LINE) -> str:
    """Return *text* as one line that shows nothing hidden and no secret."""
    return clean_line(redact(text)[0], limit)


def _subject(subject: Subject) -> Json:
    named = {"id": subject.id} if subject.id else {}
    return {**named, "title": line(subject.title, TITLE_LIMIT), "path": subject.path, "line": subject.line}
