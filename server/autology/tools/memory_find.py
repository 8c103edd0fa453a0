"""memory_find: lexical and semantic search of a scope's memories, and along their relations."""

from __future__ import annotations

from autology.model.argument_limits import EXPANSIONS, MEMORY_MODES
from autology.model.memory import Kind, Scope
from autology.tools.arguments import Arguments, Count, Maybe, Text, Texts, field, one_of
from autology.tools.tool import MEMORY, Json, Tool
from autology.wire.project import Project
from autology.wire.user import memory_org


class ScopeArgument(Arguments):
    """The scope to search."""

    org: Maybe[str] = field(None, None)
    project: Maybe[str] = field(None, None)
    branch: Maybe[str] = field(None, None)


class Find(Arguments):
    """Arguments of memory_find."""

    query: Text = field("Question, keywords or id.")
    types: Texts = field(None, [], items={"type": "string", **one_of(Kind)})
    scope: ScopeArgument = field(
        "All given parts must match.",
        ScopeArgument(),
    )
    mode: str = field(
        "fast: lexical; deep: wider, reranked.",
        "auto",
        enum=MEMORY_MODES,
    )
    limit: Maybe[Count] = field(None, None)
    expand: Maybe[str] = field(
        "With mode deep.",
        None,
        enum=EXPANSIONS,
    )
    offset: Count = field(None, 0)
    include_expired: bool = field(None, False)
    include_peers: Maybe[bool] = field(
        "Also the team's.",
        None,
    )


def act(project: Project, args: Find) -> Json:
    """Return the best matching items."""
    from autology.core.memory import find
    from autology.render import memory_items

    request = find.Request(
        query=args.query,
        types=tuple(args.types),
        scope=_scope(args.scope),
        mode=args.mode,
        limit=args.limit,
        offset=args.offset,
        expand=args.expand,
        include_expired=args.include_expired,
        include_peers=project.team.may_have(_scope_of(args.scope))
        if args.include_peers is None
        else args.include_peers,
    )
    return memory_items.find_result(*project.audited_memories.find(request))


def _scope_of(argument: ScopeArgument) -> Scope:
    return Scope(argument.org, argument.project, argument.branch)


def _scope(argument: ScopeArgument) -> Scope | None:
    """Return the scope to search, with the environment's organisation if the argument has none."""
    parts = _scope_of(argument).set_parts()
    if "org" not in parts and (org := memory_org()):
        parts["org"] = org
    return Scope(**parts) if parts else None


TOOL = Tool(
    name="memory_find",
    title="Find memories",
    description=(
        "Find stored memories (memory_store). Use before storing, and when the user asks what was remembered: "
        "facts, todos, runbooks, incidents, risks. Not for nodes or documents: autology_query, "
        "search_documents."
    ),
    arguments=Find,
    act=act,
    writes=False,
    hint="find search recall stored memory items by kind scope organisation project branch cortex",
    group=MEMORY,
)
