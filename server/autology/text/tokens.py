"""Text as the tokens that are indexed and looked for: folded, identifiers whole and split, CJK by bigrams."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

VERSION = 1
"""Raised whenever the same text gives other tokens: an index made by another version is rebuilt."""

# Chinese, Japanese and Korean letters, which are written without spaces.
_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
# Marks that belong to their word: Indic, Thai and Lao vowels, Hebrew and Arabic points.
_MARK = "\u0900-\u0dff\u0e00-\u0eff\u0591-\u05c7\u064b-\u065f"
_CHUNK = re.compile(rf"[{_CJK}]+|(?:(?![{_CJK}])[\w{_MARK}])+(?:[.:/\\-]+(?:(?![{_CJK}])\w)+)*")
_PART = re.compile(rf"[^\W_]+(?:[{_MARK}]+\w*)*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CJK_LETTER = re.compile(f"[{_CJK}]")
_ACCENTS = re.compile("[\u0300-\u036f]+")

STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my"
    " of on or our should so such than that the their them then there these they this to was we were what when where"
    " which who why will with would you your".split()
)
"""Words that say nothing about what is meant; dropped from a question unless nothing else remains."""


def fold(text: str) -> str:
    """Return *text* in lower case without accents, so that `Über` finds `uber`."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart)).casefold()


def index_text(text: str) -> str:
    """Return the tokens of *text*, in order and separated by spaces, as the index takes them."""
    return " ".join(token for group in groups(text) for token in group)


def groups(text: str) -> Iterator[tuple[str, ...]]:
    """Yield, for every word-like stretch of *text*, its tokens; an identifier gives its whole and its parts."""
    for found in _CHUNK.finditer(text):
        chunk = found[0]
        if chunk.isascii() and chunk.isalnum() and (chunk.islower() or chunk.istitle()):
            yield (chunk.lower(),)  # most words are this plain
        elif _is_cjk(chunk[0]):
            yield _bigrams(fold(chunk))
        elif tokens := _identifier(chunk):
            yield tokens


def _identifier(chunk: str) -> tuple[str, ...]:
    named = _PART.findall(chunk)
    parts = [fold(hump) for part in named for hump in _HUMP.split(part) if hump]
    whole = "_".join(fold(part) for part in named)
    return (*parts, whole) if len(parts) > 1 else tuple(parts)


def query_terms(text: str) -> tuple[tuple[str, ...], ...]:
    """Return what *text* asks for: a group of tokens for each of its words, stop words dropped."""
    asked = tuple(dict.fromkeys(groups(text)))
    telling = tuple(group for group in asked if not (len(group) == 1 and group[0] in STOP_WORDS))
    return telling or asked


def title_words(title: str) -> tuple[str, ...]:
    """Return the distinct words of more than three letters in *title* (or any text), folded."""
    return _short_words(title) if len(title) <= 200 else _words(title)


@lru_cache(maxsize=4096)  # titles are compared with each other again and again
def _short_words(title: str) -> tuple[str, ...]:
    return _words(title)


def _words(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in _PART.findall(fold(title)) if len(word) > 3))


def _bigrams(run: str) -> tuple[str, ...]:
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)


def _is_cjk(letter: str) -> bool:
    return _CJK_LETTER.match(letter) is not None
