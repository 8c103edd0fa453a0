"""Prints a passage of a past conversation."""

from __future__ import annotations

from autology.cli.screen import Screen
from autology.core.recall import passage
from autology.core.recall.passage import Opened
from autology.core.recall.summary import ago
from autology.model.agents import origin_of
from autology.model.conversation import Chunk
from autology.wire.project import Project


def show(project: Project, id: str, screen: Screen) -> int:
    """Print the passage with this id and its neighbours. Raises AutologyError if there is none."""
    memory = project.conversation_search
    result = passage.opened(memory, project.graph, id, adjacent=True)
    if screen.json:
        from autology.render import recall_results

        screen.data(recall_results.opened(result))
        return 0
    chunk = result.chunk
    heading = screen.safe(chunk.question or chunk.id)
    screen.line(heading, "bold")
    when = f"{ago(chunk.at, memory.now().now)}{origin_of(chunk.transcript)}"
    facts = " · ".join([chunk.kind, when, chunk.at, f"by the {chunk.trust}"])
    screen.line(screen.safe(facts), "cyan")
    screen.fields(_fields(chunk))
    for title, chunks in (("Before", result.before), ("", (chunk,)), ("After", result.after)):
        for neighbour in chunks:
            screen.line()
            if title:
                screen.line(f"{title} ({neighbour.id})", "dim")
            screen.block(neighbour.text)
    _nodes(result, screen)
    return 0


def _fields(chunk: Chunk) -> dict[str, str]:
    return {
        "id": chunk.id,
        "session": chunk.session,
        "turn": chunk.turn,
        "folder": chunk.folder,
        "branch": chunk.branch or "",
        "file": chunk.path or "",
        "files": ", ".join(chunk.files),
    }


def _nodes(result: Opened, screen: Screen) -> None:
    for title, sources in (("Captured from it", result.nodes), ("Captured in its session", result.others)):
        if sources:
            screen.line()
            screen.line(title, "bold")
        for source in sources:
            screen.line(f"  {screen.safe(source.title)} ({source.type}, {source.id[:8]})")
