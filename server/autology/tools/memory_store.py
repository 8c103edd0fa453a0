"""memory_store: storing, changing and deleting memories, up to a hundred at once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, WithJsonSchema

from autology.model.argument_limits import LIFETIMES
from autology.model.memory import DEDUPES, MERGES, Kind
from autology.tools.arguments import Arguments, Maybe, Schema, field, one_of
from autology.tools.tool import MEMORY, Json, Tool
from autology.wire.project import Project

_PART: Schema = {"type": "string"}
_ITEM: Schema = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", **one_of(Kind)},
        "content": {
            "type": "string",
            "description": "Self-contained.",
        },
        "scope": {
            "type": "object",
            "properties": {"org": _PART, "project": _PART, "branch": _PART},
            "description": "Default: this project and branch.",
        },
        "metadata": {"type": "object", "description": "Further fields."},
        "data": {
            "type": "object",
            "description": "The kind's own fields.",
        },
        "tags": {"type": "array", "items": {"type": "string"}},
        "id": {"type": "string", "description": "Of a stored item: changes it."},
        "merge": {"type": "string", **one_of(MERGES)},
        "delete": {"type": "boolean", "description": "With an id: to the trash."},
        "ttl_policy": {"type": "string", **one_of(LIFETIMES), "description": "30, 90, 365 days, for ever."},
        "idempotency_key": {"type": "string", "description": "Stored once per key."},
        "dedupe": {"type": "string", **one_of(DEDUPES)},
    },
}


class Store(Arguments):
    """Arguments of memory_store; the core validates each item, so that an invalid one does not stop the others."""

    model_config = ConfigDict(json_schema_extra={"required": ["items"]})

    items: Annotated[
        Any,
        WithJsonSchema({"type": "array", "items": _ITEM}),
    ] = None
    dedupe: Maybe[str] = field("suggest: store and name duplicates; off: do not check.", None, enum=DEDUPES)


def act(project: Project, args: Store) -> Json:
    """Store the items and return the outcome of each."""
    from autology.render import memory_items

    dedupe = project.settings.memory_dedupe if args.dedupe is None else args.dedupe
    return memory_items.stored(*project.audited_memories.store(args.items, dedupe))


TOOL = Tool(
    name="memory_store",
    title="Store memories",
    description=(
        "Store items with a kind, a scope and a lifetime. Use when the user asks to remember facts, todos, "
        "incidents, runbooks, risks and the like, or many at once. Not for what the project decided and why: "
        "autology_capture."
    ),
    arguments=Store,
    act=act,
    destroys=True,
    hint="store remember save keep memory items facts entities relations observations todos incidents risks cortex",
    group=MEMORY,
)
