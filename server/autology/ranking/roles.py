"""Whether two texts of the same words have them in each other's place: who does what to whom, which value is whose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, takewhile

from autology.ranking.alignment import Alignment, is_light, signed
from autology.text.scanning import AMOUNT, FILL, WORD
from autology.text.statement import INSTEAD, Statement, Token
from autology.text.wordlists import root, roots, words

# All measured by bench/duplicates.py.
FITS = 0.16
"""How much better the clauses must fit with two words exchanged, a clause (0.2 has twice as many wrong)."""
STEP = 0.5
"""The share of words from which a step of one text is that of the other."""
REACH = 15
"""Words before and behind another that are looked at as what it relates; without an end the figures are the same."""
BESIDE = 3
"""Words before and behind an amount that say what it is of."""
MOST = 60
"""Words that are exchanged with each other: their pairs are what long texts cost."""
CLAUSES = 150
"""Clauses of a text that are held against each other; where there are more, nobody can say that none fits better."""

Names = Mapping[str, str]
Sides = tuple[frozenset[str], frozenset[str]]
_OWN: Names = {}
_LATER = ("after", "once")


def exchanged(aligned: Alignment) -> bool:
    """Whether anything stands in the place of something else."""
    return _rebound(aligned) or _turned(aligned) or _rejected(aligned) or _misplaced(aligned)


def _rebound(aligned: Alignment) -> bool:
    """Whether the clauses fit better with two words in each other's place: values of the wrong things."""
    mine, theirs = _clauses(aligned.one, aligned.names), _clauses(aligned.other, _OWN)
    if max(len(mine), len(theirs)) > CLAUSES:
        return True
    return _fits_exchanged(mine, theirs) or _fits_exchanged(theirs, mine)


def _fits_exchanged(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> bool:
    fits = [max((_overlap(clause, other) for other in theirs), default=0.0) for clause in mine]
    every = frozenset().union(*theirs)
    both = [key for key in dict.fromkeys(key for clause in mine for key in sorted(clause)) if key in every]
    for x, y in combinations(both[:MOST], 2):
        some = [at for at, clause in enumerate(mine) if (x in clause) != (y in clause)]
        best = sum(fits[at] for at in some) + FITS * len(some)
        if not some or best >= len(some):
            continue
        other = {x: y, y: x}
        crossed = [frozenset(other.get(key, key) for key in clause) for clause in theirs]
        if sum(max(_overlap(mine[at], clause) for clause in crossed) for at in some) > best:
            return True
    return False


def _clauses(statement: Statement, names: Names, without: frozenset[int] = frozenset()) -> list[frozenset[str]]:
    """Return the keys of each clause, in order."""
    found: dict[int, set[str]] = {}
    for token in statement.telling:
        if token.clause not in without:
            found.setdefault(token.clause, set()).add(signed(token, names))
    return list(map(frozenset, found.values()))


def _turned(aligned: Alignment) -> bool:
    """Whether what one text has before a word stands behind it in the other, and the other way round."""
    one, other = _relations(aligned.one, aligned.names), _relations(aligned.other, _OWN)
    return any(
        _crossed(key, mine, theirs)
        for key in one.keys() & other.keys()
        for mine in one[key]
        for theirs in other[key]
    )


def _crossed(key: str, mine: Sides, theirs: Sides) -> bool:
    (before, behind), (left, right) = mine, theirs
    if key in ("over", "into") and before & right and behind & left:
        return True
    return bool((before - left) & right and (left - before) & behind)


def _relations(statement: Statement, names: Names) -> dict[str, list[Sides]]:
    """Return what stands before and behind each word that may relate the two; passives are turned round."""
    found: dict[str, list[Sides]] = {}
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
                found.setdefault(key, []).append(turned)
    return found


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
    return frozenset(_telling_keys([token for token in clause if not token.key.endswith((" time", " size"))], names))


def _rejected(aligned: Alignment) -> bool:
    """Whether each text rejects (`instead of`, `not`) what the other has chosen."""
    one, other = _rejects(aligned.one, aligned.names), _rejects(aligned.other, _OWN)
    if not one or not other or one & other:
        return False
    return one <= _keys(aligned.other.tokens, _OWN) and other <= _keys(aligned.one.tokens, aligned.names)


def _rejects(statement: Statement, names: Names) -> set[str]:
    found: list[Token] = []
    clause = -1
    for token in statement.tokens:
        if token.key == INSTEAD:
            clause = token.clause
        elif token.clause == clause and (token.tells or token.word in ("before", "after")):
            found.append(token)
    return _keys(found, names)


def _misplaced(aligned: Alignment) -> bool:
    """Whether two amounts of a clause are exchanged; voices turn neighbours round, so not across them."""
    if aligned.one.passive or aligned.other.passive:
        return False
    mine, theirs = _beside(aligned.one, aligned.names), _beside(aligned.other, _OWN)
    return any(
        len(mine[x] & theirs[y]) + len(mine[y] & theirs[x]) > len(mine[x] & theirs[x]) + len(mine[y] & theirs[y])
        for x, y in combinations(mine.keys() & theirs.keys(), 2)
    )


def _beside(statement: Statement, names: Names) -> dict[str, set[str]]:
    """Return for each amount the words beside it."""
    found: dict[str, set[str]] = {}
    telling = statement.telling
    for at, token in enumerate(telling):
        if token.kind == AMOUNT:
            near = telling[max(0, at - BESIDE) : at] + telling[at + 1 : at + BESIDE + 1]
            some = _keys([each for each in near if each.clause == token.clause and each.kind != AMOUNT], names)
            found.setdefault(names.get(token.key, token.key), set()).update(some)
    return found


def mistimed(aligned: Alignment) -> bool:
    """Whether what is earlier in one text is later in the other."""
    one, other = _halves(aligned.one, aligned.names), _halves(aligned.other, _OWN)
    if one is None or other is None:
        mine, theirs = _before_and_after(aligned.one), _before_and_after(aligned.other)
        return mine != theirs and sum(mine) == sum(theirs)
    straight = len(one[0] & other[0]) + len(one[1] & other[1])
    return len(one[0] & other[1]) + len(one[1] & other[0]) > straight


def _before_and_after(statement: Statement) -> tuple[int, int]:
    said = [token.word for token in statement.tokens]
    return said.count("before"), sum(map(said.count, _LATER))


def _halves(statement: Statement, names: Names) -> tuple[set[str], set[str]] | None:
    """Return what is earlier and what is later, by the one word that says so."""
    tokens = statement.tokens
    marks = [at for at, token in enumerate(tokens) if token.kind == FILL and token.word in ("before", *_LATER)]
    if len(marks) != 1:
        return None
    mark = tokens[marks[0]]
    ahead, rest = tokens[: marks[0]], tokens[marks[0] :]
    leads = not any(token.tells for token in ahead)
    inner = [token for token in rest if token.clause == mark.clause]
    outer = [token for token in rest if token.clause != mark.clause] if leads else ahead
    sides = _telling_keys(outer, names), _telling_keys(inner, names)
    return sides if mark.word == "before" else sides[::-1]


def reordered(aligned: Alignment) -> bool:
    """Whether steps that both texts have come in another order."""
    mine = _clauses(aligned.one, aligned.names, aligned.one.conditional)
    theirs = _clauses(aligned.other, _OWN, aligned.other.conditional)
    places = list(_places(mine, theirs))
    return places != sorted(places)


def _places(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> Iterator[int]:
    for step in mine:
        shares = [_overlap(step, other) for other in theirs]
        if shares and max(shares) >= STEP:
            yield shares.index(max(shares))


def _keys(tokens: Sequence[Token], names: Names) -> set[str]:
    return {names.get(token.key, token.key) for token in tokens}


def _telling_keys(tokens: Sequence[Token], names: Names) -> set[str]:
    return _keys([token for token in tokens if token.tells], names)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
