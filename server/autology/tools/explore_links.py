"""explore_links: the links of a document or node."""

from __future__ import annotations

from autology.model.options import DIRECTIONS, LINK_DEPTH
from autology.tools.arguments import Arguments, Count, Maybe, Text, field
from autology.tools.tool import DOCUMENTS, Listing, Tool
from autology.wire.project import Project


class ExploreLinks(Arguments):
    """Arguments of explore_links."""

    id: Text = field("The id of a document or node, or a document's path, title or alias.")
    relation: Maybe[str] = field(
        "Only links of this type: CITES, TAGGED_AS, EXEMPLIFIES, RELATED_TO, a relation of the knowledge "
        "graph such as 'affects', or a custom key.",
        None,
    )
    direction: str = field("out: links from it. in: links to it. both: either direction.", "out", enum=DIRECTIONS)
    depth: Count = field("Number of links to follow.", 1, minimum=1, maximum=LINK_DEPTH)


def act(project: Project, args: ExploreLinks) -> Listing:
    """Return the links, nearest first."""
    from autology.core.documents import explore
    from autology.render import nodes

    result = explore.explore(project.library, args.id, args.relation, args.direction, args.depth)
    more = [f"only the first {explore.SHOWN:,} links are listed; filter by relation"] if result.more else []
    return Listing(nodes.explored(result), [*more, *project.library.graph.notes])


TOOL = Tool(
    name="explore_links",
    title="Explore links",
    description=(
        "List the links of a document or node: citations ([[wiki links]] and markdown links), tags, related "
        "documents, relations of the knowledge graph. Use it to find neighbours of something you found, or, with "
        "direction in, what refers to it. An empty list means that it has no such links. Not for finding "
        "documents by their content: search_documents."
    ),
    arguments=ExploreLinks,
    act=act,
    writes=False,
    hint="links backlinks wiki links citations tags neighbours of a document graph traversal",
    group=DOCUMENTS,
)
