"""Answers from the project's code graph, printed."""

from __future__ import annotations

from collections.abc import Sequence

from autology.cli.screen import Screen
from autology.codegraph.code_graph import CodeGraph
from autology.codegraph.queries.code_answer import CodeAnswer
from autology.codegraph.queries.questions import QuestionKind
from autology.core.long_work import without_garbage_collection
from autology.model.errors import ValidationError
from autology.model.next_step import Sentence


def show(code: CodeGraph, query: str, screen: Screen) -> int:
    """Print the answer to *query*; for a bare name, the structure of the code of that name and its users."""
    with screen.progress("reading the source") as progress, without_garbage_collection():
        code.current(progress)
    answer = code.answer(query)
    kinds = () if answer else (QuestionKind.STRUCTURE, QuestionKind.USERS)
    answers = [answer] if answer else [result for kind in kinds if (result := code.answer(query, kind))]
    if not answers:
        raise _missing("--code", *code.missing_name(query), code.unread(), screen)
    return _show(answers, screen)


def show_unused(code: CodeGraph, place: str | None, screen: Screen) -> int:
    """Print unused code: everywhere, or in the file, folder or class *place*."""
    with screen.progress("reading the source") as progress, without_garbage_collection():
        code.current(progress)
    answer = code.answer(f"unused code in `{place}`" if place else "unused code")
    if answer is None:
        raise _missing("--unused", *code.missing_name(place or ""), code.unread(), screen)
    return _show([answer], screen)


def _missing(option: str, name: str, similar: Sequence[str], unread: str, screen: Screen) -> ValidationError:
    """Return the error for an unknown *name*, with similar names."""
    step = "Name a function, class or file of the source, as Graph.refresh or core/nodes/graph.py."
    if similar:
        step = f"Did you mean {', '.join(screen.safe(suggestion, 200) for suggestion in similar)}?"
    if unread:
        step = Sentence(step, " ", unread, ".")
    return ValidationError(option, f"nothing in the source is called '{screen.safe(name, 80)}'", step)


def _show(answers: Sequence[CodeAnswer], screen: Screen) -> int:
    notes = answers[0].notes
    if screen.json:
        data = answers[0].data()
        for answer in answers[1:]:
            data["links"] += answer.data()["links"]
        screen.data({**data, "degraded": list(notes)} if notes else data)
        return 0
    for answer in answers:
        _print(answer, screen)
    screen.notes(notes)
    return 0


def _print(answer: CodeAnswer, screen: Screen) -> None:
    about = f": {screen.safe(', '.join(map(str, answer.about)), 2_000)}" if answer.about else ""
    screen.line(f"{answer.kind.value.capitalize()}{about}", "bold")
    for line in answer.lines():
        screen.line(screen.safe(line, 2_000))
    screen.line()
