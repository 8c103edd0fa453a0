"""Pulling memories: newer versions of others replace local files that were not edited since the last sync."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from autology.core.memory.memories import Memories
from autology.hub.model import Space, StoredMemory
from autology.hub.ports import Hub
from autology.hub.sync import memory_files
from autology.hub.sync.memory_files import belongs_to, is_readable, is_taken
from autology.hub.sync.outbox import Outbox
from autology.model.errors import HubError
from autology.text.notes.three_way_merge import merge_text
from autology.text.redaction import redact


@dataclass(slots=True)
class PullResult:
    """The numbers of memories written and moved to the trash, and messages about the others."""

    pulled: int = 0
    removed: int = 0
    notes: list[str] = field(default_factory=list)


def requeue_lost(outbox: Outbox, hub: Hub, spaces: Iterable[Space]) -> int:
    """Base local files on what the hub still has after a restore from a backup; return the number of memories lost.

    Such memories then differ from their base, so that the next push sends them.

    Raises:
        HubError: the hub could not be read.
    """
    total = 0
    for space in spaces:
        target = hub.in_space(space)
        known, versions = outbox.known(space), target.versions()
        lost = [
            id for id, version in known.items() if versions.get(id, 0) < version and outbox.undecided(space, id) is None
        ]
        remaining = {stored.id: stored for stored in target.memories(lost)} if lost else {}
        for id in lost:
            stored = remaining.get(id)
            outbox.settle(space, id, stored.version if stored else 0, stored.file if stored else None)
        total += len(lost)
    return total


def pull(memories: Memories, outbox: Outbox, hub: Hub, spaces: Iterable[Space]) -> PullResult:
    """Write newer versions of memories in *spaces* to the user's files; a file with local edits is left for a push.

    No local text is lost unless the hub has it: it is merged into the new text, or moved to the trash.
    """
    result = PullResult()
    queued = {(offer.space, offer.id) for offer in outbox.waiting()}
    for space in spaces:
        target = hub.in_space(space)
        try:
            known = outbox.known(space)
            newer = [id for id, version in target.versions().items() if version > known.get(id, 0)]
            for stored in target.memories(newer):
                if (space, stored.id) in queued:
                    result.notes.append(
                        f"{stored.id} was changed here and by {stored.login}: `autology hub push` merges both"
                    )
                elif outbox.undecided(space, stored.id) is not None:
                    result.notes.append(
                        f"{stored.id} is in conflict, and {stored.login} changed it again: correct it,"
                        " then `autology hub push`"
                    )
                elif is_taken(memories, space, stored.id):
                    result.notes.append(
                        f"{stored.id}, stored by {stored.login}, has the id of a memory of yours that is not for"
                        f" {space}; yours stays, the hub keeps the other"
                    )
                else:
                    _apply(memories, outbox, space, stored, result)
        except HubError as error:
            result.notes.append(error.message)
    return result


def _apply(memories: Memories, outbox: Outbox, space: Space, stored: StoredMemory, result: PullResult) -> None:
    base = outbox.version(space, stored.id)[1]
    mine = memory_files.text_of(memories, stored.id, stored.kind)
    if mine is not None and not is_readable(mine):
        result.notes.append(_unwritable(stored))
        return
    if mine is not None and redact(mine)[0] != base:
        result.notes.append(f"{stored.id} was changed here meanwhile: `autology hub push` merges both")
        return
    if stored.file is None:
        applied = mine is None or memory_files.remove(memories, stored.id, mine)
        result.removed += applied and mine is not None
    else:
        applied = belongs_to(space, stored.file) and _overwrite(memories, stored.id, base or "", mine, stored.file)
        result.pulled += applied
    if not applied:
        result.notes.append(_unwritable(stored))
        return
    outbox.settle(space, stored.id, stored.version, stored.file)


def _unwritable(stored: StoredMemory) -> str:
    return f"{stored.id}, stored by {stored.login}, cannot be written here; the hub keeps it"


def _overwrite(memories: Memories, id: str, base: str, mine: str | None, theirs: str) -> bool:
    """Write *theirs*, keeping local text that was redacted from what was sent; return whether it was written."""
    if mine is None or mine == base:
        return memory_files.write(memories, id, theirs, mine)
    merged = merge_text(base, mine, theirs)
    if not merged.conflicts and is_readable(merged.text) and redact(merged.text)[0] == theirs:
        return memory_files.write(memories, id, merged.text, mine)
    return memory_files.write(memories, id, theirs, mine, keep_old=True)
