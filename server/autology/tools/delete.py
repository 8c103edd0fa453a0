"""autology_delete: deleting a node and its relations."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Text, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Delete(Arguments):
    """Arguments of autology_delete."""

    id: Text = field("8+ characters suffice.")


def act(project: Project, args: Delete) -> str:
    """Delete the node and report how many relations were removed."""
    from autology.core.nodes import delete_restore
    from autology.render import nodes

    return nodes.deleted(delete_restore.delete(project.graph, args.id))


TOOL = Tool(
    name="autology_delete",
    title="Delete knowledge",
    description=(
        "Delete a node and its relations. Use only when the user asks or agrees, knowing what is lost "
        "(autology_query, related_to). Not for what is outdated: supersede it, or autology_update its status. "
        "Only `autology restore` in a terminal undoes it."
    ),
    arguments=Delete,
    act=act,
    destroys=True,
    hint="remove a node of the project knowledge for good",
)
