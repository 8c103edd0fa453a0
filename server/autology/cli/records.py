"""``autology records``: list the decision records and proposals that the project keeps in files of its own."""

from __future__ import annotations

import argparse

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.records.collection import Collection, Record
from autology.model.hit import Source
from autology.render import records
from autology.text.language.plural import counted
from autology.wire.project import Project

EXAMPLES = """\
autology records
autology records docs/adr
autology records docs/adr --sections none
autology records --json | jq '.records[] | select(.status == "proposed") | .path'"""
JSON = """\
{records: [{path, id, number, title, status, status_word, date, authors, kind, supersedes: [path],
 superseded_by: [path], depends_on: [path], relates_to: [path], missing: [section], node_status}],
 collections: [{folder, count}]};
{folder, sections, changed} with --sections"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder."""
    about = "the sections that a complete record of the collection in FOLDER has, separated by commas, or none"
    parser.add_argument("--sections", metavar="NAMES", help=about)
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="only the collections in this folder of the project"
    )


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the records by collection."""
    project = project_of(args)
    if args.sections is not None:
        return _expect(project, args, screen)
    discovery = project.find_records()
    if screen.json:
        screen.data(records.as_data(discovery, _nodes(project)))
        return 0
    wanted = (args.folder or "").strip("/")
    shown = [one for one in discovery.collections if not wanted or f"{one.folder}/".startswith(f"{wanted}/")]
    for collection in shown:
        _show(collection, screen)
    if not shown:
        screen.line("No records found. `autology doctor records` says what was looked at.")
    return 0


def _expect(project: Project, args: argparse.Namespace, screen: Screen) -> int:
    """Note in the project's configuration which sections a collection's records have."""
    if not args.folder:
        raise UsageError("FOLDER", "is missing", "Name the collection's folder; `autology records` lists them.")
    names = [name.strip() for name in args.sections.split(",") if name.strip()]
    sections = [] if [name.lower() for name in names] == ["none"] else names
    changed = project.expect_sections(args.folder, sections)
    if screen.json:
        screen.data({"folder": args.folder, "sections": sections, "changed": changed})
        return 0
    what = f"are expected to have {', '.join(sections)}" if sections else "need no particular sections"
    screen.line(f"✓ Records of {screen.safe(args.folder)} {screen.safe(what)}; .autology/config.yaml says so.")
    return 0


def _nodes(project: Project) -> dict[str, Source]:
    """Return the nodes of the adopted records, by path."""
    graph = project.graph
    if not graph.files.exists() or graph.records is None:
        return {}
    graph.catch_up()
    ids = [graph.records.id_of(path) for path in graph.records.snapshot.records]
    return {source.path: source for source in graph.index.by_ids(ids).values()}


def _show(collection: Collection, screen: Screen) -> None:
    noun = "decision" if collection.kind == "decision" else "proposal"
    screen.line(f"{screen.safe(collection.folder or '.')}: {counted(len(collection.records), noun)}", "bold")
    for record in collection.records:
        screen.line(f"  {_line(record, screen)}")
    screen.line()


def _line(record: Record, screen: Screen) -> str:
    number = "" if record.number is None else str(record.number)
    status = record.status_word if record.status is None and record.status_word else record.status or "-"
    return f"{number:>6}  {record.date or '-':<10}  {screen.safe(str(status), 12):<12}  {screen.safe(record.title)}"
