"""Results from past sessions, printed: the question, its time and place, the matching text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from autology.cli.screen import Screen
from autology.core.recall.recollection import Recalled, Recollection
from autology.core.recall.summary import ago
from autology.model.entry import CODE
from autology.render.next_steps import command
from autology.text.fence import visible
from autology.text.markdown.snippets import excerpt

READS = "autology show"
SHORT_ID = 8
PREVIEW = 200
INDENT = "  "


def show(recalled: Recalled, now: datetime, screen: Screen) -> None:
    """Print results: summary, conversations, code, notices, and suggested next searches."""
    screen.line(screen.safe(recalled.summary, 2_000))
    talk = [result for result in recalled.results if result.chunk.kind != CODE]
    code = [result for result in recalled.results if result.chunk.kind == CODE]
    for title, results in (("Previous Discussions", talk), ("Related Code", code)):
        _section(title, results, recalled.query, now, screen)
    for note in recalled.notes:
        screen.line()
        screen.line(screen.styled(f"Note: {screen.safe(note, 1_000)}", "yellow"))
    if recalled.suggestions:
        screen.line()
        screen.line(screen.styled("Next", "bold"))
    for step in recalled.suggestions:
        screen.line(f"{INDENT}{screen.safe(command(step), 400)}")


def _section(title: str, results: Sequence[Recollection], query: str, now: datetime, screen: Screen) -> None:
    if results:
        screen.line()
        screen.line(screen.styled(title, "bold"))
    for result in results:
        chunk = result.chunk
        screen.line()
        # For code its path is more helpful than the question.
        first = chunk.path if chunk.kind == CODE and chunk.path else chunk.question or "(without a question)"
        screen.line(f"{INDENT}{screen.styled(screen.safe(first, screen.width - len(INDENT)), 'cyan')}")
        screen.line(f"{INDENT}{screen.styled(screen.safe(_facts(result, now)), 'dim')}")
        # The question is printed above.
        text = chunk.text.removeprefix(f"❯ {chunk.question}").strip() or chunk.text
        preview = screen.safe(excerpt(visible(text), query, PREVIEW), PREVIEW)
        for line in textwrap.wrap(preview, max(screen.width - 2 * len(INDENT), 20)):
            screen.line(f"{INDENT * 2}{line}")
        screen.line(f"{INDENT}{screen.styled(f'{READS} {chunk.id[:SHORT_ID]}', 'dim')}")


def _facts(result: Recollection, now: datetime) -> str:
    chunk = result.chunk
    who = "output of a tool" if chunk.trust == "tool" else f"by the {chunk.trust}"
    where = PurePath(chunk.folder.replace("\\", "/")).name or chunk.folder
    when = f"{ago(chunk.at, now)} ({chunk.at[:10]})"
    return " · ".join((when, f"{chunk.kind} {who}", where, f"relevance {result.relevance:.2f}"))
