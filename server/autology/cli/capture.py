"""``autology capture``: create a note."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from autology.cli import input_text, tag_options
from autology.cli.project import announce_creation, project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes.capture import Captured, Material, RequestedRelation, capture
from autology.core.nodes.classification import Classification
from autology.model.errors import ValidationError
from autology.model.node import DecisionStatus, Node, NodeType
from autology.render import nodes

EXAMPLES = """\
autology capture --title "Use SQLite for the index" --type decision --tags storage --file note.md
echo "JWTs expire after 15 minutes." | autology capture --title "Token lifetime"
autology capture --title "Use SQLite" --type decision -e"""
JSON = """\
{id, type, confidence, title, path, decision_status?, alternatives?, status?, missing_sections?, relations_created?,
 relations_suggested?, duplicates?, superseded?, references_absent?, tags_written_as?, redacted?}"""
WRITES = True
DRAFTS = {"decision": "## Context\n\n\n## Decision\n\n\n## Alternatives\n\n\n## Consequences\n\n"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the fields of a note."""
    parser.add_argument("--title", required=True, help="title (max 100 characters)")
    parser.add_argument("--content", metavar="TEXT", help="content as markdown; default: --file, else standard input")
    parser.add_argument("--file", metavar="FILE", help="read the content from a file; - for standard input")
    parser.add_argument("-e", "--edit", action="store_true", help="write the content in $VISUAL or $EDITOR")
    parser.add_argument("--type", choices=list(NodeType), help="default: inferred from the text")
    parser.add_argument("--tags", action="extend", nargs="+", default=[], metavar="TAG")
    parser.add_argument(
        "--references", action="extend", nargs="+", default=[], metavar="PATH", help="files that the note is about"
    )
    parser.add_argument(
        "--supersedes", action="extend", nargs="+", default=[], metavar="ID", help="notes that it replaces"
    )
    parser.add_argument(
        "--relations", action="extend", nargs="+", default=[], metavar="TYPE=ID", help="notes that it is related to"
    )
    parser.add_argument(
        "--decision-status",
        choices=list(DecisionStatus),
        help="state of a decision (default: read from the text, else accepted)",
    )
    parser.add_argument("--confidence", type=float, metavar="0-1")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Create the note; print related notes and duplicates."""
    project = project_of(args)
    draft = DRAFTS.get(args.type or "", "")
    content = input_text.read(args.content, args.file, args.edit, draft)
    if args.edit and draft and (content or "").strip() == draft.strip():
        raise ValidationError("content", "the draft is unchanged", "Nothing was saved. Edit the draft and save it.")
    if content is None:
        raise UsageError("content", "is missing", "Give --content, --file or -e, or pipe it in.")
    announce_creation(project.root, args, screen)
    material = Material(
        title=args.title,
        content=content,
        type=args.type,
        tags=tag_options.tags(args),
        references=tuple(args.references),
        confidence=args.confidence,
        relations=tuple(map(_parse_relation, args.relations)),
        supersedes=tuple(args.supersedes),
        decision_status=args.decision_status,
    )
    graph = project.graph
    options = project.settings
    captured = capture(graph, material, options.relations_automatic, options.capture_to)
    if screen.json:
        screen.data(nodes.captured(captured))
    else:
        _show(captured, graph.titles(captured.superseded), screen)
    return 0


def _parse_relation(text: str) -> RequestedRelation:
    """Return the relation written as ``TYPE=ID``."""
    type, equals, target = text.partition("=")
    if not equals or not target:
        raise UsageError("relations", f"'{text[:60]}' is not TYPE=ID", "Write relates_to=3f2a91c0, for example.")
    return RequestedRelation(type, target)


def _show(captured: Captured, superseded: Mapping[str, str], screen: Screen) -> None:
    node, classification = captured.node, captured.classification
    screen.line(f"✓ Captured: {screen.safe(node.title)} ({node.type.value})", "green")
    screen.line(f"  {node.path}")
    _show_type(node, classification, screen)
    if node.decision_status not in (None, DecisionStatus.ACCEPTED):
        screen.line(f"  Decision status: {node.decision_status}.")
    if captured.missing_sections:
        screen.line(f"  Needs review: the decision lacks {', '.join(captured.missing_sections)}.")
    for id, title in superseded.items():
        screen.line(f"  Superseded: {screen.safe(title)} ({id[:8]})")
    for item in captured.created:
        screen.line(f"  Related: {_relation(item.source, item.type.value, item.target, captured, screen)}")
    for item in captured.suggested[: nodes.SUGGESTIONS]:
        reason = screen.safe("; ".join(item.reasons))
        screen.line(f"  Suggested: {_relation(item.source, item.type.value, item.target, captured, screen)} ({reason})")
        screen.line(f"           autology relate {item.source[:8]} {item.type.value} {item.target[:8]}")
    for duplicate in captured.duplicates:
        screen.line(f"  Duplicate? {screen.safe(duplicate.source.title)}: {duplicate.reason}", "yellow")
        screen.line(f"           autology show {duplicate.source.id[:8]}")
    _show_notices(captured, screen)


def _show_notices(captured: Captured, screen: Screen) -> None:
    """Print the values that were changed or are questionable."""
    for path in captured.absent_references:
        screen.line(f"  File does not exist: {screen.safe(path)}")
    if captured.respelled:
        screen.line(f"  Tags normalised: {screen.safe(nodes.respelled(captured.respelled))}")
    if captured.redacted:
        screen.line(f"  Secrets redacted: {', '.join(captured.redacted)}", "yellow")
    for note in captured.notes:
        screen.line(f"  Note: {screen.safe(note, 500)}")


def _show_type(node: Node, result: Classification, screen: Screen) -> None:
    if not result.confident:
        guesses = ", ".join(f"{guess.type.value} {guess.score:.2f}" for guess in result.alternatives if guess.score > 0)
        fallback = f"The text does not indicate a type: saved as {node.type.value}"
        problem = f"The type is a guess ({guesses})" if guesses else fallback
        screen.line(f"  {problem}. `autology update {node.id[:8]} --type …` changes it.")
    if words := result.alternatives[0].words:
        screen.line(f"  The type was inferred from: {screen.safe(', '.join(words))}")


def _relation(source: str, kind: str, target: str, captured: Captured, screen: Screen) -> str:
    start, end = (screen.safe(captured.titles.get(id, id)) for id in (source, target))
    return f"{start} —[{kind}]→ {end}"
