"""autology_delete: deleting a node and its relations."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Text, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Delete(Arguments):
    """Arguments of autology_delete."""

    id: Text = field("The node's id, or its first 8 or more characters.")


def act(project: Project, args: Delete) -> str:
    """Delete the node and report how many relations were removed."""
    from autology.core.nodes import delete_restore
    from autology.render import nodes

    return nodes.deleted(delete_restore.delete(project.graph, args.id))


TOOL = Tool(
    name="autology_delete",
    title="Delete knowledge",
    description=(
        "Delete a node and every relation from and to it. Use it only when the user asks for it or agrees, after "
        "showing what is lost (autology_query with related_to lists the neighbours). Not for what is merely "
        "outdated: a newer node should supersede it, or autology_update sets its status. This tool cannot undo it; "
        "`autology restore` in a terminal can, from the trash."
    ),
    arguments=Delete,
    act=act,
    destroys=True,
    hint="remove a node of the project knowledge for good",
)
