"""Calls: problems with the notes, and the actions on this page that fix them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autology.core import doctor
from autology.core.analysis.analyze import analyze
from autology.model.next_step import PLACEHOLDER, Action, Sentence
from autology.render import findings
from autology.render.next_steps import for_terminal
from autology.text.fence import clean_line
from autology.wire.project import Project

Json = dict[str, Any]

FINDINGS = 300
EXECUTABLE = {
    Action.DELETE: ({"id"},),
    Action.RELATE: ({"source", "target", "type"},),
    Action.UNRELATE: ({"source", "target", "type"},),
    Action.UPDATE: ({"id", "references"}, {"id", "tags"}, {"id", "status"}, {"id", "decision_status"}),
}
"""The steps that the page can execute, each with the allowed sets of arguments."""


def health(project: Project) -> Json:
    """Return the findings, worst first, each with its executable fixes; and problems with files and the index."""
    analysis = analyze(project.graph, project.history)
    reply = findings.as_data(analysis, FINDINGS, for_terminal)
    for entry, finding in zip(reply["findings"], analysis.findings, strict=False):
        entry["actions"] = list(executable(finding.fix))
        entry["node_to_edit"] = node_to_edit(finding.fix)
    report = doctor.examine(project.graph, project.inspection)
    problems = [
        {
            "area": problem.area,
            "problem": clean_line(for_terminal(problem.problem), 500),
            "fix": clean_line(for_terminal(problem.fix), 500),
        }
        for problem in report.findings
    ]
    return {**reply, "problems": problems}


def records(project: Project, folder: str, sections: str) -> Json:
    """Note which sections the records of the collection in *folder* have: names separated by commas, or none."""
    names = [name.strip() for name in sections.split(",") if name.strip()]
    changed = project.expect_sections(folder, [] if names == ["none"] else names)
    return {"changed": changed}


def executable(fix: Sentence) -> Iterator[Json]:
    """Yield the steps of a fix that can be executed unchanged."""
    for step in fix.steps:
        arguments = dict(step.arguments)
        ids = [str(arguments[key]) for key in ("id", "source", "target") if key in arguments]
        is_executable = arguments.keys() in EXECUTABLE.get(step.action, ()) and arguments.get("tags") != [PLACEHOLDER]
        if is_executable and all(map(_ID.fullmatch, ids)):
            yield {"call": step.action, "arguments": arguments}


def node_to_edit(fix: Sentence) -> str:
    """Return the id of the node whose text a fix asks to change; "" if there is none."""
    edits = (step.arguments for step in fix.steps if step.action is Action.UPDATE and "content" in step.arguments)
    return str(next(edits, {}).get("id", ""))


# Placeholders for an id are left to the reader.
_ID = re.compile(r"[0-9a-f-]{8,36}")
