"""What the source of a project says, printed."""

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
    """Print what the code says to *query*; a bare name asks how it is made up and what uses it."""
    code = wire.code(root)
    with screen.progress("reading the source") as progress, _without_collecting():
        code.current(progress)
    found = answer(code, query)
    answers = [found] if found else [a for wish in (Wish.STRUCTURE, Wish.USERS) if (a := answer(code, query, wish))]
    if not answers:
        raise _missing("--code", *missing(code, query), code.unread(), screen)
    return _show(answers, screen)


def show_unused(root: str, place: str | None, screen: Screen) -> int:
    """Print what nothing in the project refers to: everywhere, or in the file, folder or class *place*."""
    code = wire.code(root)
    with screen.progress("reading the source") as progress, _without_collecting():
        code.current(progress)
    found = answer(code, f"unused code in `{place}`" if place else "unused code")
    if found is None:
        raise _missing("--unused", *missing(code, place or ""), code.unread(), screen)
    return _show([found], screen)


def _missing(option: str, name: str, near: Sequence[str], unread: str, screen: Screen) -> ValidationError:
    """Return that nothing is called *name*, and what is called nearly so."""
    fits = "Name a function, class or file of the source, as Graph.refresh or core/graph.py."
    if near:
        fits = f"Did you mean {', '.join(screen.safe(each, 200) for each in near)}?"
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
    for each in answers:
        _print(each, screen)
    for note in notes:
        screen.line(f"Note: {screen.safe(note, 500)}")
    return 0


def _print(found: CodeAnswer, screen: Screen) -> None:
    about = f": {screen.safe(', '.join(map(str, found.about)), 2_000)}" if found.about else ""
    screen.line(screen.styled(f"{found.wish.value.capitalize()}{about}", "bold"))
    for line in retold.code_lines(found):
        screen.line(screen.safe(line, 2_000))
    screen.line()


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Look for no garbage meanwhile: what is read stays, and a third of the time went into looking through it."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()
