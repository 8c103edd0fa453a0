"""The stretch of a text that answers a question best, its words marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from autology.text.tokens import fold, groups, query_terms

_WORD = re.compile(r"\w+")
WORDS = 10_000
"""Words remembered of one question."""
STEM = 4
"""Letters that two words must share to count as forms of one; fewer would mark too much."""


def excerpt(text: str, query: str, length: int) -> str:
    """Return at most about *length* characters of *text*, on one line, where most words of *query* stand together."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    held = _holding(query)
    places = [found.start() for found in _WORD.finditer(line) if held(found[0])]
    best = max(places, key=lambda at: sum(at <= other < at + length for other in places), default=0)
    start = max(0, min(best - length // 4, len(line) - length))
    if start:
        start = line.find(" ", start, best) + 1 or start
    stop = line.rfind(" ", start, start + length) if start + length < len(line) else len(line)
    stop = stop if stop > start else start + length
    return ("…" if start else "") + line[start:stop].strip() + ("…" if stop < len(line) else "")


def marked(text: str, query: str, mark: Callable[[str], str]) -> str:
    """Return *text* with every word of *query* in it marked."""
    held = _holding(query)
    return _WORD.sub(lambda found: mark(found[0]) if held(found[0]) else found[0], text)


def words_in(text: str, query: str) -> list[str]:
    """Return the words of *query* that stand in *text*, as they were asked for."""
    present = {token for group in groups(text) for token in group}
    return [
        " ".join(group)
        for group in query_terms(query)
        if any(_same(token, other) for token in group[:1] for other in present)
    ]


def _tokens(query: str) -> Sequence[str]:
    return [token for group in query_terms(query) for token in group]


@lru_cache(maxsize=16)  # the same question is asked of every result
def _holding(query: str) -> Callable[[str], frozenset[str]]:
    """Return what tells of a word which of *query*'s it is a form of."""
    tokens = frozenset(_tokens(query))
    alike: dict[str, list[str]] = {}
    for token in tokens:
        alike.setdefault(token[:STEM], []).append(token)
    known: dict[str, frozenset[str]] = {}

    def held(word: str) -> frozenset[str]:
        found = known.get(word)
        if found is None:
            if len(known) >= WORDS:
                known.clear()
            parts = {fold(word), *(token for group in groups(word) for token in group)}
            near = {token for part in parts for token in alike.get(part[:STEM], ()) if _same(token, part)}
            found = known[word] = frozenset(near | (parts & tokens))
        return found

    return held


def _same(token: str, word: str) -> bool:
    """Whether two words are forms of one, as the index's stemmer would mostly have it."""
    if token == word:
        return True
    shorter, longer = sorted((token, word), key=len)
    stem = shorter[: max(STEM, len(shorter) - 2)]
    return len(shorter) >= STEM and longer.startswith(stem) and len(longer) - len(shorter) <= STEM - 1


def phrases(text: str, query: str, most: int, length: int) -> list[str]:
    """Return the lines or sentences of *text* that hold most words of *query*, in their order, letter for letter.

    At most *most* of them, each cut to *length* around the words; the best one alone where others add no word.
    """
    held_by = _holding(query)
    found: list[tuple[frozenset[str], int, str]] = []
    for at, sentence in enumerate(_SENTENCE.findall(text)):
        if held := frozenset[str]().union(*map(held_by, _WORD.findall(sentence))):
            found.append((held, at, sentence))
    chosen: list[tuple[int, str]] = []
    covered: frozenset[str] = frozenset()
    for held, at, sentence in sorted(found, key=lambda each: (-len(each[0]), each[1])):
        if len(chosen) < most and not held <= covered:
            chosen.append((at, sentence))
            covered |= held
    return [excerpt(sentence, query, length) for _, sentence in sorted(chosen)]


def covering(query: str, most: int) -> tuple[int, Callable[[str], frozenset[int]]]:
    """Return how many terms *query* has, at most *most*, and what tells of a text which of them stand in it."""
    terms = query_terms(query)[:most]
    places: dict[str, set[int]] = {}
    for at, group in enumerate(terms):
        for token in group:
            places.setdefault(token, set()).add(at)
    held = _holding(query)

    def covered(text: str) -> frozenset[int]:
        tokens = frozenset[str]().union(*map(held, set(_WORD.findall(text))))
        return frozenset(at for token in tokens for at in places.get(token, ()))

    return len(terms), covered


_SENTENCE = re.compile(r"[^\n.!?]*[^\s.!?][^\n.!?]*(?:[.!?]+(?=\S)[^\n.!?]+)*[.!?]*")
