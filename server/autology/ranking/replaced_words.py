"""Words that alone show that two texts say different things, before either is parsed: a twentieth of the cost."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from autology.text.language.calendar_spans import MONTHS
from autology.text.language.quantities import spelled
from autology.text.tokens import STOP_WORDS
from autology.text.wordlists import opposites, phrases, root, roots, synonyms

_ALL = re.compile(r"\w+")
_PLAIN = re.compile(r"(?<![\w'’])[^\W\d_]{3,}(?![\w'’])")
_AMOUNTS = ("single", "twice", "daily", "hourly", "weekly", "monthly", "yearly")


def replaces_a_word(one: str, other: str) -> bool:
    """Return whether each text has a word that the other has in no form and no synonym: they say different things.

    Nothing that a parsed text may match in another way counts: numbers, units, months, contractions, words of phrases,
    and words on a list of synonyms, opposites, fillers or light words.
    """
    ours, theirs = _stems(one), _stems(other)
    return not (_plain_stems(one) <= theirs or _plain_stems(other) <= ours)


@lru_cache(maxsize=64)  # an item is compared with several
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(root, set(_ALL.findall(_folded(text)))))


@lru_cache(maxsize=64)
def _plain_stems(text: str) -> frozenset[str]:
    words = {word for word in _PLAIN.findall(_folded(text)) if word[:3] not in MONTHS}
    return frozenset(map(root, words)) - _matched_otherwise()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower()


@cache
def _matched_otherwise() -> frozenset[str]:
    """Return the stems that another word, a number or a phrase may match, or whose absence changes nothing."""
    phrased = {word for phrase, replacement in phrases().items() for word in (*phrase, *replacement)}
    plain = map(root, {*STOP_WORDS, *spelled(), *_AMOUNTS, "cannot", *phrased})
    listed = (roots(kind) for kind in ("filler", "negation", "light", "slight"))
    return frozenset(plain).union(synonyms(), opposites(), *listed)
