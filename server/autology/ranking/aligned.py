"""Word alignment of two texts: which words correspond, and which are left over on either side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autology.ranking.codes import SCALE, products
from autology.text.saying import Saying, Token
from autology.text.scanning import AMOUNT, FILL, NAME, NAMED, WORD
from autology.text.vocabulary import CLASSES, LIGHT, MEANINGS, VERBS, stem

Encode = Callable[[Sequence[str]], Sequence[bytes]]
"""Maps texts to one vector each."""

SYNONYM = 0.45
"""The minimum cosine for two words missing from the thesaurus to count as synonyms (remove/strip 0.48, show/display
0.70; month/year 0.37, staging/production 0.34: bench/duplicates.py is level from 0.4 to 0.5, wrong at 0.3)."""
BEGINNING = 5
"""Length of the common prefix that makes two words forms of one: `paginate` and `pagination`."""
ROOT = 4
TURN = 4
"""ROOT: minimum length of a common ending; TURN: maximum prefix length; together they mark a word and its reversal."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two texts, *names* mapping keys of *one* to those of *other*, and the tokens that only one text has."""

    one: Saying
    other: Saying
    names: Mapping[str, str]
    only_one: tuple[Token, ...]
    only_other: tuple[Token, ...]

    def mine(self, token: Token) -> str:
        """Return the key of a token of *one*, translated to the matching key of *other*."""
        return self.names.get(token.key, token.key)


def align(one: Saying, other: Saying, encode: Encode | None = None) -> Aligned:
    """Align the two texts; *encode* finds synonyms that the thesaurus lacks."""
    names, back = _matched(one, other), _matched(other, one)
    if encode is not None:
        _by_meaning(_left(one, names), _left(other, back), names, back, encode)
    return Aligned(one, other, names, _left(one, names), _left(other, back))


def is_light(token: Token) -> bool:
    """Whether dropping the token hardly changes what a text says."""
    return token.word in LIGHT or stem(token.word) in LIGHT


def is_verb(token: Token) -> bool:
    """Whether the word has a verb's form: a paraphrase changes verbs, a different fact changes nouns."""
    word = token.word
    return word in VERBS or word.removesuffix("s") in VERBS or (word.endswith("ed") and len(word) > len("need"))


def opposed(one: Token, other: Token) -> bool:
    """Whether two words share a root with opposing prefixes, or are both comparatives: never synonyms.

    `inbound` and `outbound`, `reachable` and `unreachable`, `harder` and `easier`.
    """
    a, b = one.word, other.word
    shared = 0
    while shared < min(len(a), len(b)) and a[-1 - shared] == b[-1 - shared]:
        shared += 1
    turned = shared >= ROOT and 0 < max(len(a), len(b)) - shared <= TURN
    return a != b and (turned or (a.endswith("er") and b.endswith("er")))


def classes(token: Token) -> frozenset[int]:
    """Return the ids of the token's families of mutually exclusive words."""
    return CLASSES.get(stem(token.word), frozenset())


def clauses(saying: Saying) -> list[list[Token]]:
    """Return the tokens of each clause, in text order."""
    grouped: dict[int, list[Token]] = {}
    for token in saying.tokens:
        grouped.setdefault(token.clause, []).append(token)
    return list(grouped.values())


def _left(saying: Saying, names: Mapping[str, str]) -> tuple[Token, ...]:
    ones = ("one", "single")  # stand for an article as often as for a number
    return tuple(token for token in saying.tokens if token.tells and token.key not in names and token.word not in ones)


def _matched(one: Saying, other: Saying) -> dict[str, str]:
    """Map each matched key of *one* to its key in *other*."""
    telling = [token for token in other.tokens if token.tells]
    exact = {token.key for token in telling}
    low = {form: token.key for token in telling for form in _forms(token)}
    filling = {stem(token.key): token for token in other.tokens if token.kind == FILL}
    groups: dict[int, str] = {}
    for token in (*telling, *filling.values()):
        for group in _meanings(token):
            groups.setdefault(group, token.key)
    begun: dict[str, list[Token]] = {}
    for token in telling:
        begun.setdefault(token.key[:BEGINNING], []).append(token)
    names: dict[str, str] = {}
    for token in one.tokens:
        if not token.tells:
            continue
        forms = _forms(token)
        matches = [low[form] for form in forms if form in low]
        if token.key in exact or (not matches and token.kind != NAME and any(form in filling for form in forms)):
            names[token.key] = token.key
        elif matches or (matches := [groups[group] for group in sorted(_meanings(token)) if group in groups][-1:]):
            names[token.key] = matches[0]
        elif near := [
            candidate.key for candidate in begun.get(token.key[:BEGINNING], ()) if _one_word(token, candidate)
        ]:
            names[token.key] = near[0]
    return names


def _forms(token: Token) -> tuple[str, ...]:
    return (token.key.lower(),) if token.kind == AMOUNT else (token.key.lower(), stem(token.word))


def _meanings(token: Token) -> frozenset[int]:
    of_key = MEANINGS.get(token.key, frozenset()) if not token.sign else frozenset()
    return of_key | MEANINGS.get(stem(token.word), frozenset())


def _one_word(one: Token, other: Token) -> bool:
    begins = one.key[:BEGINNING] == other.key[:BEGINNING] and len(one.key) >= BEGINNING
    return one.kind == other.kind == WORD and begins and abs(len(one.key) - len(other.key)) < BEGINNING


def _by_meaning(
    mine: Sequence[Token], theirs: Sequence[Token], names: dict[str, str], back: dict[str, str], encode: Encode
) -> None:
    unmatched, others = ([token for token in left if token.kind == WORD] for left in (mine, theirs))
    if not unmatched or not others:
        return
    rows = encode([token.word for token in (*unmatched, *others)])
    table = products(rows[: len(unmatched)], rows[len(unmatched) :])
    near = [
        (table[at][to], one, other)
        for at, one in enumerate(unmatched)
        for to, other in enumerate(others)
        if table[at][to] >= SYNONYM * SCALE * SCALE
        and classes(one).isdisjoint(classes(other))
        and not opposed(one, other)
    ]
    for _, one, other in sorted(near, key=lambda pair: -pair[0]):
        if one.key not in names and other.key not in back:
            names[one.key], back[other.key] = other.key, one.key


def kinds(aligned: Aligned) -> dict[str, frozenset[object]]:
    """Return the classes of each key: two keys that share a class can be swapped."""
    classified: dict[str, frozenset[object]] = {}
    for saying, name in ((aligned.one, aligned.mine), (aligned.other, lambda token: token.key)):
        for token in saying.tokens:
            if token.tells:
                sorts: set[object] = set(classes(token))
                sorts |= {token.kind} if token.kind in NAMED else set()
                sorts |= {token.key} if token.sign else set()
                key = signed(token, name(token))
                classified[key] = classified.get(key, frozenset()) | sorts
    return classified


def signed(token: Token, key: str) -> str:
    """Return *key*, marked if *token* is the negative one of two opposites."""
    return f"{key}-" if token.sign < 0 else key
