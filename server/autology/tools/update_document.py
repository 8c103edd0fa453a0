"""update_document: changing a document's text, one section of it, or its name."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Maybe, Text, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class UpdateDocument(Arguments):
    """Arguments of update_document."""

    id: Text = field("The document's id, path, title or alias.")
    content: Maybe[str] = field(
        "The new text: of the whole file, or of the section. If omitted, only the name changes.", None
    )
    section: Maybe[Text] = field("The heading of the section to replace, or the path to it: 'Guide > Install'.", None)
    base_hash: Maybe[str] = field(
        "The hash from creating or updating it, the SHA-256 of its bytes; refused if it changed since.", None
    )
    rename_to: Maybe[Text] = field("Its new path, or a new name in its folder; links to it are updated.", None)


def act(project: Project, args: UpdateDocument) -> Json:
    """Change the document and return its hash and sizes."""
    from autology.core.documents import update
    from autology.render import nodes

    edit = update.DocumentEdit(args.content, args.section, args.base_hash, args.rename_to)
    return nodes.document_updated(update.update_document(project.library, args.id, edit))


TOOL = Tool(
    name="update_document",
    title="Update a document",
    description=(
        "Replace a markdown document's text, or one section of it, or rename it; links to it are updated. Read "
        "it first, and pass the hash you know as base_hash so that nobody's edit is lost. Use it when the user asks "
        "for the change. Not for knowledge nodes: autology_update. Returns the new hash and the sizes before and "
        "after."
    ),
    arguments=UpdateDocument,
    act=act,
    destroys=True,
    hint="edit change rename move a markdown document or a section of it",
    group=DOCUMENTS,
)
