"""Prints hits of a search: the best lines, and why they matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.cli.screen import Screen
from autology.core.likelihood import Verdict
from autology.ranking.answer_wording import absence
from autology.render.verdicts import verdict_text
from autology.text.markdown import snippets

LINES = 2
"""Lines of a snippet."""


def show_snippet(text: str, query: str, screen: Screen) -> None:
    """Print the lines of *text* that match *query* best."""
    if shown := screen.safe(snippets.excerpt(text, query, LINES * (screen.width - 6)), 2_000):
        screen.line(f"   {snippets.marked(shown, query, screen.marked) if query else shown}")


def show_reasons(reasons: list[str], screen: Screen) -> None:
    """Print why a hit matched."""
    if reasons:
        screen.line(f"   why: {screen.safe('; '.join(reasons))}", "dim")


def show_score(score: float, parts: Mapping[str, float], screen: Screen) -> None:
    """Print the parts of what a hit is ranked by."""
    screen.line(f"   ranked by {score:.3f} = {' + '.join(f'{name} {part:.3f}' for name, part in parts.items())}", "dim")


def show_verdict(verdict: Verdict, nearest: Sequence[str], suggestion: str, screen: Screen) -> None:
    """Print that nothing answers, and which words nothing speaks of; a *suggestion* stands for results.

    *nearest* are the titles of what comes nearest.
    """
    message = verdict_text(verdict)
    if not suggestion:
        if message:
            screen.line(screen.safe(message, 1_000), "yellow")
        return
    nothing = message if nearest else " ".join(filter(None, ("Nothing found.", absence(verdict.absent))))
    screen.line(f"{screen.safe(nothing, 1_000)} {suggestion}")
    if nearest:
        screen.line(f"Nearest: {'; '.join(screen.safe(title, 200) for title in nearest)}", "dim")


def matches(query: str, fields: Mapping[str, str]) -> list[str]:
    """Return, for each of *fields*, the words of *query* in it, as text."""
    by_field = {name: snippets.words_in(text, query) for name, text in fields.items()} if query else {}
    return [f"{', '.join(words)} in the {name}" for name, words in by_field.items() if words]
