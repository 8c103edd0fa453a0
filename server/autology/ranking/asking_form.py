"""How a prompt asks: the sorts of asking words in it, of any language known, and the words left as its subject.

The words are read from asking_words.txt, those of a language on first use.
"""

from __future__ import annotations

import os
from functools import cache

from autology.text.tokens import fold, is_run
from autology.text.user_words import plain_words, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from importlib.abc import SourceLoader


class AskingForm:
    """A prompt's *language*, the *sorts* of asking words in it, and whether it *is a question* by its mark.

    *asks_how* says that it only asks how something is done: `how should I mock the clock`. *is_terse* says that it is a
    few words: `rationale for Redis`.
    """

    __slots__ = ("asks_how", "is_question", "is_terse", "language", "sorts")

    def __init__(
        self,
        language: str,
        sorts: frozenset[str],
        is_question: bool,
        asks_how: bool = False,
        is_terse: bool = False,
    ) -> None:
        self.language = language
        self.sorts = sorts - {_OTHER}
        self.is_question = is_question
        self.asks_how = asks_how
        self.is_terse = is_terse


ASK, WHY, MATTER, LOOK = "ask", "why", "matter", "look"
"""Sorts of asking words: of questions, of reasons, what is remembered of the past, to fetch it."""
_TERSE = 4
"""The most words of a terse prompt."""
_QUESTION_LETTERS = ("w", "h")
_OPENING, _OTHER = "open", "other"
ENGLISH = "en"
_SPACED, _CHINESE, _JAPANESE = (ENGLISH, "de", "fr", "es"), "zh", "ja"
_MOSTLY = 0.5
"""The share of English words from which other languages are not considered; of code words a prompt is rarely free."""
_TELLING = 4
"""Asking words that tell that a text is in their language: English pages hold up to 2 of another, two sentences 15."""
_ALSO_ENGLISH = frozenset(
    "accord change comment compare con die era fast favor final fur gross gut lag man migration motif par place plus"
    " resolver sin solo son tan war wars".split()
)
"""Asking words of other languages that are English words too: alone they make no question one in another language."""

_APOSTROPHES = str.maketrans(dict.fromkeys("'’`", " "))
_APART = str.maketrans(dict.fromkeys("'’`-¿¡«»", " "))
_MARKS = ("?", "？")
_sections: dict[str, str] = {}
_languages: dict[str, dict[str, frozenset[str]]] = {}


def asking_form(own: str) -> AskingForm:
    """Return how a person's *own* words ask."""
    is_question = any(mark in own for mark in _MARKS)
    script = "" if own.isascii() else _script(own)
    if script:
        return AskingForm(script, _without_asking(own, script)[0], is_question)
    words = list(plain_words(fold(own).translate(_APART)))
    language = _language(words)
    sorts = {sort for word in words for sort in _sorts_of(word, language) if sort != _OPENING}
    if words and (_OPENING in _sorts_of(words[0], language) or _asks_misspelt(words[0], language)):
        sorts.add(ASK)
    asks_how = words[:1] == ["how"] and sorts <= {ASK, _OTHER}
    return AskingForm(language, frozenset(sorts), is_question, asks_how, len(words) <= _TERSE)


def subject_of(text: str, language: str) -> list[str]:
    """Return the words of *text* that ask nothing, in order."""
    text = text.translate(_APOSTROPHES)
    if language not in _SPACED:
        return words_of(_without_asking(text, language)[1])
    return [word for word in words_of(text) if not _asks(fold(word).split("-"), language)]


@cache
def asking_words(language: str) -> frozenset[str]:
    """Return all asking words of *language*."""
    return frozenset(word for words in _words(language).values() for word in words)


def other_language(words: Iterable[str]) -> str:
    """Return the language with spaces, other than English, that some *words*, in lower case, are in; "" if none is."""
    folded = frozenset(map(fold, words))
    count = {language: len(folded & _telling_words(language)) for language in _SPACED[1:]}
    best = max(count, key=count.__getitem__)
    return best if count[best] >= _TELLING else ""


@cache
def _telling_words(language: str) -> frozenset[str]:
    words = asking_words(language) - asking_words(ENGLISH) - _ALSO_ENGLISH
    return frozenset(word for word in words if len(word) > 1)


def decides(sentence: str) -> bool:
    """Whether *sentence*, in lower case, has a word of decisions or reasons, in a language of which some were read."""
    words = frozenset(words_of(sentence))
    return any(not words.isdisjoint(sorts[sort]) for sorts in _languages.values() for sort in (WHY, MATTER))


def misspelt_sorts(word: str, language: str) -> list[str]:
    """Return the sorts of the asking words of *language* that *word* may be a misspelling of."""
    if language not in _SPACED:
        return []
    return [sort for sort, words in _words(language).items() if sort != _OPENING and _is_misspelt_one_of(word, words)]


def _is_misspelt_one_of(word: str, words: Collection[str]) -> bool:
    """Whether *word* may be a misspelling of one of *words*: a slip spares its first letter or its last."""
    from autology.text.misspelt_search_words import is_misspelt

    first, last, length = word[:1], word[-1:], len(word)
    return any(
        is_misspelt(word, meant)
        for meant in words
        if (meant[:1] == first or meant[-1:] == last) and -2 < len(meant) - length < 2
    )


def _asks_misspelt(word: str, language: str) -> bool:
    """Whether *word*, the first of a prompt, may be a misspelt question word; any other may be the subject's."""
    words = _words(language)
    if not word.startswith(_QUESTION_LETTERS) or any(word in words_of_sort for words_of_sort in words.values()):
        return False
    return any(_is_misspelt_one_of(word, words[sort]) for sort in (ASK, WHY))


def _asks(parts: Sequence[str], language: str) -> bool:
    """Whether all *parts* of a word are asking words; a prompt in another language contains English ones too."""
    return all(_sorts_of(part, language) or _sorts_of(part, ENGLISH) for part in parts)


def _sorts_of(word: str, language: str) -> list[str]:
    return [sort for sort, words in _words(language).items() if word in words]


def _script(text: str) -> str:
    """Return the language of *text* if it is one without spaces, else ""."""
    if not any(is_run(letter) for letter in text if letter > "\u0fff"):
        return ""
    return _JAPANESE if any("\u3040" <= letter <= "\u30ff" for letter in text) else _CHINESE


def _language(words: Sequence[str]) -> str:
    """Return the language that most of *words* are of; of several the first."""

    def count(language: str) -> int:
        sorts = _words(language).values()
        asking = [word for word in words if any(word in words_of_sort for words_of_sort in sorts)]
        return len(asking) if language == ENGLISH or not _ALSO_ENGLISH.issuperset(asking) else 0

    return ENGLISH if count(ENGLISH) >= _MOSTLY * len(words) else max(_SPACED, key=count)


def _without_asking(text: str, language: str) -> tuple[frozenset[str], str]:
    """Return the sorts of the asking words in *text*, and *text* without them; the longest are taken first."""
    entries = [(word, sort) for sort, words in _words(language).items() for word in words]
    sorts = set()
    for word, sort in sorted(entries, key=lambda entry: (-len(entry[0]), entry)):
        if word in text:
            sorts.add(sort)
            text = text.replace(word, " ")
    return frozenset(sorts), text


def _words(language: str) -> Mapping[str, Collection[str]]:
    """Return the words of each sort of a language."""
    if language not in _languages:
        if not _sections:
            # By the loader, for hooks are loaded from an archive.
            loader: SourceLoader = __loader__  # type: ignore[name-defined]
            data = loader.get_data(os.path.join(os.path.dirname(__file__), "asking_words.txt")).decode("utf-8")
            _sections.update((section[:2], section[4:]) for section in data.split("\n[")[1:])
        sorts = (line.split(": ", 1) for line in _sections[language].replace("\n  ", " ").splitlines())
        _languages[language] = {sort: frozenset(words.split()) for sort, words in sorts}
    return _languages[language]
