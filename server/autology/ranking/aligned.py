"""Two texts laid over each other: which word of the one says what which word of the other says, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autology.ranking.codes import SCALE, products
from autology.text.saying import Saying, Token
from autology.text.scanning import AMOUNT, FILL, NAME, NAMED, WORD
from autology.text.vocabulary import CLASSES, LIGHT, MEANINGS, VERBS, stem

Encode = Callable[[Sequence[str]], Sequence[bytes]]
"""Of texts, a row each."""

SYNONYM = 0.45
"""The cosine from which two words without a line in the thesaurus are taken for one (remove/strip 0.48, show/display
0.70; month/year 0.37, staging/production 0.34: bench/duplicates.py is level from 0.4 to 0.5, wrong at 0.3)."""
BEGINNING = 5
"""Letters that two words share from which they are forms of one: `paginate` and `pagination`."""
ROOT = 4
TURN = 4
"""Letters that two words end in alike, and the most that stand before them, from which the one may turn the other."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two texts, by which *names* the one calls what the other says, and the tokens that only one of them has."""

    one: Saying
    other: Saying
    names: Mapping[str, str]
    only_one: tuple[Token, ...]
    only_other: tuple[Token, ...]

    def mine(self, token: Token) -> str:
        """Return the key of a token of *one*, as *other* has it."""
        return self.names.get(token.key, token.key)


def align(one: Saying, other: Saying, encode: Encode | None = None) -> Aligned:
    """Return the two texts laid over each other; *encode* finds synonyms that the thesaurus lacks."""
    names, back = _matched(one, other), _matched(other, one)
    if encode is not None:
        _by_meaning(_left(one, names), _left(other, back), names, back, encode)
    return Aligned(one, other, names, _left(one, names), _left(other, back))


def is_light(token: Token) -> bool:
    """Whether a text hardly says less without it."""
    return token.word in LIGHT or stem(token.word) in LIGHT


def is_verb(token: Token) -> bool:
    """Whether the form of a word shows that it is a verb: retelling changes those, another fact has another noun."""
    word = token.word
    return word in VERBS or word.removesuffix("s") in VERBS or (word.endswith("ed") and len(word) > len("need"))


def opposed(one: Token, other: Token) -> bool:
    """Whether two words are of one root and turned by what stands before it, or compare: never synonyms, however near.

    `inbound` and `outbound`, `reachable` and `unreachable`, `harder` and `easier`.
    """
    a, b = one.word, other.word
    shared = 0
    while shared < min(len(a), len(b)) and a[-1 - shared] == b[-1 - shared]:
        shared += 1
    turned = shared >= ROOT and 0 < max(len(a), len(b)) - shared <= TURN
    return a != b and (turned or (a.endswith("er") and b.endswith("er")))


def classes(token: Token) -> frozenset[int]:
    """Return the families of words excluding each other that it is of."""
    return CLASSES.get(stem(token.word), frozenset())


def clauses(saying: Saying) -> list[list[Token]]:
    """Return the tokens of each clause, in order."""
    found: dict[int, list[Token]] = {}
    for token in saying.tokens:
        found.setdefault(token.clause, []).append(token)
    return list(found.values())


def _left(saying: Saying, names: Mapping[str, str]) -> tuple[Token, ...]:
    ones = ("one", "single")  # stand for an article as often as for a number
    return tuple(token for token in saying.tokens if token.tells and token.key not in names and token.word not in ones)


def _matched(one: Saying, other: Saying) -> dict[str, str]:
    """Return for keys of *one* the key of *other* that says it."""
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
        said = [low[form] for form in forms if form in low]
        if token.key in exact or (not said and token.kind != NAME and any(form in filling for form in forms)):
            names[token.key] = token.key
        elif said or (said := [groups[group] for group in sorted(_meanings(token)) if group in groups][-1:]):
            names[token.key] = said[0]
        elif near := [each.key for each in begun.get(token.key[:BEGINNING], ()) if _one_word(token, each)]:
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
    some, others = ([token for token in left if token.kind == WORD] for left in (mine, theirs))
    if not some or not others:
        return
    rows = encode([token.word for token in (*some, *others)])
    table = products(rows[: len(some)], rows[len(some) :])
    near = [
        (table[at][to], one, other)
        for at, one in enumerate(some)
        for to, other in enumerate(others)
        if table[at][to] >= SYNONYM * SCALE * SCALE
        and classes(one).isdisjoint(classes(other))
        and not opposed(one, other)
    ]
    for _, one, other in sorted(near, key=lambda each: -each[0]):
        if one.key not in names and other.key not in back:
            names[one.key], back[other.key] = other.key, one.key


def kinds(aligned: Aligned) -> dict[str, frozenset[object]]:
    """Return for each key what sorts of thing it is: two of one sort may stand in each other's place."""
    found: dict[str, frozenset[object]] = {}
    for saying, name in ((aligned.one, aligned.mine), (aligned.other, lambda token: token.key)):
        for token in saying.tokens:
            if token.tells:
                sorts: set[object] = set(classes(token))
                sorts |= {token.kind} if token.kind in NAMED else set()
                sorts |= {token.key} if token.sign else set()
                key = signed(token, name(token))
                found[key] = found.get(key, frozenset()) | sorts
    return found


def signed(token: Token, key: str) -> str:
    """Return *key* with a mark if *token* is the lesser of two opposites."""
    return f"{key}-" if token.sign < 0 else key
