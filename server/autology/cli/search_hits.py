"""Prints hits of a search: the best lines, and why they matched."""

from __future__ import annotations

from collections.abc import Mapping

from autology.cli.screen import Screen
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


def matches(query: str, fields: Mapping[str, str]) -> list[str]:
    """Return, for each of *fields*, the words of *query* in it, as text."""
    by_field = {name: snippets.words_in(text, query) for name, text in fields.items()} if query else {}
    return [f"{', '.join(words)} in the {name}" for name, words in by_field.items() if words]
