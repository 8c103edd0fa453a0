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
    "autology_delete": ("delete", ({"id"},)),
    "autology_relate": ("relate", ({"source", "target", "type"},)),
    "autology_unrelate": ("unrelate", ({"source", "target", "type"},)),
    "autology_update": ("update", ({"id", "references"}, {"id", "tags"}, {"id", "status"}, {"id", "decision_status"})),
}
"""The calls of a fix that this page can make as they stand, by the tool that the fix names, and what they are given."""


def health(project: Project) -> Json:
    """Return the findings, the worst first, each with the acts that mend it; and what is wrong with files and index."""
    found = findings.told(analyze(project.graph, project.history), FINDINGS)
    for each in found["findings"]:
        each["acts"] = list(acts(each["fix"]))
        each["edited"] = edited(each["fix"])
    report = doctor.examine(project.graph, wire.inspection(project.root))
    troubles = [
        {"area": each.area, "problem": clean_line(each.problem, 500), "fix": clean_line(each.fix, 500)}
        for each in report.findings
    ]
    return {**found, "troubles": troubles}


def acts(fix: str) -> Iterator[Json]:
    """Yield the calls in the words of a fix that can be made as they stand."""
    for match in _CALL.finditer(fix):
        name, forms = ACTS.get(match[1], ("", ()))
        try:
            given, _ = json.JSONDecoder().raw_decode(fix, match.end())
        except ValueError:
            continue
        ids = [given[key] for key in ("id", "source", "target") if key in given]
        if given.keys() in forms and all(map(_ID.fullmatch, ids)) and given.get("tags") != ["…"]:
            yield {"call": name, "given": given}


def edited(fix: str) -> str:
    """Return the id of the node whose text a fix asks to change; "" where the editor would be refused."""
    found = _EDITS.search(fix)
    return found["id"] if found else ""


_EDITS = re.compile(r'autology_update \{"id": "(?P<id>[0-9a-f-]{36})", "content":')
_CALL = re.compile(r"(autology_\w+) (?=\{)")
# What only describes an id is left to whoever reads it.
_ID = re.compile(r"[0-9a-f-]{8,36}")
