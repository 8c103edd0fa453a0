"""How well whole sessions match a description of their matter, which may use none of their words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.ranking.asking_form import other_language
from autology.ranking.evidence import specificity
from autology.ranking.quantized_vectors import SCALE, products
from autology.text.language.software_names import descriptions
from autology.text.tokens import STOP_WORDS
from autology.text.wordlists import root

Encode = Callable[[Sequence[str]], Sequence[bytes]]

RELEVANCE, WORDS, WHOLE, PROMPTS = 0.5, 1.0, 1.0, 1.0
"""The weights of a session's best passage, of the nearest word to each of the query's, of the session as a whole, and
of what the user said in it. On the open halves of bench/sessions the right session comes first for 153 of 169
descriptions; with other weights up to twice or half of these for 149 to 153, in no world for more than one more."""
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
ENGLISH = 8_000
"""The rank by general frequency up to which a word is an English one: rarer ones may be of another language."""
MAX_WORDS = 16
"""Words of a query that are compared; each is compared with every word of every candidate."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


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


def scores(query: str, sessions: Sequence[SessionText], encode: Encode, known: KnownWords) -> list[float]:
    """Return a score for each of *sessions*, comparable only among these; *encode* returns vectors of texts."""
    texts = [session.text for session in sessions]
    prompts = [session.prompts or session.text for session in sessions]
    spoken = [frozenset(_words(text)) for text in texts]
    languages = [other_language(words) for words in spoken]
    described = _described(spoken, languages, known)
    nearest = _nearest_words(query, spoken, described, known)
    whole = _cosines(query, map(_with, texts, described), encode)
    of_prompts = _described([frozenset(_words(text)) for text in prompts], languages, known)
    prompted = _cosines(query, map(_with, prompts, of_prompts), encode)
    result = [
        RELEVANCE * session.relevance + WORDS * word_score + WHOLE * cosine + PROMPTS * prompt_cosine
        for session, word_score, cosine, prompt_cosine in zip(sessions, nearest, whole, prompted, strict=True)
    ]
    return _earliest_first(result, sessions) if _asks_for_the_beginning(query) else result


def _described(spoken: Sequence[frozenset[str]], languages: Sequence[str], known: KnownWords) -> list[frozenset[str]]:
    """Return, for the words *spoken* in each session, the words by which people describe them.

    Those that are rare in English may be of the session's own language, of *languages*, "" for English.
    """
    every = sorted(frozenset[str]().union(*spoken))
    rare = {word for word, rank in zip(every, known.ranks(every), strict=True) if rank is None or rank >= ENGLISH}
    return [
        frozenset(other for word in words for other in descriptions(word, language if word in rare else ""))
        for words, language in zip(spoken, languages, strict=True)
    ]


def _with(text: str, words: frozenset[str]) -> str:
    return f"{text}\n{' '.join(sorted(words))}"


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


def _nearest_words(
    query: str, spoken: Sequence[frozenset[str]], described: Sequence[frozenset[str]], known: KnownWords
) -> list[float]:
    """Return for each session how near it comes to the words of *query*, rarer ones counting more; 1 for the nearest.

    Of a session, the words *spoken* are compared and, at a discount, those by which people describe them.
    """
    query_words = [word for word in dict.fromkeys(_words(query)) if word not in STOP_WORDS][:MAX_WORDS]
    vocabulary = sorted(frozenset[str]().union(*spoken, *described))
    if not query_words or not vocabulary:
        return [0.0] * len(spoken)
    position = {word: at for at, word in enumerate(vocabulary)}
    roots = [root(word) for word in vocabulary]
    numbers = [
        ([position[word] for word in words], [position[word] for word in others])
        for words, others in zip(spoken, described, strict=True)
    ]
    table = products(known.word_rows(query_words), known.word_rows(vocabulary))
    totals = [0.0] * len(spoken)
    for word, rank, row in zip(query_words, known.ranks(query_words), table, strict=True):
        own = root(word)
        near = [max(0.0, product / SCALE**2 - UNRELATED) / (1 - UNRELATED) for product in row]
        near = [SAME_ROOT if roots[at] == own else value for at, value in enumerate(near)]
        if word in position:
            near[position[word]] = 1.0
        best = [max(_nearest(near, words), DESCRIBED * _nearest(near, others)) for words, others in numbers]
        # A word to which every session has something near tells none of them apart.
        weight = specificity(rank) * max(0.0, -math.log(sum(best) / len(best) + 0.5 / len(best)))
        totals = [total + weight * value for total, value in zip(totals, best, strict=True)]
    highest = max(totals) or 1.0
    return [total / highest for total in totals]


def _nearest(near: Sequence[float], numbers: Sequence[int]) -> float:
    return max(map(near.__getitem__, numbers), default=0.0)


def _cosines(query: str, texts: Iterable[str], encode: Encode) -> list[float]:
    rows = encode([query, *texts])
    return [product / SCALE**2 for product in products(rows[:1], rows[1:])[0]] if rows[1:] else []


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(text)]
