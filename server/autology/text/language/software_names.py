"""Other words for a word of talk: what the software that it names is, and what it means in English."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from autology.text.language.translation import SHORTEST, UNSPACED, meanings, meanings_within
from autology.text.tokens import is_run
from autology.text.wordlists import root, software_names


@lru_cache(maxsize=20_000)
def descriptions(word: str, language: str = "") -> tuple[str, ...]:
    """Return the words by which people may describe what *word*, in lower case, stands for.

    It may be of *language*, one with spaces; what is written without them is looked up anyway.
    """
    words = dict.fromkeys(software_names().get(word, ()))
    if word.isalpha():
        for of in (language, *UNSPACED) if language else UNSPACED:
            words.update(dict.fromkeys(_translated(word, of)))
    return tuple(words)


def _translated(word: str, language: str) -> list[str]:
    if language not in UNSPACED:
        return [english for part in meanings(word, language) for english in part] if len(word) >= SHORTEST else []
    return [english for _, part in meanings_within(word, language) for english in part] if is_run(word[0]) else []


def names_described_by(words: Collection[str]) -> list[str]:
    """Return the known names that some of *words*, in lower case, describe; those first that most of them describe."""
    shared: dict[str, int] = {}
    for word in {root(word) for word in words}:
        for name in _by_description().get(word, ()):
            shared[name] = shared.get(name, 0) + 1
    return sorted(shared, key=lambda name: -shared[name])


@cache
def _by_description() -> Mapping[str, tuple[str, ...]]:
    by_word: dict[str, dict[str, None]] = {}
    for name, words in software_names().items():
        for word in words:
            by_word.setdefault(root(word), {})[name] = None
    return {word: tuple(some) for word, some in by_word.items()}
