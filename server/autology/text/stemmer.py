"""The Porter stemmer, with the rules of SQLite's own tokenizer."""

from __future__ import annotations

from functools import lru_cache

REMEMBERED = 20_000
SHORTEST, LONGEST = 3, 64
"""Length of the words that are stemmed."""


@lru_cache(maxsize=REMEMBERED)
def stem(word: str) -> str:
    """Return the stem of *word*, a token in lower case; words of other alphabets or with accents are unchanged."""
    return stemmed(word)


def stemmed(word: str) -> str:
    """Return the same, for callers with a cache of their own."""
    if not SHORTEST <= len(word) <= LONGEST or word[-1] not in _LAST or not word.isascii():
        return word
    shortened = _adverb(_past(_plural(word)))
    for endings, least in ((_SECOND, 0), (_THIRD, 0), (_FOURTH, 1)):
        shortened = _replaced(shortened, endings, least)
    return _last(shortened)


def _plural(word: str) -> str:
    if word[-1] != "s" or word[-2] == "s":
        return word
    return (
        word[:-2]
        if (word.endswith("ies") and len(word) > 3) or (word.endswith("sses") and len(word) > 4)
        else word[:-1]
    )


def _past(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measured(word[:-3], 0) else word
    for ending in ("ed", "ing"):
        begin = word[: -len(ending)]
        if begin and word.endswith(ending) and _vowel(begin):
            break
    else:
        return word
    if begin.endswith(("at", "bl", "iz")):
        return begin + "e"
    if len(begin) > 1 and begin[-1] == begin[-2] and begin[-1] not in "aeioulsz":
        return begin[:-1]
    return begin + "e" if _short(begin) else begin


def _adverb(word: str) -> str:
    return word[:-1] + "i" if word[-1] == "y" and _vowel(word[:-1]) else word


def _replaced(word: str, endings: dict[str, str], least: int) -> str:
    """Return *word* with the longest matching one of *endings* replaced, if enough precedes it."""
    if word[-2:] not in _TAILS:
        return word  # most words
    for size in range(min(_LONGEST_ENDING, len(word) - 1), 1, -1):
        ending = endings.get(word[-size:])
        if ending is not None:
            begin = word[:-size]
            fits = _measured(begin, least) and (word[-size:] != "ion" or begin[-1] in "st")
            return begin + ending if fits else word
    return word


def _last(word: str) -> str:
    if word[-1] == "e":
        begin = word[:-1]
        if _measured(begin, 1) or (_measured(begin, 0) and not _short(begin, once=False)):
            word = begin
    return word[:-1] if word.endswith("ll") and _measured(word[:-1], 1) else word


def _measured(begin: str, least: int) -> bool:
    """Whether *begin* has more than *least* vowel-consonant sequences."""
    return _shape(begin).count("vc") > least


def _short(begin: str, once: bool = True) -> bool:
    """Whether *begin* ends in a consonant, a vowel and a consonant; with measure one only, if *once*."""
    shape = _shape(begin)
    return shape.endswith("cvc") and begin[-1] not in "wxy" and (not once or shape.count("vc") == 1)


def _vowel(begin: str) -> bool:
    return "v" in begin.translate(_KINDS) or "y" in begin[1:]


def _shape(begin: str) -> str:
    """Return *begin* with a c for every consonant and a v for every vowel; y is one after a consonant."""
    shape = begin.translate(_KINDS)
    while (at := shape.find("y")) >= 0:
        shape = f"{shape[:at]}{'v' if shape[at - 1 : at] == 'c' else 'c'}{shape[at + 1 :]}"
    return shape


def _endings(pairs: str) -> dict[str, str]:
    return dict(pair.partition(">")[::2] for pair in pairs.split())


_KINDS = {letter: "y" if letter == ord("y") else "v" if chr(letter) in "aeiou" else "c" for letter in range(128)}
_SECOND = _endings(
    "ational>ate tional>tion enci>ence anci>ance izer>ize logi>log bli>ble alli>al entli>ent eli>e ousli>ous"
    " ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble"
)
_THIRD = _endings("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_FOURTH = _endings("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize")
_LONGEST_ENDING = 7
_TAILS = frozenset(ending[-2:] for endings in (_SECOND, _THIRD, _FOURTH) for ending in endings)
_LAST = frozenset("cdegilmnrstuy")
"""The last letters of all endings."""
