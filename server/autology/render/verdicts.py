"""Rendering whether anything answers a question, and which of its words nothing speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autology.core.likelihood import Verdict
from autology.ranking.answer_wording import absence
from autology.text.redaction import redact
from autology.text.sanitising import clean_line

LIMIT = 1_000
NOTHING = "Nothing recorded answers this."


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return ``{"answered": false, "absent": [word, …]}``, each only if it applies."""
    answered: dict[str, Any] = {} if verdict.is_answered else {"answered": False}
    absent = [redact(clean_line(word, 100))[0] for word in verdict.absent]
    return {**answered, **({"absent": absent} if absent else {})}


def verdict_text(verdict: Verdict) -> str:
    """Return that nothing answers, and which words nothing speaks of; "" if neither applies."""
    missing = redact(clean_line(absence(verdict.absent), LIMIT))[0]
    return " ".join(filter(None, ("" if verdict.is_answered else NOTHING, missing)))


def verdict_of(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict of an answer that was rendered as data."""
    return Verdict(data.get("answered", True), tuple(data.get("absent", ())))
