"""The labelled set in two halves, told apart by a hash: one to tune on, one that nobody looks into."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from random import Random

from tests.labelled.secret_forms.frames import ANYWHERE, LINES, NAMED
from tests.labelled.secret_forms.kinds import ARMOURED, SHAPED
from tests.labelled.secret_forms.lookalikes import LOOKALIKES

DEV, UNSEEN = "dev", "unseen"
FRAMES_A_KIND = 4
DRAWS = 2
LIKE_DRAWS = 3


@dataclass(frozen=True)
class Case:
    """A text; the secret in it, or none; the kind or frame that it comes from."""

    name: str
    text: str
    secret: str | None
    half: str


def cases() -> list[Case]:
    """Return the whole set, the same each time."""
    return [*_shaped(), *_armoured(), *_named(), *_lookalikes()]


def _shaped() -> list[Case]:
    return [
        _case(kind, frame, make(Random(f"{kind} {frame}")), f"{kind}|{frame}")
        for kind, make in SHAPED.items()
        for frame in Random(f"frames of {kind}").sample(ANYWHERE, FRAMES_A_KIND)
    ]


def _armoured() -> list[Case]:
    received = []
    for kind, make in ARMOURED.items():
        for frame in LINES:
            text = make(Random(f"{kind} {frame}"))
            if frame.startswith("data:"):
                text = text.replace("\n", "\n    ")
            received.append(_case(kind, frame, text, f"{kind}|{frame}"))
    return received


def _named() -> list[Case]:
    return [
        _case(f"named: {frame}", frame, make(Random(f"{frame} {draw}")), frame)
        for frame, make in NAMED
        for draw in range(DRAWS)
    ]


def _lookalikes() -> list[Case]:
    result: dict[str, Case] = {}
    for frame, make in LOOKALIKES:
        for draw in range(LIKE_DRAWS):
            text = frame.format(make(Random(f"{frame} {draw}")))
            result.setdefault(text, Case(f"like: {frame}", text, None, _half(frame)))
    return list(result.values())


def _case(name: str, frame: str, secret: str, told_by: str) -> Case:
    return Case(name, frame.format(secret), secret, _half(told_by))


def _half(told_by: str) -> str:
    return DEV if hashlib.sha256(told_by.encode()).digest()[0] % 2 else UNSEEN
