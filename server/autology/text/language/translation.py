"""What words of other languages mean in English, by a list of words of software, of trades and of everyday life.

Each language has a file, read on its first question. Its lines are sorted, and a word is looked up by bisection: no
table is built of words of which a question has a few. Prompts are translated too, in hooks, which load few modules.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cache
from itertools import chain, islice

from autology.text.tokens import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from importlib.abc import SourceLoader

SPACED = ("de", "fr", "es")
"""The languages known that write spaces between words."""
UNSPACED = ("zh", "ja")
LANGUAGES = (*SPACED, *UNSPACED)
SHORTEST = 4
"""Letters of a word, without its ending, from which another form of it, or a part of a compound, is recognised."""

PART = 5
"""Letters of a word from which it is recognised as a part of a compound of which the rest is unknown."""

Meanings = tuple[tuple[str, ...], ...]
"""For each known part of a word, the English words that it may mean; one part, but for a compound."""


def meanings(word: str, language: str, is_name: bool = False) -> Meanings:
    """Return what *word*, of one of the languages with spaces, means in English; nothing if it is unknown.

    What *is_name* is known only if it is on the list as it is: `Grafana` does not come from `gráfica`.
    """
    word = fold(word)
    if is_name:
        return (exact,) if (exact := _exact(word, language)) else ()
    if whole := _meaning(word, language):
        return (whole,)
    if language != _COMPOUNDING:
        return ()
    bare = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")  # an umlaut's other spelling: `loeschen`
    if bare != word and (whole := _meaning(bare, language)):
        return (whole,)
    return _meanings_of_compound(word) or (_meanings_of_compound(bare) if bare != word else ())


def meanings_within(
    text: str, language: str, without: Collection[str] = frozenset()
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words known in *text*, of a language without spaces, in order, each with what it may mean.

    Words of *without* are left out, and what they cover; where a known word is longer, it is taken: `用户` has `用`.
    """
    longest = max(map(len, without), default=0)
    known = []
    at = 0
    while at < len(text):
        entry, english = _longest_at(text, at, language)
        length = next((length for length in range(longest, 0, -1) if text[at : at + length] in without), 0)
        if len(entry) > length:
            known.append((entry, english))
        at += max(len(entry), length) or 1
    return known


def _longest_at(text: str, at: int, language: str) -> tuple[str, tuple[str, ...]]:
    """Return the longest word of the list that *text* has *at* a position, and what it means; else nothing."""
    lines, longest, line = _lines(language), "", 0
    for end in range(at + 1, len(text) + 1):
        beginning = text[at:end]
        first = bisect_left(lines, beginning, line)
        if first == len(lines) or not lines[first].startswith(beginning):
            break
        if lines[first].startswith(f"{beginning}:"):  # before all that begin with it: a colon comes before letters
            longest, line = beginning, first
    return longest, _english(lines[line]) if longest else ()


def _meanings_of_compound(word: str) -> Meanings:
    splits = [(word[:at], word[at:]) for at in range(len(word) - SHORTEST, SHORTEST - 1, -1)]
    parts = [tuple(map(_meaning_of_part, split)) for split in splits]
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


def _meaning_of_part(part: str) -> tuple[str, ...]:
    """Return what *part* of a compound means: a word, its stem, or one with letters that link it to the next part."""
    bare = [part.removesuffix(link) for link in _LINKS if part.endswith(link) and len(part) > len(link) + 2]
    words = (f"{stem}{ending}" for stem in (part, *bare) for ending in ("", *_STEM_ENDINGS))
    bases = (base for stem in (part, *bare) for base in _bases(stem, _COMPOUNDING))
    return next(filter(None, (_exact(word, _COMPOUNDING) for word in chain(words, bases))), ())


def _meaning(word: str, language: str) -> tuple[str, ...]:
    exact = (_exact(form, language) for form in chain((word,), _bases(word, language)))
    alike = (_of_form(form, language) for form in chain((word,), _without_ge(word, language)))
    return next(filter(None, chain(exact, alike)), ())


def _exact(word: str, language: str) -> tuple[str, ...]:
    """Return what *word* means, if it is on the list as it is."""
    lines, beginning = _lines(language), f"{word}:"
    at = bisect_left(lines, beginning)
    return _english(lines[at]) if at < len(lines) and lines[at].startswith(beginning) else ()


def _bases(word: str, language: str) -> Iterator[str]:
    """Yield the words of which *word* may be a form by its ending."""
    for ending, others in _REPLACED[language]:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            yield from (word.removesuffix(ending) + other for other in others)


def _without_ge(word: str, language: str) -> Iterator[str]:
    """Yield a word of German without the `ge` or `zu` before its stem: `gekauft`, `hochgeladen`, `abzubrechen`."""
    for prefix in _SEPARABLE if language == _COMPOUNDING else ():
        if word.startswith((f"{prefix}ge", f"{prefix}zu")) and len(word) - len(prefix) > SHORTEST + 1:
            yield prefix + word[len(prefix) + 2 :]


def _of_form(word: str, language: str) -> tuple[str, ...]:
    """Return what the words on the list mean of which *word* is a form: those that begin with most of its letters."""
    root, lines = _root(word), _lines(language)
    nearest, english = 0, dict[str, None]()
    at = bisect_left(lines, root)
    while at < len(lines) and lines[at].startswith(root):
        entry = lines[at].partition(":")[0]
        alike = _common_beginning(word, entry)
        if alike >= nearest and _root(entry) == root and _is_form(word, entry, alike):
            nearest, english = alike, {**(english if alike == nearest else {}), **dict.fromkeys(_english(lines[at]))}
        at += 1
    return tuple(english)


def _common_beginning(word: str, entry: str) -> int:
    shorter = min(len(word), len(entry))
    return next((at for at in range(shorter) if word[at] != entry[at]), shorter)


def _is_form(word: str, entry: str, alike: int) -> bool:
    """Whether *word*, which has the root of *entry*, is a form of it: they differ in their last letters alone."""
    shorter = min(len(word), len(entry))
    return abs(len(word) - len(entry)) <= _ENDING and alike >= shorter - (_ENDING if shorter > _SHORT else 1)


def _root(word: str) -> str:
    """Return *word* without the letters that endings consist of: `rechnungen` and `rechnung` have one root."""
    while len(word) > SHORTEST and word[-1] in _ENDINGS:
        word = word[:-1]
    return word


def _english(line: str) -> tuple[str, ...]:
    return tuple(line.partition(": ")[2].split())


@cache
def _lines(language: str) -> Sequence[str]:
    """Return the lines of the list of *language*, sorted; those of its head come first, and are found by no word."""
    # By the loader, for hooks are loaded from an archive.
    loader: SourceLoader = __loader__  # type: ignore[name-defined]
    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "wordlists")
    return loader.get_data(os.path.join(folder, f"translations_{language}.txt")).decode("utf-8").split("\n")[:-1]


_COMPOUNDING = "de"
_LINKS, _STEM_ENDINGS = ("s", "n", "en", "es", "er", "e"), ("e", "en", "n")
"""What stands between a compound's parts, and what a part may lack: `Monat-s-ende`, `Schul-gesetz`, `Lösch-frist`."""
_ENDINGS = frozenset("aeinorst")
_ENDING, _SHORT = 2, 6
"""The letters in which forms differ, one in words of up to six letters."""
_STEM = 2
"""Letters that remain of a word without its ending."""
_FRENCH, _SPANISH = ("er", "ir", "re"), ("ar", "er", "ir", "")
_REPLACED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "de": (("ungen", ("ung", "en", "n")), ("ung", ("en", "n")), ("em", ("",))),
    "fr": (
        ("s", ("",)),
        ("x", ("",)),
        *(
            (ending, _FRENCH)
            for ending in ("issaient", "issait", "issons", "issent", "issant", "aient", "ions", "iez", "ons", "ez")
        ),
    ),
    "es": (
        *(("ces", ("z",)), ("s", ("",)), ("es", ("",))),
        *(
            (ending, _SPANISH)
            for ending in (
                *("abamos", "iamos", "amos", "emos", "imos", "aban", "aba", "ando", "iendo", "ieron", "aron"),
                *("ados", "adas", "ado", "ada", "idos", "idas", "ido", "ida"),
            )
        ),
        *(("que", ("car",)), ("gue", ("gar",)), ("ce", ("zar",))),
    ),
}
"""Endings with other letters than _ENDINGS, or of which the base form is known, and those of the base form."""
_SEPARABLE = (
    *("", "ab", "an", "auf", "aus", "bei", "durch", "ein", "frei", "her", "hin", "hinzu", "hoch", "los", "mit", "nach"),
    *("um", "unter", "vor", "weg", "weiter", "wieder", "zu", "zuruck", "zusammen"),
)
