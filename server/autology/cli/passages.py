"""A passage of a past conversation on the screen."""

from __future__ import annotations

from autology import wire
from autology.cli.screen import Screen
from autology.core.conversations.conversations import Conversations
from autology.core.recall import passage
from autology.core.recall.passage import Opened
from autology.core.recall.summary import ago
from autology.model.exchange import Chunk


def show(conversations: Conversations, root: str, id: str, screen: Screen) -> int:
    """Print the passage of that id with its neighbours. Raises AutologyError where there is none."""
    memory = wire.memory(conversations)
    found = passage.opened(memory, wire.graph(root), id, adjacent=True)
    if screen.json:
        from autology import retold  # loads every use case, which words need not

        screen.data(retold.opened(found))
        return 0
    chunk = found.chunk
    first = screen.safe(chunk.question or chunk.id)
    screen.line(screen.styled(first, "bold"))
    when = ago(chunk.at, memory.now().now)
    facts = " · ".join([chunk.kind, when, chunk.at, f"by the {chunk.trust}"])
    screen.line(screen.styled(screen.safe(facts), "cyan"))
    for name, value in _told(chunk).items():
        screen.line(f"{name:<9} {screen.safe(value, 1_000)}")
    for title, chunks in (("Before", found.before), ("", (chunk,)), ("After", found.after)):
        for each in chunks:
            screen.line()
            if title:
                screen.line(screen.styled(f"{title} ({each.id})", "dim"))
            screen.block(each.text)
    _nodes(found, screen)
    return 0


def _told(chunk: Chunk) -> dict[str, str]:
    told = {
        "id": chunk.id,
        "session": chunk.session,
        "turn": chunk.turn,
        "folder": chunk.folder,
        "branch": chunk.branch or "",
        "file": chunk.path or "",
        "files": ", ".join(chunk.files),
    }
    return {name: value for name, value in told.items() if value}


def _nodes(found: Opened, screen: Screen) -> None:
    for title, sources in (("Captured from it", found.nodes), ("Captured in its session", found.others)):
        if sources:
            screen.line()
            screen.line(screen.styled(title, "bold"))
        for source in sources:
            screen.line(f"  {screen.safe(source.title)} ({source.type}, {source.id[:8]})")
