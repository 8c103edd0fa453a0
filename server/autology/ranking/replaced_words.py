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
_IDENTIFIER = re.compile(r"(?<!\S)(?![vV]\d)(?P<begins>[A-Za-z]+\d+)\w*(?!\S)")
"""Letters and then digits between spaces; not versions: `v2` is 2."""
_AMOUNTS = ("single", "twice", "daily", "hourly", "weekly", "monthly", "yearly")


def replaces_a_word(one: str, other: str) -> bool:
    """Return whether each text has a word that the other has in no form and no synonym: they say different things.

    Nothing that a parsed text may match in another way counts: numbers, units, months, contractions, words of phrases,
    and words on a list of synonyms, opposites, fillers or light words.
    """
    ours, theirs = _stems(one), _stems(other)
    return not (_plain_stems(one) <= theirs or _plain_stems(other) <= ours)


def names_something_else(one: str, other: str) -> bool:
    """Return whether one of two texts has an identifier, as `utf8mb4` is, that is nowhere in the other.

    Identifiers are compared as they are written: without it, the other says something else.
    """
    return _has_its_own(one, other) or _has_its_own(other, one)


def _has_its_own(one: str, other: str) -> bool:
    folded = other.casefold()
    return any(begins.casefold() not in folded for begins in _identifiers(one))


@lru_cache(maxsize=64)
def _identifiers(text: str) -> frozenset[str]:
    """Return how the identifiers in *text* begin, up to the first digits: a parsed text may end there (`a2x`).

    Those with a synonym are left out: `k8s` is written `Kubernetes` too.
    """
    return frozenset(
        match["begins"]
        for match in _IDENTIFIER.finditer(text)
        if not any(part in synonyms() or root(part.lower()) in synonyms() for part in match.group(0, "begins"))
    )


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
