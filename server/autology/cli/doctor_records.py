"""``autology doctor records``: explain how the project's records are read, and what was left out."""

from __future__ import annotations

import argparse

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.render import records
from autology.text.language.plural import counted

EXAMPLES = """\
autology doctor records
autology doctor records --json | jq '.collections[].states'"""
JSON = """\
{collections: [{folder, folders, kind, form, naming, count, places: {field: [{place, key, count, of}]},
 corrected: [field], states: [{word, status, count, source}], sections: [{title, count, of}],
 left_out: [{path, reason, count}]}], left_out: [{path, reason, count}], problems: [text]}"""
HINT = """\
To correct a collection, write into .autology/config.yaml, for example:
  records:
    docs/adr:
      status: section Status
      states: {provisional: accepted}
    examples/adr: false"""


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print each collection's convention with the counts that support it; return 1 if a correction is not valid."""
    project = project_of(args)
    discovery = project.find_records()
    problems = project.record_corrections[1]
    if screen.json:
        collections = [records.collection_data(one) for one in discovery.collections]
        left = [{"path": one.path, "reason": one.reason.value, "count": one.count} for one in discovery.left_out]
        screen.data({"collections": collections, "left_out": left, "problems": problems})
        return 1 if problems else 0
    for collection in discovery.collections:
        heading = f"{collection.folder or '.'}: {counted(len(collection.records), collection.kind)}, {collection.form}"
        screen.line(screen.safe(heading, 500), "bold")
        for label, text in records.explanation(collection):
            screen.line(f"  {label:<14} {screen.safe(text, 1_000)}")
        screen.line()
    if not discovery.collections:
        screen.line("No records found.")
    if discovery.left_out:
        screen.line(f"Not looked at: {screen.safe(records.left_out(discovery.left_out), 1_000)}.")
    for problem in problems:
        screen.line(f"✗ .autology/config.yaml: {screen.safe(problem, 500)}", "yellow")
    if discovery.collections or problems:
        screen.line(HINT)
    return 1 if problems else 0
