"""``autology update``: change fields of a node."""

from __future__ import annotations

import argparse

from autology import render
from autology.cli import project, tagged, texts
from autology.cli.screen import Screen
from autology.core.update import Fields, update
from autology.model.node import DecisionStatus, NodeStatus, NodeType

EXAMPLES = """\
autology update 3f2a91c0 --status superseded
autology update 3f2a91c0 --tags storage sqlite --title "Use SQLite for the index"
autology update 3f2a91c0 --decision-status accepted
autology update 3f2a91c0 -e"""
JSON = "{node: {id, …}, fields: [changed], missing_sections, references_absent, redacted, tags_written_as?}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node and the fields that can change."""
    parser.add_argument("id", help="the node's id, its first eight characters or more, or its title")
    parser.add_argument("--title")
    parser.add_argument("--content", metavar="TEXT", help="the new content; - for standard input")
    parser.add_argument("--file", metavar="FILE", help="a file that holds the new content")
    parser.add_argument("-e", "--edit", action="store_true", help="change the content in $VISUAL or $EDITOR")
    parser.add_argument("--type", choices=[each.value for each in NodeType])
    parser.add_argument("--status", choices=[each.value for each in NodeStatus])
    parser.add_argument("--decision-status", choices=[each.value for each in DecisionStatus])
    parser.add_argument("--tags", action="extend", nargs="*", metavar="TAG", help="all its tags; none to remove them")
    parser.add_argument("--references", action="extend", nargs="*", metavar="PATH", help="all its files")
    parser.add_argument("--confidence", type=float, metavar="0-1")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Change the given fields; print which."""
    graph = project.graph(asked)
    id = project.meant(graph, asked.id)
    content = None
    if asked.edit:
        draft = graph.stored(graph.source(id)).entry.content
        content = texts.given(asked.content, asked.file, edit=True, draft=draft)
    elif asked.content is not None or asked.file is not None:
        content = texts.given(asked.content, asked.file, edit=False)
    fields = Fields(
        title=asked.title,
        content=content,
        tags=None if asked.tags is None else tagged.given(asked),
        status=asked.status,
        confidence=asked.confidence,
        type=asked.type,
        references=None if asked.references is None else tuple(asked.references),
        decision_status=asked.decision_status,
    )
    done = update(graph, id, fields)
    if screen.json:
        told = {"fields": list(done.fields), "missing_sections": list(done.missing_sections)}
        lost: dict[str, object] = {"references_absent": list(done.absent_references), "redacted": list(done.redacted)}
        lost |= {"tags_written_as": dict(done.respelled)} if done.respelled else {}
        screen.data({"node": render.node(done.node), **told, **lost})
    else:
        screen.block(render.updated(done))
    return 0
