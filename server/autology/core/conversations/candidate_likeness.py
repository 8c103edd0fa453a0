"""Which candidates say what a note or a later candidate says, in the same words or in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autology.core.conversations.mining import Candidate, is_noted
from autology.ranking.quantized_vectors import SCALE, products
from autology.text.language.commitments import content

Encode = Callable[[Sequence[str]], Sequence[bytes]]

NOTED = 0.53
"""The cosine from which a note says what a candidate does: in the open halves of bench/sessions the nine that a note
says have 0.57 or more, all others 0.49 or less."""
ABOUT = 0.45
"""The cosine below which a note that has a candidate's words only mentions them: it drops four right ones otherwise."""
SAME = 0.62
"""The cosine of two candidates that say the same: of the right ones in those halves no two have more than 0.58."""


def without_noted(candidates: Sequence[Candidate], notes: Sequence[str], encode: Encode | None) -> list[Candidate]:
    """Return *candidates* without those that one of *notes* says; without *encode*, by their words alone."""
    contents = list(map(content, notes))
    if encode is None or not notes or not candidates:
        return [one for one in candidates if not is_noted(one, contents)]
    rows = encode(list(map(_exchange, candidates)))
    nearest = [max(row) / SCALE**2 for row in products(rows, encode(notes))]
    return [
        one
        for one, cosine in zip(candidates, nearest, strict=True)
        if cosine < ABOUT or (cosine < NOTED and not is_noted(one, contents))
    ]


def without_said_again(candidates: Sequence[Candidate], encode: Encode | None) -> list[Candidate]:
    """Return *candidates*, in order of time, without those that a later one says again in other words."""
    if encode is None or not candidates:
        return list(candidates)
    rows = encode(list(map(_exchange, candidates)))
    table = products(rows, rows)
    least = SAME * SCALE**2
    return [one for at, one in enumerate(candidates) if max(table[at][at + 1 :], default=0) < least]


def _exchange(candidate: Candidate) -> str:
    return f"{candidate.quote}\n{candidate.outcome}"
