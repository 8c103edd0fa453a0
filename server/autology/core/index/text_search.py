"""Port for lexical search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from autology.model.hit import Candidate
from autology.model.query import Filter, Terms


class TextSearch(Protocol):
    """Lexical search over titles and passages."""

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> Sequence[Candidate]:
        """Lexical search: return the best matching sources that pass *where*, for title and body.

        With *every*, all terms must occur in one place, and the newest come first; without, any of them.
        """

    def spans(self, ids: Sequence[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Return the ranges of these sources' passages, in order."""
