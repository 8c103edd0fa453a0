"""memory_store: memories stored, changed and deleted, up to a hundred at once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field, WithJsonSchema

from autology.model.memory import CONTENT_BYTES, DEDUPES, ID_LIMIT, MERGES, SCOPE_LIMIT, Kind
from autology.tools.arguments import Arguments, Maybe, Schema, one_of
from autology.tools.project import Project
from autology.tools.tool import MEMORY, Json, Tool

MOST = 100
LIFETIMES = ("short", "default", "long", "permanent")

_PART: Schema = {"type": "string", "maxLength": SCOPE_LIMIT}
_ITEM: Schema = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", **one_of(Kind)},
        "content": {
            "type": "string",
            "maxLength": CONTENT_BYTES,
            "description": "What is to be known, in words that stand on their own.",
        },
        "scope": {
            "type": "object",
            "properties": {"org": _PART, "project": _PART, "branch": _PART},
            "additionalProperties": False,
            "description": "Whom it is for. Left out, this project and branch; a branch alone is one of this project.",
        },
        "metadata": {"type": "object", "description": "Whatever else belongs to it."},
        "data": {
            "type": "object",
            "description": "The kind's own fields; required ones are checked when any is given.",
        },
        "tags": {"type": "array", "items": {"type": "string"}},
        "id": {"type": "string", "maxLength": ID_LIMIT, "description": "Of a stored item: changes that one."},
        "merge": {"type": "string", **one_of(MERGES), "description": "How a change meets what is stored."},
        "delete": {"type": "boolean", "description": "With an id: moves that item to the trash."},
        "ttl_policy": {"type": "string", **one_of(LIFETIMES), "description": "30, 90 or 365 days, or for ever."},
        "idempotency_key": {"type": "string", "description": "The same key stores the same item once."},
        "dedupe": {"type": "string", **one_of(DEDUPES)},
    },
}


class Store(Arguments):
    """What memory_store takes; each item is checked by the core, so that one that does not fit stops no other."""

    model_config = ConfigDict(json_schema_extra={"required": ["items"]})

    items: Annotated[
        Any, WithJsonSchema({"type": "array", "items": _ITEM, "minItems": 1, "maxItems": MOST, "description": "1-100."})
    ] = None
    dedupe: Maybe[str] = Field(
        default=None,
        description="skip: what is stored already is left out. suggest: it is stored and named. off: not looked for.",
        json_schema_extra=one_of(DEDUPES),
    )


def act(project: Project, given: Store) -> Json:
    """Store what was given and return what became of each item."""
    from autology import remembered

    dedupe = project.settings.memory_dedupe if given.dedupe is None else given.dedupe
    result, done = project.ledger.store(given.items, dedupe)
    return remembered.stored(result, done.id, done.audit_logged)


TOOL = Tool(
    name="memory_store",
    title="Store memories",
    description=(
        "Store items of knowledge with a kind, a scope and a lifetime: entities and their relations, observations, "
        "sections, runbooks, changes, issues, decisions, todos, release notes, schema changes, pull requests, "
        "incidents, releases, risks, assumptions. Use it when the user asks to remember such facts, or for many at "
        "once. Not for what the project decided and why: that is autology_capture. An item with the id of a stored one "
        "changes that one; {id, delete: true} moves it to the trash. What is stored already is left out. Secrets are "
        "blanked out. Returns for each item what became of it, with its id and the reason, and errors by item."
    ),
    arguments=Store,
    act=act,
    destroys=True,
    hint="store remember save keep memory items facts entities relations observations todos incidents risks cortex",
    group=MEMORY,
)
