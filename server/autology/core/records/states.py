"""What a collection's words for states mean: by the general table, or where projects differ by its own texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from autology.core.records.collection import StateMeaning, Texts
from autology.model.node import DecisionStatus
from autology.text.adr.statuses import meanings

DIFFERING = ("provisional", "implementable", "experimental", "stagnant")
"""Words that are accepted in one project's process and proposed in another's."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n(?=[ \t]*(?:[-*+|#]|\d+\.|\n))|\n{2,}")
LONGEST = 100_000
_DECIDING = (DecisionStatus.ACCEPTED, DecisionStatus.PROPOSED, DecisionStatus.REJECTED)


def explained(words: Iterable[str], guides: Iterable[str], texts: Texts) -> dict[str, tuple[DecisionStatus, str]]:
    """Return what those of `DIFFERING` in *words* mean by the texts at *guides*, each with the explaining path."""
    wanted = [word for word in DIFFERING if any(word in one.lower() for one in words)]
    results: dict[str, tuple[DecisionStatus, str]] = {}
    for path in guides if wanted else ():
        text = (texts.text(path) or "")[:LONGEST]
        for word in wanted:
            if word not in results and (status := _meaning(word, text)):
                results[word] = (status, path)
    return results


def _meaning(word: str, text: str) -> DecisionStatus | None:
    """Return what most sentences about *word* say that it means."""
    votes: Counter[DecisionStatus] = Counter()
    for sentence in _SENTENCE.split(text):
        if not re.search(rf"(?<![\w-]){word}(?![\w-])", sentence, re.IGNORECASE):
            continue
        rest = re.sub(rf"\b{word}\b", " ", sentence, flags=re.IGNORECASE)
        statuses = {status for status in meanings(rest) if status in _DECIDING}
        if len(statuses) == 1:
            votes.update(statuses)
    ranked = votes.most_common(2)
    return ranked[0][0] if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]) else None


def of_record(
    word: str | None,
    status: DecisionStatus | None,
    own: Mapping[str, tuple[DecisionStatus, str]],
    corrections: Mapping[str, DecisionStatus],
) -> tuple[DecisionStatus | None, str]:
    """Return the meaning of a record's status *word*, and where it comes from."""
    if word is None:
        return status, "words"
    lowered = word.lower()
    for corrected, meaning in corrections.items():
        if lowered == corrected or lowered.startswith(f"{corrected} "):
            return meaning, "config"
    for differing, (meaning, path) in own.items():
        if lowered.startswith(differing):
            return meaning, path
    return status, "words" if status else "unknown"


def summary(states: Iterable[tuple[str, DecisionStatus | None, str]]) -> tuple[StateMeaning, ...]:
    """Return each state's word with its meaning and count, the commonest first; details after the word are left out."""
    counts: Counter[tuple[str, DecisionStatus | None, str]] = Counter()
    for word, status, source in states:
        counts[_short(word), status, source] += 1
    return tuple(StateMeaning(word, status, count, source) for (word, status, source), count in counts.most_common())


def _short(word: str) -> str:
    return (
        re.split(r"[\s]*[(\[,;:|.]|\s+(?:by|in|on|since|as of|\d)", word, maxsplit=1)[0].strip().lower() or word.lower()
    )
