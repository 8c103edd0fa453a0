"""Memories of wider scope: offered to the hub in order, brought from it, and both sides shown where they differ."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from autology.core.content.draft import Draft
from autology.core.hub.port import CONFLICT, KEPT_AT, Answer, Held, Hub, Offer, Outbox, Space
from autology.core.memory import trash
from autology.core.memory.memories import USER, Memories
from autology.core.ports import Put, Stamp
from autology.model.entry import MEMORY
from autology.model.errors import ConflictError, HubAwayError, HubError, StorageError, UnreadableNodeError
from autology.model.memory import Memory, Scope, memory_path
from autology.text.memoryfile import read_memory
from autology.text.redact import redact
from autology.text.threeway import merge_text
from autology.text.times import stamp

SKEW = timedelta(days=7)
"""How wrong a clock may be: what one machine takes for over so shortly is not taken from all others."""
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
    made_of = {space for space in outbox.spaces() if space.org == org}
    for space in () if unread else known.keys() | made_of | {Space(org)}:
        many += _taken_away(memories, outbox, space, known.get(space, set()))
    return many


def _taken_away(memories: Memories, outbox: Outbox, space: Space, there: set[str]) -> int:
    many = 0
    for id, base in outbox.known(space).items():
        text = None if id in there else outbox.version(space, id)[1]
        if text is not None and not _is_over(memories, text) and outbox.undecided(space, id) != (None,):
            outbox.put(Offer(memories.new_id(), space, id, base, "", None, None))
            many += 1
    return many


def _is_over(memories: Memories, text: str) -> bool:
    """Whether the time of that memory was over not long ago: each machine takes such out itself, by its own clock."""
    now = memories.now()
    expires_at = read_memory(text).expires_at if _readable(text) else None
    return expires_at is not None and stamp(now - SKEW) < expires_at <= stamp(now)


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
    return memories.codec.project(f"{KEPT_AT}{memory.id}", Stamp(len(offer.file), 0), memory)


def _differ(memories: Memories, outbox: Outbox, offer: Offer, answer: Answer, result: Exchanged) -> None:
    """Put both sides' changes together; what contradicts stands between markers, and the local file stays."""
    base = outbox.version(offer.space, offer.id)[1] or ""
    mine = _text(memories, offer.id, offer.kind)
    if (redact(mine)[0] if mine is not None else None) != offer.file:
        result.notes.append(f"{offer.id} was changed while it was sent: the next push offers it as it is now")
        result.waiting += 1
        return
    if mine is not None and answer.file is not None:
        merged = merge_text(base, mine, answer.file)  # a secret that never left stays in the local file
        if not merged.conflicts and _readable(merged.text) and _write(memories, offer.id, merged.text, mine):
            outbox.settle(offer.space, offer.id, answer.version, answer.file)
            memory = read_memory(merged.text)
            outbox.put(_offer(memories, offer.space, memory, answer.version, redact(merged.text)[0]))
            result.notes.append(f"{offer.id}: {answer.login}'s changes and yours were put together")
            result.waiting += 1
            result.merged += 1
            return
    if offer.file is not None and answer.file is not None:
        text = merge_text(base, offer.file, answer.file).text
    else:
        text = f"<<<<<<< yours\n{_ended(offer.file)}=======\n{_ended(answer.file)}>>>>>>> {answer.login}\n"
    result.conflicts.append(outbox.conflict(offer, answer, text))


def _ended(text: str | None) -> str:
    """Return *text* with its last line ended, so that a marker after it stands at a line's beginning."""
    return "" if not text else text if text.endswith("\n") else f"{text}\n"


def reconciled(outbox: Outbox, hub: Hub, spaces: Iterable[Space]) -> int:
    """Have what the hub lost be offered anew, as after it was restored from a backup; return how many memories.

    Raises:
        HubError: it cannot be asked.
    """
    many = 0
    for space in spaces:
        there = hub.at(space)
        known, versions = outbox.known(space), there.versions()
        lost = [
            id for id, version in known.items() if versions.get(id, 0) < version and outbox.undecided(space, id) is None
        ]
        left = {held.id: held for held in there.held(lost)} if lost else {}
        for id in lost:
            held = left.get(id)
            outbox.settle(space, id, held.version if held else 0, held.file if held else None)
        many += len(lost)
    return many


def brought(memories: Memories, outbox: Outbox, hub: Hub, spaces: Iterable[Space]) -> Exchanged:
    """Bring what others kept in *spaces* into the user's memories; what one changed oneself stays until it is sent.

    No text goes but what the hub has: what it does not have is put together with what comes, or lies in the trash.
    """
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
    base = outbox.version(space, held.id)[1]
    mine = _text(memories, held.id, held.kind)
    if mine is not None and not _readable(mine):
        result.notes.append(f"{held.id}, which {held.login} kept, cannot be written here; the hub keeps it")
        return
    if mine is not None and redact(mine)[0] != base:
        result.notes.append(f"{held.id} was changed here meanwhile: `autology hub push` puts both together")
        return
    if held.file is None:
        done = mine is None or _remove(memories, held.id, mine)
        result.removed += done and mine is not None
    else:
        done = _is_for(space, held.file) and _take_over(memories, held.id, base or "", mine, held.file)
        result.brought += done
    if not done:
        result.notes.append(f"{held.id}, which {held.login} kept, cannot be written here; the hub keeps it")
        return
    outbox.settle(space, held.id, held.version, held.file)


def _take_over(memories: Memories, id: str, base: str, mine: str | None, theirs: str) -> bool:
    """Write *theirs*, and leave what of the local text never left this machine; whether that could be done."""
    if mine is None or mine == base:
        return _write(memories, id, theirs, mine)
    merged = merge_text(base, mine, theirs)
    if not merged.conflicts and _readable(merged.text) and redact(merged.text)[0] == theirs:
        return _write(memories, id, merged.text, mine)
    return _write(memories, id, theirs, mine, aside=True)


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
        return root.codec.parse(data, path), data.decode("utf-8")
    except (FileNotFoundError, StorageError, UnreadableNodeError):
        return None


def _text(memories: Memories, id: str, kind: str) -> str | None:
    """Return what the user's own file of that memory says now, whatever that is; None where there is none."""
    source = memories.source(id)
    if source is None and not kind:
        return None
    path = source.path if source is not None and source.path.startswith(USER) else f"{USER}{memory_path(kind, id)}"
    root = memories.root_of(path)
    try:
        return root.files.read(root.inner(path))[0].decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def _write(memories: Memories, id: str, text: str, expected: str | None, aside: bool = False) -> bool:
    """Write the user's own file of that memory, wherever it lies now; false unless it is as *expected*.

    With *aside* what it said lies in the trash.
    """
    memory = read_memory(text)
    own = memories.roots[1]
    path = memory.path
    before = _before(memories, id, path)
    if memory.id != id or list(before.values()) != ([] if expected is None else [expected.encode("utf-8")]):
        return False
    data = text.encode("utf-8")
    if before.get(path) == data:
        return True
    draft = Draft(own)
    if aside and (stored := memories.stored(id)) is not None and stored.path.startswith(USER):
        trash.discard(draft, stored, memories.stamp())
    for other in before.keys() - {path}:
        draft.stage(other, before[other], None)
    draft.stage(path, before.get(path), data, memory)
    return _commit(draft)


def _remove(memories: Memories, id: str, expected: str) -> bool:
    stored = memories.stored(id)
    if stored is None or not stored.path.startswith(USER) or stored.data != expected.encode("utf-8"):
        return False
    draft = Draft(memories.roots[1])
    trash.discard(draft, stored, memories.stamp())
    return _commit(draft)


def _before(memories: Memories, id: str, path: str) -> dict[str, bytes]:
    """Return the user's files that hold that memory, and the one at *path*, as they are now."""
    own, source = memories.roots[1], memories.source(id)
    indexed = own.inner(source.path) if source is not None and source.path.startswith(USER) else path
    found: dict[str, bytes] = {}
    for each in (indexed, path):
        with suppress(FileNotFoundError):
            found[each] = own.files.read(each)[0]
    return found


def _commit(draft: Draft[Memory]) -> bool:
    own = draft.collection
    try:
        with own.writer.locked():
            own.commit(draft)
    except ConflictError:
        return False
    return True
