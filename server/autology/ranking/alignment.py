"""Two texts laid over each other: which word of one says what a word of the other says, and which words are left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from autology.ranking.quantized_vectors import SCALE, products
from autology.text.language.comparison_words import AMOUNT, EXACT, NAME, WORD
from autology.text.language.statement import Statement, Token
from autology.text.wordlists import exclusive, root, roots, synonyms, words

Encode = Callable[[Sequence[str]], Sequence[bytes]]
"""Of texts, a row token."""

Names = Mapping[str, str]
"""Keys of one text, and the keys that say the same in the other; those that are not there stay as they are."""
OWN: Names = {}

NEAR = 0.35
"""The cosine from which two words are taken for one (bench/duplicates.py is level from 0.3 to 0.4)."""
SURE = 0.5
"""The same where all else in the texts is alike, so that one may be another fact's: 0.45 to 0.55 give the same."""
ROOT = TURN = 4
"""Letters that two words end in alike, and the most that stand before them, from which one may turn the other."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two texts, and the *names*: for a key of *one*, the key of *other* that says it.

    *sure* are the names without those that only a loose likeness of meaning gives; *only_one* and *only_other* the
    tokens that the other text lacks.
    """

    one: Statement
    other: Statement
    names: Names
    sure: Names
    only_one: Sequence[Token] = field(default=())
    only_other: Sequence[Token] = field(default=())


def align(one: Statement, other: Statement, encode: Encode | None = None) -> Alignment:
    """Return the two texts laid over each other; *encode* finds synonyms that are on no list."""
    names, back = _matched(one, other), _matched(other, one)
    sure = dict(names)
    if encode is not None:
        for cosine, mine, theirs in _alike(_left(one, names), _left(other, back), encode):
            if mine.key not in names and theirs.key not in back:
                names[mine.key], back[theirs.key] = theirs.key, mine.key
                if cosine >= SURE:
                    sure[mine.key] = theirs.key
    return Alignment(one, other, names, sure, _left(one, names), _left(other, back))


def is_light(token: Token) -> bool:
    """Whether a text hardly says less without it."""
    return token.word in words("light") or root(token.word) in roots("light")


def families(token: Token) -> frozenset[int]:
    """Return the families of words excluding each other that it is of."""
    return exclusive().get(root(token.word), frozenset())


def signed(token: Token, names: Names) -> str:
    """Return the key of *token* by *names*, with a mark if it is the lesser of two opposites."""
    key = names.get(token.key, token.key)
    return f"{key}-" if token.sign < 0 else key


def clauses(statement: Statement, names: Names, without: frozenset[int] = frozenset()) -> list[frozenset[str]]:
    """Return the keys of each clause, in order."""
    by_clause: dict[int, set[str]] = {}
    for token in statement.telling:
        if token.clause not in without:
            by_clause.setdefault(token.clause, set()).add(signed(token, names))
    return list(map(frozenset, by_clause.values()))


def keys(tokens: Sequence[Token], names: Names) -> set[str]:
    """Return the keys of *tokens*, by *names*."""
    return {names.get(token.key, token.key) for token in tokens}


def telling_keys(tokens: Sequence[Token], names: Names) -> set[str]:
    """Return the same of those without which a text says something else."""
    return keys([token for token in tokens if token.tells], names)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of keys that two clauses have in common."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _left(statement: Statement, names: Names) -> list[Token]:
    # `one` and `single` stand for an article as often as for a number.
    return [token for token in statement.telling if token.key not in names and token.word not in ("one", "single")]


def _matched(one: Statement, other: Statement) -> dict[str, str]:
    """Return for keys of *one* the key of *other* that says it, by form and by the list of synonyms."""
    keys = {token.key for token in other.telling}
    by_form = {form: token.key for token in other.telling for form in _forms(token)}
    filling = {root(token.key): token for token in other.tokens if not token.tells}
    by_group: dict[int, str] = {}
    for token in (*other.telling, *filling.values()):
        for group in _groups(token):
            by_group.setdefault(group, token.key)
    names: dict[str, str] = {}
    for token in one.telling:
        forms = _forms(token)
        same = [by_form[form] for form in forms if form in by_form]
        if token.key in keys or (not same and token.kind != NAME and any(form in filling for form in forms)):
            same = [token.key]
        same = same or [by_group[group] for group in sorted(_groups(token)) if group in by_group][-1:]
        if same:
            names[token.key] = same[0]
    return names


def _forms(token: Token) -> tuple[str, ...]:
    if token.kind == EXACT:
        return (token.key,)  # `parse_feed` is not `parse_feeds`
    return (token.key.lower(),) if token.kind == AMOUNT else (token.key.lower(), root(token.word))


def _groups(token: Token) -> frozenset[int]:
    of_key = synonyms().get(token.key, frozenset()) if not token.sign else frozenset()
    return of_key | synonyms().get(root(token.word), frozenset())


def _alike(mine: Sequence[Token], theirs: Sequence[Token], encode: Encode) -> Iterable[tuple[float, Token, Token]]:
    """Return pairs of words that are alike in meaning, with their cosine, the most alike first."""
    some, others = ([token for token in left if token.kind == WORD] for left in (mine, theirs))
    if not some or not others:
        return ()
    rows = encode([token.word for token in (*some, *others)])
    table = products(rows[: len(some)], rows[len(some) :])
    pairs = (
        (product / SCALE**2, one, other)
        for one, row in zip(some, table, strict=True)
        for other, product in zip(others, row, strict=True)
    )
    near = [pair for pair in pairs if pair[0] >= NEAR and not _exclude(pair[1], pair[2])]
    return sorted(near, key=lambda pair: -pair[0])


def _exclude(one: Token, other: Token) -> bool:
    """Whether two words are never synonyms, however near.

    `staging` and `production` are on a list; `inbound` and `outbound` are of one root and turned by what stands before
    it; `harder` and `easier` compare.
    """
    if not families(one).isdisjoint(families(other)):
        return True
    a, b = one.word, other.word
    comparing = a.endswith("er") and b.endswith("er")
    return a != b and (comparing or (a[-ROOT:] == b[-ROOT:] and _turning(a, b) <= TURN))


def _turning(a: str, b: str) -> int:
    """Return how many letters stand before what two words end in alike, in the longer of them."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(reversed(a), reversed(b), strict=False)))
    return max(len(a), len(b)) - shared
