"""find_path: how two nodes, documents or tags are connected."""

from __future__ import annotations

from autology.model.options import DEEPEST_PATH, PATH_DEPTH
from autology.tools.arguments import Arguments, Count, Maybe, Text, Texts, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class FindPath(Arguments):
    """Arguments of find_path."""

    source: Text = field("The start of the path: the id of a node or document, a path, title, or #tag.")
    target: Text = field("The end of the path, in the same form.")
    max_depth: Count = field("Maximum number of links of the path.", PATH_DEPTH, minimum=1, maximum=DEEPEST_PATH)
    relations: Maybe[Texts] = field("Only links of these types, such as ['affects', 'CITES']; all if omitted.", None)


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
        "Find a shortest path between two nodes, documents or tags over all links of the graph (relations, citations, "
        "tags), in either direction. Returns the path and each link in its own direction, or that there is no path "
        "and why. Use it when the user asks how two things are connected, or whether one reaches the other. Not for "
        "everything around one thing: explore_links with depth."
    ),
    arguments=FindPath,
    act=act,
    writes=False,
    hint="shortest path between two nodes connection how are they related multi-hop pathfinding",
    group=DOCUMENTS,
)
