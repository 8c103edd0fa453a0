"""Alignment of two texts: which words of one correspond to which of the other, and which words remain unmatched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from autology.ranking.quantized_vectors import SCALE, products
from autology.text.language.comparison_words import AMOUNT, EXACT, NAME, WORD
from autology.text.language.statement import Statement, Token
from autology.text.wordlists import exclusive, root, roots, synonyms, words

Encode = Callable[[Sequence[str]], Sequence[bytes]]
"""Returns the vector of each text, as a row of signed bytes."""

KeyMap = Mapping[str, str]
"""Maps keys of one text to the keys of the other with the same meaning; a missing key stands for itself."""
IDENTITY: KeyMap = {}

MIN_COSINE = 0.35
"""The minimum cosine of synonyms (bench/duplicates.py is level from 0.3 to 0.4)."""
CERTAIN = 0.5
"""The minimum cosine of synonyms if the rest of the texts is alike: there, another word may mean another fact.
0.45 to 0.55 give the same results."""
COMMON_ENDING = MAX_PREFIX = 4
"""Length of the common ending, and the maximum length of the differing prefixes, of words that may be opposites."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two texts, and the *key_map* from keys of *one* to keys of *other*.

    *certain* is the key map without loosely similar words; *only_one* and *only_other* are the
    tokens without a counterpart.
    """

    one: Statement
    other: Statement
    key_map: KeyMap
    certain: KeyMap
    only_one: Sequence[Token] = field(default=())
    only_other: Sequence[Token] = field(default=())


def align(one: Statement, other: Statement, encode: Encode | None = None) -> Alignment:
    """Return the alignment of two texts; *encode* finds synonyms that are not on a list."""
    key_map, reverse = _matched(one, other), _matched(other, one)
    certain = dict(key_map)
    if encode is not None:
        for cosine, one_token, other_token in _alike(_unmatched(one, key_map), _unmatched(other, reverse), encode):
            if one_token.key not in key_map and other_token.key not in reverse:
                key_map[one_token.key], reverse[other_token.key] = other_token.key, one_token.key
                if cosine >= CERTAIN:
                    certain[one_token.key] = other_token.key
    return Alignment(one, other, key_map, certain, _unmatched(one, key_map), _unmatched(other, reverse))


def is_light(token: Token) -> bool:
    """Whether a text means nearly the same without this token."""
    return token.word in words("light") or root(token.word) in roots("light")


def families(token: Token) -> frozenset[int]:
    """Return the families of mutually exclusive words that the token belongs to."""
    return exclusive().get(root(token.word), frozenset())


def signed(token: Token, key_map: KeyMap) -> str:
    """Return the mapped key of *token*, with a minus sign if it is the lesser of two opposites."""
    key = key_map.get(token.key, token.key)
    return f"{key}-" if token.sign < 0 else key


def clauses(statement: Statement, key_map: KeyMap, without: frozenset[int] = frozenset()) -> list[frozenset[str]]:
    """Return the keys of each clause, in order."""
    by_clause: dict[int, set[str]] = {}
    for token in statement.telling:
        if token.clause not in without:
            by_clause.setdefault(token.clause, set()).add(signed(token, key_map))
    return list(map(frozenset, by_clause.values()))


def keys(tokens: Sequence[Token], key_map: KeyMap) -> set[str]:
    """Return the mapped keys of *tokens*."""
    return {key_map.get(token.key, token.key) for token in tokens}


def telling_keys(tokens: Sequence[Token], key_map: KeyMap) -> set[str]:
    """Return the mapped keys of the significant ones among *tokens*."""
    return keys([token for token in tokens if token.tells], key_map)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of keys that two clauses have in common."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _unmatched(statement: Statement, key_map: KeyMap) -> list[Token]:
    # `one` and `single` stand for an article as often as for a number.
    return [token for token in statement.telling if token.key not in key_map and token.word not in ("one", "single")]


def _matched(one: Statement, other: Statement) -> dict[str, str]:
    """Map keys of *one* to keys of *other*, by word form and by the list of synonyms."""
    keys = {token.key for token in other.telling}
    by_form = {form: token.key for token in other.telling for form in _forms(token)}
    light = {root(token.key): token for token in other.tokens if not token.tells}
    by_group: dict[int, str] = {}
    for token in (*other.telling, *light.values()):
        for group in _groups(token):
            by_group.setdefault(group, token.key)
    key_map: dict[str, str] = {}
    for token in one.telling:
        forms = _forms(token)
        same = [by_form[form] for form in forms if form in by_form]
        if token.key in keys or (not same and token.kind != NAME and any(form in light for form in forms)):
            same = [token.key]
        same = same or [by_group[group] for group in sorted(_groups(token)) if group in by_group][-1:]
        if same:
            key_map[token.key] = same[0]
    return key_map


def _forms(token: Token) -> tuple[str, ...]:
    if token.kind == EXACT:
        return (token.key,)  # `parse_feed` is not `parse_feeds`
    return (token.key.lower(),) if token.kind == AMOUNT else (token.key.lower(), root(token.word))


def _groups(token: Token) -> frozenset[int]:
    of_key = synonyms().get(token.key, frozenset()) if not token.sign else frozenset()
    return of_key | synonyms().get(root(token.word), frozenset())


def _alike(mine: Sequence[Token], theirs: Sequence[Token], encode: Encode) -> Iterable[tuple[float, Token, Token]]:
    """Return pairs of semantically similar words with their cosine, most similar first."""
    one_words, other_words = ([token for token in tokens if token.kind == WORD] for tokens in (mine, theirs))
    if not one_words or not other_words:
        return ()
    rows = encode([token.word for token in (*one_words, *other_words)])
    table = products(rows[: len(one_words)], rows[len(one_words) :])
    pairs = (
        (product / SCALE**2, one, other)
        for one, row in zip(one_words, table, strict=True)
        for other, product in zip(other_words, row, strict=True)
    )
    near = [pair for pair in pairs if pair[0] >= MIN_COSINE and not _exclude(pair[1], pair[2])]
    return sorted(near, key=lambda pair: -pair[0])


def _exclude(one: Token, other: Token) -> bool:
    """Whether two words are never synonyms, whatever their cosine.

    `staging` and `production` are on a list; `inbound` and `outbound` have the same ending and different prefixes;
    `harder` and `easier` are comparatives.
    """
    if not families(one).isdisjoint(families(other)):
        return True
    a, b = one.word, other.word
    are_comparatives = a.endswith("er") and b.endswith("er")
    return a != b and (
        are_comparatives or (a[-COMMON_ENDING:] == b[-COMMON_ENDING:] and _differing_prefix(a, b) <= MAX_PREFIX)
    )


def _differing_prefix(a: str, b: str) -> int:
    """Return the length of the longer word without the common ending of both."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(reversed(a), reversed(b), strict=False)))
    return max(len(a), len(b)) - shared
