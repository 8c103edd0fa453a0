"""autology_capture: creating a node."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from autology.model.node import CONTENT_LIMIT, TAG_LIMIT, TITLE_LIMIT, DecisionStatus, NodeType, RelationType
from autology.model.options import REFERENCES, RELATIONS
from autology.tools.arguments import Arguments, FirstOnly, Maybe, Text, Texts, field
from autology.tools.project import ServedProject
from autology.tools.tool import Json, Tool


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Ids = Annotated[
    list[str],
    FirstOnly(),
    BeforeValidator(_listed),
    WithJsonSchema(
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": RELATIONS}]}
    ),
]


class RelationArgument(Arguments):
    """A relation from the new node."""

    type: Text = field(None, enum=RelationType)
    target: Text = field("The other node's id, or its first 8 or more characters.")
    description: Maybe[str] = field("Why the two are related, in a sentence.", None)
    confidence: float = field(None, 0.8, minimum=0, maximum=1)


class Capture(Arguments):
    """Arguments of autology_capture."""

    title: Text = field(
        "A one-line title, worded as someone would search for it: 'Use SQLite for the index'.", maxLength=TITLE_LIMIT
    )
    content: Text = field(
        "Self-contained markdown. A decision has Context, Decision, Alternatives, Consequences.",
        maxLength=CONTENT_LIMIT,
    )
    type: Maybe[str] = field("The kind of knowledge. If omitted, it is inferred from the text.", None, enum=NodeType)
    decision_status: Maybe[str] = field(
        "The state of a decision: proposed while it is discussed. If omitted, as its text states, else "
        "accepted; the text of an accepted decision can no longer be edited.",
        None,
        enum=DecisionStatus,
    )
    tags: Texts = field("Lowercase words to filter by; prefer existing tags.", [], maxItems=TAG_LIMIT)
    references: Texts = field(
        "Files it is about, relative to the project's root: 'src/auth/jwt.py'.", [], maxItems=REFERENCES
    )
    session: Maybe[str] = field(
        "The session it comes from: a session node's id. If omitted, the current session.", None
    )
    source: str = field("Where it comes from: manual, hook_<name> or import_<name>. Usually omitted.", "manual")
    confidence: Maybe[float] = field("How certain it is. Below 0.5 nothing is kept.", None, minimum=0.5, maximum=1)
    relations: Annotated[list[RelationArgument], FirstOnly()] = field(
        "Relations from the new node to existing nodes.", [], maxItems=RELATIONS
    )
    supersedes: Ids = field("The id or ids of nodes that this one replaces; they are kept, marked superseded.", [])


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
    return nodes.captured(capture.capture(project.graph, material, project.settings.relations_automatic))


TOOL = Tool(
    name="autology_capture",
    title="Capture knowledge",
    description=(
        "Keep something this project should remember as a node of its knowledge graph: a decision with its reasons, "
        "a component, a convention, a concept, a pattern, a known issue, what a session achieved. Use it when the "
        "user asks to remember or record something, or agrees to your proposal to. Ask autology_query first: if a "
        "node already says it, use autology_update; if this replaces an older node, name that one in `supersedes`. "
        "Not for what the code or the git history already shows, to-do lists, or secrets (those are redacted). "
        "Returns the node's id and type, relations created and suggested, and possible duplicates. A decision "
        "without all four sections is kept as needs_review."
    ),
    arguments=Capture,
    act=act,
    repeatable=False,
)
