"""Pushing memories: local changes are queued, sent in order, and merged with changes that others sent first."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from autology.core.content.files import Stamp
from autology.core.index.changes import Put
from autology.core.memory.memories import USER, Memories
from autology.hub.model import CONFLICT, MEMORY_PATH, Offer, OfferResult, Space
from autology.hub.ports import Hub
from autology.hub.sync import memory_files
from autology.hub.sync.memory_files import is_readable, space_of
from autology.hub.sync.outbox import Outbox
from autology.model.entry import MEMORY
from autology.model.errors import HubAwayError, HubError
from autology.model.memory import Memory
from autology.model.next_step import Sentence
from autology.text.language.timestamps import stamp
from autology.text.notes.memory_file import read_memory
from autology.text.notes.three_way_merge import merge_text
from autology.text.redaction import redact

CLOCK_SKEW = timedelta(days=7)
"""Tolerated clock error: a memory that expired more recently by this machine's clock is not deleted for everyone."""
ROUNDS = 3
"""How often a merged memory is sent again at once; after that, the next push sends it."""


@dataclass(slots=True)
class PushResult:
    """The numbers of offers sent, still waiting and merged in the last round, the conflict files, and messages."""

    sent: int = 0
    waiting: int = 0
    merged: int = 0
    conflicts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def queue_changes(memories: Memories, outbox: Outbox, org: str) -> int:
    """Queue all of the user's memories for *org* that differ from the version they are based on; return how many.

    Memories of the current project are among its files and are shared with them. A memory in conflict is queued once it
    is edited, or once the conflict file is deleted, which keeps the local text.
    """
    local_ids: dict[Space, set[str]] = {}
    queued = 0
    any_unreadable = False
    for path in memories.index.stamps(MEMORY):
        if not path.startswith(USER):
            continue
        if (local := memory_files.read(memories, path)) is None:
            any_unreadable = True
            continue
        memory, text = local
        space = space_of(memory.scope, org)
        if space is None:
            continue
        local_ids.setdefault(space, set()).add(memory.id)
        base, base_text = outbox.version(space, memory.id)
        clean = redact(text)[0]
        if clean != base_text and outbox.undecided(space, memory.id) != (clean,):
            queued += 1
            outbox.put(_offer(memories, space, memory, base, clean))
    # An unreadable file may be any memory's, so that none can be said to be deleted.
    known_spaces = {space for space in outbox.spaces() if space.org == org}
    for space in () if any_unreadable else local_ids.keys() | known_spaces | {Space(org)}:
        queued += _queue_deletions(memories, outbox, space, local_ids.get(space, set()))
    return queued


def _queue_deletions(memories: Memories, outbox: Outbox, space: Space, local_ids: set[str]) -> int:
    queued = 0
    for id, base in outbox.known(space).items():
        text = None if id in local_ids else outbox.version(space, id)[1]
        if text is not None and not _has_just_expired(memories, text) and outbox.undecided(space, id) != (None,):
            outbox.put(Offer(memories.new_id(), space, id, base, "", None, None))
            queued += 1
    return queued


def _has_just_expired(memories: Memories, text: str) -> bool:
    """Whether the memory expired recently: each machine removes such memories by its own clock."""
    now = memories.now()
    expires_at = read_memory(text).expires_at if is_readable(text) else None
    return expires_at is not None and stamp(now - CLOCK_SKEW) < expires_at <= stamp(now)


def _offer(memories: Memories, space: Space, memory: Memory, base: int, text: str) -> Offer:
    return Offer(memories.new_id(), space, memory.id, base, memory.kind.value, memory.scope.branch, text)


def send_queued(memories: Memories, outbox: Outbox, hub: Hub) -> PushResult:
    """Send the queued offers in order, each applied at most once; conflicts are written to files.

    Offers to an unreachable server, and offers that a server refuses, stay queued in their order.
    """
    result = PushResult()
    for _ in range(ROUNDS):
        result.waiting = result.merged = 0
        _send_round(memories, outbox, hub, result)
        if not result.merged:
            break
    return result


def _send_round(memories: Memories, outbox: Outbox, hub: Hub, result: PushResult) -> None:
    unreachable: set[str] = set()
    hubs: dict[Space, Hub] = {}
    for offer in outbox.waiting():
        target = hubs.setdefault(offer.space, hub.in_space(offer.space))
        if target.place in unreachable:
            result.waiting += 1
            continue
        try:
            remote = target.store(offer, _index_entry(memories, offer))
        except HubError as error:
            if isinstance(error, HubAwayError):
                unreachable.add(target.place)
            result.notes.append(Sentence(f"{offer.id}, for {offer.space}: ", error.message))
            result.waiting += 1
            continue
        if remote.outcome == CONFLICT:
            outbox.done(offer)  # after a crash here the file still differs from its base, and is queued again
            _resolve(memories, outbox, offer, remote, result)
        else:
            outbox.settle(offer.space, offer.id, remote.version, offer.file)
            outbox.done(offer)
            result.sent += 1


def _index_entry(memories: Memories, offer: Offer) -> Put | None:
    if offer.file is None:
        return None
    memory = read_memory(offer.file)
    return memories.codec.project(f"{MEMORY_PATH}{memory.id}", Stamp(len(offer.file), 0), memory)


def _resolve(memories: Memories, outbox: Outbox, offer: Offer, remote: OfferResult, result: PushResult) -> None:
    """Merge both sides and queue the result; if they contradict, write a conflict file instead."""
    base = outbox.version(offer.space, offer.id)[1] or ""
    mine = memory_files.text_of(memories, offer.id, offer.kind)
    if (redact(mine)[0] if mine is not None else None) != offer.file:
        result.notes.append(f"{offer.id} was changed while it was sent: the next push sends the present text")
        result.waiting += 1
        return
    if mine is not None and remote.file is not None:
        merged = merge_text(base, mine, remote.file)  # the local text: redacted secrets stay in the local file
        if (
            not merged.conflicts
            and is_readable(merged.text)
            and memory_files.write(memories, offer.id, merged.text, mine)
        ):
            outbox.settle(offer.space, offer.id, remote.version, remote.file)
            memory = read_memory(merged.text)
            outbox.put(_offer(memories, offer.space, memory, remote.version, redact(merged.text)[0]))
            result.notes.append(f"{offer.id}: {remote.login}'s changes and yours were merged")
            result.waiting += 1
            result.merged += 1
            return
    if offer.file is not None and remote.file is not None:
        text = merge_text(base, offer.file, remote.file).text
    else:
        text = (
            f"<<<<<<< yours\n{_with_newline(offer.file)}=======\n{_with_newline(remote.file)}>>>>>>> {remote.login}\n"
        )
    result.conflicts.append(outbox.conflict(offer, remote, text))


def _with_newline(text: str | None) -> str:
    """Return *text* ending in a newline, so that a conflict marker can follow."""
    return "" if not text else text if text.endswith("\n") else f"{text}\n"
