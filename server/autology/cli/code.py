"""What the source of a project says, printed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from autology import retold, wire
from autology.cli.screen import Screen
from autology.core.code.answer import answer
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
        fits = "Name a function, class or file of the source, as Graph.refresh or core/graph.py."
        fits += f" {unread}." if (unread := code.unread()) else ""
        raise ValidationError("--code", f"nothing in the source is called '{screen.safe(query, 80)}'", fits)
    if screen.json:
        whole = retold.code(answers[0])
        for more in answers[1:]:
            whole["links"] += retold.code(more)["links"]
        screen.data({**whole, "degraded": list(answers[0].notes)} if answers[0].notes else whole)
        return 0
    for each in answers:
        screen.line(screen.styled(f"{each.wish.value.capitalize()}: {', '.join(map(str, each.about))}", "bold"))
        for line in retold.code_lines(each):
            screen.line(screen.safe(line, 600))
        screen.line()
    for note in answers[0].notes:
        screen.line(f"Note: {screen.safe(note, 500)}")
    return 0


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
