"""Calls: problems with the notes, and the actions on this page that fix them."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from autology.core import doctor
from autology.core.analysis.analyze import analyze
from autology.core.analysis.finding import SEVERITIES, Finding
from autology.core.index.namesakes import namesakes
from autology.model.errors import StorageError, ValidationError
from autology.model.next_step import PLACEHOLDER, Action, Sentence
from autology.model.node import NodeStatus
from autology.model.query import Filter
from autology.render import findings
from autology.render.next_steps import for_terminal
from autology.text.sanitising import clean_line
from autology.web.snapshot import title_of
from autology.wire.project import Project

Json = dict[str, Any]

FINDINGS = 300
LONGEST = 500
"""Maximum characters of a dismissal."""
EXECUTABLE = {
    Action.DELETE: ({"id"},),
    Action.RELATE: ({"source", "target", "type"},),
    Action.UNRELATE: ({"source", "target", "type"},),
    Action.UPDATE: ({"id", "references"}, {"id", "tags"}, {"id", "status"}, {"id", "decision_status"}),
    Action.RECORDS: ({"folder", "sections"},),
}
"""The steps that the page can execute, each with the allowed sets of arguments."""


UNREADABLE = "unreadable"
"""The check, and the area of problems, of files that cannot be read as a note."""
MISLEADING = (UNREADABLE, "chains", "frozen", "stale", "dangling", "duplicates", "incomplete")
"""The checks whose findings mislead a reader, the worst first: text that no longer holds comes before text that lacks
something."""


def health(project: Project) -> Json:
    """Return the findings, what misleads most first, each with its executable fixes, without what was dismissed.

    Problems with files and the index are returned too, the notes that are marked for review, how many findings were
    dismissed, and what is switched off: checks for a collection, and the sections of records.
    """
    analysis = analyze(project.graph, project.history)
    dismissed = project.dismissals.names()
    links = Counter(end for edge in project.graph.index.edges() for end in (edge.source, edge.target))
    shown = [finding for finding in analysis.findings if not dismissed & set(_names(finding))]
    shown.sort(key=lambda finding: _rank(finding, links))
    hidden = len(analysis.findings) - len(shown)
    dismissible = {name for finding in analysis.findings for name in _names(finding)}
    ignored = {name for name in dismissed if _COLLECTION.fullmatch(name)}  # also while they hide nothing
    analysis = replace(analysis, findings=tuple(shown))
    reply = findings.as_data(analysis, FINDINGS, for_terminal)
    reply |= {"dismissed": hidden, "dismissals": sorted(ignored | dismissed & dismissible)}
    unchecked = [folder for folder, sections in project.sections_expected.items() if not sections]
    reply["unchecked"] = sorted(unchecked)
    known = project.graph.index.by_ids([subject.id for finding in analysis.findings for subject in finding.subjects])
    named: set[str] = set()
    for entry, finding in zip(reply["findings"], analysis.findings, strict=False):
        entry["dismissal"], entry["collection"] = _names(finding)[0], _collection(finding)
        entry["actions"] = list(executable(finding.fix))
        named |= {str(value) for one in entry["actions"] for key, value in one["arguments"].items() if key in _ENDS}
        entry["node_to_edit"] = node_to_edit(finding.fix)
        marks = namesakes(known[subject.id] for subject in finding.subjects if subject.id in known)
        for node in entry["nodes"]:
            if mark := marks.get(node.get("id", "")):
                node["mark"] = mark
        entry["node_to_review"], entry["needs_reason"] = node_to_review(finding.fix)
    report = doctor.examine(project.graph, project.inspection)
    problems = [
        {
            "area": problem.area,
            "problem": clean_line(for_terminal(problem.problem), 500),
            "fix": clean_line(for_terminal(problem.fix), 500),
        }
        for problem in report.findings
        if problem.area != UNREADABLE  # a finding of its own
    ]
    marked = project.graph.index.listed(Filter(status=NodeStatus.NEEDS_REVIEW.value), FINDINGS, "")
    to_review = [{"id": one.id, "title": title_of(one), "type": one.type} for one in marked]
    ends = project.graph.index.by_ids(sorted(named))
    titles = {id: title_of(source) for id, source in ends.items()}
    return {**reply, "problems": problems, "to_review": to_review, "titles": titles}


def records(project: Project, folder: str, sections: str) -> Json:
    """Note which sections the records of the collection in *folder* have: names separated by commas, or none.

    No names stand for those that most records have. `before` is what restores the former state.
    """
    former = project.sections_expected.get(folder)
    names = [name.strip() for name in sections.split(",") if name.strip()]
    changed = project.expect_sections(folder, [] if names == ["none"] else names or None)
    return {"changed": changed, "before": "" if former is None else ", ".join(former) or "none"}


def dismiss(project: Project, name: str, dismissed: bool = True) -> Json:
    """Dismiss a finding, or a check for a collection as `check:folder`, or show it again."""
    if not name.strip() or len(name) > LONGEST:
        raise ValidationError("name", "is empty or too long", "Reload the page.")
    try:
        project.dismissals.set(name, dismissed)
    except OSError as error:
        raise StorageError("your data folder", str(error), "Make it writable.") from None
    return {}


def _names(finding: Finding) -> tuple[str, str]:
    """Return the names under which a finding is dismissed: its own, which changes with what it says, and its
    collection's."""
    text = "\n".join((finding.check, finding.what, *finding.evidence, *(subject.path for subject in finding.subjects)))
    own = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{finding.check}#{own}", f"{finding.check}:{_collection(finding)}"


def _collection(finding: Finding) -> str:
    """Return the folder of the note that a finding is about."""
    return os.path.dirname(finding.subjects[0].path) if finding.subjects else ""


def _rank(finding: Finding, links: Counter[str]) -> tuple[int, int, int]:
    """Sort key: by severity, by how much the check misleads, and the notes with most links first."""
    rank = MISLEADING.index(finding.check) if finding.check in MISLEADING else len(MISLEADING)
    return SEVERITIES.index(finding.severity), rank, -max((links[one.id] for one in finding.subjects), default=0)


def executable(fix: Sentence) -> Iterator[Json]:
    """Yield the steps of a fix that can be executed unchanged."""
    for step in fix.steps:
        arguments = dict(step.arguments)
        ids = [str(arguments[key]) for key in _ENDS if key in arguments]
        is_executable = arguments.keys() in EXECUTABLE.get(step.action, ()) and arguments.get("tags") != [PLACEHOLDER]
        if is_executable and all(map(_ID.fullmatch, ids)):
            yield {"call": step.action, "arguments": arguments}


def node_to_edit(fix: Sentence) -> str:
    """Return the id of the node whose text or title is to be changed by a fix, or "" without such a step."""
    updates = (step.arguments for step in fix.steps if step.action is Action.UPDATE)
    edits = (arguments for arguments in updates if not arguments.keys().isdisjoint({"content", "title"}))
    return str(next(edits, {}).get("id", ""))


def node_to_review(fix: Sentence) -> tuple[str, bool]:
    """Return the id, or its beginning, of the node that a fix asks to look at and keep, and if it needs a reason.

    The id is "" if there is none.
    """
    reviews = (step.arguments for step in fix.steps if step.action is Action.REVIEW and step.arguments.get("keep"))
    review = next(reviews, {})
    return str(review.get("id", "")), "reason" in review


_ENDS = ("id", "source", "target")
# A check for a collection, as `check:folder`; a single finding's name has a `#`.
_COLLECTION = re.compile(r"\w+:.*")
# Placeholders for an id are left to the reader.
_ID = re.compile(r"[0-9a-f-]{8,36}")
