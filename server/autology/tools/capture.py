"""autology_capture: keeping something that the project should remember."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from autology.model.node import CONTENT_LIMIT, TAG_LIMIT, TITLE_LIMIT, DecisionStatus, NodeType, RelationType
from autology.tools.arguments import REFERENCES, RELATIONS, Arguments, FirstOnly, Maybe, Text, Texts, one_of
from autology.tools.project import Project
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


class Wish(Arguments):
    """A relation from the new node."""

    type: Text = Field(json_schema_extra=one_of(RelationType))
    target: Text = Field(description="The other node's id, or its first 8 or more characters.")
    description: Maybe[str] = Field(default=None, description="Why the two are related, in a sentence.")
    confidence: float = Field(default=0.8, json_schema_extra={"minimum": 0, "maximum": 1})


class Capture(Arguments):
    """What autology_capture takes."""

    title: Text = Field(
        description="Names the thing on one line, as someone would search for it: 'Use SQLite for the index'.",
        json_schema_extra={"maxLength": TITLE_LIMIT},
    )
    content: Text = Field(
        description="Markdown that stands on its own. A decision has Context, Decision, Alternatives, Consequences.",
        json_schema_extra={"maxLength": CONTENT_LIMIT},
    )
    type: Maybe[str] = Field(
        default=None,
        description="What kind of knowledge it is. Left out, it is guessed from the words.",
        json_schema_extra=one_of(NodeType),
    )
    decision_status: Maybe[str] = Field(
        default=None,
        description="Where a decision stands: proposed while it is still weighed. Left out, as its text states, else "
        "accepted; an accepted one's text cannot be edited any more.",
        json_schema_extra=one_of(DecisionStatus),
    )
    tags: Texts = Field(
        default=[],
        description="Lowercase words it is filtered by; prefer tags that are in use.",
        json_schema_extra={"maxItems": TAG_LIMIT},
    )
    references: Texts = Field(
        default=[],
        description="Files it speaks of, relative to the project's root: 'src/auth/jwt.py'.",
        json_schema_extra={"maxItems": REFERENCES},
    )
    session: Maybe[str] = Field(
        default=None, description="The session it comes from: a session node's id. Left out, the present session."
    )
    source: str = Field(
        default="manual", description="Where it comes from: manual, hook_<name> or import_<name>. Mostly left out."
    )
    confidence: Maybe[float] = Field(
        default=None,
        description="How sure it is that this holds. Below 0.5 nothing is kept.",
        json_schema_extra={"minimum": 0.5, "maximum": 1},
    )
    relations: Annotated[list[Wish], FirstOnly()] = Field(
        default=[],
        description="Relations from the new node to nodes that exist.",
        json_schema_extra={"maxItems": RELATIONS},
    )
    supersedes: Ids = Field(
        default=[], description="The id or ids of nodes that this one replaces; they are kept, marked superseded."
    )


def act(project: Project, given: Capture) -> Json:
    """Keep what was given and return the node's id with what was found around it."""
    from autology import render
    from autology.core import capture

    session = project.session if given.session is None else given.session
    material = capture.Material(
        title=given.title,
        content=given.content,
        type=given.type,
        tags=tuple(given.tags),
        references=tuple(given.references),
        session=session,
        turn=project.turn(project.session) if session == project.session else None,
        source=given.source,
        confidence=given.confidence,
        relations=tuple(capture.Wish(w.type, w.target, w.description, w.confidence) for w in given.relations),
        supersedes=tuple(given.supersedes),
        decision_status=given.decision_status,
    )
    return render.captured(capture.capture(project.graph, material, project.settings.relations_automatic))


TOOL = Tool(
    name="autology_capture",
    title="Capture knowledge",
    description=(
        "Keep something this project should remember as a node of its knowledge graph: a decision with its reasons, "
        "a component, a convention, a concept, a pattern, a known issue, what a session achieved. Use it when the "
        "user asks to remember or record something, or agrees to your proposal to. Ask autology_query first: if a "
        "node already says it, use autology_update; if this replaces an older node, name that one in `supersedes`. "
        "Not for what the code or the git history shows by itself, to-do lists, or secrets (those are blanked out). "
        "Returns the node's id and type, relations created and suggested, and possible duplicates. A decision "
        "without all four sections is kept as needs_review."
    ),
    arguments=Capture,
    act=act,
    repeatable=False,
)
