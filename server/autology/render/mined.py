"""Mined candidates as JSON."""

from __future__ import annotations

from typing import Any

from autology.core.conversations.mining import Candidate
from autology.text.sanitising import clean_line

QUOTE = 1_000
"""Maximum characters of a quote."""


def candidate(mined: Candidate) -> dict[str, Any]:
    """Return a candidate with its quote and its source."""
    return {
        "id": mined.id,
        "kind": mined.kind,
        "quote": clean_line(mined.quote, QUOTE),
        "author": mined.author,
        "at": mined.at,
        "session": mined.session,
        "turn": mined.turn,
        "outcome": clean_line(mined.outcome, QUOTE),
    }
