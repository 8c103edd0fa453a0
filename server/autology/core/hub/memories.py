"""Memories of wider scope: offered to the hub in order, brought from it, and both sides shown where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from autology.core.hub.port import CONFLICT, KEPT_AT, Answer, Held, Hub, Offer, Outbox, Space
from autology.core.memory.memories import USER, Memories, decode
from autology.core.memory.trash import discarding
from autology.core.ports import Change, Put, Stamp
from autology.model.entry import MEMORY
from autology.model.errors import ConflictError, HubAwayError, HubError, StorageError, UnreadableNodeError
from autology.model.memory import Memory, Scope
from autology.text.memoryfile import read_memory
from autology.text.redact import redact
from autology.text.threeway import merge_text

ROUNDS = 3
"""How often what was put together is sent at once; somebody who is faster every time is met by the next push."""


@dataclass(slots=True)
class Exchanged:
    """What came of an exchange: memories sent and brought, those that still wait, conflicts, and what to know."""

    sent: int = 0
    brought: int = 0
    removed: int = 0
    waiting: int = 0
    merged: int = 0
    conflicts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def space_of(scope: Scope, org: str) -> Space | None:
    """Return the space that a memory of that *scope* belongs to; None where it is nobody's but its user's."""
    return Space(org, scope.project or "") if scope.org == org else None


def offered(memories: Memories, outbox: Outbox, org: str) -> int:
    """Put into the outbox every memory of wider scope that differs from what it was last made of; return how many.

    Those of the project that one works in are its files, and go with them. One that is in conflict waits until somebody
    changes it, or deletes what shows the conflict: that is to keep it as it is.
    """
    known: dict[Space, set[str]] = {}
    many = 0
    unread = False
    for path in memories.index.stamps(MEMORY):
        if not path.startswith(USER):
            continue
        if (held := _local(memories, path)) is None:
            unread = True
            continue
        memory, text = held
        space = space_of(memory.scope, org)
        if space is None:
            continue
        known.setdefault(space, set()).add(memory.id)
        base, before = outbox.version(space, memory.id)
        clean = redact(text)[0]
        if clean != before and outbox.undecided(space, memory.id) != (clean,):
            many += 1
            outbox.put(_offer(memories, space, memory, base, clean))
    # Whose file it is that cannot be read now nobody knows, and one that is there was not taken away.
    for space in () if unread else known.keys() | {Space(org)}:
        many += _taken_away(memories, outbox, space, known.get(space, set()))
    return many


def _taken_away(memories: Memories, outbox: Outbox, space: Space, there: set[str]) -> int:
    many = 0
    for id, base in outbox.known(space).items():
        taken = id not in there and outbox.version(space, id)[1] is not None
        if taken and outbox.undecided(space, id) != (None,):
            outbox.put(Offer(memories.new_id(), space, id, base, "", None, None))
            many += 1
    return many


def _offer(memories: Memories, space: Space, memory: Memory, base: int, text: str) -> Offer:
    return Offer(memories.new_id(), space, memory.id, base, memory.kind.value, memory.scope.branch, text)


def sent(memories: Memories, outbox: Outbox, hub: Hub) -> Exchanged:
    """Send what waits, in order, each at most once whatever happens; what comes into conflict is put aside and shown.

    A server that is away stops what goes to it; what it refuses stops nothing else. Both wait, in their order.
    """
    result = Exchanged()
    for _ in range(ROUNDS):
        result.waiting = result.merged = 0
        _send(memories, outbox, hub, result)
        if not result.merged:
            break
    return result


def _send(memories: Memories, outbox: Outbox, hub: Hub, result: Exchanged) -> None:
    away: set[str] = set()
    hubs: dict[Space, Hub] = {}
    for offer in outbox.waiting():
        there = hubs.setdefault(offer.space, hub.at(offer.space))
        if there.place in away:
            result.waiting += 1
            continue
        try:
            answer = there.keep(offer, _put(memories, offer))
        except HubError as error:
            if isinstance(error, HubAwayError):
                away.add(there.place)
            result.notes.append(f"{offer.id}, for {offer.space}: {error}")
            result.waiting += 1
            continue
        if answer.outcome == CONFLICT:
            outbox.done(offer)  # stopped here, the file differs still from what it was made of, and is offered again
            _differ(memories, outbox, offer, answer, result)
        else:
            outbox.settle(offer.space, offer.id, answer.version, offer.file)
            outbox.done(offer)
            result.sent += 1


def _put(memories: Memories, offer: Offer) -> Put | None:
    if offer.file is None:
        return None
    memory = read_memory(offer.file)
    return memories.projected(f"{KEPT_AT}{memory.id}", Stamp(len(offer.file), 0), memory)


def _differ(memories: Memories, outbox: Outbox, offer: Offer, answer: Answer, result: Exchanged) -> None:
    """Put both sides' changes together; what contradicts stands between markers, and the local file stays."""
    base = outbox.version(offer.space, offer.id)[1] or ""
    if offer.file is not None and answer.file is not None:
        merged = merge_text(base, offer.file, answer.file)
        if not merged.conflicts and _readable(merged.text) and _write(memories, offer.id, merged.text):
            outbox.settle(offer.space, offer.id, answer.version, answer.file)
            memory = read_memory(merged.text)
            outbox.put(_offer(memories, offer.space, memory, answer.version, merged.text))
            result.notes.append(f"{offer.id}: {answer.login}'s changes and yours were put together")
            result.waiting += 1
            result.merged += 1
            return
        text = merged.text
    else:
        text = f"<<<<<<< yours\n{offer.file or ''}=======\n{answer.file or ''}>>>>>>> {answer.login}\n"
    result.conflicts.append(outbox.conflict(offer, answer, text))


def brought(memories: Memories, outbox: Outbox, hub: Hub, spaces: Iterable[Space]) -> Exchanged:
    """Bring what others kept in *spaces* into the user's memories; what one changed oneself stays until it is sent."""
    result = Exchanged()
    waiting = {(offer.space, offer.id) for offer in outbox.waiting()}
    for space in spaces:
        there = hub.at(space)
        try:
            known = outbox.known(space)
            newer = [id for id, version in there.versions().items() if version > known.get(id, 0)]
            for held in there.held(newer):
                if (space, held.id) in waiting:
                    result.notes.append(
                        f"{held.id} was changed here and by {held.login}: `autology hub push` puts both together"
                    )
                elif outbox.undecided(space, held.id) is not None:
                    result.notes.append(
                        f"{held.id} is in conflict, and {held.login} changed it again: change it to what is meant, then"
                        " `autology hub push`"
                    )
                elif _is_anothers(memories, space, held.id):
                    result.notes.append(
                        f"{held.id}, which {held.login} kept, has the id of a memory of yours that is not for {space};"
                        " yours stays, the hub keeps the other"
                    )
                else:
                    _bring(memories, outbox, space, held, result)
        except HubError as error:
            result.notes.append(str(error))
    return result


def _bring(memories: Memories, outbox: Outbox, space: Space, held: Held, result: Exchanged) -> None:
    if held.file is None:
        result.removed += _remove(memories, held.id)
    elif _is_for(space, held.file) and _write(memories, held.id, held.file):
        result.brought += 1
    else:
        result.notes.append(f"{held.id}, which {held.login} kept, cannot be written here; the hub keeps it")
        return
    outbox.settle(space, held.id, held.version, held.file)


def _readable(text: str) -> bool:
    try:
        read_memory(text)
    except UnreadableNodeError:
        return False
    return True


def _is_for(space: Space, text: str) -> bool:
    """Whether *text* is a memory that belongs to *space*: another would be private here, or go on to another team."""
    return _readable(text) and space_of(read_memory(text).scope, space.org) == space


def _is_anothers(memories: Memories, space: Space, id: str) -> bool:
    """Whether something of that id is there that does not belong to *space*."""
    source = memories.source(id)
    return source is not None and (source.org, source.scope_project or "") != (space.org, space.project)


def _local(memories: Memories, path: str) -> tuple[Memory, str] | None:
    root = memories.root_of(path)
    try:
        data, _ = root.files.read(root.inner(path))
        return decode(data, path), data.decode("utf-8")
    except (FileNotFoundError, StorageError, UnreadableNodeError):
        return None


def _write(memories: Memories, id: str, text: str) -> bool:
    """Write the user's own file of that memory, wherever it lies now; false where that would lose what it says."""
    memory = read_memory(text)
    path = f".autology/memory/{memory.kind.value}/{memory.id}.md"
    changes = list(_before(memories, id, path))
    data = text.encode("utf-8")
    current = next((change.before for change in changes if change.path == path), None)
    if current == data:
        return True
    if current is not None and _local(memories, f"{USER}{path}") is None:
        return False  # what somebody wrote there, though it is no memory now
    moved = [Change(change.path, change.before, None) for change in changes if change.path != path]
    return memory.id == id and _commit(memories, [*moved, Change(path, current, data)], {f"{USER}{path}": memory})


def _remove(memories: Memories, id: str) -> bool:
    root, stored = memories.roots[1], memories.stored(id)
    if stored is None or not stored.path.startswith(USER):
        return False
    return _commit(memories, discarding(root, stored, memories.stamp()), {})


def _before(memories: Memories, id: str, path: str) -> Iterator[Change]:
    """Yield the user's files that hold that memory, and the one at *path*, as they are now."""
    root = memories.roots[1]
    source = memories.source(id)
    own = [root.inner(source.path)] if source is not None and source.path.startswith(USER) else []
    for each in dict.fromkeys([*own, *([path] if path else [])]):
        try:
            yield Change(each, root.files.read(each)[0], None)
        except FileNotFoundError:
            continue


def _commit(memories: Memories, changes: Sequence[Change], held: dict[str, Memory]) -> bool:
    own = memories.roots[1]
    try:
        with own.files.locked():
            memories.commit(own, changes, held)
    except ConflictError:
        return False
    return True
