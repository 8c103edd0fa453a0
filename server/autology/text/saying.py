"""What a text states, taken apart so that two texts can be held against each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from autology.text.vocabulary import (
    ADVICE,
    CERTAIN,
    CHANCE,
    FILLER,
    FILLER_STEMS,
    HAPPENED,
    LONGEST_PHRASE,
    MONTHS,
    NEGATIONS,
    NUMBERS,
    ORDERED,
    PARTICIPLES,
    PHRASES,
    PLANNED,
    SHARES,
    SIGNS,
    STRONG,
    stem,
)

WORD, NAME, EXACT, AMOUNT, FILL = "word", "name", "exact", "amount", "fill"
"""What a token is: a word by its meaning, a name, what is written exactly so, a quantity, and what adds nothing."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: what it *is*, the *key* it is compared by, as it stood, its clause, and its side of two opposites."""

    kind: str
    key: str
    word: str
    clause: int
    sign: int = 0

    @property
    def tells(self) -> bool:
        """Whether a text without it says something else."""
        return self.kind != FILL


@dataclass(frozen=True, slots=True)
class Saying:
    """A text as tokens, with what turns its sense, and its code as it stands.

    *negations* are the least and the most that it holds, *force* and *times* how firmly and of when it speaks;
    *passive* are the clauses in which what is done stands before who does it, *condition* those that set one.
    """

    tokens: tuple[Token, ...]
    negations: tuple[int, int]
    force: frozenset[str]
    times: frozenset[str]
    ordered: bool
    code: tuple[str, ...]
    passive: frozenset[int]
    condition: frozenset[int]
    shares: frozenset[str]


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
    rf"|(?P<amount>(?<![\w.])[<>~]?\d[\d,]*(?:\.\d+)?(?P<times>(?-i:[kKM])(?![a-zA-Z])|\s(?:thousand|million|billion)\b)?(?:[\s-]?(?P<unit>{_UNIT}))?(?![\w]|[./:-]\w))"
    r"|(?P<compare>[<>]=?|->|→|=>)(?=\s|\d)"
    r"|(?P<chunk>[^\s,;()\"!?…。！？、，；]+)"
    r"|(?P<stop>[,;!?…。！？、，；()\n])",
    re.IGNORECASE,
)
_RATE = re.compile(rf"\b(?:per|each|every|an?|one)\s(?P<unit>{_UNIT})\b", re.IGNORECASE)
_RANGE = re.compile(rf"\b(\d[\d.,]*)(\s(?:to|and|or)\s|-)(?=\d[\d.,]*\s?({_UNIT})\b)", re.IGNORECASE)
_OFTEN = {"hourly": "1 h", "daily": "1 day", "weekly": "1 week", "monthly": "1 month", "yearly": "1 year"}
_EXACT = re.compile(r"[/\\_=<>{}@#$]|\w\.\w|::|^--|\d.*[^\W\d]|[^\W\d].*\d|[a-z][A-Z]|^\W*\d")
_RUN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\u0e00-\u0eff]")
_SHORT = ((re.compile(r"\bcan't\b|\bcannot\b|\bcan not\b", re.IGNORECASE), "can not"),)
_NOT = re.compile(r"n't\b", re.IGNORECASE)
_FOREIGN_NO = frozenset("nicht kein keine keinen nie niemals ohne pas jamais sans nunca jamás sin".split())
_TIMES = {"k": 1000, "m": 1_000_000, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_NUMBER = re.compile(r"\b(?:" + "|".join(NUMBERS.keys() - {"one", "single"}) + r")\b(?!-)", re.IGNORECASE)
_JOINED = frozenset("frontend backend backoff rollback rollout healthcheck email runtime timeout setup login".split())


def saying(text: str) -> Saying:
    """Return what *text* states."""
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
    plain = _RANGE.sub(r"\1 \3\2", plain)
    plain = _RATE.sub(lambda found: f"1 {found['unit']}", plain)
    return _gathered(_phrased(list(_raw(plain))), numbered, code)


@dataclass(frozen=True, slots=True)
class _Raw:
    kind: str
    text: str
    clause: int
    first: bool  # of a sentence


def _raw(text: str) -> Iterator[_Raw]:
    clause, first = 0, True
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if found["stop"]:
            clause += 1
        elif found["code"]:
            for piece in found["code"].strip("`").split():
                yield _Raw(EXACT, piece.strip("'\",;") or piece, clause, first)
        elif found["date"] or found["dmy"] or found["mdy"]:
            yield _Raw(AMOUNT, _date(found), clause, first)
        elif found["clock"]:
            yield _Raw(AMOUNT, found[0], clause, first)
        elif found["amount"]:
            yield from _amount(found, clause, first)
        elif found["compare"]:
            word = {"<": "lt", ">": "gt", "<=": "atmost", ">=": "atleast"}.get(found[0], "to")
            yield _Raw(WORD, word, clause, first)
        else:
            kind = found["chunk"]
            yield from _chunk(kind, clause, first)
            if kind[-1] in ".:":
                clause += 1
                first = True
                continue
        first = False
        if text[found.end() : found.end() + 1] == "\n":
            first = True


def _date(found: re.Match[str]) -> str:
    if found["date"]:
        return found["date"]
    if found["dmy"]:
        day, month, year = re.match(r"\d+", found["dmy"])[0], found["m1"], found["y1"]  # type: ignore[index]
    else:
        day, month, year = found["d2"], found["m2"], found["y2"]
    number = MONTHS.get(month.lower(), MONTHS.get(month.lower()[:3], 0))
    return f"{year}-{number:02d}-{int(day):02d}"


def _amount(found: re.Match[str], clause: int, first: bool) -> Iterator[_Raw]:
    number = found["amount"]
    if number[0] in "<>":
        yield _Raw(WORD, "lt" if number[0] == "<" else "gt", clause, first)
    digits = re.match(r"[<>~]?([\d,]*\d(?:\.\d+)?)", number)[1].replace(",", "")  # type: ignore[index]
    times = _TIMES.get((found["times"] or "").strip().lower(), 1)
    yield _Raw(AMOUNT, _quantity(digits, times, found["unit"]), clause, first)


def _quantity(digits: str, times: int, unit: str | None) -> str:
    if unit is None:
        return digits if times == 1 else f"{(Decimal(digits) * times).normalize():f}"
    name = _UNIT_OF[unit.lower()]
    for kind, units in _UNITS.items():
        if name in units:
            return f"{(Decimal(digits) * times * Decimal(units[name])).normalize():f} {kind}"
    return f"{digits} {name}"


def _chunk(chunk: str, clause: int, first: bool) -> Iterator[_Raw]:
    chunk = chunk.strip("'\"*:.[]").removesuffix("'s")
    if not chunk or not any(ch.isalnum() for ch in chunk):
        return
    if _RUN.search(chunk):
        yield _Raw(EXACT, chunk, clause, first)
    elif _EXACT.search(chunk):
        yield _Raw(EXACT, chunk, clause, first)
    elif len(parts := chunk.split("-")) > 2 and FILLER.isdisjoint(parts):
        yield _Raw(EXACT, chunk, clause, first)
    elif chunk.replace("-", "").lower() in _JOINED:
        yield _Raw(WORD, chunk.replace("-", "").lower(), clause, first)
    else:
        for part in re.split(r"[^\w']+|(?<=\w)-(?=\w)", chunk):
            if part:
                yield _Raw(WORD, part, clause, first)
                first = False


def _phrased(raw: list[_Raw]) -> Iterator[_Raw]:
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
                    yield _Raw(AMOUNT if word.isdigit() else WORD, word, some[0].clause, some[0].first)
                at += length
                break
        else:
            each = raw[at]
            over = each.text.lower() == "over" and at + 1 < len(raw) and raw[at + 1].kind == AMOUNT
            yield _Raw(WORD, "gt", each.clause, each.first) if over else each
            at += 1


_FORCES = (("must", STRONG), ("should", ADVICE), ("may", CHANCE), ("will", CERTAIN))
_STARTS = frozenset("and but then when if because unless while once which whenever otherwise".split())
_CONDITION = frozenset("to if when once after before unless while for whenever because".split())
_BE = frozenset("is are was were be been being get gets".split())


def _gathered(raw: Iterator[_Raw], numbered: bool, code: tuple[str, ...]) -> Saying:
    tokens: list[Token] = []
    force: set[str] = set()
    times: set[str] = set()
    passive: set[int] = set()
    condition: set[int] = set()
    ordered = numbered
    clause, stop = 0, -1
    was = "", ""  # the two words before
    for each in raw:
        low = each.text.lower()
        opens = each.clause != stop
        if opens or (low in _STARTS and each.kind == WORD and was[0] not in _STARTS):
            clause, stop = clause + 1, each.clause
            if low in _CONDITION:
                condition.add(clause)
        if each.kind == WORD:
            force |= {name for name, some in _FORCES if low in some}
            times |= {name for name, some in (("planned", PLANNED), ("happened", HAPPENED)) if low in some}
            ordered |= low in ORDERED or (low in ("first", "next") and (opens or was[0] == "and"))
            if low in ("by", "in") and (done := _done(tokens, clause, low)) is not None:
                passive.add(done)
        contrast = low in ("not", "never") and len(tokens) > 0 and (opens or was[0] in ("and", "but"))
        tokens.append(_token(each, low, clause, contrast))
        was = low, was[0]
    tokens, least, most = _negated(tokens)
    return Saying(
        tuple(tokens),
        (least, most),
        frozenset(force),
        frozenset(times),
        ordered,
        code,
        frozenset(passive),
        frozenset(condition),
        frozenset(stem(token.word) for token in tokens if token.word in SHARES),
    )


def _done(tokens: list[Token], clause: int, behind: str) -> int | None:
    """Return which token is what is done by, or held in, what is named next."""
    here = [at for at in range(max(0, len(tokens) - 8), len(tokens)) if tokens[at].clause == clause]
    if not here:
        return None
    last = tokens[here[-1]]
    if behind == "in" and stem(last.word) in _LIVE:
        return here[-1]
    if behind == "by" and last.tells and (last.word.endswith("ed") or last.word in PARTICIPLES):
        return here[-1]
    for at in reversed(here):
        if tokens[at].word in _BE:
            verb = next((place for place in here if place > at and tokens[place].word not in _BETWEEN), None)
            if verb is None or not tokens[verb].tells or stem(tokens[verb].word) == "replac":
                return None
            return verb if behind == "by" or stem(tokens[verb].word) in _HELD else None
    return None


_BETWEEN = frozenset("not also now then still only always usually automatically itself themselves never".split())
_HELD = frozenset(map(stem, "contain hold store include keep".split()))
_LIVE = frozenset(map(stem, "live lives reside sit".split()))
_SLIGHT = frozenset(map(stem, "able used present".split()))
"""What only says that something can be or is there: `unable to` is `cannot`."""
_HELD = frozenset(map(stem, "contain hold store include keep".split()))


def _negated(tokens: list[Token]) -> tuple[list[Token], int, int]:
    """Return the tokens with `not enabled` read as `disabled`, and how many negations they hold at least and at most."""
    done: list[Token] = []
    free: list[int] = []  # where a negation stands that has turned nothing yet
    least = most = 0
    ended = _ended(tokens)
    for at, token in enumerate(tokens):
        if token.clause in ended and stem(token.word) in _ENDING:
            least, most = least + 1, most + 1
            token = Token(FILL, token.word, token.word, token.clause)
        elif token.clause in ended and stem(token.word) == "support":
            token = Token(token.kind, token.key, token.word, token.clause, -token.sign)
        elif token.kind == FILL and token.key in ("not", "insteadof"):
            least, most = least + 1, most + 1
            if token.key == "not":
                free.append(at)
        elif token.kind == FILL and token.key == "over":
            most += 1
        elif token.sign and SIGNS[stem(token.word)][2]:
            near = [place for place in free if at - place <= 3 and tokens[place].clause == token.clause]
            if near:
                free.remove(near[-1])
                token = Token(token.kind, token.key, token.word, token.clause, -token.sign)
                least, most = least - 1, most - 1
            if token.sign < 0:
                least, most = least + 1, most + 1
        elif token.key == "gt" and token.sign and any(tokens[place].clause == token.clause for place in free):
            free.pop()
            token = Token(WORD, "atleast", "atmost", token.clause, -token.sign)
            least, most = least - 1, most - 1
        done.append(token)
    return done, least, most


_ENDING = frozenset(map(stem, "drop remove end discontinue".split()))


def _ended(tokens: list[Token]) -> set[int]:
    """Return the clauses that speak of support being dropped, which is not supporting."""
    roots: dict[int, set[str]] = {}
    for token in tokens:
        roots.setdefault(token.clause, set()).add(stem(token.word))
    return {clause for clause, some in roots.items() if "support" in some and not some.isdisjoint(_ENDING)}


def _token(each: _Raw, low: str, clause: int, contrast: bool) -> Token:
    if each.kind == AMOUNT:
        return Token(AMOUNT, each.text, low, clause)
    if each.kind == EXACT:
        key = re.sub(r"^v(?=\d)", "", each.text)
        return Token(AMOUNT if re.fullmatch(r"[\d.]+", key) else EXACT, key, low, clause)
    if low in ("one", "single"):
        return Token(AMOUNT, "1", low, clause)
    if low == "twice":
        return Token(AMOUNT, "2", low, clause)
    if low in _OFTEN:
        digits, unit = _OFTEN[low].split()
        return Token(AMOUNT, _quantity(digits, 1, unit), low, clause)
    if low in NEGATIONS or low in _FOREIGN_NO:
        return Token(FILL, "insteadof" if contrast else "not", low, clause)
    if low in FILLER:
        return Token(FILL, low, low, clause)
    root = stem(low)
    if root in SIGNS:
        key, sign, _ = SIGNS[root]
        if key in _SLIGHT:
            return Token(FILL, key, low, clause, sign)
        return Token(WORD, key, low, clause, sign)
    if root in FILLER_STEMS and low.endswith(("s", "ed", "ing")):
        return Token(FILL, low, low, clause)
    if each.text.isupper() and len(low) > 1:
        return Token(NAME, each.text, low, clause)
    named = each.text[0].isupper() and not each.first
    return Token(NAME if named else WORD, root, low, clause)
