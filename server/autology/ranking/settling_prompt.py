"""How likely a prompt settles something, told by what led to it, how it goes, how it is answered and what follows.

A linear model over the form of the talk, in whatever words and about whatever matter.
`bench/wording/learn_settling_prompt.py` learns its weights from labelled sessions, and writes settling_prompt.txt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from math import log
from pathlib import Path
from typing import NamedTuple

from autology.text.language.choice_phrases import excludes, may_choose
from autology.text.language.commitments import asks, confirms, content, lasted, may_give_reason, sets_rule
from autology.text.language.sentences import sentences

UNITS = 100
"""The unit in which the file has its weights."""
BIAS = "bias"
_SHARED, _NUMBERS, _CODE = 4, 3, 4
"""Words, numbers and names in code that count at most."""
_LONG = 40
"""Words from which an answer is long: in the labelled sessions hardly any is longer, in others most are."""
_READ = 4_000
"""Characters of an answer that are read, those nearest to the prompt: the longest of the labelled sessions has 426."""
# A name begins where no word goes on, and is not sought again within one: a long word with hyphens is read once.
_CODE_NAME = re.compile(r"`[^`]+`|(?<![\w-])-?\w[\w-]{,99}[./_][\w./-]*\w|\b\w+\(\)|\b[a-z]+[A-Z]\w+|--\w+|\d")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Named(NamedTuple):
    """The words of content that the assistant used before a place in a session.

    *first* has the place of the first use of each, also of those used later: all moments of a session share it.
    """

    first: Mapping[str, int]
    place: int

    def among(self, words: frozenset[str]) -> frozenset[str]:
        """Return which of *words* were used."""
        return frozenset(word for word in words if self.first.get(word, self.place) < self.place)


class Moment(NamedTuple):
    """A *prompt*, the answers *before* and *after* it, and the prompt that *follows*, "" for what is missing.

    *named* are the words of content that the assistant used earlier.
    """

    prompt: str
    before: str
    after: str
    follows: str
    named: Named


def settling(moment: Moment) -> float:
    """Return the log-odds that the prompt of a *moment* settles something."""
    weights = _weights()
    return sum(value * weights.get(name, 0.0) for name, value in features(moment).items())


def features(moment: Moment) -> dict[str, float]:
    """Return how a *moment* goes, each feature in about 0-1."""
    prompt, follows, named = moment.prompt, moment.follows, moment.named
    before, after = moment.before[-_READ:], moment.after[:_READ]
    parts = list(sentences(prompt))
    questions = list(map(asks, parts))
    own, offered, carried = content(prompt), content(before), content(after)
    numbers = set(_NUMBER.findall(after)) & set(_NUMBER.findall(f"{prompt} {before}"))
    values = {
        BIAS: True,
        "may choose": sum(map(may_choose, parts)) / max(1, len(parts)),
        "asks": bool(questions) and all(questions),
        "sets a rule": any(sets_rule(one) and not may_give_reason(one) for one in parts),
        "excludes": any(map(excludes, parts)),
        "confirms": confirms(prompt),
        "has lasted": lasted(prompt) and not any(questions) and not after,
        "takes up": _share(len(own & offered), _SHARED),
        "named earlier and carried out": _share(len(named.among(own & carried)), _NUMBERS),
        "numbers carried out": _share(len(numbers), _NUMBERS),
        "length before": _length(before),
        "length of the answer": _length(after),
        "code in the answer": _share(sum(1 for _ in islice(_CODE_NAME.finditer(after), _CODE)), _CODE),
        "answered by a question": moment.after.rstrip().endswith("?"),
        "followed by a question": follows.rstrip().endswith("?"),
        "followed by a confirmation": bool(follows) and confirms(follows),
    }
    return {name: float(value) for name, value in values.items()}


def _length(text: str) -> float:
    return log(1 + min(_LONG, len(text.split()))) / log(1 + _LONG)


def _share(matches: int, most: int) -> float:
    return min(most, matches) / most


@cache
def _weights() -> dict[str, float]:
    text = Path(__file__).with_name("settling_prompt.txt").read_text(encoding="utf-8")
    lines = (line.split("\t") for line in text.splitlines() if "\t" in line)
    return {name: int(weight) / UNITS for name, weight in lines}
