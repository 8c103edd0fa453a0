"""list_directory_structure: the folders that documents lie in."""

from __future__ import annotations

from pydantic import Field

from autology.tools.arguments import Arguments, Count
from autology.tools.project import Project
from autology.tools.tool import DOCUMENTS, Listing, Tool

DEPTH = 20


class ListDirectoryStructure(Arguments):
    """What list_directory_structure takes."""

    depth: Count = Field(
        default=1,
        description="How many levels of folders: 1 lists the sources themselves.",
        json_schema_extra={"minimum": 1, "maximum": DEPTH},
    )
    counts: bool = Field(default=False, description="Whether to tell how many documents lie in each folder.")


def act(project: Project, given: ListDirectoryStructure) -> Listing:
    """Return the folders."""
    from autology import render
    from autology.core.documents import structure

    found = structure.structure(project.library, given.depth)
    missing = [f"there is no folder {source}/, which is a source of documents" for source in found.missing]
    return Listing(render.structure(found, given.counts), missing)


TOOL = Tool(
    name="list_directory_structure",
    title="List document folders",
    description=(
        "List the folders that hold the project's documents. Use it to see how documentation and notes are organised "
        "before searching them or choosing where a new one goes; depth shows the folders inside, counts how many "
        "documents each holds. Sources that are configured but missing are named. Not for source code."
    ),
    arguments=ListDirectoryStructure,
    act=act,
    writes=False,
    hint="folders of documents and notes, how the documentation is organised",
    group=DOCUMENTS,
)
