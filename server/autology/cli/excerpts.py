"""The stretch of a text that answers a question best, its words marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from autology.text.tokens import PIECE, fold, groups, is_run, query_terms

STEM = 4
"""Letters that two words must share to count as forms of one; fewer would mark too much."""


def excerpt(text: str, query: str, length: int) -> str:
    """Return at most about *length* characters of *text*, on one line, where most words of *query* stand together."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    tokens = _tokens(query)
    places = [at for found in PIECE.finditer(line) for at in _places(found[0], found.start(), tokens)]
    best = max(places, key=lambda at: sum(at <= other < at + length for other in places), default=0)
    start = max(0, min(best - length // 4, len(line) - length))
    if start:
        start = line.find(" ", start, best) + 1 or start
    stop = line.rfind(" ", start, start + length) if start + length < len(line) else len(line)
    stop = stop if stop > start else start + length
    return ("…" if start else "") + line[start:stop].strip() + ("…" if stop < len(line) else "")


def marked(text: str, query: str, mark: Callable[[str], str]) -> str:
    """Return *text* with every word of *query* in it marked; where words have no spaces, every stretch of it."""
    tokens = _tokens(query)

    def shown(piece: str) -> str:
        return "".join(mark(part) if here else part for here, part in _stretches(piece, tokens))

    return PIECE.sub(lambda found: shown(found[0]), text)


def words_in(text: str, query: str) -> list[str]:
    """Return the words of *query* that stand in *text*, as they were asked for."""
    present = {token for group in groups(text) for token in group}
    found: list[str] = []
    for group in query_terms(query):
        there = [token for token in group if any(_same(token, other) for other in present)]
        if not is_run(group[0]):
            found += there[-1:] if group[-1] in there else there  # an identifier, or what there is of its parts
    for piece in filter(is_run, PIECE.findall(query)):
        found += [part for here, part in _stretches(piece, sorted(present)) if here]
    return list(dict.fromkeys(found))


def _stretches(piece: str, tokens: Sequence[str]) -> list[tuple[bool, str]]:
    """Return *piece* in parts, each with whether one of *tokens* stands there."""
    parts = groupby(zip(_asked_letters(piece, tokens), piece, strict=True), key=lambda pair: pair[0])
    return [(here, "".join(letter for _, letter in pairs)) for here, pairs in parts]


def _tokens(query: str) -> Sequence[str]:
    return [token for group in query_terms(query) for token in group]


def _places(piece: str, start: int, tokens: Sequence[str]) -> list[int]:
    """Where, from *start* on, a word of the question begins in *piece*."""
    asked = _asked_letters(piece, tokens)
    return [start + at for at, here in enumerate(asked) if here and not (at and asked[at - 1])]


def _asked_letters(piece: str, tokens: Sequence[str]) -> list[bool]:
    """Which letters of *piece* were asked for: all or none of a word, some of a run without spaces."""
    if not is_run(piece):
        return [_asked(piece, tokens)] * len(piece)
    folded = "".join(fold(letter) for letter in piece)
    places = [at for at, letter in enumerate(piece) for _ in fold(letter)]  # one letter may become two
    asked = [False] * len(piece)
    for token in tokens:
        at = folded.find(token)
        while at >= 0:
            for place in places[at : at + len(token)]:
                asked[place] = True
            at = folded.find(token, at + 1)
    return asked


def _asked(word: str, tokens: Sequence[str]) -> bool:
    parts = {fold(word), *(token for group in groups(word) for token in group)}
    return any(_same(token, part) for token in tokens for part in parts)


def _same(token: str, word: str) -> bool:
    """Whether two words are forms of one, as the index's stemmer would mostly have it."""
    if token == word:
        return True
    shorter, longer = sorted((token, word), key=len)
    stem = shorter[: max(STEM, len(shorter) - 2)]
    return len(shorter) >= STEM and longer.startswith(stem) and len(longer) - len(shorter) <= STEM - 1
