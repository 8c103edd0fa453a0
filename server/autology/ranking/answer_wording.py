"""How an answer says that weaker hits were left out, and that nothing speaks of some words of the question."""

from __future__ import annotations

from collections.abc import Sequence


def left_out(count: int) -> str:
    """Return how many weaker hits were left out, as text."""
    return f"{count} weaker {'one' if count == 1 else 'ones'} left out"


def absence(words: Sequence[str]) -> str:
    """Return that no passage speaks of *words*, as text; "" if there are none."""
    quoted = [f"“{word}”" for word in words]
    return f"No passage speaks of {' or '.join(filter(None, (', '.join(quoted[:-1]), quoted[-1])))}." if quoted else ""
