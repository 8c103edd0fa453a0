"""How well whole sessions match a description of their matter, which may use none of their words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Protocol

from autology.ranking.asking_form import ENGLISH, asking_words, other_language
from autology.ranking.evidence import SYNONYM, specificity
from autology.ranking.quantized_vectors import SCALE, products
from autology.text.language.software_names import descriptions
from autology.text.tokens import STOP_WORDS, fold
from autology.text.wordlists import root, synonyms

Encode = Callable[[Sequence[str]], Sequence[bytes]]

RELEVANCE, WORDS, WHOLE, PROMPTS = 0.5, 1.0, 1.0, 1.0
"""The weights of a session's best passage, of the nearest word to each of the query's, of the session as a whole, and
of what the user said in it. On the open halves of bench/sessions the right session comes first for 155 of 169
descriptions; with one of these weights doubled or halved for 152 to 155."""
CLOSE, EARLIER = 0.2, 0.3
"""What the earliest of sessions that come this close to the best gains if a description asks for the beginning: 89 of
106 come first then."""
_BEGINNING = frozenset(
    (
        "first original originally initial initially earliest beginning"
        " erste ersten erster erstes ursprünglich ursprüngliche anfang anfangs"
        " premier première premiers premières initiale primer primero primera inicial"
    ).split()
)
_DAY_ONE = "day one"
SAME_ROOT = 0.95
"""The similarity of two forms of a word."""
UNRELATED = 0.25
"""The similarity up to which two words have nothing in common (bench/sessions: 0.15 to 0.35 are level)."""
DESCRIBED = 0.8
"""How much a word counts that only describes what was named, beside one that was said (bench/sessions: 0.7 to 0.9 are
level, without such words 148 of 169 come first)."""
ASKING = 0.3
"""How much a word that only asks counts, such as *about* or *again*: of 623 descriptions and questions of eight worlds,
550 find the right session first, with 0, 0.6 and 1 547, 546 and 547."""
COMMON = 8_000
"""The rank by general frequency up to which a word is an English one: rarer ones may be of another language."""
MAX_WORDS = 16
"""Words of a query that are compared; each is compared with every word of every candidate."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_JOINED = re.compile(r"[^\W_]+(?:[.+/-][^\W_]+)+")
"""What may be a name with signs in it: `clang-tidy`, `pdf/a`."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a session is looked for by: as it is *written*, and its *meaning*, in English and without misspellings."""

    written: str
    meaning: str


@dataclass(frozen=True, slots=True)
class SessionText:
    """What was said in a session, by the user alone and by all, when, and the relevance (0-1) of its best passage."""

    relevance: float
    text: str
    prompts: str
    began: str


class KnownWords(Protocol):
    """What is known of words in general."""

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        """Return the vector of each of *words*."""

    def ranks(self, words: Sequence[str]) -> Sequence[int | None]:
        """Return the rank of each of *words* by general frequency, None for rare ones."""


def scores(description: Description, sessions: Sequence[SessionText], encode: Encode, known: KnownWords) -> list[float]:
    """Return a score for each of *sessions*, comparable only among these; *encode* returns vectors of texts."""
    readings = [_reading(session.text, known) for session in sessions]
    nearest = _nearest_words(description, readings, known)
    whole = _cosines(description, [reading.english for reading in readings], encode)
    prompts = [
        _reading(session.prompts or session.text, known, reading.language)
        for session, reading in zip(sessions, readings, strict=True)
    ]
    prompted = _cosines(description, [reading.english for reading in prompts], encode)
    result = [
        RELEVANCE * session.relevance + WORDS * word_score + WHOLE * cosine + PROMPTS * prompt_cosine
        for session, word_score, cosine, prompt_cosine in zip(sessions, nearest, whole, prompted, strict=True)
    ]
    query = f"{description.written} {description.meaning}"
    return _earliest_first(result, sessions) if _asks_for_the_beginning(query) else result


class _Reading(NamedTuple):
    """A text as it is compared: its *language*, "" for English, the words *spoken* in it, the words by which people
    *described* them, and all of it in *english*, as far as its words are known.
    """

    language: str
    spoken: frozenset[str]
    described: frozenset[str]
    english: str


def _reading(text: str, known: KnownWords, language: str | None = None) -> _Reading:
    """Return how *text* is compared, of *language* if that is known."""
    words = _words(text)
    spoken = frozenset(words)
    language = other_language(spoken) if language is None else language
    every = sorted(spoken)
    # A word that is rare in English may be of the session's own language.
    rare = {word for word, rank in zip(every, known.ranks(every), strict=True) if rank is None or rank >= COMMON}
    by_word = {word: descriptions(word, language if word in rare else "") for word in every}
    joined = (descriptions(match[0].lower()) for match in _JOINED.finditer(text))
    described = frozenset(chain.from_iterable(chain(by_word.values(), joined)))
    if language:
        asking = asking_words(language)
        english = (by_word[word] or (word,) for word in words if fold(word) not in asking)
        return _Reading(language, spoken, described, " ".join(chain.from_iterable(english)))
    return _Reading(language, spoken, described, f"{text}\n{' '.join(sorted(described))}")


def _asks_for_the_beginning(query: str) -> bool:
    return not _BEGINNING.isdisjoint(_words(query)) or _DAY_ONE in query.lower()


def _earliest_first(scores: Sequence[float], sessions: Sequence[SessionText]) -> list[float]:
    """Return the *scores*, with more for the earlier ones of those close to the best."""
    least = max(scores, default=0.0) - CLOSE
    close = sorted((at for at, score in enumerate(scores) if score >= least), key=lambda at: sessions[at].began)
    result = list(scores)
    for place, at in enumerate(close[:-1]):
        result[at] += EARLIER * (1 - place / (len(close) - 1))
    return result


def _nearest_words(description: Description, readings: Sequence[_Reading], known: KnownWords) -> list[float]:
    """Return for each session how near it comes to the words of a description, rarer ones counting more; at most 1.

    Of a session, the words spoken are compared and, at a discount, those by which people describe them. Words as they
    are written in another language count where they were spoken.
    """
    meant, written = _telling(description.meaning), _telling(description.written)
    vocabulary = sorted(frozenset[str]().union(*(one.spoken | one.described for one in readings)))
    if not meant or not vocabulary:
        return [0.0] * len(readings)
    position = {word: at for at, word in enumerate(vocabulary)}
    numbers = [
        ([position[word] for word in one.spoken], [position[word] for word in one.described]) for one in readings
    ]
    held: dict[str, list[float]] = {}
    for word, near in zip(meant, _nearness(meant, vocabulary, known), strict=True):
        held[word] = [max(_nearest(near, words), DESCRIBED * _nearest(near, others)) for words, others in numbers]
    for word in written:
        held.setdefault(word, [float(word in one.spoken) for one in readings])
    totals = [0.0] * len(readings)
    asking = asking_words(ENGLISH) | asking_words(other_language(written) or ENGLISH)
    for (word, best), rank in zip(held.items(), known.ranks(list(held)), strict=True):
        # A word to which every session has something near tells none of them apart.
        weight = specificity(rank) * max(0.0, -math.log(sum(best) / len(best) + 0.5 / len(best)))
        weight *= ASKING if fold(word) in asking else 1.0
        totals = [total + weight * value for total, value in zip(totals, best, strict=True)]
    highest = max(totals) or 1.0
    return [total / highest for total in totals]


def _telling(text: str) -> list[str]:
    return [word for word in dict.fromkeys(_words(text)) if word not in STOP_WORDS][:MAX_WORDS]


def _nearness(words: Sequence[str], vocabulary: Sequence[str], known: KnownWords) -> Iterator[list[float]]:
    """Yield for each of *words* how near each word of the *vocabulary* comes to it: 1 for itself."""
    roots = [root(word) for word in vocabulary]
    groups = [synonyms().get(one) for one in roots]
    for word, products_of in zip(words, products(known.word_rows(words), known.word_rows(vocabulary)), strict=True):
        near = [max(0.0, product / SCALE**2 - UNRELATED) / (1 - UNRELATED) for product in products_of]
        own = root(word)
        if same := synonyms().get(own):
            near = [
                max(value, SYNONYM) if group and not same.isdisjoint(group) else value
                for value, group in zip(near, groups, strict=True)
            ]
        yield [
            1.0 if other == word else SAME_ROOT if of_other == own else value
            for other, of_other, value in zip(vocabulary, roots, near, strict=True)
        ]


def _nearest(near: Sequence[float], numbers: Sequence[int]) -> float:
    return max(map(near.__getitem__, numbers), default=0.0)


def _cosines(description: Description, texts: Sequence[str], encode: Encode) -> list[float]:
    """Return how near each of *texts* is to a description, by its meaning or as it is written."""
    ways = list(dict.fromkeys((description.meaning, description.written)))
    rows = encode([*ways, *texts])
    table = products(rows[: len(ways)], rows[len(ways) :]) if texts else []
    return [max(column) / SCALE**2 for column in zip(*table, strict=True)]


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(text)]
