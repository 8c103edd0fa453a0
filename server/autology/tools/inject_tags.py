"""inject_tags: adding tags to a document."""

from __future__ import annotations

from autology.model.options import DOCUMENT_TAGS
from autology.tools.arguments import Arguments, Text, Texts, field
from autology.tools.tool import DOCUMENTS, Tool
from autology.wire.project import Project


class InjectTags(Arguments):
    """Arguments of inject_tags."""

    file_path: Text = field("The document's path, relative to the project's root: 'docs/guide.md'.")
    tags: Texts = field(
        "Tags as 'KEY: value' ('DOMAIN: machine-learning') or plain words.", minItems=1, maxItems=DOCUMENT_TAGS
    )


def act(project: Project, args: InjectTags) -> str:
    """Add the new tags and report how many."""
    from autology.core.documents import tagging
    from autology.render import nodes

    return nodes.tagged(tagging.inject_tags(project.library, args.file_path, args.tags))


TOOL = Tool(
    name="inject_tags",
    title="Tag a document",
    description=(
        "Add tags to a markdown document, in a comment at its end; existing tags are not repeated, and the "
        "rest of the file stays unchanged. Each 'KEY: value' becomes a link of type KEY. Use it "
        "when the user asks to tag or classify a document, or agrees: it changes their file. Not for "
        "knowledge nodes: autology_update."
    ),
    arguments=InjectTags,
    act=act,
    hint="add tags metadata to a markdown file document",
    group=DOCUMENTS,
)
