"""Sharing conversations of one project, by whoever agreed to it; their index holds no secrets."""

from __future__ import annotations

from dataclasses import replace

from autology.core.content.codec import clean
from autology.core.conversations.conversations import Conversations
from autology.core.hub.port import Hub
from autology.core.ports import Progress
from autology.model.exchange import Chunk
from autology.model.query import Filter

BATCH = 100
"""Chunks a transaction: one that is interrupted repeats at most these."""


def share(hub: Hub, said: Conversations, project: str, progress: Progress | None = None) -> int:
    """Have the hub know what was said in *project*; return how many chunks were new to it.

    Raises:
        HubError: the hub did not take a part in; those before it stay, and the next call goes on.
    """
    said.refresh()
    own = said.index.listed(Filter(kind=None, projects=(project,)), -1, "")
    there = {path.partition("/")[2] for kind in {source.kind for source in own} for path in hub.index.stamps(kind)}
    new = [source.id for source in own if source.id not in there]
    for at in range(0, len(new), BATCH):
        chunks = said.index.chunks(new[at : at + BATCH])
        hub.share([outgoing(chunk) for chunk in chunks.values()])
        if progress:
            progress(min(at + BATCH, len(new)), len(new))
    return len(new)


def outgoing(chunk: Chunk) -> Chunk:
    """Return *chunk* as others may see it: without secrets, and without where things lie on this machine."""
    folder = chunk.folder.replace("\\", "/").rstrip("/")

    def inside(path: str) -> str:
        plain = path.replace("\\", "/")
        if folder and plain.startswith(f"{folder}/"):
            return plain.removeprefix(f"{folder}/")
        return plain.rpartition("/")[2] if plain.startswith(("/", "~")) or plain[1:2] == ":" else plain

    return replace(
        chunk,
        text=clean(chunk.text),
        question=clean(chunk.question),
        folder=folder.rpartition("/")[2],
        transcript="",
        path=inside(chunk.path) if chunk.path else chunk.path,
        files=tuple(dict.fromkeys(map(inside, chunk.files))),
    )
