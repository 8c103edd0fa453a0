"""create_document: creating a document."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Text, Texts, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class CreateDocument(Arguments):
    """Arguments of create_document."""

    path: Text = field("Such as 'docs/guide.md'.")
    content: str = field("Complete markdown.")
    tags: Texts = field("As for inject_tags.", [])


def act(project: Project, args: CreateDocument) -> Json:
    """Write the document and return its id and hash."""
    from autology.core.documents import create
    from autology.render import documents

    return documents.created(create.create_document(project.library, args.path, args.content, args.tags))


TOOL = Tool(
    name="create_document",
    title="Create a document",
    description=(
        "Create a markdown document; fails if it exists. Use when the user asks for a new page or note. Not "
        "for decisions or conventions: autology_capture."
    ),
    arguments=CreateDocument,
    act=act,
    repeatable=False,
    hint="create write a new markdown document page note file",
    group=DOCUMENTS,
)
