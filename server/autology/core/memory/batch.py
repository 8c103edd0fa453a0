"""The items of one call, each checked separately, and the roots in which they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autology.core.content.codec import clean
from autology.core.memory.batch_draft import BatchDraft
from autology.core.memory.index_entry import same_content, same_key
from autology.core.memory.item_input import ItemInput, claimed, read_item
from autology.core.memory.memories import Memories, Root
from autology.core.memory.store_result import Problem
from autology.model.argument_limits import MEMORY_BATCH
from autology.model.entry import MEMORY
from autology.model.errors import AutologyError, InputError, ValidationError
from autology.model.memory import Scope, content_hash


@dataclass(frozen=True, slots=True)
class Batch:
    """The valid items, by their index in the call, and the *unreadable* ones; *here* is the caller's scope.

    Without one, *nowhere* is the reason.
    """

    memories: Memories
    items: Sequence[object]
    inputs: Mapping[int, ItemInput]
    unreadable: Sequence[Problem]
    dedupe: str
    now: str
    here: Scope
    nowhere: ValidationError | None = None

    @classmethod
    def read(cls, memories: Memories, items: object, dedupe: str) -> Batch:
        """Parse *items*, as in a client's JSON. Raises InputError if the call as a whole is unusable."""
        if not isinstance(items, list | tuple):
            raise InputError("items must be an array")
        if not 1 <= len(items) <= MEMORY_BATCH:
            raise InputError(f"items holds {len(items):,}; give 1 to {MEMORY_BATCH}")
        if not any(isinstance(item, Mapping) for item in items):
            raise InputError("items[0] must be an object: {kind, content}")
        here, nowhere = Scope(), None
        try:
            here = memories.default_scope()
        except ValidationError as error:
            nowhere = error
        inputs: dict[int, ItemInput] = {}
        unreadable: list[Problem] = []
        for index, item in enumerate(items):
            try:
                inputs[index] = read_item(item)
            except ValidationError as error:
                unreadable.append(problem(index, item, "VALIDATION_ERROR", error))
        return cls(memories, items, inputs, unreadable, dedupe, memories.stamp(), here, nowhere)

    @property
    def ids(self) -> list[str]:
        """The ids in the items."""
        return [item.id for item in self.inputs.values() if item.id]

    def names(self) -> list[str]:
        """Return the index names under which the items may already be stored."""
        names: list[str] = []
        for item in self.inputs.values():
            if item.kind is None or item.content is None:
                continue
            with suppress(ValidationError):
                scope = self.scope_of(item)
                names.append(same_content(item.kind, scope, content_hash(item.content)))
                names += [same_key(scope, item.idempotency_key)] if item.idempotency_key else []
        return names

    def scope_of(self, item: ItemInput) -> Scope:
        """Return the scope of a new item: its own, else the caller's.

        Without an organisation it gets the caller's, and a branch without a project the caller's project. Raises
        ValidationError if the caller's scope is needed but unknown.
        """
        if self.nowhere is not None:
            if item.scope is not None and not _lacks_project(item.scope):
                return item.scope
            raise self.nowhere
        if item.scope is None:
            return self.here
        project = self.here.project if _lacks_project(item.scope) else item.scope.project
        return Scope(item.scope.org or self.here.org, project, item.scope.branch)

    def roots(self, draft: BatchDraft) -> list[Root]:
        """Return the roots in which items are or will be stored, as far as *draft* knows their ids."""
        needed: list[Root] = []
        for item in self.inputs.values():
            source = draft.source(item.id) if item.id else None
            if source is not None and source.kind == MEMORY:
                needed.append(self.memories.root_of(source.path))
            elif not item.delete:
                with suppress(ValidationError):
                    needed.append(self.memories.root_for(self.scope_of(item), self.here))
        return needed


def problem(index: int, item: object, code: str, error: Exception) -> Problem:
    """Return why *item* was not stored."""
    kind, id = claimed(item)
    return Problem(index, code, clean(error.message if isinstance(error, AutologyError) else str(error)), kind, id)


def _lacks_project(scope: Scope) -> bool:
    """Whether *scope* has a branch but no project."""
    return scope.branch is not None and scope.project is None
