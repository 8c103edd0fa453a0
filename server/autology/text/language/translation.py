"""What words of other languages mean in English, by a list of words of software and of the trades it is written for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice

from autology.text.tokens import fold
from autology.text.wordlists import translated

SPACED = ("de", "fr", "es")
"""The languages known that write spaces between words."""
LANGUAGES = (*SPACED, "zh", "ja")
SHORTEST = 4
"""Letters of a word, without its ending, from which another form of it, or a part of a compound, is recognised."""

PART = 5
"""Letters of a word from which it is recognised as a part of a compound of which the rest is unknown."""

Meanings = tuple[tuple[str, ...], ...]
"""For each known part of a word, the English words that it may mean; one part, but for a compound."""


def meanings(word: str, language: str) -> Meanings:
    """Return what *word*, of one of the languages with spaces, means in English; nothing if it is unknown."""
    word = fold(word)
    if whole := _meaning(word, language):
        return (whole,)
    if language != _COMPOUNDING:
        return ()
    splits = [(word[:at], word[at:]) for at in range(len(word) - SHORTEST, SHORTEST - 1, -1)]
    parts = [tuple(_meaning(part, language) for part in split) for split in splits]
    both = next((meant for meant in parts if all(meant)), ())
    if both:
        return both
    known = (
        meaning
        for split, meant in zip(splits, parts, strict=True)
        for part, meaning in zip(split, meant, strict=True)
        if meaning and len(part) >= PART
    )
    return tuple(islice(known, 1))


def meanings_within(text: str, language: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words known in *text*, of a language without spaces, in order, each with what it may mean."""
    words = _words(language)
    longest = max(map(len, words))
    known = []
    at = 0
    while at < len(text):
        lengths = range(longest, 1, -1)
        entry = next((text[at : at + length] for length in lengths if text[at : at + length] in words), "")
        if entry:
            known.append((entry, words[entry]))
        at += len(entry) or 1
    return known


def _meaning(word: str, language: str) -> tuple[str, ...]:
    if exact := _words(language).get(word):
        return exact
    known = (english for entry, english in _forms(language).get(_root(word), ()) if _is_form(word, entry))
    return tuple(dict.fromkeys(right for english in known for right in english))


@cache
def _forms(language: str) -> Mapping[str, list[tuple[str, tuple[str, ...]]]]:
    """Return the words of a *language* with spaces by their roots, each with what it may mean."""
    forms: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for word, english in _words(language).items():
        forms.setdefault(_root(word), []).append((word, english))
    return forms


@cache
def _words(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words of *language*, each with what it may mean."""
    column = LANGUAGES.index(language)
    words: dict[str, tuple[str, ...]] = {}
    for english, others in translated():
        for word in others[column]:
            known = fold(word) if language in SPACED else word
            words[known] = tuple(dict.fromkeys((*words.get(known, ()), *english)))
    return words


def _is_form(word: str, entry: str) -> bool:
    """Whether *word*, which has the root of *entry*, is a form of it: they differ in their last letters alone."""
    shorter = min(len(word), len(entry))
    alike = next((at for at in range(shorter) if word[at] != entry[at]), shorter)
    return abs(len(word) - len(entry)) <= _ENDING and alike >= shorter - (_ENDING if shorter > _SHORT else 1)


def _root(word: str) -> str:
    """Return *word* without the letters that endings consist of: `rechnungen` and `rechnung` have one root."""
    while len(word) > SHORTEST and word[-1] in _ENDINGS:
        word = word[:-1]
    return word


_COMPOUNDING = "de"
_ENDINGS = frozenset("aeinorst")
_ENDING, _SHORT = 2, 6
"""The letters in which forms differ, one in words of up to six letters."""
