"""Whether two texts say the same."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

from autology.ranking.codes import SCALE, products
from autology.text.saying import AMOUNT, EXACT, FILL, NAME, Saying, Token
from autology.text.vocabulary import CLASSES, MEANINGS, stem

SLOT = 0.6
MARGIN = 0.15

def compare(one: Saying, other: Saying, ordered: bool = False, encode=None, near=0.45) -> tuple[tuple[str, ...], list[Token], list[Token], float]:
    why: list[str] = []
    if one.code != other.code:
        why.append("code")
    pairs, back = matched(one, other), matched(other, one)
    mine, theirs = left_over(one, other, pairs), left_over(other, one, back)
    if encode and mine and theirs:
        soft(mine, theirs, pairs, back, encode, near)
        mine, theirs = left_over(one, other, pairs), left_over(other, one, back)
    for name, kind in (("numbers", AMOUNT), ("identifiers", EXACT), ("names", NAME)):
        if any(t.kind == kind for t in (*mine, *theirs)):
            why.append(name)
    if one.negations[0] > other.negations[1] or other.negations[0] > one.negations[1]:
        why.append("negation")
    if signs(one, other):
        why.append("opposite")
    if excluding(mine, theirs):
        why.append("excluding")
    if one.force and other.force and one.force != other.force:
        why.append("force")
    if one.times and other.times and one.times != other.times:
        why.append("times")
    a, b = contexts(one, pairs), contexts(other, {})
    if s := substituted(a, b, mine, theirs):
        why.append("word:" + s)
    if s := turned(one, other, pairs):
        why.append("roles:" + s)
    if s := rebound(one, other, pairs, a, b):
        why.append("bound:" + s)
    if recounted(one, other, pairs):
        why.append("recounted")
    if timed(one, other, pairs):
        why.append("before")
    if (ordered or one.ordered or other.ordered) and sequence(one, other, pairs):
        why.append("sequence")
    if dropped(one, mine) or dropped(other, theirs):
        why.append("missing")
    if mine and theirs:
        why.append("words")
    weight = sum(t.tells for t in one.tokens), sum(t.tells for t in other.tokens)
    rest = max(len(mine) / max(1, weight[0]), len(theirs) / max(1, weight[1]))
    return tuple(why), mine, theirs, rest


def soft(mine, theirs, pairs, back, encode, near):
    a = [t for t in mine if t.kind == "word"]
    b = [t for t in theirs if t.kind == "word"]
    if not a or not b:
        return
    rows = encode([t.word for t in (*a, *b)])
    table = products(rows[: len(a)], rows[len(a) :])
    found = sorted(((table[i][j], i, j) for i in range(len(a)) for j in range(len(b))), reverse=True)
    for value, i, j in found:
        x, y = a[i], b[j]
        if value < near * SCALE * SCALE:
            break
        if x.key in pairs or y.key in back or set(CLASSES.get(stem(x.word), ())) & set(CLASSES.get(stem(y.word), ())):
            continue
        pairs[x.key], back[y.key] = y.key, x.key


def groups_of(t: Token) -> frozenset[int]:
    return MEANINGS.get(t.key, frozenset()) | MEANINGS.get(stem(t.word), frozenset())


def matched(one: Saying, other: Saying) -> dict[str, str]:
    """Return for keys of *one* the key of *other* that says it."""
    tells = [t for t in other.tokens if t.tells]
    exact = {t.key for t in tells}
    low = {name: t.key for t in tells for name in (t.key.lower(), stem(t.word))}
    fill = {stem(t.key): t for t in other.tokens if t.kind == FILL}
    groups: dict[int, str] = {}
    for t in (*tells, *fill.values()):
        for group in groups_of(t):
            groups.setdefault(group, t.key)
    pairs: dict[str, str] = {}
    for t in one.tokens:
        if not t.tells:
            continue
        names = (t.key.lower(), stem(t.word))
        found = next((low[name] for name in names if name in low), None)
        if t.key in exact:
            pairs[t.key] = t.key
        elif found is not None:
            pairs[t.key] = found
        elif any(name in fill for name in names):
            pairs[t.key] = t.key
        else:
            for group in groups_of(t):
                if group in groups:
                    pairs[t.key] = groups[group]
            if t.key not in pairs and t.kind == "word" and len(t.key) >= 5:
                near = [x.key for x in tells if x.kind == "word" and x.key[:5] == t.key[:5] and abs(len(x.key) - len(t.key)) <= 4]
                if near:
                    pairs[t.key] = near[0]
    return pairs


def left_over(one: Saying, other: Saying, pairs: dict[str, str]) -> list[Token]:
    return [t for t in one.tokens if t.tells and t.key not in pairs]


def signs(one: Saying, other: Saying) -> bool:
    mine = {(t.key, t.sign) for t in one.tokens if t.sign}
    theirs = {(t.key, t.sign) for t in other.tokens if t.sign}
    shared = {k for k, _ in mine} & {k for k, _ in theirs}
    return {m for m in mine if m[0] in shared} != {m for m in theirs if m[0] in shared}


def excluding(mine: list[Token], theirs: list[Token]) -> bool:
    a = {c for t in mine for c in CLASSES.get(stem(t.word), ())}
    b = {c for t in theirs for c in CLASSES.get(stem(t.word), ())}
    return bool(a & b)


def dropped(one: Saying, left: list[Token]) -> bool:
    gone = Counter(t.clause for t in left)
    all_ = Counter(t.clause for t in one.tokens if t.tells)
    return any(n >= 2 and n == all_[c] for c, n in gone.items())


NEAR = (3, 2, 1)


def contexts(saying: Saying, names: dict[str, str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for clause in clauses(saying):
        content = [names.get(t.key, t.key) for t in clause if t.tells]
        for i, key in enumerate(content):
            near = found.setdefault(key, Counter())
            for j in range(max(0, i - 3), min(len(content), i + 4)):
                if i != j:
                    near[content[j]] = max(near[content[j]], NEAR[abs(i - j) - 1])
    return found


def clauses(saying: Saying) -> list[list[Token]]:
    found: dict[int, list[Token]] = {}
    for t in saying.tokens:
        found.setdefault(t.clause, []).append(t)
    return list(found.values())


def share(a: Counter[str], b: Counter[str]) -> float:
    either = sum((a | b).values())
    return sum((a & b).values()) / either if either else 1.0


def substituted(a, b, mine: list[Token], theirs: list[Token]) -> str:
    for x in mine:
        for y in b:
            if share(a[x.key], b[y]) >= SLOT:
                return f"{x.key}/{y}"
    for y in theirs:
        for x in a:
            if share(a[x], b[y.key]) >= SLOT:
                return f"{x}/{y.key}"
    return ""


def rebound(one: Saying, other: Saying, pairs: dict[str, str], a, b) -> str:
    kinds: dict[str, set[object]] = {}
    for t in (*one.tokens, *other.tokens):
        if t.tells:
            kinds.setdefault(pairs.get(t.key, t.key), set()).update(
                (*(c for c in CLASSES.get(stem(t.word), ())), *((t.kind,) if t.kind in (AMOUNT, EXACT, NAME) else ()))
            )
    mine = [{pairs.get(t.key, t.key) for t in clause if t.tells} for clause in clauses(one)]
    theirs = [{t.key for t in clause if t.tells} for clause in clauses(other)]
    shaky = [key for key in a if key in b and kinds[key] and share(a[key], b[key]) < 0.9]
    for x, y in combinations(shaky, 2):
        if not kinds[x] & kinds[y]:
            continue
        some = [clause for clause in mine if (x in clause) != (y in clause)]
        if not some:
            continue
        names = {x: y, y: x}
        turned = [{names.get(key, key) for key in clause} for clause in theirs]
        straight = sum(max(_part(clause, each) for each in theirs) for clause in some)
        crossed = sum(max(_part(clause, each) for each in turned) for clause in some)
        if crossed > straight + MARGIN * len(some):
            return f"{x}/{y} {straight:.2f} {crossed:.2f}"
    return ""


def recounted(one: Saying, other: Saying, pairs: dict[str, str]) -> bool:
    """Whether a word stands once more, and one that excludes it once less."""
    mine = Counter(pairs.get(t.key, t.key) for t in one.tokens if t.tells)
    theirs = Counter(t.key for t in other.tokens if t.tells)
    kinds: dict[str, set[object]] = {}
    for t in (*one.tokens, *other.tokens):
        if t.tells:
            kinds.setdefault(pairs.get(t.key, t.key), set()).update(
                (*(c for c in CLASSES.get(stem(t.word), ())), *((t.kind,) if t.kind in (AMOUNT, EXACT, NAME) else ()))
            )
    more = {kind for key in mine if mine[key] > theirs[key] for kind in kinds.get(key, ())}
    less = {kind for key in theirs if mine[key] < theirs[key] for kind in kinds.get(key, ())}
    return bool(more & less)


def _part(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 1.0


CONNECTORS = frozenset("to over insteadof".split())
REACH = 4


def roles(saying: Saying, names: dict[str, str]) -> dict[str, tuple[dict[str, float], dict[str, float]]]:
    """Return what stands before and behind each word of a clause, what is done by somebody turned round."""
    found: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
    tokens = saying.tokens
    for at, t in enumerate(tokens):
        if not (t.kind == "word" or t.key in CONNECTORS):
            continue
        key = names.get(t.key, t.key) if t.tells else {"insteadof": "over"}.get(t.key, t.key)
        start = t.key == "insteadof" and (at == 0 or tokens[at - 1].clause != t.clause)
        reach = (t.clause - 1, t.clause) if start else (t.clause,)
        left = [names.get(x.key, x.key) for x in tokens[:at][::-1] if x.tells and x.clause in reach and x.key != "only"]
        right = [names.get(x.key, x.key) for x in tokens[at + 1 :] if x.tells and x.clause == t.clause and x.key != "only"]
        if at in saying.passive:
            left, right = right, left
        sides = found.setdefault(key, ({}, {}))
        for side, some in zip(sides, (left, right)):
            for distance, x in enumerate(some[:REACH], 1):
                side[x] = max(side.get(x, 0.0), 1 / distance)
    return found


def turned(one: Saying, other: Saying, pairs: dict[str, str]) -> str:
    a, b = roles(one, pairs), roles(other, {})
    for key in a.keys() & b.keys():
        (l, r), (m, s) = (
            ({k: v for k, v in left.items() if k not in right}, {k: v for k, v in right.items() if k not in left})
            for left, right in (a[key], b[key])
        )
        crossed = _product(l, s), _product(r, m)
        if min(crossed) > 0 and sum(crossed) > _product(l, m) + _product(r, s):
            return key
    return ""


def _product(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(value * b.get(key, 0.0) for key, value in a.items())


def timed(one: Saying, other: Saying, pairs: dict[str, str]) -> bool:
    a, b = halves(one, pairs), halves(other, {})
    if a is None or b is None:
        return False
    straight = len(a[0] & b[0]) + len(a[1] & b[1])
    crossed = len(a[0] & b[1]) + len(a[1] & b[0])
    return crossed > straight


def halves(saying: Saying, names: dict[str, str]) -> tuple[set[str], set[str]] | None:
    tokens = saying.tokens
    at = [i for i, t in enumerate(tokens) if t.word in ("before", "after", "once") and t.kind == FILL]
    if len(at) != 1:
        return None
    place = at[0]
    key = lambda t: names.get(t.key, t.key)
    leading = not any(t.tells and t.clause == tokens[place].clause for t in tokens[:place])
    inner = {key(t) for t in tokens[place + 1 :] if t.tells and t.clause == tokens[place].clause}
    if leading and place and any(t.tells for t in tokens[:place]):
        leading = False
    outer = {key(t) for t in (tokens[place:] if leading else tokens[:place]) if t.tells and (not leading or t.clause != tokens[place].clause)}
    return (outer, inner) if tokens[place].word == "before" else (inner, outer)


def sequence(one: Saying, other: Saying, pairs: dict[str, str]) -> bool:
    a, b = steps(one, pairs), steps(other, {})
    places: list[int] = []
    for step in a:
        best = max(range(len(b)), key=lambda i: len(step & b[i]) / len(step | b[i]), default=None)
        if best is not None and len(step & b[best]) / len(step | b[best]) >= 0.5:
            places.append(best)
    return places != sorted(places)


def steps(saying: Saying, names: dict[str, str]) -> list[set[str]]:
    found: dict[int, set[str]] = {}
    for t in saying.tokens:
        if t.tells and t.clause not in saying.condition:
            found.setdefault(t.clause, set()).add(names.get(t.key, t.key))
    return list(found.values())
