"""The closest known word to a mistyped command, option or value, as suggested by error messages."""

from __future__ import annotations

from collections.abc import Sequence


def did_you_mean(word: str, choices: Sequence[str]) -> str:
    """Return a suggestion for *word* among *choices*, to be appended to a sentence; "" if none is similar."""
    suggestion = nearest(word, choices)
    return f". Did you mean {suggestion}?" if suggestion else ""


def nearest(typed: str, choices: Sequence[str]) -> str:
    """Return the only choice that begins with *typed*, else the most similar one, "" if none is similar."""
    import difflib

    word = typed.lower()
    completions = [choice for choice in choices if choice.startswith(word)]
    return completions[0] if len(completions) == 1 else next(iter(difflib.get_close_matches(word, choices, 1)), "")
