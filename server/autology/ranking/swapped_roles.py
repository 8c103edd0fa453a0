"""Detects swapped roles between two texts of the same words: "A calls B" and "B calls A", or swapped values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, takewhile

from autology.ranking.alignment import IDENTITY, Alignment, KeyMap, clauses, is_light, keys, overlap, telling_keys
from autology.text.language.comparison_words import AMOUNT, FILL, WORD
from autology.text.language.statement import INSTEAD, Statement, Token
from autology.text.wordlists import root, roots, words

# All measured by bench/duplicates.py.
MIN_GAIN = 0.16
"""The minimum gain in overlap per clause if two words are swapped (0.2 makes twice as many errors)."""
WINDOW = 15
"""Words before and after a relating word that count as its sides; without a limit the results are the same."""
AMOUNT_WINDOW = 3
"""Words before and after an amount that identify it."""
MAX_WORDS = 60
"""Maximum words tried in pairs; the pairs dominate the cost of long texts."""
MAX_CLAUSES = 150
"""Maximum clauses of a text that are compared; for more, a swap cannot be ruled out."""

Sides = tuple[frozenset[str], frozenset[str]]


def differ(aligned: Alignment) -> bool:
    """Whether any roles, values or amounts are swapped."""
    return (
        _values_swapped(aligned)
        or _relations_reversed(aligned)
        or _rejections_swapped(aligned)
        or _amounts_swapped(aligned)
    )


def _values_swapped(aligned: Alignment) -> bool:
    """Whether the clauses match better with two words swapped: values were assigned to the wrong things."""
    mine, theirs = clauses(aligned.one, aligned.key_map), clauses(aligned.other, IDENTITY)
    if max(len(mine), len(theirs)) > MAX_CLAUSES:
        return True
    return _fits_exchanged(mine, theirs) or _fits_exchanged(theirs, mine)


def _fits_exchanged(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> bool:
    fits = [max((overlap(clause, other) for other in theirs), default=0.0) for clause in mine]
    other_keys = frozenset().union(*theirs)
    common_keys = [key for key in dict.fromkeys(key for clause in mine for key in sorted(clause)) if key in other_keys]
    for x, y in combinations(common_keys[:MAX_WORDS], 2):
        affected = [at for at, clause in enumerate(mine) if (x in clause) != (y in clause)]
        best = sum(fits[at] for at in affected) + MIN_GAIN * len(affected)
        if not affected or best >= len(affected):
            continue
        other = {x: y, y: x}
        swapped = [frozenset(other.get(key, key) for key in clause) for clause in theirs]
        if sum(max(overlap(mine[at], clause) for clause in swapped) for at in affected) > best:
            return True
    return False


def _relations_reversed(aligned: Alignment) -> bool:
    """Whether the words before and after a relating word are reversed in the other text."""
    one, other = _relations(aligned.one, aligned.key_map), _relations(aligned.other, IDENTITY)
    return any(
        _is_reversed(key, mine, theirs)
        for key in one.keys() & other.keys()
        for mine in one[key]
        for theirs in other[key]
    )


def _is_reversed(key: str, mine: Sides, theirs: Sides) -> bool:
    (before, behind), (left, right) = mine, theirs
    if key in ("over", "into") and before & right and behind & left:
        return True
    return bool((before - left) & right and (left - before) & behind)


def _relations(statement: Statement, key_map: KeyMap) -> dict[str, list[Sides]]:
    """Return the keys before and after each relating word; passive voice is reversed."""
    relations: dict[str, list[Sides]] = {}
    tokens = statement.tokens
    stems: dict[int, set[str]] = {}
    for token in tokens:
        stems.setdefault(token.clause, set()).add(root(token.word))
    for at, token in enumerate(tokens):
        key = _relation_key(tokens, at, key_map, stems[token.clause])
        if key is not None:
            before, behind = _side(tokens, at, -1, key_map), _side(tokens, at, 1, key_map)
            ordered_sides = (behind, before) if at in statement.passive else (before, behind)
            if before and behind:
                relations.setdefault(key, []).append(ordered_sides)
    return relations


def _relation_key(tokens: Sequence[Token], at: int, key_map: KeyMap, stems: set[str]) -> str | None:
    """Return the key of the relation that the word at *at* expresses in a clause with these *stems*; None if none."""
    token = tokens[at]
    if token.tells:
        # `Service A calls`: a name is not an article, whatever its letter.
        noun = at and tokens[at - 1].kind == FILL and tokens[at - 1].word in words("before_noun")
        of = at + 1 < len(tokens) and tokens[at + 1].word == "of"
        return None if noun or of or token.kind != WORD or is_light(token) else key_map.get(token.key, token.key)
    if token.key in (INSTEAD, "over") or (token.key == "to" and "prefer" in stems):
        return "over"
    if token.key in ("with", "for", "by") and not stems.isdisjoint(roots("replacing")):
        return "into"
    return "to" if token.key == "to" else None


def _side(tokens: Sequence[Token], at: int, step: int, key_map: KeyMap) -> frozenset[str]:
    neighbours = tokens[at + 1 : at + 1 + WINDOW] if step > 0 else tokens[max(0, at - WINDOW) : at][::-1]
    clause_number, bounds = tokens[at].clause, words("bound")
    clause = takewhile(lambda token: token.clause == clause_number and token.word not in bounds, neighbours)
    # An amount says how long or how big, not who.
    return frozenset(telling_keys([token for token in clause if not token.key.endswith((" time", " size"))], key_map))


def _rejections_swapped(aligned: Alignment) -> bool:
    """Whether each text rejects (`instead of`, `not`) the choice of the other."""
    one, other = _rejected_keys(aligned.one, aligned.key_map), _rejected_keys(aligned.other, IDENTITY)
    if not one or not other or one & other:
        return False
    return one <= keys(aligned.other.tokens, IDENTITY) and other <= keys(aligned.one.tokens, aligned.key_map)


def _rejected_keys(statement: Statement, key_map: KeyMap) -> set[str]:
    rejected: list[Token] = []
    clause = -1
    for token in statement.tokens:
        if token.key == INSTEAD:
            clause = token.clause
        elif token.clause == clause and (token.tells or token.word in ("before", "after")):
            rejected.append(token)
    return keys(rejected, key_map)


def _amounts_swapped(aligned: Alignment) -> bool:
    """Whether two amounts of a clause are swapped; not checked for passive voice, which moves the neighbours."""
    if aligned.one.passive or aligned.other.passive:
        return False
    mine, theirs = _neighbours(aligned.one, aligned.key_map), _neighbours(aligned.other, IDENTITY)
    return any(
        len(mine[x] & theirs[y]) + len(mine[y] & theirs[x]) > len(mine[x] & theirs[x]) + len(mine[y] & theirs[y])
        for x, y in combinations(mine.keys() & theirs.keys(), 2)
    )


def _neighbours(statement: Statement, key_map: KeyMap) -> dict[str, set[str]]:
    """Return the keys near each amount."""
    neighbours: dict[str, set[str]] = {}
    telling = statement.telling
    for at, token in enumerate(telling):
        if token.kind == AMOUNT:
            near = telling[max(0, at - AMOUNT_WINDOW) : at] + telling[at + 1 : at + AMOUNT_WINDOW + 1]
            nearby_keys = keys([word for word in near if word.clause == token.clause and word.kind != AMOUNT], key_map)
            neighbours.setdefault(key_map.get(token.key, token.key), set()).update(nearby_keys)
    return neighbours
