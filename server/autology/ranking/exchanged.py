"""Detect swapped arguments between two near-identical texts ("A calls B" / "B calls A"), and reassigned values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations, product

from autology.ranking.aligned import Aligned, clauses, is_light, kinds, signed
from autology.text.saying import Saying, Token
from autology.text.scanning import AMOUNT, EXACT, FILL, NAME, WORD
from autology.text.vocabulary import stem

# All measured by bench/duplicates.py.
SLOT = 0.6
"""The share of common neighbours from which two words fill the same slot."""
ALIKE = 0.8
"""The sequence similarity from which two texts are one text, edited."""
BOUND = {"sort": 0.15, "named": 0.2, "plain": 0.15}
"""How much better, per clause, a swap must fit: two words of one class, one a name, or neither of any class."""
CLOSE = 0.5
"""The same margin for two values within one clause, by their neighbours."""
STEP = 0.5
"""The overlap from which two steps are the same."""
NEAR = (3, 2, 1)
"""Weights of neighbours, by distance."""
REACH = 6
"""Words on either side of a relating word that are considered."""
SIDE = 4
"""Maximum length of a verb's argument in `swapped`."""
MOST = 60
"""Maximum number of keys whose pairs are tried: pairs are the cost on long texts."""
CLAUSES = 150
"""Maximum number of clauses compared; longer texts count as different."""

_BARRIERS = frozenset("before after once because until".split())
_BE = frozenset("is are was were be been being".split())
_BEFORE_NOUN = frozenset("the a an of for in on at with their our its this each every any no".split())
_REPLACING = frozenset(map(stem, "replace swap substitute exchange".split()))
_LATER = ("after", "once")

Sides = tuple[dict[str, float], dict[str, float]]
Names = Callable[[Token], str]


def _own(token: Token) -> str:
    return token.key


def substituted(aligned: Aligned) -> bool:
    """Whether a word fills the slot of a different word of the other text, which occurs nowhere else."""
    near, far, more = _contexts(aligned.one, aligned.mine), _contexts(aligned.other, _own), _more(aligned)
    for token in aligned.only_one:
        spare = [key for key in far if more[key] < 0] if _counts(token) else []
        if any(_share(near[token.key], far[key]) >= SLOT for key in spare):
            return True
    for token in aligned.only_other:
        spare = [key for key in near if more[key] > 0] if _counts(token) else []
        if any(_share(near[key], far[token.key]) >= SLOT for key in spare):
            return True
    return False


def edited(aligned: Aligned) -> bool:
    """Whether the texts are nearly the same sequence, with a word replaced."""
    mine = [signed(token, aligned.mine(token)) for token in aligned.one.tokens if token.tells]
    theirs = [signed(token, token.key) for token in aligned.other.tokens if token.tells]
    match = SequenceMatcher(None, mine, theirs, autojunk=False)
    if match.quick_ratio() < ALIKE or match.ratio() < ALIKE:
        return False
    return any(
        kind == "replace" and sorted(mine[a:b]) != sorted(theirs[c:d]) for kind, a, b, c, d in match.get_opcodes()
    )


def rebound(aligned: Aligned) -> bool:
    """Whether the clauses fit better after swapping two words: values assigned to the wrong things."""
    sorts = kinds(aligned)
    mine = _key_sets(aligned.one, aligned.mine)
    theirs = _key_sets(aligned.other, _own)
    if max(len(mine), len(theirs)) > CLAUSES:
        return True
    every = frozenset().union(*theirs)
    both = [key for key in dict.fromkeys(key for clause in mine for key in sorted(clause)) if key in every]
    shared = sorted(both, key=lambda key: not sorts[key])[:MOST]
    fits = [[_overlap(clause, their_clause) for their_clause in theirs] for clause in mine]
    back = [list(column) for column in zip(*fits, strict=True)]
    return any(
        _fits_exchanged(x, y, margin, mine, theirs, fits) or _fits_exchanged(x, y, margin, theirs, mine, back)
        for x, y in combinations(shared, 2)
        if (margin := _margin(sorts[x], sorts[y])) is not None
    ) or _close(aligned, shared, sorts)


def _margin(one: frozenset[object], other: frozenset[object]) -> float | None:
    if one & other:
        return BOUND["sort"]
    if not {NAME, EXACT}.isdisjoint(one | other):
        return BOUND["named"]
    return None if one or other else BOUND["plain"]


def _fits_exchanged(
    x: str,
    y: str,
    margin: float,
    mine: Sequence[frozenset[str]],
    theirs: Sequence[frozenset[str]],
    fits: Sequence[Sequence[float]],
) -> bool:
    """Whether the clauses that contain one of *x* and *y* fit better after a swap; *fits* are the current overlaps."""
    affected = [at for at, clause in enumerate(mine) if (x in clause) != (y in clause)]
    if not affected:
        return False
    names = {x: y, y: x}
    changed = {
        at: frozenset(names.get(key, key) for key in clause)
        for at, clause in enumerate(theirs)
        if (x in clause) != (y in clause)
    }
    straight = crossed = 0.0
    for at in affected:
        straight += max(fits[at])
        unchanged = max((fit for place, fit in enumerate(fits[at]) if place not in changed), default=0.0)
        crossed += max(unchanged, *(_overlap(mine[at], clause) for clause in changed.values()), 0.0)
    return crossed > straight + margin * len(affected)


def _close(aligned: Aligned, shared: Sequence[str], sorts: Mapping[str, frozenset[object]]) -> bool:
    """Whether two values of one clause are swapped; skipped for passives, which reverse the neighbours."""
    if aligned.one.passive or aligned.other.passive:
        return False
    near, far = _contexts(aligned.one, aligned.mine), _contexts(aligned.other, _own)
    values = [key for key in shared if sorts[key] & {AMOUNT, EXACT} and key in near and key in far]
    for x, y in combinations(values, 2):
        if sorts[x] & sorts[y]:
            crossed = _share(near[x], _renamed(far[y], x, y)) + _share(near[y], _renamed(far[x], x, y))
            if crossed > _share(near[x], far[x]) + _share(near[y], far[y]) + CLOSE:
                return True
    return False


def recounted(aligned: Aligned) -> bool:
    """Whether one text repeats a word at the expense of another of its class."""
    sorts, more = kinds(aligned), _more(aligned)
    gained = {sort for key, count in more.items() if count > 0 for sort in sorts.get(key, ())}
    lost = {sort for key, count in more.items() if count < 0 for sort in sorts.get(key, ())}
    return bool(gained & lost)


def turned(aligned: Aligned) -> bool:
    """Whether the words before and after a relating word have changed sides."""
    one, other = _relations(aligned.one, aligned.mine), _relations(aligned.other, _own)
    return any(
        _reversed(one[key], other[key]) or _reversed(other[key], one[key]) or _crossed(key, one[key], other[key])
        for key in one.keys() & other.keys()
    )


def swapped(aligned: Aligned) -> bool:
    """Whether the texts differ only by swapping what precedes and follows a verb: ``A calls B`` and ``B calls A``."""
    mine, theirs = aligned.one.tokens, aligned.other.tokens
    one, other = [token.word for token in mine], [token.word for token in theirs]
    if one == other or sorted(one) != sorted(other):
        return False
    start = next(at for at, (x, y) in enumerate(zip(one, other, strict=True)) if x != y)
    stop = len(one) - next(at for at, (x, y) in enumerate(zip(one[::-1], other[::-1], strict=True)) if x != y)
    if len({token.clause for token in (*mine[start:stop], *theirs[start:stop])}) > 1:
        return False
    return any(
        one[start:stop]
        == other[stop - before : stop] + other[start + behind : stop - before] + other[start : start + behind]
        and any(_relates(token) for token in mine[start + before : stop - behind])
        for before in range(1, min(SIDE, stop - start - 1) + 1)
        for behind in range(1, min(SIDE, stop - start - 1 - before) + 1)
    )


def _relates(token: Token) -> bool:
    return token.tells and token.kind == WORD and not is_light(token)


def _reversed(sides: Sequence[Sides], others: Sequence[Sides]) -> bool:
    """Whether the two nearest words have changed sides."""
    for before, behind in sides:
        if before and behind:
            x, y = next(iter(before)), next(iter(behind))
            straight = max(left.get(x, 0.0) * right.get(y, 0.0) for left, right in others)
            crossed = max(left.get(y, 0.0) * right.get(x, 0.0) for left, right in others)
            if crossed >= 0.5 and crossed > straight:
                return True
    return False


def _crossed(key: str, sides: Sequence[Sides], others: Sequence[Sides]) -> bool:
    """Whether a word on each text's left is on the other's right."""
    for (before, behind), (left, right) in product(sides, others):
        if not (before and behind and left and right):
            continue
        if key in ("over", "into") and before.keys() & right.keys() and behind.keys() & left.keys():
            return True
        if (before.keys() - left.keys()) & right.keys() and (left.keys() - before.keys()) & behind.keys():
            return True
    return False


def _relations(saying: Saying, name: Names) -> dict[str, list[Sides]]:
    """Return what precedes and follows each relating word; the sides of passives are exchanged."""
    relations: dict[str, list[Sides]] = {}
    tokens = saying.tokens
    roots: dict[int, set[str]] = {}
    for token in tokens:
        roots.setdefault(token.clause, set()).add(stem(token.word))
    first = 0
    for at, token in enumerate(tokens):
        first = at if at == 0 or tokens[at - 1].clause != token.clause else first
        key = _relating(tokens, at, name, roots[token.clause])
        if key is None:
            continue
        chained = (token.key == "insteadof" and at == first) or tokens[first].word in ("which", "that")
        before, behind = (_side(tokens, at, step, chained, name) for step in (-1, 1))
        if not before and first and tokens[first].word in ("and", "but"):
            before = _subject(tokens, first, name)
        if at in saying.passive:
            before, behind = behind, before
        both = before.keys() & behind.keys()
        sides = [{key: value for key, value in side.items() if key not in both} for side in (before, behind)]
        relations.setdefault(key, []).append((sides[0], sides[1]))
    return relations


def _relating(tokens: Sequence[Token], at: int, name: Names, here: set[str]) -> str | None:
    """Return the relation that the word at *at* stands for; None if it relates nothing."""
    token = tokens[at]
    if token.tells:
        behind = tokens[at + 1].word if at + 1 < len(tokens) else ""
        # `Service A calls`: a name is not an article, whatever its letter.
        article = at and tokens[at - 1].kind == FILL and tokens[at - 1].word in _BEFORE_NOUN
        noun = article or behind == "of"
        return None if noun or token.kind != WORD or is_light(token) else name(token)
    if token.key in ("insteadof", "over") or (token.key == "to" and "prefer" in here):
        return "over"
    if token.key in ("with", "for", "by") and here & _REPLACING:
        return "into"
    return "to" if token.key == "to" else None


def _side(tokens: Sequence[Token], at: int, step: int, chained: bool, name: Names) -> dict[str, float]:
    side: dict[str, float] = {}
    clause = tokens[at].clause
    place = at + step
    while 0 <= place < len(tokens) and len(side) < REACH:
        token = tokens[place]
        if token.word in _BARRIERS or (token.clause != clause and not (chained and token.clause == clause - 1)):
            break
        done = token.word.endswith("ed") and place > 0 and tokens[place - 1].word in _BE
        passing = tokens[at].kind == FILL and (done or stem(token.word) in _REPLACING)
        quantity = token.key.endswith((" time", " size"))  # a measure, not an argument
        if token.tells and token.key != "only" and not quantity and not passing:
            side.setdefault(name(token), 1 / (len(side) + 1))
        place += step
    return side


def _subject(tokens: Sequence[Token], first: int, name: Names) -> dict[str, float]:
    """Return the subject of the clause before *first*, which `and calls` continues."""
    begins = [token for token in tokens[:first] if token.clause == tokens[first - 1].clause and token.tells][:2]
    return {name(token): 1 / number for number, token in enumerate(reversed(begins), 1)}


def rejected(aligned: Aligned) -> bool:
    """Whether each text rejects (`instead of`, `not`) what the other chooses."""
    one, other = _rejected(aligned.one, aligned.mine), _rejected(aligned.other, _own)
    if not one or not other or one & other:
        return False
    return one <= _all(aligned.other, _own) and other <= _all(aligned.one, aligned.mine)


def _rejected(saying: Saying, name_of: Names) -> frozenset[str]:
    names: set[str] = set()
    clause = -1
    for token in saying.tokens:
        if token.key == "insteadof":
            clause = token.clause
        elif token.clause == clause and _placed(token):
            names.add(name_of(token) if token.tells else token.word)
    return frozenset(names)


def _all(saying: Saying, name: Names) -> frozenset[str]:
    return frozenset(name(token) if token.tells else token.word for token in saying.tokens if _placed(token))


def _placed(token: Token) -> bool:
    return token.tells or token.word in ("before", "after")


def mistimed(aligned: Aligned) -> bool:
    """Whether what comes earlier in one text comes later in the other."""
    one, other = _halves(aligned.one, aligned.mine), _halves(aligned.other, _own)
    if one is None or other is None:
        mine, theirs = _before_and_after(aligned.one), _before_and_after(aligned.other)
        return mine != theirs and sum(mine) == sum(theirs)
    straight = len(one[0] & other[0]) + len(one[1] & other[1])
    return len(one[0] & other[1]) + len(one[1] & other[0]) > straight


def _before_and_after(saying: Saying) -> tuple[int, int]:
    words = [token.word for token in saying.tokens]
    return words.count("before"), sum(words.count(word) for word in _LATER)


def _halves(saying: Saying, name: Names) -> tuple[set[str], set[str]] | None:
    """Return the earlier and the later half, split at the only temporal word."""
    tokens = saying.tokens
    marks = [at for at, token in enumerate(tokens) if token.word in ("before", *_LATER) and token.kind == FILL]
    if len(marks) != 1:
        return None
    place = marks[0]
    clause = tokens[place].clause
    inner = {name(token) for token in tokens[place:] if token.tells and token.clause == clause}
    leads = not any(token.tells for token in tokens[:place])
    rest = [token for token in tokens[place:] if token.clause != clause] if leads else tokens[:place]
    outer = {name(token) for token in rest if token.tells}
    return (outer, inner) if tokens[place].word == "before" else (inner, outer)


def reordered(aligned: Aligned) -> bool:
    """Whether the steps that both texts share come in a different order."""
    mine, theirs = list(_steps(aligned.one, aligned.mine)), list(_steps(aligned.other, _own))
    places: list[int] = []
    for step in mine:
        shares = [_overlap(step, other) for other in theirs]
        if shares and max(shares) >= STEP:
            places.append(shares.index(max(shares)))
    return places != sorted(places)


def _steps(saying: Saying, name: Names) -> Iterator[frozenset[str]]:
    for clause in clauses(saying):
        if clause[0].clause in saying.condition:
            continue
        # `pause` and `resume` are two steps: the negative one of two opposites is marked.
        if keys := {signed(token, name(token)) for token in clause if token.tells}:
            yield frozenset(keys)


def _key_sets(saying: Saying, name: Names) -> list[frozenset[str]]:
    return [frozenset(signed(token, name(token)) for token in clause if token.tells) for clause in clauses(saying)]


def _contexts(saying: Saying, name: Names) -> dict[str, Counter[str]]:
    """Return the neighbours of each key within its clauses, weighted by distance."""
    contexts: dict[str, Counter[str]] = {}
    for clause in clauses(saying):
        keys = [name(token) for token in clause if token.tells]
        for at, key in enumerate(keys):
            near = contexts.setdefault(key, Counter())
            for place in range(max(0, at - len(NEAR)), min(len(keys), at + len(NEAR) + 1)):
                if place != at:
                    near[keys[place]] = max(near[keys[place]], NEAR[abs(at - place) - 1])
    return contexts


def _more(aligned: Aligned) -> Counter[str]:
    more = Counter(aligned.mine(token) for token in aligned.one.tokens if token.tells)
    more.subtract(token.key for token in aligned.other.tokens if token.tells)
    return more


def _counts(token: Token) -> bool:
    return not is_light(token) and token.key not in ("gt", "lt")


def _renamed(near: Counter[str], x: str, y: str) -> Counter[str]:
    names = {x: y, y: x}
    return Counter({names.get(key, key): value for key, value in near.items()})


def _share(one: Counter[str], other: Counter[str]) -> float:
    either = (one | other).total()
    return (one & other).total() / either if either else 1.0


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
