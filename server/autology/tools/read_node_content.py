"""read_node_content: the current file of a document, node or memory, with markers in place of secrets."""

from __future__ import annotations

from autology.text.notes.secret_markers import marked, note_on
from autology.tools.arguments import Arguments, Text, field
from autology.tools.tool import DOCUMENTS, FileText, Tool
from autology.wire.project import Project


class ReadNodeContent(Arguments):
    """Arguments of read_node_content."""

    id: Text = field("Id, path, title or alias.")


def act(project: Project, args: ReadNodeContent) -> FileText:
    """Return the file's text; markers replace secrets and invisible characters."""
    shown = marked(_text(project, args.id))
    return FileText(shown.text, note_on(shown))


def _text(project: Project, id: str) -> str:
    from autology.core.documents.lookup import find

    memories = project.memories
    if (memory := memories.read_current(lambda: memories.stored(id.strip()))) is not None:
        return memory.data.decode("utf-8")
    library = project.library
    return library.read_current(lambda: library.stored(find(library, id))).entry.text


TOOL = Tool(
    name="read_node_content",
    title="Read a document",
    description=(
        "Read a document, node or memory in full: raw markdown with frontmatter. Use after a search or "
        "explore_links named it, and before changing a document. Not for source code."
    ),
    arguments=ReadNodeContent,
    act=act,
    writes=False,
    hint="read the full markdown of a document note or node by id",
    group=DOCUMENTS,
)
