"""How well whole sessions match a description of their matter, which may use none of their words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autology.ranking.quantized_vectors import SCALE, products
from autology.text.tokens import STOP_WORDS
from autology.text.wordlists import root

Encode = Callable[[Sequence[str]], Sequence[bytes]]

RELEVANCE, WORDS, WHOLE, PROMPTS = 0.5, 1.0, 1.0, 1.0
"""The weights of a session's best passage, of the nearest word to each of the query's, of the session as a whole, and
of what the user said in it. On the open halves of bench/sessions the right session comes first for 87 of 106
descriptions, without the prompts for 84, by the best passage alone in 43 of the first 65."""
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


def scores(query: str, sessions: Sequence[SessionText], encode: Encode) -> list[float]:
    """Return a score for each of *sessions*, comparable only among these."""
    spoken = [frozenset(_words(session.text)) for session in sessions]
    query_words = [word for word in dict.fromkeys(_words(query)) if word not in STOP_WORDS][:MAX_WORDS]
    nearest = _nearest_words(query_words, spoken, encode)
    whole = _cosines(query, [session.text for session in sessions], encode)
    prompted = _cosines(query, [session.prompts or session.text for session in sessions], encode)
    result = [
        RELEVANCE * session.relevance + WORDS * word_score + WHOLE * cosine + PROMPTS * prompt_cosine
        for session, word_score, cosine, prompt_cosine in zip(sessions, nearest, whole, prompted, strict=True)
    ]
    return _earliest_first(result, sessions) if _asks_for_the_beginning(query) else result


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


def _nearest_words(query_words: Sequence[str], spoken: Sequence[frozenset[str]], encode: Encode) -> list[float]:
    """Return for each session how near it comes to *query_words*, rarer ones counting more; 1 for the nearest."""
    vocabulary = sorted(frozenset[str]().union(*spoken))
    if not query_words or not vocabulary:
        return [0.0] * len(spoken)
    position = {word: at for at, word in enumerate(vocabulary)}
    roots = [root(word) for word in vocabulary]
    numbers = [[position[word] for word in words] for words in spoken]
    rows = encode(vocabulary)
    totals = [0.0] * len(spoken)
    for word, row in zip(query_words, products(encode(query_words), rows), strict=True):
        own = root(word)
        near = [max(0.0, product / SCALE**2) for product in row]
        near = [SAME_ROOT if roots[at] == own else value for at, value in enumerate(near)]
        if word in position:
            near[position[word]] = 1.0
        best = [max((near[at] for at in some), default=0.0) for some in numbers]
        # A word to which every session has something near tells none of them apart.
        weight = max(0.0, -math.log(sum(best) / len(best) + 0.5 / len(best)))
        totals = [total + weight * value for total, value in zip(totals, best, strict=True)]
    highest = max(totals) or 1.0
    return [total / highest for total in totals]


def _cosines(query: str, texts: Sequence[str], encode: Encode) -> list[float]:
    if not texts:
        return []
    return [product / SCALE**2 for product in products(encode([query]), encode(texts))[0]]


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(text)]
