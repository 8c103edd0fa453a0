"""Texts as the numbers of word pieces that a BERT model reads: lower case, accents and punctuation apart."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator

from autology.embedding.wordpiece import HUMP

VOCABULARY = os.path.join(os.path.dirname(__file__), "bert.txt")
"""The uncased vocabulary of BERT, which the sentence models share: a piece a line, its number the line's."""
LONGEST = 100
"""Characters of the longest word that is parted; a longer one is unknown, as the model was taught."""
REMEMBERED = 20_000
"""Words whose pieces are kept at hand: parting a new one takes 10 microseconds, a known one 0.2."""

_ASCII_PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_TOKEN = re.compile(rf"[{_ASCII_PUNCTUATION}]|[^\s{_ASCII_PUNCTUATION}]+")
# Letters that the model was taught one by one: Chinese characters, of Japanese too.
_CHARACTER = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ceaf\U0002f800-\U0002fa1f]")
_UNSEEN = {"Cc": "", "Cf": "", "Cs": "", "Co": "", "Cn": ""}


class BertTokenizer:
    """Gives texts as numbers of pieces, between the marks that the model wants around them."""

    def __init__(self, path: str = VOCABULARY) -> None:
        with open(path, encoding="utf-8", newline="\n") as file:
            listed = file.read().rstrip("\n").split("\n")
        self._numbers = {piece: number for number, piece in enumerate(listed)}
        self._begin, self._end, self._unknown = (self._numbers[mark] for mark in ("[CLS]", "[SEP]", "[UNK]"))
        self._known: dict[str, list[int]] = {}

    def numbers(self, text: str, most: int) -> list[int]:
        """Return at most *most* numbers with both marks; nothing where no piece of *text* is known."""
        found: list[int] = []
        for word in _words(text):
            found += self._pieces(word)
            if len(found) >= most - 2:
                break
        if all(number == self._unknown for number in found):
            return []
        return [self._begin, *found[: most - 2], self._end]

    def _pieces(self, word: str) -> list[int]:
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[word] = list(self._parted(word)) if len(word) <= LONGEST else [self._unknown]
        return known

    def _parted(self, word: str) -> Iterator[int]:
        """The longest pieces that *word* begins with, one after another; one unknown for all if any is missing."""
        found: list[int] = []
        start = 0
        while start < len(word):
            for stop in range(len(word), start, -1):
                number = self._numbers.get(word[start:stop] if start == 0 else "##" + word[start:stop])
                if number is not None:
                    found.append(number)
                    break
            else:
                return iter((self._unknown,))
            start = stop
        return iter(found)


def _words(text: str) -> Iterator[str]:
    """Yield the words and the marks of *text*, folded; a name in humps is read as its words."""
    parted = HUMP.sub(" ", text)
    if parted.isascii():
        yield from _TOKEN.findall(parted.translate(_PLAIN).lower())
        return
    for word in _TOKEN.findall(_folded(parted)):
        yield from (word,) if word.isascii() else _apart(word)


_PLAIN = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n\r"}


def _folded(text: str) -> str:
    seen = "".join(letter for letter in text if unicodedata.category(letter) not in _UNSEEN or letter in "\t\n\r")
    parts = unicodedata.normalize("NFD", _CHARACTER.sub(r" \g<0> ", seen).lower())
    return "".join(letter for letter in parts if unicodedata.category(letter) != "Mn")


def _apart(word: str) -> Iterator[str]:
    """Yield the parts of *word* between marks that are not ASCII, and each mark."""
    start = 0
    for at, letter in enumerate(word):
        if unicodedata.category(letter)[0] == "P":
            if at > start:
                yield word[start:at]
            yield letter
            start = at + 1
    if start < len(word):
        yield word[start:]
