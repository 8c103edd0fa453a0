"""list_directory_structure: the folders that contain documents."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Count, field
from autology.tools.tool import DOCUMENTS, Listing, Tool
from autology.wire.project import Project


class ListDirectoryStructure(Arguments):
    """Arguments of list_directory_structure."""

    depth: Count = field(None, 1)
    counts: bool = field("Number of documents.", False)


def act(project: Project, args: ListDirectoryStructure) -> Listing:
    """Return the folders."""
    from autology.core.documents import structure
    from autology.render import documents

    tree = structure.structure(project.library, args.depth)
    missing = [f"the document source {source}/ does not exist" for source in tree.missing]
    return Listing(documents.structure(tree, args.counts), missing)


TOOL = Tool(
    name="list_directory_structure",
    title="List document folders",
    description=(
        "List the folders that hold the project's documents. Use to see how the documentation is organised or "
        "where a new page goes. Not for source code."
    ),
    arguments=ListDirectoryStructure,
    act=act,
    writes=False,
    hint="folders of documents and notes, how the documentation is organised",
    group=DOCUMENTS,
)
