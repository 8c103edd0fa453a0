"""explore_links: what a document or node leads to."""

from __future__ import annotations

from pydantic import Field

from autology.tools.arguments import Arguments, Count, Maybe, Text, one_of
from autology.tools.project import Project
from autology.tools.tool import DOCUMENTS, Listing, Tool

DIRECTIONS = ("out", "in", "both")
DEPTH = 5


class ExploreLinks(Arguments):
    """What explore_links takes."""

    id: Text = Field(description="The id of a document or node, or a document's path, title or alias.")
    relation: Maybe[str] = Field(
        default=None,
        description="Only links of this type: CITES, TAGGED_AS, EXEMPLIFIES, RELATED_TO, a relation of the knowledge "
        "graph as 'affects', or a key of one's own.",
    )
    direction: str = Field(
        default="out",
        description="out: what it leads to. in: what leads to it. both: either.",
        json_schema_extra=one_of(DIRECTIONS),
    )
    depth: Count = Field(
        default=1,
        description="How many steps to follow.",
        json_schema_extra={"minimum": 1, "maximum": DEPTH},
    )


def act(project: Project, given: ExploreLinks) -> Listing:
    """Return the links, nearest first."""
    from autology import render
    from autology.core.documents import explore

    found = explore.explore(project.library, given.id, given.relation, given.direction, given.depth)
    more = [f"only the first {explore.SHOWN:,} links are listed; ask for one relation"] if found.more else []
    return Listing(render.explored(found), [*more, *project.library.graph.notes])


TOOL = Tool(
    name="explore_links",
    title="Explore links",
    description=(
        "List what a document or node is linked to: citations ([[wiki links]] and markdown links), tags, related "
        "documents, relations of the knowledge graph. Use it to find neighbours of something you found, or with "
        "direction in what refers to it. An empty list means that it has no such links. Not for finding "
        "documents by what they say: search_documents."
    ),
    arguments=ExploreLinks,
    act=act,
    writes=False,
    hint="links backlinks wiki links citations tags neighbours of a document graph traversal",
    group=DOCUMENTS,
)
