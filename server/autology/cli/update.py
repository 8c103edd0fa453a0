"""``autology update``: change fields of a note."""

from __future__ import annotations

import argparse

from autology.cli import input_text, tag_options
from autology.cli.note_names import node_called
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes.update import Fields, update
from autology.model.node import DecisionStatus, NodeStatus, NodeType
from autology.render import nodes

EXAMPLES = """\
autology update 3f2a91c0 --status superseded
autology update 3f2a91c0 --tags storage sqlite --title "Use SQLite for the index"
autology update 3f2a91c0 --decision-status accepted
autology update 3f2a91c0 -e"""
JSON = "{node: {id, …}, fields: [changed], missing_sections, references_absent, redacted, tags_written_as?}"
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the note and its fields."""
    parser.add_argument("id", help="the note's id, its first eight characters or more, or its title")
    parser.add_argument("--title")
    parser.add_argument("--content", metavar="TEXT", help="the new content; - for standard input")
    parser.add_argument("--file", metavar="FILE", help="read the new content from a file")
    parser.add_argument("-e", "--edit", action="store_true", help="edit the content in $VISUAL or $EDITOR")
    parser.add_argument("--type", choices=list(NodeType))
    parser.add_argument("--status", choices=list(NodeStatus))
    parser.add_argument("--decision-status", choices=list(DecisionStatus))
    parser.add_argument(
        "--tags", action="extend", nargs="*", metavar="TAG", help="replace all tags; without TAG remove them"
    )
    parser.add_argument("--references", action="extend", nargs="*", metavar="PATH", help="replace all references")
    parser.add_argument("--confidence", type=float, metavar="0-1")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Change the fields and list them."""
    graph = project_of(args).graph
    id = node_called(graph, args.id)
    content = None
    if args.edit:
        draft = graph.stored(graph.source(id)).entry.content
        content = input_text.read(args.content, args.file, edit=True, draft=draft)
    elif args.content is not None or args.file is not None:
        content = input_text.read(args.content, args.file, edit=False)
    fields = Fields(
        title=args.title,
        content=content,
        tags=None if args.tags is None else tag_options.tags(args),
        status=args.status,
        confidence=args.confidence,
        type=args.type,
        references=None if args.references is None else tuple(args.references),
        decision_status=args.decision_status,
    )
    if not fields.set_names():
        step = "Give at least one option of `autology update --help`, such as --content, --tags or -e."
        raise UsageError("update", "no fields to update", step)
    result = update(graph, id, fields)
    if screen.json:
        data = {"fields": list(result.fields), "missing_sections": list(result.missing_sections)}
        notices: dict[str, object] = {
            "references_absent": list(result.absent_references),
            "redacted": list(result.redacted),
        }
        notices |= {"tags_written_as": dict(result.respelled)} if result.respelled else {}
        screen.data({"node": nodes.node(result.node), **data, **notices})
    else:
        screen.block(nodes.updated(result))
    return 0
