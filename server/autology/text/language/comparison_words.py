"""Tokenising text for comparison: quantities in one unit, identifiers verbatim, code separate, phrases as one word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from autology.text.language import quantities
from autology.text.markdown.blocks import fences, with_fences_replaced
from autology.text.wordlists import phrases, words

WORD, NAME, EXACT, AMOUNT, FILL = "word", "name", "exact", "amount", "fill"
"""The kinds of words: compared by stem and synonyms, a name, a verbatim string, a quantity, and a filler word."""

_TYPOGRAPHY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": " - ", "\u00a0": " "})
_NUMBERED = re.compile(r"(?:^|(?<=[\s:,;(]))[ \t]*\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=[^\s*+•#>|\d-])|[ \t]{2,}(?=\S)")
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•][ \t]+|#+[ \t]+)", re.MULTILINE)
_CANNOT = re.compile(r"\b(?:can't|cannot)\b", re.IGNORECASE)
_NOT = re.compile(r"n't\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<code>`+[^`\n]+`+)"
    r"|(?P<when>\d{4}-\d\d-\d\d(?=T?\b)|\d{1,2}:\d\d(?::\d\d)?\b)"
    rf"|(?P<amount>{quantities.PATTERN})"
    r"|(?P<compare>[<>]=?|->|→|=>)(?=\s|\d)"
    r"|(?P<chunk>[^\s,;()\"!?…。！？、，；]+)"
    r"|(?P<stop>[,;!?…。！？、，；()\n])",
    re.IGNORECASE,
)
_WITHIN = ",;、，；()"
"""Punctuation that separates clauses but not sentences."""
_COMPARED = {"<": "lt", ">": "gt", "<=": "atmost", ">=": "atleast"}
_EXACT = re.compile(
    r"[/\\_=<>{}@#$]|\w\.\w|::|^--|\d.*[^\W\d]|[^\W\d].*\d|[a-z][A-Z]|^\W*\d"
    "|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\u0e00-\u0eff]"  # scripts without spaces
)


@dataclass(frozen=True, slots=True)
class RawWord:
    """A word as written; *first* of a sentence or not."""

    kind: str
    text: str
    clause: int
    first: bool


@dataclass(frozen=True, slots=True)
class Scanned:
    """The raw words of a text, whether its parts are numbered, and its blocks of code."""

    raw: tuple[RawWord, ...]
    numbered: bool
    code: tuple[str, ...]


def scan(text: str) -> Scanned:
    """Return the raw words of *text*."""
    plain = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    code = tuple(" ".join(fence.code.split()) for fence in fences(plain))
    plain = _WRAPPED.sub(" ", with_fences_replaced(plain, lambda _: "\n"))
    numbered = len(_NUMBERED.findall(plain)) > 1
    plain = _BULLET.sub("", _NUMBERED.sub("\n", plain) if numbered else plain)
    plain = _NOT.sub(" not", _CANNOT.sub("can not", plain)).replace("**", "")
    return Scanned(tuple(_phrased(list(_raw(quantities.written(plain))))), numbered, code)


def _raw(text: str) -> Iterator[RawWord]:
    clause, first = 0, True
    for match in _TOKEN.finditer(text):
        if match["stop"]:
            clause += 1
            first = match[0] not in _WITHIN
            continue
        for kind, word in _read(match):
            yield RawWord(kind, word, clause, first)
            first = False
        ends = bool(match["chunk"]) and match[0][-1] in ".:"
        clause += ends
        first = ends or text[match.end() : match.end() + 1] == "\n"


def _read(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each word in one token."""
    if match["code"]:
        for piece in match["code"].strip("`").split():
            yield EXACT, piece.strip("'\",;") or piece
    elif match["when"]:
        yield AMOUNT, match[0]
    elif match["amount"]:
        if match[0][0] in "<>":
            yield WORD, _COMPARED[match[0][0]]
        yield AMOUNT, quantities.amount(match[0])
    elif match["compare"]:
        yield WORD, _COMPARED.get(match[0], "to")
    else:
        yield from _chunk(match[0].strip("'\"*:.[]").removesuffix("'s"))


@lru_cache(maxsize=4096)
def _chunk(chunk: str) -> Sequence[tuple[str, str]]:
    if not any(letter.isalnum() for letter in chunk):
        return ()
    parts = chunk.split("-")
    if _EXACT.search(chunk) or (len(parts) > 2 and words("filler").isdisjoint(parts)):
        return ((EXACT, chunk),)
    return tuple((WORD, part) for part in re.split(r"[^\w']+|(?<=\w)-(?=\w)", chunk) if part)


@cache
def _phrase_lengths() -> Mapping[str, Sequence[int]]:
    """Return the lengths of the phrases that begin with a word, the longest first."""
    lengths: dict[str, set[int]] = {}
    for phrase in phrases():
        lengths.setdefault(phrase[0], set()).add(len(phrase))
    return {first: sorted(some, reverse=True) for first, some in lengths.items()}


def _phrased(raw: list[RawWord]) -> Iterator[RawWord]:
    """Yield the words with phrases replaced by the words they stand for."""
    at = 0
    while at < len(raw):
        first = raw[at]
        length, replacement = _phrase(raw, at)
        if length:
            for word in replacement:
                yield RawWord(AMOUNT if word.isdigit() else WORD, word, first.clause, first.first)
        else:
            over = first.text.lower() == "over" and _is_amount(raw, at + 1)
            yield RawWord(WORD, "gt", first.clause, first.first) if over else first
        at += length or 1


def _phrase(raw: list[RawWord], at: int) -> tuple[int, tuple[str, ...]]:
    """Return the length of the phrase at *at*, and its replacement; 0 if none begins there."""
    for length in _phrase_lengths().get(raw[at].text.lower(), ()):
        words = raw[at : at + length]
        replacement = phrases().get(tuple(raw_word.text.lower() for raw_word in words), ())
        if replacement in (("gt",), ("lt",)) and not _is_amount(raw, at + length):
            continue
        if replacement and words[0].clause == words[-1].clause and all(raw_word.kind == WORD for raw_word in words):
            return length, replacement
    return 0, ()


def _is_amount(raw: list[RawWord], at: int) -> bool:
    return at < len(raw) and raw[at].kind == AMOUNT
