"""Whether two texts of the same words have them in each other's place: who does what to whom, which value is whose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, takewhile

from autology.ranking.alignment import OWN, Alignment, Names, clauses, is_light, keys, overlap, telling_keys
from autology.text.language.comparison_words import AMOUNT, FILL, WORD
from autology.text.language.statement import INSTEAD, Statement, Token
from autology.text.wordlists import root, roots, words

# All measured by bench/duplicates.py.
FITS = 0.16
"""How much better the clauses must fit with two words exchanged, a clause (0.2 has twice as many wrong)."""
REACH = 15
"""Words before and behind another that are looked at as what it relates; without an end the figures are the same."""
BESIDE = 3
"""Words before and behind an amount that say what it is of."""
MOST = 60
"""Words that are exchanged with each other: their pairs are what long texts cost."""
CLAUSES = 150
"""Clauses of a text that are held against each other; where there are more, nobody can say that none fits better."""

Sides = tuple[frozenset[str], frozenset[str]]


def exchanged(aligned: Alignment) -> bool:
    """Whether anything stands in the place of something else."""
    return _rebound(aligned) or _turned(aligned) or _rejected(aligned) or _misplaced(aligned)


def _rebound(aligned: Alignment) -> bool:
    """Whether the clauses fit better with two words in each other's place: values of the wrong things."""
    mine, theirs = clauses(aligned.one, aligned.names), clauses(aligned.other, OWN)
    if max(len(mine), len(theirs)) > CLAUSES:
        return True
    return _fits_exchanged(mine, theirs) or _fits_exchanged(theirs, mine)


def _fits_exchanged(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> bool:
    fits = [max((overlap(clause, other) for other in theirs), default=0.0) for clause in mine]
    every = frozenset().union(*theirs)
    both = [key for key in dict.fromkeys(key for clause in mine for key in sorted(clause)) if key in every]
    for x, y in combinations(both[:MOST], 2):
        some = [at for at, clause in enumerate(mine) if (x in clause) != (y in clause)]
        best = sum(fits[at] for at in some) + FITS * len(some)
        if not some or best >= len(some):
            continue
        other = {x: y, y: x}
        crossed = [frozenset(other.get(key, key) for key in clause) for clause in theirs]
        if sum(max(overlap(mine[at], clause) for clause in crossed) for at in some) > best:
            return True
    return False


def _turned(aligned: Alignment) -> bool:
    """Whether what one text has before a word stands behind it in the other, and the other way round."""
    one, other = _relations(aligned.one, aligned.names), _relations(aligned.other, OWN)
    return any(
        _crossed(key, mine, theirs) for key in one.keys() & other.keys() for mine in one[key] for theirs in other[key]
    )


def _crossed(key: str, mine: Sides, theirs: Sides) -> bool:
    (before, behind), (left, right) = mine, theirs
    if key in ("over", "into") and before & right and behind & left:
        return True
    return bool((before - left) & right and (left - before) & behind)


def _relations(statement: Statement, names: Names) -> dict[str, list[Sides]]:
    """Return what stands before and behind each word that may relate the two; passives are turned round."""
    relations: dict[str, list[Sides]] = {}
    tokens = statement.tokens
    stems: dict[int, set[str]] = {}
    for token in tokens:
        stems.setdefault(token.clause, set()).add(root(token.word))
    for at, token in enumerate(tokens):
        key = _relating(tokens, at, names, stems[token.clause])
        if key is not None:
            before, behind = _side(tokens, at, -1, names), _side(tokens, at, 1, names)
            turned = (behind, before) if at in statement.passive else (before, behind)
            if before and behind:
                relations.setdefault(key, []).append(turned)
    return relations


def _relating(tokens: Sequence[Token], at: int, names: Names, stems: set[str]) -> str | None:
    """Return as what the word at *at* relates those around it, in a clause of such *stems*; None if it does not."""
    token = tokens[at]
    if token.tells:
        # `Service A calls`: a name is not an article, whatever its letter.
        noun = at and tokens[at - 1].kind == FILL and tokens[at - 1].word in words("before_noun")
        of = at + 1 < len(tokens) and tokens[at + 1].word == "of"
        return None if noun or of or token.kind != WORD or is_light(token) else names.get(token.key, token.key)
    if token.key in (INSTEAD, "over") or (token.key == "to" and "prefer" in stems):
        return "over"
    if token.key in ("with", "for", "by") and not stems.isdisjoint(roots("replacing")):
        return "into"
    return "to" if token.key == "to" else None


def _side(tokens: Sequence[Token], at: int, step: int, names: Names) -> frozenset[str]:
    beside = tokens[at + 1 : at + 1 + REACH] if step > 0 else tokens[max(0, at - REACH) : at][::-1]
    here, bounds = tokens[at].clause, words("bound")
    clause = takewhile(lambda token: token.clause == here and token.word not in bounds, beside)
    # An amount says how long or how big, not who.
    return frozenset(telling_keys([token for token in clause if not token.key.endswith((" time", " size"))], names))


def _rejected(aligned: Alignment) -> bool:
    """Whether each text rejects (`instead of`, `not`) what the other has chosen."""
    one, other = _rejects(aligned.one, aligned.names), _rejects(aligned.other, OWN)
    if not one or not other or one & other:
        return False
    return one <= keys(aligned.other.tokens, OWN) and other <= keys(aligned.one.tokens, aligned.names)


def _rejects(statement: Statement, names: Names) -> set[str]:
    rejected: list[Token] = []
    clause = -1
    for token in statement.tokens:
        if token.key == INSTEAD:
            clause = token.clause
        elif token.clause == clause and (token.tells or token.word in ("before", "after")):
            rejected.append(token)
    return keys(rejected, names)


def _misplaced(aligned: Alignment) -> bool:
    """Whether two amounts of a clause are exchanged; voices turn neighbours round, so not across them."""
    if aligned.one.passive or aligned.other.passive:
        return False
    mine, theirs = _beside(aligned.one, aligned.names), _beside(aligned.other, OWN)
    return any(
        len(mine[x] & theirs[y]) + len(mine[y] & theirs[x]) > len(mine[x] & theirs[x]) + len(mine[y] & theirs[y])
        for x, y in combinations(mine.keys() & theirs.keys(), 2)
    )


def _beside(statement: Statement, names: Names) -> dict[str, set[str]]:
    """Return for each amount the words beside it."""
    neighbours: dict[str, set[str]] = {}
    telling = statement.telling
    for at, token in enumerate(telling):
        if token.kind == AMOUNT:
            near = telling[max(0, at - BESIDE) : at] + telling[at + 1 : at + BESIDE + 1]
            some = keys([word for word in near if word.clause == token.clause and word.kind != AMOUNT], names)
            neighbours.setdefault(names.get(token.key, token.key), set()).update(some)
    return neighbours
