"""Text as the tokens that are indexed and looked for: folded, identifiers whole and split, CJK and Thai by bigrams."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

VERSION = 2
"""Raised whenever the same text gives other tokens: an index made by another version is rebuilt."""

# Letters of scripts that are written without spaces: Chinese, Japanese, Korean; Thai, Lao, Burmese, Khmer.
_RUN = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
)
# Marks that belong to their word: Indic vowels, Hebrew and Arabic points.
_MARK = "\u0900-\u0dff\u0591-\u05c7\u064b-\u065f"
_CHUNK = re.compile(rf"[{_RUN}]+|(?:(?![{_RUN}])[\w{_MARK}])+(?:[.:/\\-]+(?:(?![{_RUN}])\w)+)*")
PIECE = re.compile(rf"[{_RUN}]+|(?:(?![{_RUN}])[\w{_MARK}])+")
"""A word with its marks, or a run of letters of a script without spaces."""
_PART = re.compile(rf"[^\W_]+(?:[{_MARK}]+\w*)*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_RUN_LETTER = re.compile(f"[{_RUN}]")
_ACCENTS = re.compile("[\u0300-\u036f]+")

_INFLECTED = re.compile(
    r"^[a-z]{2,}(?:[es]|ed|ing|ly|er|or|ion|al|y|ment|ness|able|ible|ive|ity|ous|an[ct]e?|en[ct]e?|ism|ist|ful)$"
)
REMEMBERED, SHORT = 10_000, 40
"""Words whose tokens are kept at hand, 200 bytes each, and how long they may be: a text repeats nine in ten words."""
A_WORD = 4
"""Bigrams from which a run of letters without spaces is taken for more than one word."""
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
    return " ".join(
        filter(None, (_indexed(chunk) if len(chunk) <= SHORT else _tokens(chunk) for chunk in _CHUNK.findall(text)))
    )


def groups(text: str) -> Iterator[tuple[str, ...]]:
    """Yield, for every word-like stretch of *text*, its tokens; an identifier gives its whole and its parts."""
    return (tokens for found in _CHUNK.finditer(text) if (tokens := _split(found[0], _bigrams)))


def _tokens(chunk: str) -> str:
    return " ".join(_split(chunk, _run_indexed))


_indexed = lru_cache(maxsize=REMEMBERED)(_tokens)


def _split(chunk: str, run: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    if chunk.isascii() and chunk.isalnum() and (chunk.islower() or chunk.istitle()):
        return (chunk.lower(),)  # most words are this plain
    return run(fold(chunk)) if is_run(chunk) else _identifier(chunk)


def _identifier(chunk: str) -> tuple[str, ...]:
    named = _PART.findall(chunk)
    parts = [fold(hump) for part in named for hump in _HUMP.split(part) if hump]
    whole = "_".join(fold(part) for part in named)
    return (*parts, whole) if len(parts) > 1 else tuple(parts)


def exact_forms(tokens: Iterable[str]) -> Iterator[str]:
    """Yield, for those *tokens* that stemming changes, what stands in the index for the very form."""
    return filter(None, map(_exact_form, tokens))


@lru_cache(maxsize=REMEMBERED)
def _exact_form(token: str) -> str:
    return f"{token}_" if _INFLECTED.search(token) and token not in STOP_WORDS else ""  # no ending that a stemmer knows


def query_terms(text: str) -> tuple[tuple[str, ...], ...]:
    """Return what *text* asks for: a group of tokens for each of its words, stop words dropped.

    A few letters of a script without spaces are one word; more are a sentence, whose bigrams
    are asked for one by one.
    """
    asked = tuple(dict.fromkeys(part for group in groups(text) for part in _words_of(group)))
    telling = tuple(group for group in asked if not (len(group) == 1 and group[0] in STOP_WORDS))
    return telling or asked


def apart(terms: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return *terms*, each identifier as its parts and its whole, to ask for any of them."""
    found: dict[tuple[str, ...], None] = {}
    for group in terms:
        if len(group) == 1 or is_run(group[0]):
            found[group] = None
        else:
            found.update(((token,), None) for token in group if token not in STOP_WORDS)
    return tuple(found)


def query_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of telling words, or parts of identifiers, that stand side by side in *text*."""
    plain = [token for group in groups(text) for token in (group if len(group) == 1 else group[:-1])]
    pairs = dict.fromkeys(pairwise(plain))
    return tuple(pair for pair in pairs if STOP_WORDS.isdisjoint(pair))


def is_run(token: str) -> bool:
    """Whether *token* is of a script written without spaces."""
    return _RUN_LETTER.match(token) is not None


def _words_of(group: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    if len(group) < A_WORD or not is_run(group[0]):
        return (group,)
    return ((bigram,) for bigram in group)


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


def _run_indexed(run: str) -> tuple[str, ...]:
    # The last letter by itself too: every letter then begins a token, and one letter can be asked for.
    return (*_bigrams(run), run[-1]) if len(run) > 1 else (run,)
