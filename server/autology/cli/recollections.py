"""What was found in past sessions on the screen: what was asked, when and where, the words that answer."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from autology import retold
from autology.cli.screen import Screen
from autology.core.recall.recollection import Recalled, Recollection
from autology.core.recall.summary import ago
from autology.model.entry import CODE
from autology.text.excerpts import excerpt
from autology.text.fence import visible

READS = "autology show"
SHORT_ID = 8
PREVIEW = 200
INDENT = "  "


def show(found: Recalled, now: datetime, screen: Screen) -> None:
    """Print an answer: in a sentence, talk, code, what to know about the search, and what to ask next."""
    screen.line(screen.safe(found.summary, 2_000))
    talk = [result for result in found.results if result.chunk.kind != CODE]
    code = [result for result in found.results if result.chunk.kind == CODE]
    for title, results in (("Previous Discussions", talk), ("Related Code", code)):
        _section(title, results, found.query, now, screen)
    for note in found.notes:
        screen.line()
        screen.line(screen.styled(f"Note: {screen.safe(note, 1_000)}", "yellow"))
    if found.suggestions:
        screen.line()
        screen.line(screen.styled("Next", "bold"))
    for tool, arguments in found.suggestions:
        screen.line(f"{INDENT}{screen.safe(retold.typed(tool, arguments), 400)}")


def _section(title: str, results: Sequence[Recollection], query: str, now: datetime, screen: Screen) -> None:
    if results:
        screen.line()
        screen.line(screen.styled(title, "bold"))
    for result in results:
        chunk = result.chunk
        screen.line()
        # A line of code says more of itself than what asked for it.
        first = chunk.path if chunk.kind == CODE and chunk.path else chunk.question or "(without a question)"
        screen.line(f"{INDENT}{screen.styled(screen.safe(first, screen.width - len(INDENT)), 'cyan')}")
        screen.line(f"{INDENT}{screen.styled(screen.safe(_facts(result, now)), 'dim')}")
        # What was asked stands above.
        text = chunk.text.removeprefix(f"❯ {chunk.question}").strip() or chunk.text
        preview = screen.safe(excerpt(visible(text), query, PREVIEW), PREVIEW)
        for line in textwrap.wrap(preview, max(screen.width - 2 * len(INDENT), 20)):
            screen.line(f"{INDENT * 2}{line}")
        screen.line(f"{INDENT}{screen.styled(f'{READS} {chunk.id[:SHORT_ID]}', 'dim')}")


def _facts(result: Recollection, now: datetime) -> str:
    chunk = result.chunk
    who = "put out by a tool" if chunk.trust == "tool" else f"by the {chunk.trust}"
    where = PurePath(chunk.folder.replace("\\", "/")).name or chunk.folder
    when = f"{ago(chunk.at, now)} ({chunk.at[:10]})"
    return " · ".join((when, f"{chunk.kind} {who}", where, f"relevance {result.relevance:.2f}"))
