"""Sending all changes since the last push: memories, and files of a project that was shared before."""

from __future__ import annotations

from collections.abc import Callable

from autology.core.documents.library import Library
from autology.core.memory.memories import Memories
from autology.hub.ports import Hub
from autology.hub.sync import project_files, push_memories
from autology.hub.sync.outbox import Outbox
from autology.hub.sync.share_log import ShareLog
from autology.model.errors import BusyError, HubAwayError


def send_changes(
    hub: Hub,
    outbox: Outbox,
    share_log: ShareLog,
    library: Library,
    memories: Memories,
    root: str,
    branch: Callable[[], str | None],
    has_memories: Callable[[], bool],
    patience: float,
) -> bool:
    """Send the changes of the project at *root*; return whether any are still queued.

    Changes stay queued if a server is unreachable, or if another process sends for longer than *patience* seconds.

    Raises:
        AutologyError: the hub refused, or a local file cannot be read.
    """
    waiting = 0
    try:
        with outbox.sending(patience):
            outbox.unschedule(root)
            if has_memories() or outbox.spaces():
                memories.refresh()
                push_memories.queue_changes(memories, outbox, hub.space.org)
                waiting = push_memories.send_queued(memories, outbox, hub).waiting
            if share_log.last() is not None:
                library.refresh()
                memories.refresh()
                project_files.share_changes(hub, memories.shared(), library.graph.readers, share_log, branch())
        return waiting > 0
    except (BusyError, HubAwayError):
        return True
