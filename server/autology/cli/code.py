"""Answers from the code graph, printed."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from autology import retold, wire
from autology.cli.screen import Screen
from autology.core.code.answer import CodeAnswer, answer, missing
from autology.core.code.question import Wish
from autology.model.errors import ValidationError


def show(root: str, query: str, screen: Screen) -> int:
    """Print the answer of the code graph to *query*; a bare name asks for its structure and its users."""
    code = wire.code(root)
    with screen.progress("reading the source") as progress, _without_collecting():
        code.current(progress)
    first = answer(code, query)
    answers = [first] if first else [a for wish in (Wish.STRUCTURE, Wish.USERS) if (a := answer(code, query, wish))]
    if not answers:
        raise _missing("--code", *missing(code, query), code.unread(), screen)
    return _show(answers, screen)


def show_unused(root: str, place: str | None, screen: Screen) -> int:
    """Print unused code: everywhere, or in the file, folder or class *place*."""
    code = wire.code(root)
    with screen.progress("reading the source") as progress, _without_collecting():
        code.current(progress)
    result = answer(code, f"unused code in `{place}`" if place else "unused code")
    if result is None:
        raise _missing("--unused", *missing(code, place or ""), code.unread(), screen)
    return _show([result], screen)


def _missing(option: str, name: str, near: Sequence[str], unread: str, screen: Screen) -> ValidationError:
    """Return the error that nothing is called *name*, with similar names."""
    fits = "Name a function, class or file of the source, such as Graph.refresh or core/graph.py."
    if near:
        fits = f"Did you mean {', '.join(screen.safe(candidate, 200) for candidate in near)}?"
    fits += f" {unread}." if unread else ""
    return ValidationError(option, f"nothing in the source is called '{screen.safe(name, 80)}'", fits)


def _show(answers: Sequence[CodeAnswer], screen: Screen) -> int:
    notes = answers[0].notes
    if screen.json:
        whole = retold.code(answers[0])
        for more in answers[1:]:
            whole["links"] += retold.code(more)["links"]
        screen.data({**whole, "degraded": list(notes)} if notes else whole)
        return 0
    for item in answers:
        _print(item, screen)
    for note in notes:
        screen.line(f"Note: {screen.safe(note, 500)}")
    return 0


def _print(result: CodeAnswer, screen: Screen) -> None:
    about = f": {screen.safe(', '.join(map(str, result.about)), 2_000)}" if result.about else ""
    screen.line(screen.styled(f"{result.wish.value.capitalize()}{about}", "bold"))
    for line in retold.code_lines(result):
        screen.line(screen.safe(line, 2_000))
    screen.line()


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause garbage collection: everything read stays in memory, and collecting took a third of the time."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()
