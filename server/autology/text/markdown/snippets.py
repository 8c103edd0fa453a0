"""Snippets: the stretch of a text that holds most of a query's words, with the words marked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from autology.text.language.sentences import sentences
from autology.text.tokens import beyond_ascii, fold, groups, is_run, pieces, query_terms

WORDS = 10_000
"""Words cached of one question."""
STEM = 4
"""Letters that two words must share to count as forms of one; fewer would highlight too much."""
SOUGHT, FEW = 3, 20
"""Letters of a word from which a text is searched for its beginning, in a tenth of the time of reading every word; and
how often it may occur for that."""


def excerpt(text: str, query: str, length: int) -> str:
    """Return about *length* characters of *text*, on one line, with the most words of *query*."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    question = _question(query)
    places = [at for match in pieces().finditer(line) for at in _word_starts(match[0], match.start(), question)]
    best = max(places, key=lambda at: bisect_left(places, at + length) - bisect_left(places, at), default=0)
    start = max(0, min(best - length // 4, len(line) - length))
    if start:
        start = line.find(" ", start, best) + 1 or start
    stop = line.rfind(" ", start, start + length) if start + length < len(line) else len(line)
    stop = stop if stop > start else start + length
    return ("…" if start else "") + line[start:stop].strip() + ("…" if stop < len(line) else "")


def marked(text: str, query: str, mark: Callable[[str], str]) -> str:
    """Return *text* with every word of *query* in it highlighted; in scripts without spaces, every matching stretch."""
    question = _question(query)

    def shown(piece: str) -> str:
        return "".join(mark(part) if here else part for here, part in _stretches(piece, question.letters(piece)))

    return pieces().sub(lambda match: shown(match[0]), text)


def words_in(text: str, query: str) -> list[str]:
    """Return the words of *query* that occur in *text*, as they were typed."""
    present = {token for group in groups(text) for token in group}
    words: list[str] = []
    for group in query_terms(query):
        there = [token for token in group if any(_same(token, other) for other in present)]
        if not is_run(group[0]):
            words += there[-1:] if group[-1] in there else there  # an identifier, or those of its parts that occur
    for piece in filter(is_run, pieces().findall(query)):
        words += [part for here, part in _stretches(piece, _letters(piece, sorted(present))) if here]
    return list(dict.fromkeys(words))


def _stretches(piece: str, matching: Sequence[bool]) -> list[tuple[bool, str]]:
    """Return *piece* in parts, each with whether it matches *matching*."""
    parts = groupby(zip(matching, piece, strict=True), key=lambda pair: pair[0])
    return [(here, "".join(letter for _, letter in pairs)) for here, pairs in parts]


def _word_starts(piece: str, start: int, question: _Question) -> list[int]:
    """The positions from *start* on at which a word of the question begins in *piece*."""
    matching = question.letters(piece)
    return [start + at for at, here in enumerate(matching) if here and not (at and matching[at - 1])]


def _letters(run: str, tokens: Sequence[str]) -> list[bool]:
    """The letters of a run without spaces that are part of one of *tokens*."""
    folded = "".join(fold(letter) for letter in run)
    places = [at for at, letter in enumerate(run) for _ in fold(letter)]  # one letter may become two
    matching = [False] * len(run)
    for token in tokens:
        at = folded.find(token)
        while at >= 0:
            for place in places[at : at + len(token)]:
                matching[place] = True
            at = folded.find(token, at + 1)
    return matching


def _same(token: str, word: str) -> bool:
    """Whether two words are forms of one, approximating the index's stemmer."""
    if token == word:
        return True
    shorter, longer = sorted((token, word), key=len)
    stem = shorter[: max(STEM, len(shorter) - 2)]
    if any(map(str.isdigit, shorter[len(stem) :] + longer[len(stem) :])):
        return False  # v1 and v2, case12 and case13 are not forms of one word
    return len(shorter) >= STEM and longer.startswith(stem) and len(longer) - len(shorter) <= STEM - 1


class _Forms(dict[str, frozenset[str]]):
    """The tokens of a question that each word is a form of, worked out when it is asked for."""

    __slots__ = ("_alike", "_all")

    def __init__(self, tokens: Iterable[str]) -> None:
        self._all = frozenset(tokens)
        self._alike: dict[str, list[str]] = {}
        for token in self._all:
            self._alike.setdefault(token[:STEM], []).append(token)

    def __missing__(self, word: str) -> frozenset[str]:
        if len(self) >= WORDS:
            self.clear()
        plain = word.isascii() and word.isalpha() and word.islower()  # most words: its own only token
        parts = {word} if plain else {fold(word), *(token for group in groups(word) for token in group)}
        near = {token for part in parts for token in self._alike.get(part[:STEM], ()) if _same(token, part)}
        tokens = self[word] = frozenset(near | (parts & self._all))
        return tokens


class _Question:
    """The tokens of a question; *matches* returns those that a word is a form of."""

    def __init__(self, query: str) -> None:
        self.tokens = tuple(token for group in query_terms(query) for token in group)
        self.matches: Callable[[str], frozenset[str]] = _Forms(self.tokens).__getitem__
        self._starts = {token[:STEM] for token in self.tokens}
        # A part of a word in ASCII begins somewhere in it, unless it was joined from parts.
        self._is_sought = all(len(start) >= SOUGHT and "_" not in start for start in self._starts)

    def all_in(self, text: str) -> frozenset[str]:
        """Return the tokens that some word of *text* is a form of."""
        return frozenset[str]().union(*map(self.matches, self._words_to_match(text)))

    def _words_to_match(self, text: str) -> Collection[str]:
        """Return the words of *text* that may be a form of a token, and perhaps others."""
        if not text.isascii() and pieces().search(beyond_ascii(text)):
            return set(pieces().findall(text))
        lowered = text.lower()
        if self._is_sought and sum(map(lowered.count, self._starts)) <= FEW:
            return [word for start in self._starts for word in _containing(start, text, lowered)]
        return set(text.translate(_BETWEEN_WORDS).split()) if text.isascii() else set(pieces().findall(text))

    def letters(self, piece: str) -> list[bool]:
        """Return the matching letters of *piece*: all or none of a word, some of a run without spaces."""
        return _letters(piece, self.tokens) if is_run(piece) else [bool(self.matches(piece))] * len(piece)


def _containing(start: str, text: str, lowered: str) -> Iterator[str]:
    """Yield the words of *text*, all in ASCII, that contain *start* when *lowered*."""
    at = lowered.find(start)
    while at >= 0:
        while at and (text[at - 1].isalnum() or text[at - 1] == "_"):
            at -= 1
        word = pieces().match(text, at)
        assert word
        yield word[0]
        at = lowered.find(start, word.end())


_BETWEEN_WORDS = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in map(chr, range(128)))
"""Translates what is between the words of ASCII to spaces."""


@lru_cache(maxsize=16)  # the same question is used for every result
def _question(query: str) -> _Question:
    return _Question(query)


def phrases(text: str, query: str, limit: int, length: int) -> list[str]:
    """Return the lines or sentences of *text* with the most words of *query*, in their order, verbatim.

    At most *most* of them, each cut to *length* around the words; only the best one if others add no word.
    """
    matched_by = _question(query).matches
    scored: list[tuple[frozenset[str], int, str]] = []
    for at, sentence in enumerate(sentences(text)):
        if matched := frozenset[str]().union(*map(matched_by, pieces().findall(sentence))):
            scored.append((matched, at, sentence))
    chosen: list[tuple[int, str]] = []
    covered: frozenset[str] = frozenset()
    for matched, at, sentence in sorted(scored, key=lambda entry: (-len(entry[0]), entry[1])):
        if len(chosen) < limit and not matched <= covered:
            chosen.append((at, sentence))
            covered |= matched
    return [excerpt(sentence, query, length) for _, sentence in sorted(chosen)]


def covering(query: str, limit: int) -> tuple[int, Callable[[str], frozenset[int]]]:
    """Return the number of terms of *query*, at most *most*, and a function that returns those found in a text."""
    terms = query_terms(query)[:limit]
    places: dict[str, set[int]] = {}
    for at, group in enumerate(terms):
        for token in group:
            places.setdefault(token, set()).add(at)
    question = _question(query)

    def covered(text: str) -> frozenset[int]:
        return frozenset(at for token in question.all_in(text) for at in places.get(token, ()))

    return len(terms), covered
