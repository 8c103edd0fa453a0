"""How likely talk settles something, told by how it goes, whatever it is about; much talk only mentions a matter.

A linear model over frequent words, by who says them and whether they open the talk, and over who answers whom and how.
`bench/wording/learn_settling.py` learns its weights from labelled sessions, and writes settling.txt.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from math import log, sqrt

from autology.ranking.change_statements import (
    ASSISTANT_SAYS,
    EDITED_TO,
    REMEMBERED,
    USER_SAYS,
    is_agreed,
    is_unanswered,
    settles,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.abc import SourceLoader

SETTLES = 0.0
"""The log-odds from which talk counts as settling something. Of labelled sessions of a world that was left out of the
learning, 0.85 of those that settle something have it, and 0.2 of those that only mention a matter."""
SCALE = 3.0
"""A word counts by this over the root of how many are known, so that long talk is not more certain."""
UNITS = 100
"""The unit in which the file has its weights."""
BIAS = "bias"
OPENING, USER, ASSISTANT, FORM = "opening", "user", "assistant", "form"
"""Whose words they are: of the turn that opens the talk, of the user's others, of the assistant's; or how it goes."""
NUMBER = "0"
"""What stands for a number."""
_TURNS, _BRIEF, _LONG = 8, 25, 7.0
"""Turns that count at most, characters of a brief answer, and the logarithm of the length of a long one."""
_APOSTROPHE = "'"
_WORD = re.compile(r"[a-z']+|\d+|[?:]")
_weights: dict[str, float] = {}


def has_settled(text: str) -> bool:
    """Whether the talk *text* settles something: it ends in an agreement or edits a line, and goes like it.

    Casual talk goes like it too, without either.
    """
    return (EDITED_TO in text or is_agreed(text)) and settling(text) >= SETTLES


@lru_cache(maxsize=REMEMBERED)
def settling(text: str) -> float:
    """Return the log-odds that the talk *text* settles something rather than only mentions it."""
    weights = _read()
    known = [weights[feature] for feature in words(text) if feature in weights]
    goes = sum(value * weights.get(feature, 0.0) for feature, value in form(text).items())
    return sum(known) * SCALE / sqrt(len(known) or 1) + goes + weights[BIAS]


def words(text: str) -> set[str]:
    """Return the words of the talk *text*, each after whose it is."""
    features: set[str] = set()
    for at, turn in enumerate(_turns(text)):
        whose = OPENING if not at else USER if turn.startswith(USER_SAYS) else ASSISTANT
        for word in set(_WORD.findall(turn[2:].lower().replace("’", "'"))):
            features.add(f"{whose} {NUMBER if word[0].isdigit() else word.replace(_APOSTROPHE, '')}")
    return features


def form(text: str) -> dict[str, float]:
    """Return how the talk *text* goes, each in about 0-1."""
    turns = _turns(text)
    users = [turn[2:] for turn in turns if turn.startswith(USER_SAYS)]
    answers = [turn[2:] for turn in turns if turn.startswith(ASSISTANT_SAYS)]
    values = {
        "agreed": is_agreed(text),
        "answered by the user": settles(text),
        "left unanswered": is_unanswered(text),
        "edited": EDITED_TO in text,
        "ended by the user": bool(turns) and turns[-1].startswith(USER_SAYS),
        "turns": min(_TURNS, len(turns)) / _TURNS,
        "opened by a question": "?" in "".join(users[:1]),
        "asked back": any("?" in answer for answer in answers),
        "length": log(1 + max(map(len, answers), default=0)) / _LONG,
        "briefly": any(len(turn) < _BRIEF for turn in users[1:]),
        "code": any("`" in answer for answer in answers),
    }
    return {f"{FORM} {name}": float(value) for name, value in values.items()}


def _turns(text: str) -> list[str]:
    return [turn for turn in text.split("\n\n") if turn.startswith((USER_SAYS, ASSISTANT_SAYS))]


def _read() -> Mapping[str, float]:
    """Return the weights by their features, which are read on first use."""
    if not _weights:
        # By the loader, for hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        data = loader.get_data(os.path.join(os.path.dirname(__file__), "settling.txt")).decode("utf-8")
        lines = (line.split("\t") for line in data.splitlines() if "\t" in line)
        _weights.update((feature, int(weight) / UNITS) for feature, weight in lines)
    return _weights
