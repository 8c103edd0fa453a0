"""autology_query: searching the knowledge graph."""

from __future__ import annotations

from autology.model.argument_limits import DETAILS, SEARCH_MODES
from autology.model.errors import ValidationError
from autology.model.node import NodeStatus, NodeType
from autology.tools.arguments import Arguments, Count, Maybe, Texts, field
from autology.tools.tool import Json, Tool
from autology.wire.project import Project


class Query(Arguments):
    """Arguments of autology_query."""

    query: str = field(
        "Question, keywords, title or id; without it, all that pass the filters.",
        "",
    )
    type: Maybe[str] = field(None, None, enum=NodeType)
    tags: Texts = field("All of them.", [])
    limit: Maybe[Count] = field(None, None)
    status: Maybe[str] = field(None, None, enum=NodeStatus)
    min_confidence: Maybe[float] = field(None, None, maximum=1)
    references: Texts = field("About these files or folders.", [])
    related_to: Maybe[str] = field("Node id.", None)
    mode: str = field(
        "words: lexical; exact: literal.",
        "hybrid",
        enum=SEARCH_MODES,
    )
    offset: Count = field(None, 0)
    detail: str = field(
        "Content: none, its beginning, all.",
        "normal",
        enum=DETAILS,
    )
    content_from: Count = field("Characters to skip: read_rest.", 0)


def act(project: Project, args: Query) -> Json:
    """Return the best matching nodes, within a budget."""
    from autology.core.nodes import search
    from autology.render import nodes

    if args.detail not in DETAILS:
        raise ValidationError("detail", f"unknown detail '{args.detail[:40]}'", f"Use one of: {', '.join(DETAILS)}.")
    if args.content_from < 0:
        raise ValidationError("content_from", f"{args.content_from} is below 0", "Give the value of read_rest.")
    request = search.NodeQuery(
        query=args.query,
        type=args.type,
        tags=tuple(args.tags),
        status=args.status,
        min_confidence=args.min_confidence,
        references=tuple(args.references),
        related_to=args.related_to,
        mode=args.mode,
        limit=args.limit,
        offset=args.offset,
    )
    return nodes.answer(search.search(project.graph, request, project.watch), args.detail, args.content_from)


TOOL = Tool(
    name="autology_query",
    title="Search knowledge",
    description=(
        "Find what this project knows: decisions and why, conventions, components, concepts, patterns, "
        "issues, sessions. Use before you decide or change what may be settled, when the user asks why, and "
        "before autology_capture. An id as query, with detail full, reads that node. Not for code (grep) or "
        "what was said at some time (unified_memory_search)."
    ),
    arguments=Query,
    act=act,
    writes=False,
)
