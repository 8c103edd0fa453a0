"""``autology import``: import decision records, or another tool's memories."""

from __future__ import annotations

import argparse

from autology.cli import importing
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.importing import server_memory
from autology.core.importing.gathering import KINDS
from autology.model.errors import StorageError

EXAMPLES = """\
autology import adr docs/decisions --dry-run
autology import adr docs/adr ../shared-decisions
autology import basic-memory ~/basic-memory
autology import server-memory ~/memory.jsonl
autology import autology ../old-project/.autology"""
JSON = """\
{plan: {additions: [{origin, id, type, title, status, decision_status, record, missing_sections, dropped_tags,
  unread_date}],
 changed, moved, unchanged, conflicts, refused, relations: [{source, type, target}], supersessions,
 circles: [{newer, older}], older_relations, remarks: [unrecognised parts]},
 done: {added, edited, older_relations} or null with --dry-run}"""
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the kind and the folders."""
    kinds = "adr: decision records, one per markdown file; else the tool to import from"
    parser.add_argument("what", choices=["adr", *KINDS], help=kinds)
    sources = "folders of records or notes (or a single markdown file); for server-memory its file"
    parser.add_argument("folders", nargs="+", metavar="DIR", help=sources)
    parser.add_argument("--dry-run", action="store_true", help="show the plan and change nothing")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Show the plan and execute it; return 1 if a file had to be left out."""
    project = project_of(args)
    graph = project.graph
    if args.what == "adr":
        planned = importing.plan(project, args.folders, screen)
    else:
        planned = importing.plan_foreign(project, args.what, args.folders, screen)
    if planned.is_empty:
        noun = "memory" if args.what == server_memory.KIND else "markdown file"
        raise StorageError(" ".join(args.folders), f"contains no {noun}", "Give the folder or file with the records.")
    if not screen.json:
        importing.show(planned, screen)
    result = None if args.dry_run else importing.execute(graph, planned, screen)
    if screen.json:
        screen.data({"plan": importing.as_json(planned), "done": importing.done_as_json(result)})
    elif result is None:
        screen.line("Dry run: nothing was written.")
    else:
        importing.show_done(planned, result, screen)
    return 1 if planned.left_out else 0
