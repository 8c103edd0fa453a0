"""inject_tags: adding tags to a document."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Text, Texts, field
from autology.tools.tool import DOCUMENTS, Tool
from autology.wire.project import Project


class InjectTags(Arguments):
    """Arguments of inject_tags."""

    file_path: Text = field("From the project's root: 'docs/guide.md'.")
    tags: Texts = field("'KEY: value' (a link of type KEY) or words.")


def act(project: Project, args: InjectTags) -> str:
    """Add the new tags and report how many."""
    from autology.core.documents import tagging
    from autology.render import documents

    return documents.tagged(tagging.inject_tags(project.library, args.file_path, args.tags))


TOOL = Tool(
    name="inject_tags",
    title="Tag a document",
    description=(
        "Add tags to a markdown document, in a comment at its end. Use when the user asks to tag or classify "
        "a document, or agrees. Not for nodes: autology_update."
    ),
    arguments=InjectTags,
    act=act,
    hint="add tags metadata to a markdown file document",
    group=DOCUMENTS,
)
