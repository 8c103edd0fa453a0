"""memory_store: storing, changing and deleting memories, up to a hundred at once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, WithJsonSchema

from autology.model.memory import CONTENT_BYTES, DEDUPES, ID_LIMIT, MERGES, SCOPE_LIMIT, Kind
from autology.model.options import LIFETIMES, MEMORY_BATCH
from autology.tools.arguments import Arguments, Maybe, Schema, field, one_of
from autology.tools.tool import MEMORY, Json, Tool
from autology.wire.project import Project

_PART: Schema = {"type": "string", "maxLength": SCOPE_LIMIT}
_ITEM: Schema = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", **one_of(Kind)},
        "content": {
            "type": "string",
            "maxLength": CONTENT_BYTES,
            "description": "The fact to remember, in a self-contained text.",
        },
        "scope": {
            "type": "object",
            "properties": {"org": _PART, "project": _PART, "branch": _PART},
            "additionalProperties": False,
            "description": "Who it is for. If omitted, this project and branch; a branch alone is one of this project.",
        },
        "metadata": {"type": "object", "description": "Any further fields."},
        "data": {
            "type": "object",
            "description": "The kind's own fields; if any is given, the required ones are checked.",
        },
        "tags": {"type": "array", "items": {"type": "string"}},
        "id": {"type": "string", "maxLength": ID_LIMIT, "description": "The id of a stored item changes that item."},
        "merge": {"type": "string", **one_of(MERGES), "description": "How a change is merged with the stored item."},
        "delete": {"type": "boolean", "description": "With an id: moves that item to the trash."},
        "ttl_policy": {"type": "string", **one_of(LIFETIMES), "description": "30, 90 or 365 days, or never expires."},
        "idempotency_key": {"type": "string", "description": "Calls with the same key store the item only once."},
        "dedupe": {"type": "string", **one_of(DEDUPES)},
    },
}


class Store(Arguments):
    """Arguments of memory_store; the core validates each item, so that an invalid one does not stop the others."""

    model_config = ConfigDict(json_schema_extra={"required": ["items"]})

    items: Annotated[
        Any,
        WithJsonSchema(
            {"type": "array", "items": _ITEM, "minItems": 1, "maxItems": MEMORY_BATCH, "description": "1-100."}
        ),
    ] = None
    dedupe: Maybe[str] = field(
        "skip: leave out duplicates. suggest: store and name them. off: do not check.", None, enum=DEDUPES
    )


def act(project: Project, args: Store) -> Json:
    """Store the items and return the outcome of each."""
    from autology.render import memory_items

    dedupe = project.settings.memory_dedupe if args.dedupe is None else args.dedupe
    return memory_items.stored(*project.ledger.store(args.items, dedupe))


TOOL = Tool(
    name="memory_store",
    title="Store memories",
    description=(
        "Store items of knowledge with a kind, a scope and a lifetime: entities and their relations, observations, "
        "sections, runbooks, changes, issues, decisions, todos, release notes, schema changes, pull requests, "
        "incidents, releases, risks, assumptions. Use it when the user asks to remember such facts, or for many at "
        "once. Not for what the project decided and why: that is autology_capture. An item with the id of a stored one "
        "changes that one; {id, delete: true} moves it to the trash. Duplicates are left out. Secrets are "
        "redacted. Returns the outcome of each item, with its id and the reason, and errors by item."
    ),
    arguments=Store,
    act=act,
    destroys=True,
    hint="store remember save keep memory items facts entities relations observations todos incidents risks cortex",
    group=MEMORY,
)
