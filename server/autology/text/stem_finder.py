"""Finding the words of texts by their stems, without looking at every word."""

from __future__ import annotations

import re

from autology.text.stemmer import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    Found = tuple[int, str]
    """The place of a word, and its stem."""

_WORD = re.compile(r"[^\W_]+")  # as the index tokenises, without detecting scripts
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_KEPT = 2
"""Letters from the start that a word shares with its stem; longer stems differ from it in their last letter at most."""


class StemFinder:
    """Finds the words with one of *stems*.

    An identifier is matched by its parts and as a whole: `PgBouncer` is written `pgbouncer` too. In scripts without
    spaces a stem may start anywhere.
    """

    def __init__(self, stems: Collection[str]) -> None:
        self._stems = frozenset(stems)
        self._unspaced = [wanted for wanted in self._stems if not wanted.isascii()]
        self._by_start: dict[str, set[str]] = {}
        for wanted in self._stems:
            self._by_start.setdefault(wanted[: max(_KEPT, len(wanted) - 1)], set()).add(wanted)
        self._starts = {wanted[:_KEPT] for wanted in self._stems}
        self._of_word: dict[str, tuple[str, ...]] = {}  # most words occur again

    def first(self, text: str) -> dict[str, int]:
        """Return the stems in *text*, each with the offset of the first word that has it."""
        first: dict[str, int] = {}
        lowered = text.lower()
        if not text.isascii() and (self._unspaced or len(lowered) != len(text)):  # a letter that is two in lower case
            for match in _WORD.finditer(text):
                for root in self._stems_of(match[0]):
                    first.setdefault(root, match.start())
            return first
        for start, stems in self._by_start.items():
            left = len(stems)
            for match in _starting(start, text, lowered):
                for root in self._stems_of(match[0]):
                    if root in stems and root not in first:
                        first[root] = match.start()
                        left -= 1
                if not left:
                    break
        return first

    def positions(self, text: str) -> list[Found]:
        """Return all stems in *text* in order, each with its word's position among the words."""
        of_word = self._of_word
        words = _WORD.findall(text)
        for word in set(words).difference(of_word):
            of_word[word] = self._stems_in(word)
        return [(at, root) for at, word in enumerate(words) if (stems := of_word[word]) for root in stems]

    def _stems_of(self, word: str) -> tuple[str, ...]:
        """Return those of the stems that *word* has."""
        if word not in self._of_word:
            self._of_word[word] = self._stems_in(word)
        return self._of_word[word]

    def _stems_in(self, word: str) -> tuple[str, ...]:
        if not word.isascii():
            folded = word.casefold()
            return tuple(wanted for wanted in self._unspaced if wanted in folded)
        parts = (word,) if word.islower() or word.istitle() else (word, *_HUMP.split(word))
        stems = (stem(lower) for part in parts if (lower := part.lower())[:_KEPT] in self._starts)
        return tuple(root for root in stems if root in self._stems)


def words_between(text: str, first: int, last: int) -> int:
    """Return how many words of *text* start from the offset *first* on and end before *last*."""
    return len(_WORD.findall(text, first, last))


def _starting(start: str, text: str, lowered: str) -> Iterator[re.Match[str]]:
    """Yield the words of *text* that begin with *start* or have a part which does, in order, and perhaps others.

    *lowered* is the text in lower case.
    """
    at = lowered.find(start)
    while at >= 0:
        word = at
        while text[at].isupper() and word and text[word - 1].isalnum():
            word -= 1  # a capital may begin a part within a word
        if not text[word - 1 : word].isalnum() and (match := _WORD.match(text, word)):
            yield match
            at = match.end() - 1
        at = lowered.find(start, at + 1)
