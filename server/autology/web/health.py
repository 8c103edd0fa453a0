"""Calls: problems with the notes, and the actions on this page that fix them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from autology.core import doctor
from autology.core.analysis.analyze import analyze
from autology.render import findings
from autology.text.fence import clean_line
from autology.wire.project import Project

Json = dict[str, Any]

FINDINGS = 300
ACTS = {
    "autology_delete": ("delete", ({"id"},)),
    "autology_relate": ("relate", ({"source", "target", "type"},)),
    "autology_unrelate": ("unrelate", ({"source", "target", "type"},)),
    "autology_update": ("update", ({"id", "references"}, {"id", "tags"}, {"id", "status"}, {"id", "decision_status"})),
}
"""The fixes that the page can execute, by the tool a fix names: the call, and the allowed sets of arguments."""


def health(project: Project) -> Json:
    """Return the findings, worst first, each with its executable fixes; and problems with files and the index."""
    reply = findings.as_data(analyze(project.graph, project.history), FINDINGS)
    for finding in reply["findings"]:
        finding["acts"] = list(acts(finding["fix"]))
        finding["edited"] = edited(finding["fix"])
    report = doctor.examine(project.graph, project.inspection)
    troubles = [
        {"area": problem.area, "problem": clean_line(problem.problem, 500), "fix": clean_line(problem.fix, 500)}
        for problem in report.findings
    ]
    return {**reply, "troubles": troubles}


def acts(fix: str) -> Iterator[Json]:
    """Yield the calls in a fix's text that can be executed as they are."""
    for match in _CALL.finditer(fix):
        name, forms = ACTS.get(match[1], ("", ()))
        try:
            arguments, _ = json.JSONDecoder().raw_decode(fix, match.end())
        except ValueError:
            continue
        ids = [arguments[key] for key in ("id", "source", "target") if key in arguments]
        if arguments.keys() in forms and all(map(_ID.fullmatch, ids)) and arguments.get("tags") != ["…"]:
            yield {"call": name, "given": arguments}


def edited(fix: str) -> str:
    """Return the id of the node whose text a fix asks to change; "" if there is none."""
    match = _EDITS.search(fix)
    return match["id"] if match else ""


_EDITS = re.compile(r'autology_update \{"id": "(?P<id>[0-9a-f-]{36})", "content":')
_CALL = re.compile(r"(autology_\w+) (?=\{)")
# Placeholders for an id are left to the reader.
_ID = re.compile(r"[0-9a-f-]{8,36}")
