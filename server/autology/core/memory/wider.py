"""Finding memories here and in what the team shares: one list, each item with whose it is."""

from __future__ import annotations

from dataclasses import replace

from autology.core.memory.find import FAST, LIMIT, MODES, FoundMemories, Item, Request, find, item_of
from autology.core.memory.memories import Memories
from autology.core.wider import NO_TEAM, Found, Wider
from autology.model.entry import MEMORY
from autology.model.errors import UnreadableNodeError
from autology.model.memory import Scope, kind
from autology.model.query import Filter
from autology.text.memoryfile import read_memory
from autology.text.times import stamp

BEYOND = f"the team was not asked: it is for the first {LIMIT} items alone"


def find_wider(memories: Memories, request: Request, team: Wider | None) -> FoundMemories:
    """Return the memories that best answer *request*, here and on the team's servers.

    Raises:
        AutologyError: as :func:`~autology.core.memory.find.find` does; a server that is away is only named.
    """
    stop = request.offset + request.wanted if request.mode in MODES else LIMIT + 1
    if team is None or not 0 < stop <= LIMIT or request.offset < 0:
        own = find(memories, request)
        return replace(own, notes=(*own.notes, NO_TEAM if team is None else BEYOND))
    own = find(memories, replace(request, offset=0, limit=stop))
    where = Filter(
        kind=MEMORY,
        types=tuple(kind(each).value for each in request.types),
        scope=request.scope,
        alive_at=None if request.include_expired else stamp(memories.now()),
    )
    found, notes = team.search(own.query, where, stop, memories.index.by_ids, request.mode != FAST)
    here = memories.index.by_ids([each.source.id for each in found])
    theirs = [item for each in found if each.source.id not in here and (item := _item(each, where)) is not None]
    both = sorted([*own.items, *theirs], key=lambda item: -item.score)
    return replace(
        own,
        request=request,
        items=tuple(both[request.offset : stop]),
        total_found=own.total_found + len(theirs),
        notes=(*own.notes, *notes),
    )


def _item(found: Found, where: Filter) -> Item | None:
    """Return what was found as an item; None where its file says now that it is not what was asked for."""
    source = found.source
    if found.file is not None:
        try:
            memory = read_memory(found.file)
        except UnreadableNodeError:
            return None
        placed = memory.scope.branch is None or memory.scope.project is not None
        passes = placed and (where.scope is None or where.scope.covers(memory.scope))
        return replace(item_of(memory, round(found.score, 4)), whose=found.whose) if passes else None
    if source.branch is not None and source.scope_project is None:
        return None  # a branch of no project, which an earlier version stored
    return Item(
        id=source.id,
        kind=source.type,
        content=found.text,
        scope=Scope(source.org, source.scope_project, source.branch),
        created_at=source.created,
        updated_at=source.modified,
        score=round(found.score, 4),
        whose=found.whose,
    )
