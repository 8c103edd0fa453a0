"""``autology capture``: create a node."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from autology import render, wire
from autology.cli import founding, project, tagged, texts
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.core.capture import Captured, Material, Wish, capture
from autology.core.classification import Classification
from autology.model.errors import ValidationError
from autology.model.node import DecisionStatus, Node, NodeType

EXAMPLES = """\
autology capture --title "Use SQLite for the index" --type decision --tags storage --file note.md
echo "JWTs expire after 15 minutes." | autology capture --title "Token lifetime"
autology capture --title "Use SQLite" --type decision -e"""
JSON = """\
{id, type, confidence, title, path, decision_status?, alternatives?, status?, missing_sections?, relations_created?,
 relations_suggested?, duplicates?, superseded?, references_absent?, tags_written_as?, redacted?}"""
DRAFTS = {"decision": "## Context\n\n\n## Decision\n\n\n## Alternatives\n\n\n## Consequences\n\n"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what a node consists of."""
    parser.add_argument("--title", required=True, help="1-100 characters that name the thing")
    parser.add_argument("--content", metavar="TEXT", help="markdown; else --file, else standard input")
    parser.add_argument("--file", metavar="FILE", help="a file that holds the content; - for standard input")
    parser.add_argument("-e", "--edit", action="store_true", help="write the content in $VISUAL or $EDITOR")
    parser.add_argument("--type", choices=[each.value for each in NodeType], help="else found from the text")
    parser.add_argument("--tags", action="extend", nargs="+", default=[], metavar="TAG")
    parser.add_argument(
        "--references", action="extend", nargs="+", default=[], metavar="PATH", help="files that it is about"
    )
    parser.add_argument(
        "--supersedes", action="extend", nargs="+", default=[], metavar="ID", help="nodes that it replaces"
    )
    parser.add_argument(
        "--relations", action="extend", nargs="+", default=[], metavar="TYPE=ID", help="nodes that it is related to"
    )
    parser.add_argument(
        "--decision-status",
        choices=[each.value for each in DecisionStatus],
        help="where a decision stands; else as its text says, else accepted",
    )
    parser.add_argument("--confidence", type=float, metavar="0-1")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Create the node; print what was found around it."""
    root = project.root(asked)
    draft = DRAFTS.get(asked.type or "", "")
    content = texts.given(asked.content, asked.file, asked.edit, draft)
    if asked.edit and draft and (content or "").strip() == draft.strip():
        raise ValidationError("content", "the draft was left as it is", "Nothing was kept. Write into it, and save it.")
    if content is None:
        raise UsageError("content", "is missing", "Give --content, --file, -e, or pipe it in.")
    founding.check(root, asked, screen)
    material = Material(
        title=asked.title,
        content=content,
        type=asked.type,
        tags=tagged.given(asked),
        references=tuple(asked.references),
        confidence=asked.confidence,
        relations=tuple(map(_wish, asked.relations)),
        supersedes=tuple(asked.supersedes),
        decision_status=asked.decision_status,
    )
    graph = wire.graph(root)
    done = capture(graph, material, automatic=wire.settings(root).relations_automatic)
    if screen.json:
        screen.data(render.captured(done))
    else:
        _show(done, graph.titles(done.superseded), screen)
    return 0


def _wish(given: str) -> Wish:
    """Return the relation that is written as ``TYPE=ID``."""
    type, sign, target = given.partition("=")
    if not sign or not target:
        raise UsageError("relations", f"'{given[:60]}' is not TYPE=ID", "Write relates_to=3f2a91c0, for example.")
    return Wish(type, target)


def _show(done: Captured, superseded: Mapping[str, str], screen: Screen) -> None:
    node, found = done.node, done.classification
    screen.line(screen.styled(f"✓ Captured: {screen.safe(node.title)} ({node.type.value})", "green"))
    screen.line(f"  {node.path}")
    _show_type(node, found, screen)
    if node.decision_status not in (None, DecisionStatus.ACCEPTED):
        screen.line(f"  Decision status: {node.decision_status}.")
    if done.missing_sections:
        screen.line(f"  Needs review: the decision lacks {', '.join(done.missing_sections)}.")
    for id, title in superseded.items():
        screen.line(f"  Superseded now: {screen.safe(title)} ({id[:8]})")
    for item in done.created:
        screen.line(f"  Related: {_relation(item.source, item.type.value, item.target, done, screen)}")
    for item in done.suggested[: render.SUGGESTIONS]:
        reason = screen.safe("; ".join(item.reasons))
        screen.line(f"  Perhaps: {_relation(item.source, item.type.value, item.target, done, screen)} ({reason})")
        screen.line(f"           autology relate {item.source[:8]} {item.type.value} {item.target[:8]}")
    for twin in done.duplicates:
        screen.line(screen.styled(f"  Known already? {screen.safe(twin.source.title)}: {twin.reason}", "yellow"))
        screen.line(f"           autology show {twin.source.id[:8]}")
    _show_remarks(done, screen)


def _show_remarks(done: Captured, screen: Screen) -> None:
    """Print what was kept otherwise than it was given."""
    for path in done.absent_references:
        screen.line(f"  Kept, though no such file exists: {screen.safe(path)}")
    if done.respelled:
        screen.line(f"  Tags written as: {screen.safe(render.respelled(done.respelled))}")
    if done.redacted:
        screen.line(screen.styled(f"  Secrets left out: {', '.join(done.redacted)}", "yellow"))
    for note in done.notes:
        screen.line(f"  Note: {screen.safe(note, 500)}")


def _show_type(node: Node, found: Classification, screen: Screen) -> None:
    if not found.confident:
        guesses = ", ".join(f"{guess.type.value} {guess.score:.2f}" for guess in found.alternatives if guess.score > 0)
        kept = f"Nothing in the text tells the type: kept as {node.type.value}"
        told = f"The type is a guess ({guesses})" if guesses else kept
        screen.line(f"  {told}. `autology update {node.id[:8]} --type …` sets another.")
    if words := found.alternatives[0].words:
        screen.line(f"  The type follows from: {screen.safe(', '.join(words))}")


def _relation(source: str, kind: str, target: str, done: Captured, screen: Screen) -> str:
    start, end = (screen.safe(done.titles.get(each, each)) for each in (source, target))
    return f"{start} —[{kind}]→ {end}"
