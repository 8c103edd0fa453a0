"""Parsing what a text states, to compare two texts: its words, clauses, negations and voices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from autology.text.language.comparison_words import AMOUNT, EXACT, FILL, NAME, WORD, RawWord, scan
from autology.text.language.quantities import amount
from autology.text.wordlists import opposites, participles, root, roots, words

NOT, INSTEAD = "not", "insteadof"
"""The keys of negating words, and of those that introduce what was not chosen."""
TURNS = 3
"""Words between `not` and the word that it negates."""
PASSIVE = 8
"""Words before `by` in which the verb is searched."""
_FREQUENT = {word: amount(f"1 {word[:-2]}") for word in ("hourly", "weekly", "monthly", "yearly")}
_AMOUNTS = {"one": "1", "single": "1", "twice": "2", "daily": amount("1 day")} | _FREQUENT


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its kind, the *key* it is compared by, its form, its clause, its side of an opposite."""

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
class Statement:
    """A text as tokens, with its negations and voices, and its code verbatim.

    *negations* are the minimum and maximum number; *certainty*, *time* and *share* describe modality, time and
    quantifiers; *passive* are the tokens of passive verbs with an agent, *conditional* the clauses with a condition.
    """

    tokens: tuple[Token, ...]
    negations: tuple[int, int]
    certainty: frozenset[str]
    time: frozenset[str]
    share: frozenset[str]
    ordered: bool
    code: tuple[str, ...]
    passive: frozenset[int]
    conditional: frozenset[int]
    telling: tuple[Token, ...] = field(init=False, repr=False, compare=False)
    """The tokens without which it says something else."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "telling", tuple(token for token in self.tokens if token.tells))


@lru_cache(maxsize=64)  # an item is compared with several
def statement(text: str) -> Statement:
    """Return *text* parsed."""
    scanned = scan(text)
    tokens: list[Token] = []
    passive, conditional = set[int](), set[int]()
    ordered = scanned.numbered
    clause, stop, before = 0, -1, ""
    for raw in scanned.raw:
        low = raw.text.lower()
        opens = raw.clause != stop
        if opens or (low in words("opening") and raw.kind == WORD and before not in words("opening")):
            clause, stop = clause + 1, raw.clause
            conditional |= {clause} if low in words("condition") else set()
        if raw.kind == WORD:
            ordered |= low in words("then") or (low in ("first", "next") and (opens or before == "and"))
            passive |= _passive(tokens, clause) if low == "by" else set()
        contrast = low in ("not", "never") and bool(tokens) and (opens or before in ("and", "but"))
        tokens.append(_token(raw, low, clause, contrast))
        before = low
    marks = {kind: words(kind) for kind in ("must", "should", "may", "will", "planned", "happened")}
    spoken = {token.word for token in tokens}
    marked = frozenset(kind for kind, markers in marks.items() if not markers.isdisjoint(spoken))
    tokens, minimum, maximum = _negated(tokens)
    return Statement(
        tuple(tokens),
        (minimum, maximum),
        marked - {"planned", "happened"},
        marked & {"planned", "happened"},
        frozenset(root(word) for word in words("share") & spoken),
        ordered,
        scanned.code,
        frozenset(passive),
        frozenset(conditional),
    )


def _token(raw: RawWord, low: str, clause: int, contrast: bool) -> Token:
    if raw.kind == AMOUNT:
        return Token(AMOUNT, raw.text, low, clause)
    if raw.kind == EXACT:
        key = re.sub(r"^v(?=\d)", "", raw.text)
        return Token(AMOUNT if re.fullmatch(r"[\d.]+", key) else EXACT, key, low, clause)
    if low in _AMOUNTS:
        return Token(AMOUNT, _AMOUNTS[low], low, clause)
    if low in words("negation"):
        return Token(FILL, INSTEAD if contrast else NOT, low, clause)
    return _word(raw, low, clause)


def _word(raw: RawWord, low: str, clause: int) -> Token:
    capital = raw.text.isupper()
    if len(low) == 1 and capital and (low != "a" or not raw.first):
        return Token(NAME, raw.text, low, clause)  # `A depends on B`
    stem = root(low)
    if low in words("filler"):
        return Token(FILL, low, low, clause)
    if stem in opposites():
        side = opposites()[stem]
        return Token(FILL if side.about in roots("slight") else WORD, side.about, low, clause, side.sign)
    if stem in roots("filler") and low.endswith(("s", "ed", "ing")):
        return Token(FILL, low, low, clause)
    if capital and len(low) > 1:
        return Token(NAME, raw.text, low, clause)
    return Token(NAME if raw.text[0].isupper() and not raw.first else WORD, stem, low, clause)


def _passive(tokens: Sequence[Token], clause: int) -> set[int]:
    """Return the tokens of passive verbs with an agent: `written by`, `is sent weekly by`."""
    here = [at for at in range(max(0, len(tokens) - PASSIVE), len(tokens)) if tokens[at].clause == clause]
    if not here:
        return set()
    last = tokens[here[-1]]
    if last.tells and (last.word.endswith("ed") or last.word in participles()):
        return {here[-1]}
    be = next((at for at in reversed(here) if tokens[at].word in words("be")), len(tokens))
    verb = next((at for at in here if at > be and tokens[at].tells), None)
    return set() if verb is None or root(tokens[verb].word) in roots("replacing") else {verb}


def _negated(tokens: Sequence[Token]) -> tuple[list[Token], int, int]:
    """Return the tokens with `not enabled` read as `disabled`, and the number of negations: minimum and maximum."""
    read: list[Token] = []
    free: list[tuple[int, int]] = []  # the position and clause of negations that apply to no word yet
    minimum = over = 0
    for at, token in enumerate(tokens):
        turned = token
        here = [negation for negation in free if negation[1] == token.clause]
        if not token.tells and token.key in (NOT, INSTEAD):
            minimum += 1
            free += [(at, token.clause)] if token.key == NOT else []
        elif not token.tells and token.key == "over":
            over += 1
        elif token.sign and opposites()[root(token.word)].stateful:
            near = [negation for negation in here if at - negation[0] <= TURNS]
            if near:
                free.remove(near[-1])
                turned = replace(token, sign=-token.sign)
                minimum -= 1
            minimum += turned.sign < 0
        elif token.key == "gt" and token.sign and here:
            free.remove(here[-1])
            turned = Token(WORD, "atleast", "atmost", token.clause, -token.sign)  # `not more than`
            minimum -= 1
        read.append(turned)
    return read, minimum, minimum + over
