"""Searching memories here and on the team's hub, in one list that names the owner of each shared one."""

from __future__ import annotations

from dataclasses import replace

from autology.core.likelihood import IndexedQuestion, Passage
from autology.core.memory.find import FoundMemories, FoundMemory, Request, beside, find, found_memory, passes
from autology.core.memory.memories import Memories
from autology.core.team import NO_TEAM, TeamHit, TeamSearch
from autology.model.argument_limits import FAST, MEMORY_MODES, RESULTS
from autology.model.entry import MEMORY
from autology.model.errors import UnreadableNodeError
from autology.model.memory import Scope, kind
from autology.model.query import Filter
from autology.ranking.evidence import ordering
from autology.text.language.timestamps import stamp
from autology.text.notes.memory_file import read_memory

BEYOND = f"the team was not subject: it is for the first {RESULTS} items alone"


def find_with_team(memories: Memories, request: Request, team: TeamSearch | None) -> FoundMemories:
    """Return the memories that best answer *request*, here and on the team's servers.

    Raises:
        AutologyError: as :func:`~autology.core.memory.find.find` does; servers that failed are only named.
    """
    stop = request.offset + request.wanted if request.mode in MEMORY_MODES else RESULTS + 1
    if team is None or not 0 < stop <= RESULTS or request.offset < 0:
        own = find(memories, request)
        return replace(own, notes=(*own.notes, NO_TEAM if team is None else BEYOND))
    own = find(memories, replace(request, offset=0, limit=stop))
    where = Filter(
        kind=MEMORY,
        types=tuple(kind(name).value for name in request.types),
        scope=request.scope,
        alive_at=None if request.include_expired else stamp(memories.now()),
    )
    shared, notes = team.search(own.request.query, where, stop, memories.index.by_ids, request.mode != FAST)
    here = memories.index.by_ids([hit.source.id for hit in shared])
    theirs = [item for hit in shared if hit.source.id not in here and (item := _item(hit, where)) is not None]
    subject = IndexedQuestion(memories.index, own.request.query)
    matches = subject.matches([Passage(item.id, beside(item), item.content) for item in theirs])
    theirs = [
        replace(item, score=round(match.likelihood, 4), relevance=item.score)
        for item, match in zip(theirs, matches, strict=True)
    ]
    both = sorted([*own.items, *theirs], key=lambda item: -ordering(item.relevance, item.score))
    result = replace(
        own,
        request=replace(own.request, offset=request.offset, limit=request.limit),
        items=tuple(both[request.offset : stop]),
        total_found=own.total_found + len(theirs),
        verdict=own.verdict.beside(subject, matches),
        notes=(*own.notes, *notes),
    )
    return result.only_answers() if request.only_answers else result


def _item(hit: TeamHit, where: Filter) -> FoundMemory | None:
    """Return a shared hit as an item; None if its file no longer passes *where*."""
    source = hit.source
    if hit.file is not None:
        try:
            memory = read_memory(hit.file)
        except UnreadableNodeError:
            return None
        if (memory.scope.branch is not None and memory.scope.project is None) or not passes(memory, where):
            return None
        return replace(found_memory(memory, round(hit.score, 4)), whose=hit.whose)
    if source.branch is not None and source.scope_project is None:
        return None  # has a branch but no project, stored by an earlier version
    return FoundMemory(
        id=source.id,
        kind=source.type,
        content=hit.text,
        scope=Scope(source.org, source.scope_project, source.branch),
        created_at=source.created,
        updated_at=source.modified,
        score=round(hit.score, 4),
        whose=hit.whose,
    )
