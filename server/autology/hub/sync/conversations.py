"""Sharing the conversations of a project, by consent; secrets were removed when they were indexed."""

from __future__ import annotations

from dataclasses import replace

from autology.core.content.codec import clean
from autology.core.conversations.conversations import Conversations
from autology.core.long_work import Progress
from autology.hub.ports import Hub
from autology.model.conversation import Chunk
from autology.model.query import Filter

BATCH = 100
"""Chunks per transaction; an interrupted share repeats at most these."""


def share_conversations(hub: Hub, conversations: Conversations, project: str, progress: Progress | None = None) -> int:
    """Send the chunks of *project* that the hub does not have yet; return their number.

    Raises:
        HubError: the hub did not accept a batch; those before it stay, and the next call continues.
    """
    conversations.refresh()
    index = conversations.index
    local = index.listed(Filter(kind=None, projects=(project,)), -1, "")
    shared = {path.partition("/")[2] for kind in {source.kind for source in local} for path in hub.index.stamps(kind)}
    new = [source.id for source in local if source.id not in shared]
    for at in range(0, len(new), BATCH):
        chunks = index.chunks(new[at : at + BATCH])
        hub.share_chunks([anonymous(chunk) for chunk in chunks.values()])
        if progress:
            progress(min(at + BATCH, len(new)), len(new))
    return len(new)


def anonymous(chunk: Chunk) -> Chunk:
    """Return *chunk* without secrets and without paths of this machine."""
    folder = chunk.folder.replace("\\", "/").rstrip("/")

    def relative(path: str) -> str:
        path = path.replace("\\", "/")
        if folder and path.startswith(f"{folder}/"):
            return path.removeprefix(f"{folder}/")
        return path.rpartition("/")[2] if path.startswith(("/", "~")) or path[1:2] == ":" else path

    return replace(
        chunk,
        text=clean(chunk.text),
        question=clean(chunk.question),
        folder=folder.rpartition("/")[2],
        transcript="",
        path=relative(chunk.path) if chunk.path else chunk.path,
        files=tuple(dict.fromkeys(map(relative, chunk.files))),
    )
