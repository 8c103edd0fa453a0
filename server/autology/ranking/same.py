"""Whether two texts say the same."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import combinations

from autology.ranking.codes import SCALE, products
from autology.text.saying import AMOUNT, EXACT, FILL, NAME, Saying, Token
from autology.text.vocabulary import CLASSES, LIGHT, MEANINGS, SIGNS, stem

LIGHT_STEMS = frozenset(map(stem, LIGHT))
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
    if any(t.sign < 0 and not SIGNS.get(stem(t.word), ("", 0, True))[2] for t in (*mine, *theirs)):
        why.append("signed")
    if excluding(mine, theirs):
        why.append("excluding")
    if not (one.force <= other.force or other.force <= one.force):
        why.append("force")
    if one.shares != other.shares:
        why.append("share")
    if not (one.times <= other.times or other.times <= one.times):
        why.append("times")
    a, b = contexts(one, pairs), contexts(other, {})
    more = Counter(pairs.get(t.key, t.key) for t in one.tokens if t.tells)
    more.subtract(t.key for t in other.tokens if t.tells)
    if s := substituted(a, b, mine, theirs, more):
        why.append("word:" + s)
    if s := turned(one, other, pairs):
        why.append("roles:" + s)
    if s := rebound(one, other, pairs, a, b):
        why.append("bound:" + s)
    if recounted(one, other, pairs):
        why.append("recounted")
    if s := edited(one, other, pairs):
        why.append("edited:" + s)
    if timed(one, other, pairs):
        why.append("before")
    if (ordered or one.ordered or other.ordered) and sequence(one, other, pairs):
        why.append("sequence")
    if dropped(one, mine) or dropped(other, theirs):
        why.append("missing")
    heavy = [[t for t in some if t.word not in LIGHT and stem(t.word) not in LIGHT_STEMS] for some in (mine, theirs)]
    if all(heavy):
        why.append("words")
    weight = sum(t.tells for t in one.tokens), sum(t.tells for t in other.tokens)
    rest = max(len(heavy[0]) / max(1, weight[0]), len(heavy[1]) / max(1, weight[1]))
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
    by_key = MEANINGS.get(t.key, frozenset()) if not t.sign else frozenset()
    return by_key | MEANINGS.get(stem(t.word), frozenset())


def names_of(t: Token) -> tuple[str, ...]:
    return (t.key.lower(),) if t.kind == AMOUNT else (t.key.lower(), stem(t.word))


def matched(one: Saying, other: Saying) -> dict[str, str]:
    """Return for keys of *one* the key of *other* that says it."""
    tells = [t for t in other.tokens if t.tells]
    exact = {t.key for t in tells}
    low = {name: t.key for t in tells for name in names_of(t)}
    fill = {stem(t.key): t for t in other.tokens if t.kind == FILL}
    groups: dict[int, str] = {}
    for t in (*tells, *fill.values()):
        for group in groups_of(t):
            groups.setdefault(group, t.key)
    pairs: dict[str, str] = {}
    for t in one.tokens:
        if not t.tells:
            continue
        names = names_of(t)
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
    return [t for t in one.tokens if t.tells and t.key not in pairs and t.word not in ("one", "single")]


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


def substituted(a, b, mine: list[Token], theirs: list[Token], more: Counter[str]) -> str:
    """Whether a word stands where the other text has another one that is not accounted for elsewhere."""
    light = LIGHT_STEMS | {"gt", "lt"}
    for x in mine:
        for y in b if x.key not in light else ():
            if more[y] < 0 and share(a[x.key], b[y]) >= SLOT:
                return f"{x.key}/{y}"
    for y in theirs:
        for x in a if y.key not in light else ():
            if more[x] > 0 and share(a[x], b[y.key]) >= SLOT:
                return f"{x}/{y.key}"
    return ""


def named(t: Token, pairs: dict[str, str]) -> str:
    return pairs.get(t.key, t.key) + ("-" if t.sign < 0 else "")


def kinds_of(tokens, pairs):
    kinds: dict[str, set[object]] = {}
    for t in tokens:
        if t.tells:
            kinds.setdefault(named(t, pairs), set()).update(
                (*(c for c in CLASSES.get(stem(t.word), ())), *((t.kind,) if t.kind in (AMOUNT, EXACT, NAME) else ()), *((t.key,) if t.sign else ()))
            )
    return kinds


def rebound(one: Saying, other: Saying, pairs: dict[str, str], a, b) -> str:
    kinds = kinds_of((*one.tokens, *other.tokens), pairs)
    mine = [{named(t, pairs) for t in clause if t.tells} for clause in clauses(one)]
    theirs = [{named(t, {}) for t in clause if t.tells} for clause in clauses(other)]
    every = set().union(*theirs)
    shaky = [key for key in dict.fromkeys(key for clause in mine for key in clause) if key in every]
    for x, y in combinations(shaky, 2):
        if not (kinds[x] & kinds[y] or {NAME, EXACT} & (kinds[x] | kinds[y])):
            continue
        some = [clause for clause in mine if (x in clause) != (y in clause)]
        if not some:
            continue
        names = {x: y, y: x}
        turned = [{names.get(key, key) for key in clause} for clause in theirs]
        straight = sum(max(_part(clause, each) for each in theirs) for clause in some)
        crossed = sum(max(_part(clause, each) for each in turned) for clause in some)
        margin = MARGIN if kinds[x] & kinds[y] else 0.2
        if crossed > straight + margin * len(some):
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


REACH = 6
BARRIERS = frozenset("before after once because until".split())
BE = frozenset("is are was were be been being".split())
BEFORE_NOUN = frozenset("the a an of for in on at with their our its this each every any no".split())
REPLACING = frozenset(map(stem, "replace swap substitute exchange".split()))


def pivot(saying: Saying, at: int, names: dict[str, str], roots: dict[int, set[str]]) -> str | None:
    t = saying.tokens[at]
    here = roots[t.clause]
    if t.kind == "word" and t.word not in LIGHT and stem(t.word) not in LIGHT_STEMS:
        return names.get(t.key, t.key)
    if t.key in ("insteadof", "over") or (t.key == "to" and "prefer" in here):
        return "over"
    if t.key in ("with", "for", "by") and here & REPLACING:
        return "into"
    return t.key if t.key == "to" else None


def relations(saying: Saying, names: dict[str, str]) -> dict[str, list[tuple[dict[str, float], dict[str, float]]]]:
    """Return what stands before and behind each word of a clause, what is done by somebody turned round."""
    found: dict[str, list[tuple[dict[str, float], dict[str, float]]]] = {}
    tokens = saying.tokens
    roots: dict[int, set[str]] = {}
    for t in tokens:
        roots.setdefault(t.clause, set()).add(stem(t.word))
    for at, t in enumerate(tokens):
        key = pivot(saying, at, names, roots)
        noun = at and tokens[at - 1].word in BEFORE_NOUN or at + 1 < len(tokens) and tokens[at + 1].word == "of"
        if key is None or t.tells and noun:
            continue
        first = next(i for i in range(at, -1, -1) if i == 0 or tokens[i - 1].clause != t.clause)
        chained = t.key == "insteadof" and at == first or tokens[first].word in ("which", "that")
        left, right = sides(tokens, at, (t.clause - 1, t.clause) if chained else (t.clause,), names)
        if not left and tokens[first].word in ("and", "but") and first:
            before = [t for t in tokens[:first] if t.clause == tokens[first - 1].clause and t.tells][:2]
            left = {names.get(t.key, t.key): 1 / n for n, t in enumerate(reversed(before), 1)}
        if at in saying.passive:
            left, right = right, left
        both = left.keys() & right.keys()
        left, right = ({k: v for k, v in side.items() if k not in both} for side in (left, right))
        found.setdefault(key, []).append((left, right))
    return found


def sides(tokens, at: int, reach, names):
    both = []
    for step in (range(at - 1, -1, -1), range(at + 1, len(tokens))):
        side: dict[str, float] = {}
        for place in step:
            t = tokens[place]
            if t.clause not in reach or t.word in BARRIERS or len(side) == REACH:
                break
            done = t.word.endswith("ed") and place and tokens[place - 1].word in BE or stem(t.word) in REPLACING
            if t.tells and t.key != "only" and not t.key.endswith((" time", " size")) and not (done and tokens[at].kind == FILL):
                side.setdefault(names.get(t.key, t.key), 1 / (len(side) + 1))
        both.append(side)
    return both


def turned(one: Saying, other: Saying, pairs: dict[str, str]) -> str:
    a, b = relations(one, pairs), relations(other, {})
    for key in a.keys() & b.keys():
        if exchanged(a[key], b[key]) or exchanged(b[key], a[key]) or sided(key, a[key], b[key]):
            return key
    return ""


def sided(key, a, b) -> bool:
    for left, right in a:
        for m, s in b:
            if not (left and right and m and s):
                continue
            if key in ("over", "into") and left.keys() & s.keys() and right.keys() & m.keys():
                return True
            if (left.keys() - m.keys()) & s.keys() and (m.keys() - left.keys()) & right.keys():
                return True
    return False


def exchanged(a, b) -> bool:
    for left, right in a:
        if left and right:
            x, y = next(iter(left)), next(iter(right))
            straight = max(m.get(x, 0.0) * s.get(y, 0.0) for m, s in b)
            crossed = max(m.get(y, 0.0) * s.get(x, 0.0) for m, s in b)
            if crossed >= 0.5 and crossed > straight:
                return True
    return False


LIKE = 0.8


def edited(one: Saying, other: Saying, pairs: dict[str, str]) -> str:
    """Whether the texts run alike, and one has a word that tells where the other has another."""
    mine = [named(t, pairs) for t in one.tokens if t.tells]
    theirs = [named(t, {}) for t in other.tokens if t.tells]
    match = SequenceMatcher(None, mine, theirs, autojunk=False)
    changes = [(mine[a:b], theirs[c:d]) for kind, a, b, c, d in match.get_opcodes() if kind == "replace"]
    if match.ratio() >= LIKE:
        for gone, come in changes:
            if sorted(gone) != sorted(come):
                return f"{gone}/{come}"
    return ""


def timed(one: Saying, other: Saying, pairs: dict[str, str]) -> bool:
    a, b = halves(one, pairs), halves(other, {})
    if a is None or b is None:
        return times_of(one) != times_of(other) and sum(times_of(one)) == sum(times_of(other))
    straight = len(a[0] & b[0]) + len(a[1] & b[1])
    crossed = len(a[0] & b[1]) + len(a[1] & b[0])
    return crossed > straight


def times_of(saying: Saying) -> tuple[int, int]:
    before = sum(t.word == "before" for t in saying.tokens)
    return before, sum(t.word in ("after", "once") for t in saying.tokens)


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
