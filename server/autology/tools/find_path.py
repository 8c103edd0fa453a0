"""find_path: how two things of the graph are connected."""

from __future__ import annotations

from pydantic import Field

from autology.tools.arguments import Arguments, Count, Maybe, Text, Texts
from autology.tools.project import Project
from autology.tools.tool import DOCUMENTS, Json, Tool

DEPTH, DEEPEST = 20, 100


class FindPath(Arguments):
    """What find_path takes."""

    source: Text = Field(description="Where the path begins: the id of a node or document, a path, title, or #tag.")
    target: Text = Field(description="Where it ends, named in the same ways.")
    max_depth: Count = Field(
        default=DEPTH,
        description="The most links that the path may have.",
        json_schema_extra={"minimum": 1, "maximum": DEEPEST},
    )
    relations: Maybe[Texts] = Field(
        default=None, description="Only over links of these types, as ['affects', 'CITES']; all unless given."
    )


def act(project: Project, given: FindPath) -> Json:
    """Return a shortest path, or why there is none."""
    from autology.core.atlas import path
    from autology.drawn import data

    found = path.find(project.atlas, given.source, given.target, given.max_depth, given.relations or ())
    return data.path(found)


TOOL = Tool(
    name="find_path",
    title="Find a path",
    description=(
        "Find a shortest path between two nodes, documents or tags over all links of the graph (relations, citations, "
        "tags), followed either way. Returns the path and each link in its own direction, or that there is no path "
        "and why. Use it when the user asks how two things are connected, or whether one reaches the other. Not for "
        "everything around one thing: explore_links with depth."
    ),
    arguments=FindPath,
    act=act,
    writes=False,
    hint="shortest path between two nodes connection how are they related multi-hop pathfinding",
    group=DOCUMENTS,
)
