"""delete_document: moving a document to the trash."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Text, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class DeleteDocument(Arguments):
    """Arguments of delete_document."""

    id: Text = field("Id, path, title or alias.")


def act(project: Project, args: DeleteDocument) -> Json:
    """Move the document to the trash and return the links that now dangle."""
    from autology.core.documents import delete_restore
    from autology.render import documents

    return documents.deleted(delete_restore.delete_document(project.library, args.id))


TOOL = Tool(
    name="delete_document",
    title="Delete a document",
    description=(
        "Move a document to the trash; lists the links that dangle then. Use only when the user asks or "
        "agrees, knowing what refers to it (explore_links, direction in). Not for nodes: autology_delete."
    ),
    arguments=DeleteDocument,
    act=act,
    destroys=True,
    hint="delete remove a markdown document file",
    group=DOCUMENTS,
)
