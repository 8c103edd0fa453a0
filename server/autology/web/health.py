"""Calls: what is wrong with the notes, and the acts on this page that mend it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from autology import findings, wire
from autology.core import doctor
from autology.core.analysis.analyze import analyze
from autology.text.fence import clean_line
from autology.web.project import Project

Json = dict[str, Any]

FINDINGS = 300
ACTS = {
    "autology_delete": ("delete", {"id"}),
    "autology_relate": ("relate", {"source", "target", "type"}),
    "autology_unrelate": ("unrelate", {"source", "target", "type"}),
}
"""The calls of a fix that this page can make as they stand, by the tool that the fix names."""


def health(project: Project) -> Json:
    """Return the findings, the worst first, each with the acts that mend it; and what is wrong with files and index."""
    found = findings.told(analyze(project.graph, project.history), FINDINGS)
    for each in found["findings"]:
        each["acts"] = list(acts(each["fix"]))
    report = doctor.examine(project.graph, wire.inspection(project.root))
    troubles = [
        {"area": each.area, "problem": clean_line(each.problem, 500), "fix": clean_line(each.fix, 500)}
        for each in report.findings
    ]
    return {**found, "troubles": troubles}


def acts(fix: str) -> Iterator[Json]:
    """Yield the calls in the words of a fix that can be made as they stand."""
    for match in _CALL.finditer(fix):
        name, needed = ACTS.get(match[1], ("", set()))
        try:
            given, _ = json.JSONDecoder().raw_decode(fix, match.end())
        except ValueError:
            continue
        if name and given.keys() == needed and all(_ID.fullmatch(given[key]) for key in needed - {"type"}):
            yield {"call": name, "given": given}


_CALL = re.compile(r"(autology_\w+) (?=\{)")
# What only describes an id is left to whoever reads it.
_ID = re.compile(r"[0-9a-f-]{8,36}")
