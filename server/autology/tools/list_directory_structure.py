"""list_directory_structure: the folders that contain documents."""

from __future__ import annotations

from autology.model.options import FOLDER_DEPTH
from autology.tools.arguments import Arguments, Count, field
from autology.tools.tool import DOCUMENTS, Listing, Tool
from autology.wire.project import Project


class ListDirectoryStructure(Arguments):
    """Arguments of list_directory_structure."""

    depth: Count = field(
        "Number of folder levels: 1 lists only the sources themselves.", 1, minimum=1, maximum=FOLDER_DEPTH
    )
    counts: bool = field("Whether to count the documents of each folder.", False)


def act(project: Project, args: ListDirectoryStructure) -> Listing:
    """Return the folders."""
    from autology.core.documents import structure
    from autology.render import nodes

    tree = structure.structure(project.library, args.depth)
    missing = [f"the document source {source}/ does not exist" for source in tree.missing]
    return Listing(nodes.structure(tree, args.counts), missing)


TOOL = Tool(
    name="list_directory_structure",
    title="List document folders",
    description=(
        "List the folders that hold the project's documents. Use it to see how documentation and notes are organised "
        "before searching them or choosing where a new one goes; depth adds subfolders, counts adds the number of "
        "documents in each. Sources that are configured but missing are named. Not for source code."
    ),
    arguments=ListDirectoryStructure,
    act=act,
    writes=False,
    hint="folders of documents and notes, how the documentation is organised",
    group=DOCUMENTS,
)
