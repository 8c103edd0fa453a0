"""Text as raw words: quantities in one unit, dates, identifiers, code, and phrases read as one word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from autology.text.vocabulary import FILLER, LONGEST_PHRASE, MONTHS, NUMBERS, PHRASES

WORD, NAME, EXACT, AMOUNT, FILL = "word", "name", "exact", "amount", "fill"
NAMED = frozenset((NAME, EXACT, AMOUNT))
"""What a token is: a word by its meaning, a name, what is written exactly so, a quantity, and what adds nothing."""


_TYPOGRAPHY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": " - ", "\u00a0": " "})
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_NUMBERED = re.compile(r"(?:^|(?<=[\s:,;(]))[ \t]*\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=[^\s*+•#>|\d-])|[ \t]{2,}(?=\S)")
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•][ \t]+|#{1,6}[ \t]+)", re.MULTILINE)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*"
_UNITS = {
    "time": {"ns": "0.000001", "µs": "0.001", "us": "0.001", "ms": "1", "s": "1000", "min": "60000", "h": "3600000"}
    | {"day": "86400000", "week": "604800000", "month": "2592000000", "year": "31536000000"},
    "size": {"bytes": "1", "kb": "1024", "mb": "1048576", "gb": "1073741824", "tb": "1099511627776"},
    "share": {"%": "1"},
}
_SPELLED = {
    "ns": "nanoseconds nanosecond",
    "µs": "microseconds microsecond μs us",
    "ms": "milliseconds millisecond msec",
    "s": "seconds second secs sec",
    "min": "minutes minute mins",
    "h": "hours hour hrs hr",
    "day": "days d",
    "week": "weeks",
    "month": "months",
    "year": "years",
    "bytes": "byte",
    "kb": "kib kilobytes kilobyte",
    "mb": "mib megabytes megabyte",
    "gb": "gib gigabytes gigabyte",
    "tb": "tib terabytes terabyte",
    "%": "percent pct",
}
_UNIT_OF = {name: unit for unit, names in _SPELLED.items() for name in (unit, *names.split())}
_UNIT = "|".join(sorted(map(re.escape, _UNIT_OF), key=len, reverse=True))
_TOKEN = re.compile(
    r"(?P<code>`+[^`\n]+`+)"
    rf"|(?P<date>\d{{4}}-\d\d-\d\d)(?=T?\b)"
    rf"|(?P<dmy>\d{{1,2}}(?:st|nd|rd|th)?\s(?P<m1>{_MONTH})\.?,?\s(?P<y1>\d{{4}}))\b"
    rf"|(?P<mdy>(?P<m2>{_MONTH})\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y2>\d{{4}}))\b"
    rf"|(?P<clock>\d{{1,2}}:\d\d(?::\d\d)?)\b"
    rf"|(?P<amount>(?<![\w.])[<>~]?\d[\d,]*(?:\.\d+)?(?P<times>(?-i:[kKM])(?![a-zA-Z])|\s(?:hundred|thousand|million|billion)\b)?(?:[\s-]?(?P<unit>{_UNIT}))?(?![\w]|[./:-]\w))"
    r"|(?P<compare>[<>]=?|->|→|=>)(?=\s|\d)"
    r"|(?P<chunk>[^\s,;()\"!?…。！？、，；]+)"
    r"|(?P<stop>[,;!?…。！？、，；()\n])",
    re.IGNORECASE,
)
_WITHIN = ",;、，；()"
"""What parts clauses and ends no sentence."""
_RATE = re.compile(rf"\b(?:per|each|every|an?|one)\s(?P<unit>{_UNIT})\b", re.IGNORECASE)
_RANGE = re.compile(rf"\b(\d[\d.,]*)(\s(?:to|and|or)\s|-)(?=\d[\d.,]*\s?({_UNIT})\b)", re.IGNORECASE)
_EXACT = re.compile(r"[/\\_=<>{}@#$]|\w\.\w|::|^--|\d.*[^\W\d]|[^\W\d].*\d|[a-z][A-Z]|^\W*\d")
_RUN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\u0e00-\u0eff]")
_SHORT = ((re.compile(r"\bcan't\b|\bcannot\b|\bcan not\b", re.IGNORECASE), "can not"),)
_NOT = re.compile(r"n't\b", re.IGNORECASE)
_TIMES = {"k": 1000, "m": 1_000_000, "hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_NUMBER = re.compile(
    r"\b(?:" + "|".join(NUMBERS.keys() - {"one", "single", "hundred", "thousand"}) + r")\b(?!-)", re.IGNORECASE
)
_ROUND = re.compile(r"(?<!\d\s)\b(?:hundred|thousand)\b(?!-)", re.IGNORECASE)
_TIMES_SO_MANY = re.compile(r"(?<=\d)x\b(?!\d)")
_JOINED = frozenset("frontend backend backoff rollback rollout healthcheck email runtime timeout setup login".split())


@dataclass(frozen=True, slots=True)
class Scanned:
    """The raw words of a text, whether its parts are numbered, and its blocks of code."""

    raw: tuple[Raw, ...]
    numbered: bool
    code: tuple[str, ...]


def scan(text: str) -> Scanned:
    """Return the raw words of *text*."""
    plain = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    code = tuple(" ".join(found[2].split()) for found in _FENCED.finditer(plain))
    plain = _FENCED.sub("\n", plain)
    plain = _WRAPPED.sub(" ", plain)
    numbered = len(_NUMBERED.findall(plain)) > 1
    plain = _BULLET.sub("", _NUMBERED.sub("\n", plain) if numbered else plain)
    for short, full in _SHORT:
        plain = short.sub(full, plain)
    plain = _NOT.sub(" not", plain).replace("**", "")
    plain = _NUMBER.sub(lambda found: NUMBERS[found[0].lower()], plain)
    plain = _ROUND.sub(lambda found: NUMBERS[found[0].lower()], plain)
    plain = _TIMES_SO_MANY.sub(" times", plain)
    plain = _RANGE.sub(r"\1 \3\2", plain)
    plain = _RATE.sub(lambda found: f"1 {found['unit']}", plain)
    return Scanned(tuple(_phrased(list(_raw(plain)))), numbered, code)


@dataclass(frozen=True, slots=True)
class Raw:
    """A word as it stands; *first* of a sentence or not."""

    kind: str
    text: str
    clause: int
    first: bool


def _raw(text: str) -> Iterator[Raw]:
    clause, first = 0, True
    for found in _TOKEN.finditer(text):
        if found["stop"]:
            clause += 1
            first = found[0] not in _WITHIN
            continue
        yield from _word(found, clause, first)
        ends = bool(found["chunk"]) and found[0][-1] in ".:"
        clause += ends
        first = ends or text[found.end() : found.end() + 1] == "\n"


def _word(found: re.Match[str], clause: int, first: bool) -> Iterator[Raw]:
    if found["code"]:
        for piece in found["code"].strip("`").split():
            yield Raw(EXACT, piece.strip("'\",;") or piece, clause, first)
    elif found["date"] or found["dmy"] or found["mdy"]:
        yield Raw(AMOUNT, _date(found), clause, first)
    elif found["clock"]:
        yield Raw(AMOUNT, found[0], clause, first)
    elif found["amount"]:
        yield from _amount(found, clause, first)
    elif found["compare"]:
        word = {"<": "lt", ">": "gt", "<=": "atmost", ">=": "atleast"}.get(found[0], "to")
        yield Raw(WORD, word, clause, first)
    else:
        yield from _chunk(found[0], clause, first)


def _date(found: re.Match[str]) -> str:
    if found["date"]:
        return found["date"]
    if found["dmy"]:
        day, month, year = re.match(r"\d+", found["dmy"])[0], found["m1"], found["y1"]  # type: ignore[index]
    else:
        day, month, year = found["d2"], found["m2"], found["y2"]
    number = MONTHS.get(month.lower(), MONTHS.get(month.lower()[:3], 0))
    return f"{year}-{number:02d}-{int(day):02d}"


def _amount(found: re.Match[str], clause: int, first: bool) -> Iterator[Raw]:
    number = found["amount"]
    if number[0] in "<>":
        yield Raw(WORD, "lt" if number[0] == "<" else "gt", clause, first)
    digits = re.match(r"[<>~]?([\d,]*\d(?:\.\d+)?)", number)[1].replace(",", "")  # type: ignore[index]
    times = _TIMES.get((found["times"] or "").strip().lower(), 1)
    yield Raw(AMOUNT, quantity(digits, times, found["unit"]), clause, first)


def quantity(digits: str, times: int, unit: str | None) -> str:
    if unit is None:
        return digits if times == 1 else f"{(Decimal(digits) * times).normalize():f}"
    name = _UNIT_OF[unit.lower()]
    for kind, units in _UNITS.items():
        if name in units:
            return f"{(Decimal(digits) * times * Decimal(units[name])).normalize():f} {kind}"
    return f"{digits} {name}"


def _chunk(chunk: str, clause: int, first: bool) -> Iterator[Raw]:
    chunk = chunk.strip("'\"*:.[]").removesuffix("'s")
    if not chunk or not any(ch.isalnum() for ch in chunk):
        return
    parts = chunk.split("-")
    if _RUN.search(chunk) or _EXACT.search(chunk) or (len(parts) > 2 and FILLER.isdisjoint(parts)):
        yield Raw(EXACT, chunk, clause, first)
    elif chunk.replace("-", "").lower() in _JOINED:
        yield Raw(WORD, chunk.replace("-", "").lower(), clause, first)
    else:
        for part in re.split(r"[^\w']+|(?<=\w)-(?=\w)", chunk):
            if part:
                yield Raw(WORD, part, clause, first)
                first = False


def _phrased(raw: list[Raw]) -> Iterator[Raw]:
    """Yield the words with phrases read as the words they stand for."""
    at = 0
    while at < len(raw):
        for length in range(min(LONGEST_PHRASE, len(raw) - at), 1, -1):
            some = raw[at : at + length]
            meant = PHRASES.get(tuple(each.text.lower() for each in some))
            if meant in (("gt",), ("lt",)) and (at + length == len(raw) or raw[at + length].kind != AMOUNT):
                continue
            if meant and some[0].clause == some[-1].clause and all(each.kind == WORD for each in some):
                for word in meant:
                    yield Raw(AMOUNT if word.isdigit() else WORD, word, some[0].clause, some[0].first)
                at += length
                break
        else:
            each = raw[at]
            over = each.text.lower() == "over" and at + 1 < len(raw) and raw[at + 1].kind == AMOUNT
            yield Raw(WORD, "gt", each.clause, each.first) if over else each
            at += 1
