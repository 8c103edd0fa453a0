"""search_documents: lexical and semantic search of documents and nodes."""

from __future__ import annotations

from autology.model.argument_limits import PREVIEWS
from autology.model.entry import DOCUMENT, INSTRUCTION
from autology.model.node import NodeType
from autology.tools.arguments import Arguments, Count, Maybe, Text, Texts, field
from autology.tools.tool import DOCUMENTS, Listing, Tool
from autology.wire.project import Project

TYPES = (DOCUMENT, INSTRUCTION, *NodeType)


class SearchDocuments(Arguments):
    """Arguments of search_documents."""

    query: Text = field("Question or keywords.")
    limit: Count = field(None, 20)
    path: Maybe[str] = field("Only this file or folder.", None)
    type: Maybe[str] = field(None, None, enum=TYPES)
    tags: Texts = field("All of them.", [])
    author: Maybe[str] = field("As in frontmatter.", None)
    since: Maybe[str] = field("Changed since: date or 'last week'.", None)
    until: Maybe[str] = field("Likewise.", None)
    preview: str = field("Of the match, or the document's start.", "passage", enum=PREVIEWS)

    include_peers: bool = field("Also the team's.", False)


def act(project: Project, args: SearchDocuments) -> Listing:
    """Return the hits, best first."""
    from autology.core.documents import search
    from autology.core.documents.document_filter import DocumentFilter
    from autology.render import documents
    from autology.render.verdicts import verdict_text

    filters = DocumentFilter(args.path, args.type, tuple(args.tags), args.author, args.since, args.until)
    if args.include_peers:
        hits = search.search_with_team(
            project.library, args.query, args.limit, project.team.search, args.preview, filters
        )
    else:
        hits = search.search(project.library, args.query, args.limit, args.preview, filters)
    message = verdict_text(hits.verdict)
    return Listing(documents.results(hits), (message, *hits.notes) if message else hits.notes)


TOOL = Tool(
    name="search_documents",
    title="Search documents",
    description=(
        "Search the project's documents (markdown, reStructuredText, AsciiDoc, Org) and nodes. Use when the "
        "user asks what the documentation says; read_node_content gives the whole. Not for decisions and "
        "conventions alone: autology_query."
    ),
    arguments=SearchDocuments,
    act=act,
    writes=False,
    hint="search markdown documentation notes vault documents full text",
    group=DOCUMENTS,
)
