"""autology_capture: creating a node."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from autology.model.node import TITLE_LIMIT, DecisionStatus, NodeType, RelationType
from autology.tools.arguments import Arguments, FirstOnly, Maybe, Text, Texts, field
from autology.tools.project import ServedProject
from autology.tools.tool import Json, Tool


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Ids = Annotated[
    list[str],
    FirstOnly(),
    BeforeValidator(_listed),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class RelationArgument(Arguments):
    """A relation from the new node."""

    type: Text = field(None, enum=RelationType)
    target: Text = field("Node id.")
    description: Maybe[str] = field(None, None)
    confidence: float = field(None, 0.8, maximum=1)


class Capture(Arguments):
    """Arguments of autology_capture."""

    title: Text = field("As searched for: 'Use SQLite for the index'.", maxLength=TITLE_LIMIT)
    content: Text = field(
        "Markdown. A decision has Context, Decision, Alternatives, Consequences.",
    )
    type: Maybe[str] = field("Default: inferred.", None, enum=NodeType)
    decision_status: Maybe[str] = field(
        "Default: as the text says, else accepted, which freezes it.",
        None,
        enum=DecisionStatus,
    )
    tags: Texts = field("Prefer existing ones.", [])
    references: Texts = field("Files it is about: 'src/auth.py'.", [])
    session: Maybe[str] = field("A session node's id; default: this one.", None)
    source: str = field("Or hook_<name>, import_<name>.", "manual")
    confidence: Maybe[float] = field(None, None, minimum=0.5, maximum=1)
    relations: Annotated[list[RelationArgument], FirstOnly()] = field("To existing nodes.", [])
    supersedes: Ids = field("Ids of nodes replaced.", [])


def act(project: ServedProject, args: Capture) -> Json:
    """Create the node and return its id, with related nodes and duplicates."""
    from autology.core.nodes import capture
    from autology.render import nodes

    session = project.session if args.session is None else args.session
    material = capture.Material(
        title=args.title,
        content=args.content,
        type=args.type,
        tags=tuple(args.tags),
        references=tuple(args.references),
        session=session,
        turn=project.turn(project.session) if session == project.session else None,
        source=args.source,
        confidence=args.confidence,
        relations=tuple(
            capture.RequestedRelation(relation.type, relation.target, relation.description, relation.confidence)
            for relation in args.relations
        ),
        supersedes=tuple(args.supersedes),
        decision_status=args.decision_status,
    )
    options = project.settings
    return nodes.captured(capture.capture(project.graph, material, options.relations_automatic, options.capture_to))


TOOL = Tool(
    name="autology_capture",
    title="Capture knowledge",
    description=(
        "Keep knowledge as a node: a decision with its reasons, component, convention, concept, pattern, "
        "issue or session. Use when the user asks to remember or record it, or agrees to your proposal. "
        "autology_query first: autology_update a node that says it already. Not for what code or git shows, "
        "to-dos or secrets."
    ),
    arguments=Capture,
    act=act,
    repeatable=False,
)
