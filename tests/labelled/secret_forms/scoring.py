"""How well a redactor does on labelled cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autology.text.redaction import redact
from tests.labelled.secret_forms.halves import Case


@dataclass(frozen=True)
class Score:
    """Counts over cases: secrets taken out whole, secrets of which something stayed, harmless texts that were cut."""

    found: int
    missed: tuple[Case, ...]
    wronged: tuple[Case, ...]

    @property
    def recall(self) -> float:
        return self.found / (self.found + len(self.missed))

    @property
    def precision(self) -> float:
        return self.found / (self.found + len(self.wronged))


def score(cases: Iterable[Case]) -> Score:
    """Return how *cases* fare: a secret counts as found only if not even a third of it survives."""
    result = 0
    missed, wronged = [], []
    for case in cases:
        text, findings = redact(case.text)
        if case.secret is None:
            if findings:
                wronged.append(case)
            continue
        if survives(case.secret, text):
            missed.append(case)
        else:
            result += 1
        start = case.text.index(case.secret)
        stop = start + len(case.secret)
        # What is cut beside the secret is harmless text: an address may go with its password, nothing farther off.
        if any(finding.stop <= start or finding.start >= stop for finding in findings):
            wronged.append(case)
    return Score(result, tuple(missed), tuple(wronged))


def survives(secret: str, text: str) -> bool:
    """Whether a telling part of *secret* stands in *text*: a third of it, but at least six letters."""
    size = min(len(secret), max(6, len(secret) // 3))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))
