"""update_document: changing a document's text, one section of it, or its name."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Maybe, Text, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class UpdateDocument(Arguments):
    """Arguments of update_document."""

    id: Text = field("Id, path, title or alias.")
    content: Maybe[str] = field("Of the file or section; omit to rename only.", None)
    section: Maybe[Text] = field("Heading or path: 'Guide > Install'.", None)
    base_hash: Maybe[str] = field("Refused if changed since.", None)
    rename_to: Maybe[Text] = field("Path, or name in its folder.", None)


def act(project: Project, args: UpdateDocument) -> Json:
    """Change the document and return its hash and sizes."""
    from autology.core.documents import update
    from autology.render import documents

    edit = update.DocumentEdit(args.content, args.section, args.base_hash, args.rename_to)
    return documents.updated(update.update_document(project.library, args.id, edit))


TOOL = Tool(
    name="update_document",
    title="Update a document",
    description=(
        "Replace a document's text or one section, or rename it; links to it follow. Use when the user asks "
        "for the change; read it first. Not for nodes: autology_update."
    ),
    arguments=UpdateDocument,
    act=act,
    destroys=True,
    hint="edit change rename move a markdown document or a section of it",
    group=DOCUMENTS,
)
