"""What a text states, taken apart so that two texts can be held against each other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from autology.text.scanning import AMOUNT, EXACT, FILL, NAME, WORD, Raw, quantity, scan
from autology.text.vocabulary import (
    ADVICE,
    CERTAIN,
    CHANCE,
    FILLER,
    FILLER_STEMS,
    HAPPENED,
    NEGATIONS,
    ORDERED,
    PARTICIPLES,
    PLANNED,
    SHARES,
    SIGNS,
    STRONG,
    stem,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its kind, the *key* it is compared by, as it stood, its clause, its side of two opposites."""

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
    *passive* are the tokens that say what is done by what stands next, *condition* the clauses that set one,
    *shares* the words that say of how many it holds.
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


_FORCES = (("must", STRONG), ("should", ADVICE), ("may", CHANCE), ("will", CERTAIN))
_STARTS = frozenset("and but then when if because unless while once which whenever otherwise".split())
_CONDITION = frozenset("to if when once after before unless while for whenever because".split())
_BE = frozenset("is are was were be been being get gets".split())


@lru_cache(maxsize=512)  # an item is compared with several
def saying(text: str) -> Saying:
    """Return what *text* states."""
    scanned = scan(text)
    tokens: list[Token] = []
    force: set[str] = set()
    times: set[str] = set()
    passive: set[int] = set()
    condition: set[int] = set()
    ordered = scanned.numbered
    clause, stop = 0, -1
    was = "", ""  # the two words before
    for each in scanned.raw:
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
        scanned.code,
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
_FOREIGN_NO = frozenset("nicht kein keine keinen nie niemals ohne pas jamais sans nunca jamás sin".split())
_AMOUNTS = {"one": "1", "single": "1", "twice": "2"} | {
    word: quantity("1", 1, unit)
    for word, unit in (("hourly", "h"), ("daily", "day"), ("weekly", "week"), ("monthly", "month"), ("yearly", "year"))
}
_SLIGHT = frozenset(map(stem, "able used present".split()))
"""What only says that something can be or is there: `unable to` is `cannot`."""
_HELD = frozenset(map(stem, "contain hold store include keep".split()))


def _negated(tokens: list[Token]) -> tuple[list[Token], int, int]:
    """Return the tokens with `not enabled` read as `disabled`, and how many negations they hold: least and most."""
    done: list[Token] = []
    free: list[int] = []  # where a negation stands that has turned nothing yet
    least = over = 0
    ended = _ended(tokens)
    for at, token in enumerate(tokens):
        read = _without_support(token) if token.clause in ended else token
        if read.kind == FILL and read.key in ("not", "insteadof"):
            least += 1
            free += [at] if read.key == "not" else []
        elif read.kind == FILL and read.key == "over":
            over += 1
        elif read is token and token.sign and SIGNS[stem(token.word)][2]:
            near = [place for place in free if at - place <= 3 and tokens[place].clause == token.clause]
            if near:
                free.remove(near[-1])
                read = replace(token, sign=-token.sign)
                least -= 1
            least += read.sign < 0
        elif token.key == "gt" and token.sign and any(tokens[place].clause == token.clause for place in free):
            free.pop()
            read = Token(WORD, "atleast", "atmost", token.clause, -token.sign)  # `not more than`
            least -= 1
        elif read is not token:
            least += read.kind == FILL
        done.append(read)
    return done, least, least + over


_ENDING = frozenset(map(stem, "drop remove end discontinue".split()))


def _without_support(token: Token) -> Token:
    root = stem(token.word)
    if root in _ENDING:
        return Token(FILL, token.word, token.word, token.clause)
    return replace(token, sign=-token.sign) if root == "support" else token


def _ended(tokens: list[Token]) -> set[int]:
    """Return the clauses that speak of support being dropped, which is not supporting."""
    roots: dict[int, set[str]] = {}
    for token in tokens:
        roots.setdefault(token.clause, set()).add(stem(token.word))
    return {clause for clause, some in roots.items() if "support" in some and not some.isdisjoint(_ENDING)}


def _token(each: Raw, low: str, clause: int, contrast: bool) -> Token:
    if each.kind == AMOUNT:
        return Token(AMOUNT, each.text, low, clause)
    if each.kind == EXACT:
        key = re.sub(r"^v(?=\d)", "", each.text)
        return Token(AMOUNT if re.fullmatch(r"[\d.]+", key) else EXACT, key, low, clause)
    if low in _AMOUNTS:
        return Token(AMOUNT, _AMOUNTS[low], low, clause)
    if low in NEGATIONS or low in _FOREIGN_NO:
        return Token(FILL, "insteadof" if contrast else "not", low, clause)
    return _word(each, low, clause)


def _word(each: Raw, low: str, clause: int) -> Token:
    root = stem(low)
    if len(low) == 1 and each.text.isupper() and (low != "a" or not each.first):
        return Token(NAME, each.text, low, clause)  # `A depends on B`
    if low in FILLER:
        return Token(FILL, low, low, clause)
    if root in SIGNS:
        key, sign, _ = SIGNS[root]
        return Token(FILL if key in _SLIGHT else WORD, key, low, clause, sign)
    if root in FILLER_STEMS and low.endswith(("s", "ed", "ing")):
        return Token(FILL, low, low, clause)
    if each.text.isupper() and len(low) > 1:
        return Token(NAME, each.text, low, clause)
    named = each.text[0].isupper() and not each.first
    return Token(NAME if named else WORD, root, low, clause)
