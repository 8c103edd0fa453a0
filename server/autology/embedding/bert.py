"""BERT tokenisation: lower case, accents removed, punctuation split off, then word pieces as vocabulary indexes."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator

from autology.embedding.wordpiece import HUMP, longest_first

VOCABULARY = os.path.join(os.path.dirname(__file__), "bert.txt")
"""BERT's uncased vocabulary, shared by the sentence models: one piece per line, its index the line number."""
LONGEST = 100
"""Maximum characters of a word that is split into pieces; longer ones are unknown, as in the model's training."""
CACHE_SIZE = 20_000
"""Words whose pieces are cached: splitting takes 10 microseconds, a cache hit 0.2."""

_ASCII_PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_TOKEN = re.compile(rf"[{_ASCII_PUNCTUATION}]|[^\s{_ASCII_PUNCTUATION}]+")
# Letters that are tokens of their own in the vocabulary: Chinese characters, in Japanese too.
_CHARACTER = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ceaf\U0002f800-\U0002fa1f]")
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))


class BertTokenizer:
    """Encodes texts as token ids, between the special tokens of the model."""

    def __init__(self, path: str = VOCABULARY) -> None:
        with open(path, encoding="utf-8", newline="\n") as file:
            listed = file.read().rstrip("\n").split("\n")
        self._numbers = {piece: number for number, piece in enumerate(listed)}
        self._begin, self._end, self._unknown = (self._numbers[mark] for mark in ("[CLS]", "[SEP]", "[UNK]"))
        self._known: dict[str, list[int]] = {}

    def numbers(self, text: str, most: int) -> list[int]:
        """Return at most *most* ids including the special tokens; empty if no piece of *text* is known."""
        ids: list[int] = []
        for word in _words(text):
            ids += self._pieces(word)
            if len(ids) >= most - 2:
                break
        if all(number == self._unknown for number in ids):
            return []
        return [self._begin, *ids[: most - 2], self._end]

    def _pieces(self, word: str) -> list[int]:
        ids = self._known.get(word)
        if ids is None:
            if len(self._known) >= CACHE_SIZE:
                self._known.clear()
            known = longest_first(word, self._numbers) if len(word) <= LONGEST else []
            ids = self._known[word] = known or [self._unknown]
        return ids


def _words(text: str) -> Iterator[str]:
    """Yield the words and punctuation marks of *text*, folded; camel case is split into words."""
    parted = HUMP.sub(" ", text)
    if parted.isascii():
        yield from _TOKEN.findall(parted.translate(_PLAIN).lower())
        return
    for word in _TOKEN.findall(_folded(parted)):
        yield from (word,) if word.isascii() else _apart(word)


_PLAIN = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n\r"}


def _folded(text: str) -> str:
    visible = "".join(letter for letter in text if unicodedata.category(letter) not in _INVISIBLE or letter in "\t\n\r")
    parts = unicodedata.normalize("NFD", _CHARACTER.sub(r" \g<0> ", visible).lower())
    return "".join(letter for letter in parts if unicodedata.category(letter) != "Mn")


def _apart(word: str) -> Iterator[str]:
    """Split *word* at non-ASCII punctuation, yielding parts and marks."""
    start = 0
    for at, letter in enumerate(word):
        if unicodedata.category(letter)[0] == "P":
            if at > start:
                yield word[start:at]
            yield letter
            start = at + 1
    if start < len(word):
        yield word[start:]
