"""How well whole sessions match a description of their matter, which may use none of their words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple, Protocol

from autology.ranking.asking_form import ENGLISH, asking_words, other_language
from autology.ranking.evidence import SYNONYM, specificity
from autology.ranking.quantized_vectors import SCALE, products
from autology.text.language.software_names import descriptions
from autology.text.tokens import STOP_WORDS, fold
from autology.text.wordlists import root, synonyms

Encode = Callable[[Sequence[str]], Sequence[bytes]]

RELEVANCE, WORDS, WHOLE, PROMPTS, EXCHANGE = 0.5, 1.0, 1.0, 0.5, 1.0
"""The weights of a session's best passage, of the nearest word to each of the query's, of the session as a whole, of
what the user said in it, and of its nearest exchange. On the open halves of bench/sessions the right session comes
first for 212 of 229 descriptions; without the exchange, or without what the user said, for 209."""
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
    """What was said in a session, by all, by the user alone and in each exchange, when, and the relevance (0-1) of its
    best passage."""

    relevance: float
    text: str
    prompts: str
    exchanges: Sequence[str]
    began: str


class KnownWords(Protocol):
    """What is known of words in general."""

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        """Return the vector of each of *words*."""

    def ranks(self, words: Sequence[str]) -> Sequence[int | None]:
        """Return the rank of each of *words* by general frequency, None for rare ones."""


def scores(description: Description, sessions: Sequence[SessionText], encode: Encode, known: KnownWords) -> list[float]:
    """Return a score for each of *sessions*, comparable only among these; *encode* returns vectors of texts."""
    exchanges = [[(text, _words(text)) for text in session.exchanges or (session.text,)] for session in sessions]
    words = [list(chain.from_iterable(own for _, own in some)) for some in exchanges]
    readings = [_reading(session.text, own, known) for session, own in zip(sessions, words, strict=True)]
    nearest = _nearest_words(description, readings, known)
    parts = [
        [
            reading.in_english(session.text, own),
            reading.in_english(prompts := session.prompts or session.text, _words(prompts)),
            *(reading.in_english(text, of_text) for text, of_text in some),
        ]
        for session, reading, own, some in zip(sessions, readings, words, exchanges, strict=True)
    ]
    cosines = iter(_cosines(description, list(chain.from_iterable(parts)), encode))
    result = []
    for session, word_score, texts in zip(sessions, nearest, parts, strict=True):
        whole, prompted, *by_exchange = islice(cosines, len(texts))
        likeness = WHOLE * whole + PROMPTS * prompted + EXCHANGE * max(by_exchange)
        result.append(RELEVANCE * session.relevance + WORDS * word_score + likeness)
    query = f"{description.written} {description.meaning}"
    return _earliest_first(result, sessions) if _asks_for_the_beginning(query) else result


class _Reading(NamedTuple):
    """A text as it is compared: its *language*, "" for English, the words *spoken* in it, and all by which people
    *described* them.

    *by_word* has what each word is in English or, in an English text, what describes it; *by_name* has what describes
    each name with signs in it.
    """

    language: str
    spoken: frozenset[str]
    by_word: Mapping[str, Sequence[str]]
    by_name: Mapping[str, Sequence[str]]
    described: frozenset[str]

    def in_english(self, part: str, words: Sequence[str]) -> str:
        """Return a *part* of the text, which has these *words*, in English, as far as they are known."""
        if self.language:
            return " ".join(chain.from_iterable(self.by_word.get(one, (one,)) for one in words))
        described = set(chain.from_iterable(self.by_word.get(one, ()) for one in set(words)))
        if self.by_name:
            small = part.lower()
            described.update(*(others for name, others in self.by_name.items() if name in small))
        return f"{part}\n{' '.join(sorted(described))}"


def _reading(text: str, words: Sequence[str], known: KnownWords) -> _Reading:
    """Return how *text*, which has these *words*, is compared."""
    spoken = frozenset(words)
    language = other_language(spoken)
    every = sorted(spoken)
    # A word that is rare in English may be of the session's own language.
    rare = {word for word, rank in zip(every, known.ranks(every), strict=True) if rank is None or rank >= COMMON}
    by_word = {word: descriptions(word, language if word in rare else "") for word in every}
    joined = {match[0].lower() for match in _JOINED.finditer(text)}
    by_name = {name: others for name in joined if (others := descriptions(name))}
    described = frozenset(chain.from_iterable(chain(by_word.values(), by_name.values())))
    if language:
        asking = asking_words(language)
        by_word = {word: () if fold(word) in asking else others or (word,) for word, others in by_word.items()}
    return _Reading(language, spoken, by_word, by_name, described)


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
    return _WORD.findall(text.lower())
