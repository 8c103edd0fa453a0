"""find_path: how two nodes, documents or tags are connected."""

from __future__ import annotations

from autology.model.argument_limits import PATH_DEPTH
from autology.tools.arguments import Arguments, Count, Maybe, Text, Texts, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class FindPath(Arguments):
    """Arguments of find_path."""

    source: Text = field("Id, path, title or #tag.")
    target: Text = field("Likewise.")
    max_depth: Count = field(None, PATH_DEPTH)
    relations: Maybe[Texts] = field("Link types to follow: affects, CITES.", None)


def act(project: Project, args: FindPath) -> Json:
    """Return a shortest path, or why there is none."""
    from autology.core.atlas import path
    from autology.render.graph import data

    result = path.find(project.atlas, args.source, args.target, args.max_depth, args.relations or ())
    return data.path(result)


TOOL = Tool(
    name="find_path",
    title="Find a path",
    description=(
        "Find a shortest path between two nodes, documents or tags. Use when the user asks how two things are "
        "connected. Not for all around one thing: explore_links."
    ),
    arguments=FindPath,
    act=act,
    writes=False,
    hint="shortest path between two nodes connection how are they related multi-hop pathfinding",
    group=DOCUMENTS,
)
