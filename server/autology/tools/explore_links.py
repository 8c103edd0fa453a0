"""explore_links: the links of a document or node."""

from __future__ import annotations

from autology.model.argument_limits import DIRECTIONS
from autology.tools.arguments import Arguments, Count, Maybe, Text, field
from autology.tools.tool import DOCUMENTS, Listing, Tool
from autology.wire.project import Project


class ExploreLinks(Arguments):
    """Arguments of explore_links."""

    id: Text = field("Id, path, title or alias.")
    relation: Maybe[str] = field(
        "CITES, TAGGED_AS, EXEMPLIFIES, RELATED_TO, a node relation or a custom key.",
        None,
    )
    direction: str = field("in: links to it.", "out", enum=DIRECTIONS)
    depth: Count = field(None, 1)


def act(project: Project, args: ExploreLinks) -> Listing:
    """Return the links, nearest first."""
    from autology.core.documents import explore
    from autology.render import documents

    result = explore.explore(project.library, args.id, args.relation, args.direction, args.depth)
    more = [f"only the first {explore.SHOWN:,} links are listed; filter by relation"] if result.more else []
    return Listing(documents.explored(result), [*more, *project.library.graph.notes])


TOOL = Tool(
    name="explore_links",
    title="Explore links",
    description=(
        "List the links of a document or node: citations, tags, related documents, relations. Use for its "
        "neighbours or, with direction in, what refers to it. Not for finding documents by content: "
        "search_documents."
    ),
    arguments=ExploreLinks,
    act=act,
    writes=False,
    hint="links backlinks wiki links citations tags neighbours of a document graph traversal",
    group=DOCUMENTS,
)
