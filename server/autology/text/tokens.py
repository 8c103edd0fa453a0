"""Tokenising text for index and queries: folded, identifiers whole and split, CJK and Thai by bigrams."""

from __future__ import annotations

import sys
from collections import Counter, namedtuple
from functools import cache, lru_cache
from itertools import chain, pairwise

from autology.text import Patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

VERSION = 3
"""Increased whenever the same text gives different tokens: an index of another version is rebuilt."""

# Letters of scripts without spaces: Chinese, Japanese, Korean; Thai, Lao, Burmese, Khmer.
_RUN = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
)
# Marks that are part of their word: Indic vowels, Hebrew and Arabic points.
_MARK = "\u0900-\u0dff\u0591-\u05c7\u064b-\u065f"

# Compiling these may take as long as a hook's whole start, and most hook calls need few or none.
_EXPRESSIONS = {
    "plain chunk": r"\w+(?:[.:/\\-]+\w+)*",
    "part": rf"[^\W_]+(?:[{_MARK}]+\w*)*",
    "hump": r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])",
    "other scripts": f"[{_RUN}{_MARK}]",
    "chunk": rf"[{_RUN}]+|(?:(?![{_RUN}])[\w{_MARK}])+(?:[.:/\\-]+(?:(?![{_RUN}])\w)+)*",
    "pieces": rf"[{_RUN}]+|(?:(?![{_RUN}])[\w{_MARK}])+",
    "run letter": f"[{_RUN}]",
    "accents": "[\u0300-\u036f]+",
    "inflected": r"^[a-z]{2,}(?:[es]|ed|ing|ly|er|or|ion|al|y|ment|ness|able|ible|ive|ity|ous|an[ct]e?|en[ct]e?|ism|ist"
    r"|ful)$",
}
_patterns = Patterns(_EXPRESSIONS)

Indexed = namedtuple("Indexed", ("counts", "length", "order"))
"""A text as indexed: its terms, which are stems and exact forms, with their frequencies; how many they are in all; and
the order of its stems, encoded by `language.word_order`.
"""
REMEMBERED, SHORT = 30_000, 40
"""Words in the token cache, 300 bytes each, and their maximum length: a text repeats nine in ten words."""
A_WORD = 4
"""Bigrams from which a run of letters without spaces counts as more than one word."""
STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my"
    " of on or our should so such than that the their them then there these they this to was we were what when where"
    " which who why will with would you your".split()
)
"""Stop words; dropped from a query unless nothing else remains."""
PRONOUNS = frozenset("he she him himself his her herself hers".split())
"""They stand for a person whom a question names or describes besides, and are dropped from it too (bench/quality: +0.6
nDCG@10 on conversations, +1.6 on five that nobody had looked at; no other set changes)."""
UNASKED = STOP_WORDS | PRONOUNS


def fold(text: str) -> str:
    """Return *text* in lower case without accents, so that `Über` finds `uber`."""
    if text.isascii():
        return text.lower()
    import unicodedata  # large, and not needed by a hook for ASCII input

    apart = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _patterns["accents"].sub("", apart)).casefold()


def index_text(text: str) -> str:
    """Return the tokens of *text*, in order and separated by spaces, as indexed."""
    return " ".join(_tokens(_chunks(text)))


def indexed(text: str) -> Indexed:
    """Return *text* as indexed: its tokens are those of `index_text`, in a tenth of the time."""
    if not (pieces := _pieces(text)):
        return _NOTHING
    terms, orders = zip(*map(_pieces_at_hand.at_hand().__getitem__, pieces), strict=True)
    counts = dict(Counter(chain.from_iterable(terms)))
    return Indexed(counts, sum(counts.values()), b"".join(orders))


def index_stems(text: str) -> list[str]:
    """Return the stems of *text*, in order, as indexed."""
    entries = map(_pieces_at_hand.at_hand().__getitem__, _pieces(text))
    return [stem for terms, order in entries for stem in terms[: len(order) // _CODE]]


def _pieces(text: str) -> list[bytes]:
    """Return the stretches between ASCII punctuation: they consist of whole words, and most are one word each."""
    return text.encode("utf-8", "surrogatepass").translate(_APART).split()


_Entry = tuple[tuple[str, ...], bytes]
"""The terms of a part of a text, its stems before its exact forms, and the order of its stems."""
_NOTHING = Indexed({}, 0, b"")
_CODE = 2
"""Bytes of a stem's code in the order."""


def _joined(entries: Iterable[_Entry]) -> _Entry:
    stems: list[str] = []
    forms: list[str] = []
    orders = []
    for terms, order in entries:
        count = len(order) // _CODE
        stems += terms[:count]
        forms += terms[count:]
        orders.append(order)
    return (*stems, *forms), b"".join(orders)


def groups(text: str) -> Iterator[tuple[str, ...]]:
    """Yield, for every word of *text*, its tokens; an identifier gives its whole and its parts."""
    return (tokens for chunk in _chunks(text) if (tokens := _split(chunk, _bigrams)))


class _PieceCache(dict[bytes, _Entry]):
    """A cache of text pieces as indexed: most of a text repeats."""

    def __init__(self) -> None:
        self._before: dict[bytes, _Entry] = {}

    def at_hand(self) -> _PieceCache:
        """Return itself, with room for more."""
        if len(self) > REMEMBERED:
            self._before = dict(self)
            self.clear()
        return self

    def __missing__(self, piece: bytes) -> _Entry:
        entry = self._before.get(piece)
        if entry is None:
            bare = piece.strip(_BETWEEN)
            entry = self[bare] if len(bare) < len(piece) else self._entry(piece)
        if len(piece) <= SHORT:
            self[piece] = entry
        return entry

    @staticmethod
    def _entry(piece: bytes) -> _Entry:
        text = piece.decode("utf-8", "surrogatepass")
        if piece.isalpha() and (piece.islower() or piece.istitle()):
            return _tokens_at_hand[text.lower()]
        # Between two ASCII separators is one chunk, and chunks share their parts.
        tokens = _split(text, _run_indexed) if piece.isascii() else tuple(_tokens(_chunks(text)))
        return _joined(map(_tokens_at_hand.at_hand().__getitem__, tokens)) if tokens else ((), b"")


class _TokenCache(dict[str, _Entry]):
    """A cache of tokens as indexed."""

    def at_hand(self) -> _TokenCache:
        """Return itself, with room for more."""
        if len(self) > REMEMBERED:
            self.clear()
        return self

    def __missing__(self, token: str) -> _Entry:
        stemmed, code = _stemming()
        # One string per word: it is found and counted by identity, without comparing its letters.
        word, form = sys.intern(stemmed(token)), _exact_form(token)
        entry = ((word, sys.intern(form)) if form else (word,), code(word))
        if len(token) <= SHORT:
            self[token] = entry
        return entry


@cache
def _stemming() -> tuple[Callable[[str], str], Callable[[str], bytes]]:
    from autology.text.language.word_order import code
    from autology.text.stemmer import stemmed  # a hook without a lookup needs none of it

    return stemmed, code


def _tokens(chunks: Iterable[str]) -> Iterator[str]:
    return (token for chunk in chunks for token in _split(chunk, _run_indexed))


_BETWEEN = b".:/\\-"
"""The separators inside an identifier, a path or a time."""
_APART = bytes(
    code if code > 127 or chr(code).isalnum() or code in b"_" + _BETWEEN else ord(" ") for code in range(256)
)
"""Maps every byte that is not part of a word to a space."""
_PARTED = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)
"""Maps every ASCII byte that is not part of an identifier's part to a space."""
_pieces_at_hand, _tokens_at_hand = _PieceCache(), _TokenCache()


def _chunks(text: str) -> list[str]:
    if text.isascii():
        pieces = text.encode("ascii").translate(_APART).split()
        return [bare.decode("ascii") for piece in pieces if (bare := piece.strip(_BETWEEN))]
    # Non-ASCII punctuation is in most prose, other scripts in little.
    plain = not _patterns["other scripts"].search(beyond_ascii(text))
    return (_patterns["plain chunk"] if plain else _patterns["chunk"]).findall(text)


def beyond_ascii(text: str) -> str:
    """Return what is left of *text* without its ASCII characters."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


_ASCII = bytes(range(128))


def _split(chunk: str, run: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    if chunk.isascii() and chunk.isalnum() and (chunk.islower() or chunk.istitle()):
        return (chunk.lower(),)  # most words are this plain
    return run(fold(chunk)) if is_run(chunk) else _identifier(chunk)


def _identifier(chunk: str) -> tuple[str, ...]:
    plain = chunk.isascii()
    named = (
        chunk.encode("ascii").translate(_PARTED).decode("ascii").split() if plain else _patterns["part"].findall(chunk)
    )
    humps = [hump for part in named for hump in ((part,) if part.islower() else _patterns["hump"].split(part)) if hump]
    parts = tuple(map(str.lower if plain else fold, humps))
    if len(parts) < 2:
        return parts
    return (*parts, "_".join(map(str.lower if plain else fold, named)))


def exact_forms(tokens: Iterable[str]) -> Iterator[str]:
    """Yield, for those *tokens* that stemming changes, the index's token for the exact form."""
    return filter(None, map(_exact_form, tokens))


def _exact_form(token: str) -> str:
    # Not an ending known to the stemmer.
    return f"{token}_" if _patterns["inflected"].search(token) and token not in STOP_WORDS else ""


def query_terms(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the query terms of *text*: a group of tokens for each of its words, without stop words and pronouns.

    A few letters of a script without spaces are one word; more are a sentence, whose bigrams are searched individually.
    """
    terms = tuple(dict.fromkeys(part for group in groups(text) for part in _words_of(group)))
    telling = tuple(group for group in terms if not (len(group) == 1 and group[0] in UNASKED))
    return telling or terms


def share_a_word(one: str, other: str) -> bool:
    """Whether a word of *one* that is not a stop word occurs in *other*, in any form."""
    telling = {*index_text(one).split()} - STOP_WORDS
    return not telling.isdisjoint(index_text(other).split())


def apart(terms: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return *terms* with each identifier as its parts and its whole, any of which matches."""
    unique: dict[tuple[str, ...], None] = {}
    for group in terms:
        if len(group) == 1 or is_run(group[0]):
            unique[group] = None
        else:
            unique.update(((token,), None) for token in group if token not in STOP_WORDS)
    return tuple(unique)


def query_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of adjacent words, or parts of identifiers, in *text*, without stop words and pronouns."""
    plain = [token for group in groups(text) for token in (group if len(group) == 1 else group[:-1])]
    pairs = dict.fromkeys(pairwise(plain))
    return tuple(pair for pair in pairs if UNASKED.isdisjoint(pair))


def is_run(token: str) -> bool:
    """Whether *token* is of a script without spaces."""
    return not token.isascii() and _patterns["run letter"].match(token) is not None


def pieces() -> re.Pattern[str]:
    """Return the pattern of a text's words, with their marks, and its runs of letters without spaces."""
    return _patterns["pieces"]


def _words_of(group: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    if len(group) < A_WORD or not is_run(group[0]):
        return (group,)
    return ((bigram,) for bigram in group)


def title_words(title: str) -> tuple[str, ...]:
    """Return the distinct words of more than three letters in *title* (or any text), folded."""
    return _short_words(title) if len(title) <= 200 else _long_words(title)


@lru_cache(maxsize=4096)  # titles are compared with each other repeatedly
def _short_words(title: str) -> tuple[str, ...]:
    return _words(title)


@lru_cache(maxsize=16)  # a text is compared with several
def _long_words(text: str) -> tuple[str, ...]:
    return _words(text)


def _words(title: str) -> tuple[str, ...]:
    folded = fold(title)
    # The parts of ASCII are what is left without signs: split in a third of the time.
    words = (
        folded.encode("ascii").translate(_PARTED).decode("ascii").split()
        if folded.isascii()
        else _patterns["part"].findall(folded)
    )
    return tuple(word for word in dict.fromkeys(words) if len(word) > 3)


def _bigrams(run: str) -> tuple[str, ...]:
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)


def _run_indexed(run: str) -> tuple[str, ...]:
    # The last letter alone too: so every letter begins a token, and a single letter can be searched.
    return (*_bigrams(run), run[-1]) if len(run) > 1 else (run,)
