"""Rendering of analysis results as JSON, for all front ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from autology.core.analysis.analyze import Analysis
from autology.core.analysis.finding import SEVERITIES, Finding, Subject
from autology.model.node import TITLE_LIMIT
from autology.render.degradation_notes import noted
from autology.render.next_steps import for_tools
from autology.text.redaction import redact
from autology.text.sanitising import clean_line

Json = dict[str, Any]
Wording = Callable[[str], str]
"""Words the next steps in a text, for one front."""

SUBJECTS = 20
"""Maximum nodes listed per finding."""
EVIDENCE = 10
LINE = 300
FIX = 6_000
"""Maximum characters of a fix: a truncated call is useless. The longest relates a new node to 20 others."""


def as_data(analysis: Analysis, limit: int, wording: Wording = for_tools) -> Json:
    """Return {nodes, checks, counts, findings: [{check, severity, what, why, evidence, nodes, fix}], more?, …}."""
    entry: Json = {
        "nodes": analysis.nodes,
        "checks": list(analysis.checks),
        "counts": counts(analysis),
        "findings": [finding(item, wording) for item in analysis.findings[:limit]],
    }
    if len(analysis.findings) > limit:
        more = len(analysis.findings) - limit
        entry["more"] = f"{more} more: ask with a check's name as focus; `autology lint` in a terminal prints all."
    return noted(entry, analysis.notes)


def counts(analysis: Analysis) -> dict[str, int]:
    """Return the number of findings by severity."""
    counted = Counter(item.severity for item in analysis.findings)
    return {severity: counted[severity] for severity in SEVERITIES}


def finding(item: Finding, wording: Wording = for_tools) -> Json:
    """Return one finding, with its first nodes and its fix as *wording* words it."""
    entry: Json = {
        "check": item.check,
        "severity": item.severity,
        "what": line(item.what),
        "why": item.why,
        "evidence": [line(text) for text in item.evidence[:EVIDENCE]],
        "nodes": [_subject(subject) for subject in item.subjects[:SUBJECTS]],
        "fix": line(wording(item.fix), FIX),
    }
    if len(item.subjects) > SUBJECTS:
        entry["more_nodes"] = len(item.subjects) - SUBJECTS
    return entry


def line(text: str, limit: int = LINE) -> str:
    """Return *text* as one line without hidden characters and secrets."""
    return clean_line(redact(text)[0], limit)


def _subject(subject: Subject) -> Json:
    id_field = {"id": subject.id} if subject.id else {}
    return {**id_field, "title": line(subject.title, TITLE_LIMIT), "path": subject.path, "line": subject.line}
