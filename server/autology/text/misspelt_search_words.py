"""Misspellings: whether a word is another one with a letter too many, too few or wrong, or with two swapped."""

from __future__ import annotations

SHORTEST, SHORTEST_WRONG = 3, 5
"""Letters of a word from which it may be a misspelling: by a swap; by a letter too many or wrong.

Most words of three or four letters are one letter from several others."""


def is_misspelt(word: str, meant: str) -> bool:
    """Whether *word* may be a misspelling of *meant*."""
    length = len(word)
    if word == meant or length < SHORTEST or abs(length - len(meant)) > 1:
        return False
    at = next((at for at, (one, other) in enumerate(zip(word, meant, strict=False)) if one != other), length)
    if length < len(meant):
        return length >= SHORTEST_WRONG - 1 and word[at:] == meant[at + 1 :]
    if length > len(meant):
        return length >= SHORTEST_WRONG and word[at + 1 :] == meant[at:]
    if word[at + 1 :] == meant[at + 1 :]:
        return length >= SHORTEST_WRONG
    return word[at : at + 2] == meant[at : at + 2][::-1] and word[at + 2 :] == meant[at + 2 :]


def beginnings(word: str) -> frozenset[str]:
    """Return the first two letters of every word that *word* may be a misspelling of, but for rare slips in them."""
    return frozenset((word[:2], word[0] + word[2:3], word[1] + word[0]))
