"""Which of several texts about one matter was changed by a later one, told from what the later one says.

That a text is newer proves nothing: newer talk often only mentions a matter. A text amends an earlier one if both are
about the same matter, told by the rare words that they share, and the later one drops, replaces or changes what the
earlier one names. The thresholds are those of bench/change.py: each is in the middle of a range in which its open
halves are level within one row.
"""

from __future__ import annotations

from collections import Counter, namedtuple
from itertools import repeat
from math import log

from autology.ranking.change_statements import (
    BARE_VALUE,
    EDITED,
    NAMED,
    REJECTED,
    VALUES,
    decided_in,
    edited_file,
    is_number,
    is_talk,
    is_unanswered,
    segments,
    settles,
)
from autology.ranking.settling import SETTLES, has_settled, settling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set

    from autology.ranking.change_statements import Change, Statements, Value
    from autology.ranking.replacing import Likeness

    Weight = Callable[[Iterable[str]], float]

BACKGROUND = 30
"""The least number of talks among which a word is rare."""
BEHIND, CONFIRMING = 0.9, 0.85
"""The factors for the relevance of what was amended, and of what only says that an earlier text still holds."""
APART = 0.11
"""By how much less relevant that is at least: of texts within 0.1 the newer one is shown first."""
NAMES, ATTRIBUTE = 0.6, 0.4
"""The least weight of the words of a thing by which it is recognised, and of the name of a value that was edited."""
NEARLY = 0.6
"""The least relevance of what settled a matter, relative to later talk that comes to it in passing: at 0.4, an answer
about a problem comes second on an open half."""
UNANSWERED = 0.8
"""The factor for the relevance of talk in which the user does not answer the assistant: what is asked about is more
often settled elsewhere. From 0.75 to 0.85 the rows of bench/change.py are level within two."""
AS_WELL = 0.5
"""The least relevance of what settled a matter later, relative to what settled it before."""
AT_ALL = 0.4
"""The same, of talk that likely replaces it: from 0.3 to 0.4 the rows of bench/change.py are level within one."""
REPLACES = 0.5
"""The likelihood from which later talk replaces earlier talk: from 0.4 to 0.6 the amended rows of bench/change.py are
level within two."""
UNLIKELY = 0.3
"""The likelihood of replacing it below which later talk is not ahead for settling the same, and may be behind."""
NEARER = 0.7
"""As NEARLY, of what likely settled a matter that later talk on the same likely did not."""
ALIKE, CLEARLY = 0.3, 0.5
"""The least cosine of two such passages, and by how much more likely the first one settles something."""
CONFIRMS = 0.5
"""The least weight of the words that a text says to stay as they are and shares with the earlier one."""
TELLING = 0.3
"""The least weight of a word for which later texts are compared with one that has it."""
WHOLE = 1.0
"""The share of what two texts have in common where an edit of one replaces what an edit of the other wrote."""
IN_TALK = 0.4
"""The factor for the bounds within one talk, which is mostly about one matter."""

Bound = namedtuple("Bound", ("shared", "share"))
"""What two texts have in common, at least: the weight of these words, and its share of the lighter text's."""
OF_NAMED, OF_ADOPTED, OF_VALUES = Bound(0.5, 0.15), Bound(0.5, 0.08), Bound(1.2, 0.22)
OF_BARE, OF_MATTER, OF_EDITED = Bound(1.2, 0.15), Bound(1.4, 0.27), Bound(1.2, 0.17)
OF_VALUE_NAMED, OF_SETTLED = Bound(0.4, 0.1), Bound(1.4, 0.18)
LEAST = Bound(0.9, 0.08)
"""For each kind of change, and for any but that of a value whose name is known; for what is named, adopted or edited
besides that itself."""

Text = namedtuple("Text", ("order", "text", "project", "talk"), defaults=("", ""))
"""A text about the question, a key by which texts are in order of time, its project ("" is every project's), and the
talk that it is from: texts of one talk count once where words are counted."""
InForce = namedtuple("InForce", ("relevances", "changed", "replacing"))
"""The *relevances* of texts, with what holds now ahead of what it amends, and what was amended: *changed* has, by the
position of each amended text, the position of the one that amends it, and the sentence that says so. *replacing* has
how likely each later talk replaces each earlier one, by their positions."""


def in_force(
    texts: Sequence[Text], relevances: Sequence[float], at_first: bool = False, rows: Sequence[bytes] = ()
) -> InForce:
    """Return the relevance of each of *texts*, with what holds now ahead of what it amends, and what was amended.

    A text that only says that an earlier one still holds comes after that; so does one that settles nothing, if an
    earlier one that settled the same matter answers nearly as well. Of two that settled the same matter, the later one
    comes first; so does one that likely replaces another, where *rows* has the texts' vectors. With *at_first*, what
    was amended comes ahead of what amends it.
    """
    as_asked = relevances
    relevances = _answered_first(texts, relevances)
    contents = [segments(one.text) for one in texts]
    weight = _rarity(texts, contents)
    may_change = any(stated.changes for one in contents for stated in one)
    decided = [decided_in(one.text) if may_change and one.talk else () for one in texts]
    totals = {stated: weight(stated.words) for one in (*contents, *decided) for stated in one}
    changed, confirmed, changes = _compared(texts, contents, decided, weight, totals)
    amending = {later for later, _ in changed.values()}
    alike = _alike(texts, contents, as_asked, rows, weight, totals, changes) if rows else {}
    replaced = _replaced(relevances, alike, changed)
    passing = _in_passing(texts, contents, relevances, weight, amending)
    passing = _settling_less(texts, relevances, alike, {*amending, *replaced.values()}) | passing
    confirmed = passing | confirmed
    known = {*changed, *confirmed}
    ahead = {
        earlier: later
        for earlier, later in _settled_later(texts, contents, relevances, weight, totals, known).items()
        if (later, earlier) not in alike or alike[later, earlier].likelihood >= UNLIKELY
    }
    ahead |= {earlier: later for earlier, later in replaced.items() if earlier not in known}
    ahead |= {earlier: later for earlier, (later, _) in changed.items()}
    weighed = list(relevances)
    likely = {positions: one.likelihood for positions, one in alike.items()}
    if at_first:
        return InForce(_as_it_was(texts, weighed, ahead), changed, likely)
    for later, earlier in confirmed.items():
        weighed[earlier] = max(weighed[earlier], weighed[later])
    in_time = sorted(ahead, key=lambda at: texts[at].order)
    for earlier in in_time:  # what comes ahead of a text may have another ahead of itself
        weighed[ahead[earlier]] = max(weighed[ahead[earlier]], weighed[earlier])
    for earlier in reversed(in_time):
        weighed[earlier] = min(weighed[earlier], weighed[ahead[earlier]]) * BEHIND
    for later, earlier in confirmed.items():
        weighed[later] = min(weighed[later], weighed[earlier] * CONFIRMING, max(weighed[earlier] - APART, 0.0))
    return InForce(weighed, changed, likely)


def _alike(
    texts: Sequence[Text],
    contents: Sequence[tuple[Statements, ...]],
    relevances: Sequence[float],
    rows: Sequence[bytes],
    weight: Weight,
    totals: Mapping[Statements, float],
    changes: Mapping[int, Mapping[int, object]],
) -> dict[tuple[int, int], Likeness]:
    """Return how alike each later talk and each earlier one are, by their positions."""
    from autology.ranking.replacing import Likeness, likelihood, pairs  # not in hooks, which have no vectors

    by_positions = pairs(texts, contents, relevances, rows, weight, totals, changes)
    return {positions: Likeness(likelihood(pair), pair.cosine) for positions, pair in by_positions.items()}


def _replaced(
    relevances: Sequence[float], alike: Mapping[tuple[int, int], Likeness], changed: Mapping[int, object]
) -> dict[int, int]:
    """Return for each text the later talk that most likely replaces it, of those not known to be *changed*."""
    replaced: dict[int, int] = {}
    for later, earlier in sorted(alike, key=lambda positions: alike[positions].likelihood):
        is_likely = alike[later, earlier].likelihood >= REPLACES
        if is_likely and earlier not in changed and relevances[later] >= AT_ALL * relevances[earlier]:
            replaced[earlier] = later
    return replaced


def _settling_less(
    texts: Sequence[Text],
    relevances: Sequence[float],
    alike: Mapping[tuple[int, int], Likeness],
    replacing: Set[int],
) -> dict[int, int]:
    """Return for each talk that likely settles nothing the earlier one on the same that does, and answers nearly as
    well; not for those that are *replacing* others.
    """
    less: dict[int, int] = {}
    for later, earlier in sorted(alike, key=lambda positions: alike[positions].cosine):
        one, other = texts[later].text, texts[earlier].text
        near = NEARER * relevances[later] <= relevances[earlier] < relevances[later]
        if not near or alike[later, earlier].likelihood >= UNLIKELY or alike[later, earlier].cosine < ALIKE:
            continue
        if later in replacing or not is_talk(one) or (settled := settling(one)) > SETTLES:
            continue
        if not is_talk(other) or settling(other) > settled + CLEARLY:
            less[later] = earlier
    return less


def _as_it_was(texts: Sequence[Text], relevances: list[float], ahead: Mapping[int, int]) -> list[float]:
    """Return *relevances* with each text in front of the one that came *ahead* of it."""
    in_time = sorted(ahead, key=lambda at: texts[at].order)
    for earlier in reversed(in_time):
        relevances[earlier] = max(relevances[earlier], relevances[ahead[earlier]])
    for earlier in in_time:
        relevances[ahead[earlier]] = min(relevances[ahead[earlier]], relevances[earlier] * BEHIND)
    return relevances


def changed_since(settled: Sequence[Text], statements: Sequence[Text], least: float) -> list[str]:
    """Return for each text that *settled* something the sentence of the later *statements* that changes it, "" if none.

    Both have the same in common, to the share *least* of the lighter one.
    """
    texts = [*settled, *statements]
    contents = [segments(one.text) for one in texts]
    weight = _rarity(texts, contents)
    totals = {stated: weight(stated.words) for one in contents for stated in one}
    changing: dict[str, set[int]] = {}
    for at in range(len(settled), len(texts)):
        for word in {word for stated in contents[at] if stated.changes for word in stated.words}:
            if weight((word,)) >= TELLING:
                changing.setdefault(word, set()).add(at)
    sentences: list[str] = []
    for one, parts in zip(settled, contents, strict=False):
        near = sorted(set().union(*(changing.get(word, ()) for old in parts for word in old.words)))
        matches = [
            match
            for at in near
            if texts[at].order > one.order and not _is_elsewhere(texts[at], one)
            for new in contents[at]
            for old in parts
            if (match := _change(new, old, weight, totals, 1.0)) and match[0] >= least
        ]
        sentences.append(max(matches)[1] if matches else "")
    return sentences


def _answered_first(texts: Sequence[Text], relevances: Sequence[float]) -> list[float]:
    """Return *relevances*, less for talk in which the user does not answer, and for sentences and code of it."""
    unanswered = {one.text for one in texts if one.talk and is_unanswered(one.text)}
    talks = {one.talk for one in texts if one.text in unanswered}
    talks -= {one.talk for one in texts if is_talk(one.text) and one.text not in unanswered}
    return [
        relevance * UNANSWERED if one.text in unanswered or (one.talk in talks and not is_talk(one.text)) else relevance
        for one, relevance in zip(texts, relevances, strict=True)
    ]


def _compared(
    texts: Sequence[Text],
    contents: Sequence[tuple[Statements, ...]],
    decided: Sequence[tuple[Statements, ...]],
    weight: Weight,
    totals: Mapping[Statements, float],
) -> tuple[dict[int, tuple[int, str]], dict[int, int], dict[int, dict[int, tuple[float, str]]]]:
    """Return what amends each amended text, with its sentence, the text that each one only confirms, and all changes.

    What amends a sentence that a text *decided* amends that: a long talk shares less of its words with the change.

    Of several that amend one, it is the one that is most about the same, or what amends that.
    """
    changes: dict[int, dict[int, tuple[float, str]]] = {}
    confirmed: dict[int, tuple[float, int]] = {}
    for later, one in enumerate(texts):
        if not any(stated.changes or stated.confirmed for stated in contents[later]):
            continue
        for earlier, other in enumerate(texts):
            rest = _said_after(other, one)
            if _is_elsewhere(one, other) or (other.order >= one.order and not rest):
                continue
            matches = [
                change
                for new in (segments(rest) if rest else contents[later])
                for old in (*contents[earlier], *(() if rest else decided[earlier]))
                if (change := _change(new, old, weight, totals, IN_TALK if rest else 1.0))
            ]
            if matches:
                changes.setdefault(earlier, {})[later] = max(matches)
            elif one.talk != other.talk or not one.talk:
                held = max(
                    (weight(new.confirmed & old.words) for new in contents[later] for old in contents[earlier]),
                    default=0.0,
                )
                if held >= CONFIRMS:
                    confirmed[later] = max(confirmed.get(later, (0.0, 0)), (held, earlier))
    changed = {earlier: _last(by, changes) for earlier, by in changes.items()}
    amending = {later for later, _ in changed.values()}
    now = {later: changed[earlier][0] if earlier in changed else earlier for later, (_, earlier) in confirmed.items()}
    confirming = {later: earlier for later, earlier in now.items() if later not in amending and later != earlier}
    return changed, confirming, changes


def _in_passing(
    texts: Sequence[Text],
    contents: Sequence[tuple[Statements, ...]],
    relevances: Sequence[float],
    weight: Weight,
    amending: Set[int],
) -> dict[int, int]:
    """Return for each text that comes to its matter in passing the earlier one that settled it and answers nearly as
    well; not for texts that are *amending* others.
    """
    settled = [not one.talk or settles(one.text) for one in texts]
    passing: dict[int, int] = {}
    for later, one in enumerate(texts):
        if settled[later] or later in amending or not is_talk(one.text):
            continue
        best = 0.0
        for earlier, other in enumerate(texts):
            near = NEARLY * relevances[later] <= relevances[earlier] < relevances[later]
            if not (near and settled[earlier] and other.order < one.order) or other.talk == one.talk:
                continue
            if _is_elsewhere(one, other):
                continue
            share = max(
                (_common(new, old, weight) for new in contents[later] for old in contents[earlier]), default=0.0
            )
            if share > best:
                best, passing[later] = share, earlier
    return passing


def _settled_later(
    texts: Sequence[Text],
    contents: Sequence[tuple[Statements, ...]],
    relevances: Sequence[float],
    weight: Weight,
    totals: Mapping[Statements, float],
    known: Set[int],
) -> dict[int, int]:
    """Return for each text the one of a later talk that settles most of the same, if that is about the question too.

    Not of those whose place is *known*.
    """
    settled = [
        at
        for at, one in enumerate(texts)
        if at not in known and relevances[at] and one.talk and is_talk(one.text) and has_settled(one.text)
    ]
    ahead: dict[int, int] = {}
    for earlier, other in enumerate(texts):
        if earlier in known or not relevances[earlier]:
            continue
        best = OF_SETTLED.share
        for later in settled:
            one = texts[later]
            if one.order <= other.order or one.talk == other.talk or _is_elsewhere(one, other):
                continue
            if relevances[later] < AS_WELL * relevances[earlier]:
                continue
            for new in contents[later]:
                for old in contents[earlier]:
                    shared = weight(new.words & old.words)
                    share = shared / (min(totals[new], totals[old]) or 1.0)
                    if shared < OF_SETTLED.shared or share < best or weight(new.confirmed & old.words) >= CONFIRMS:
                        continue
                    best, ahead[earlier] = share, later
    return ahead


def _is_elsewhere(one: Text, other: Text) -> bool:
    return "" not in (one.project, other.project) and one.project != other.project


def _common(new: Statements, old: Statements, weight: Weight) -> float:
    """Return the share of the lighter text that both have in common; 0 if that is not one matter."""
    shared = weight(new.words & old.words)
    share = shared / (min(weight(new.words), weight(old.words)) or 1.0)
    return share if shared >= LEAST.shared and share >= LEAST.share else 0.0


def _last(by: dict[int, tuple[float, str]], changes: dict[int, dict[int, tuple[float, str]]]) -> tuple[int, str]:
    """Return which of the texts that amend one holds now, with its sentence."""
    later = max(by, key=lambda at: by[at][0])
    visited = {later}
    while further := [at for at in changes.get(later, ()) if at in by and at not in visited]:
        later = max(further, key=lambda at: by[at][0])
        visited.add(later)
    return later, by[later][1]


def _said_after(part: Text, whole: Text) -> str:
    """Return what was said after *part*, a sentence of the talk *whole*; "" if it is none."""
    if whole.talk != part.talk or not whole.talk or not 0 < len(part.text) < len(whole.text):
        return ""
    return str(whole.text.partition(part.text)[2])


def _rarity(texts: Sequence[Text], contents: Sequence[tuple[Statements, ...]]) -> Weight:
    """Return the sum of the weights of words: each up to 1, the fewer talks have it the more."""
    talks: dict[str, set[str]] = {}
    for at, (one, parts) in enumerate(zip(texts, contents, strict=True)):
        talks.setdefault(one.talk or str(at), set()).update(*(stated.words for stated in parts))
    counts = Counter(word for words in talks.values() for word in words)
    many = max(len(talks), BACKGROUND) + 1
    weights = {word: log(many / (count + 0.5)) / log(many) for word, count in counts.items()}
    return lambda words: sum(map(weights.get, words, repeat(0.0)))


def _change(
    later: Statements, earlier: Statements, weight: Weight, totals: Mapping[Statements, float], factor: float
) -> tuple[float, str] | None:
    """Return how much *later* is about the same as *earlier*, and its sentence that changes that; None if none does.

    *totals* are the weights of all words of each; the bounds are multiplied by *factor*.
    """
    if not later.changes:
        return None
    if edit := _rewriting(later, earlier):
        return WHOLE, edit
    shared = weight(later.words & earlier.words)
    lighter = min(totals[earlier], totals[later] if later in totals else weight(later.words))
    share = shared / (lighter or 1.0)
    if shared < min(LEAST.shared, OF_VALUE_NAMED.shared) * factor or share < LEAST.share * factor:
        return None
    for change in later.changes:
        if shared < LEAST.shared * factor and change.kind != EDITED:
            continue
        known, bound = _known(change, earlier, weight)
        if bound and shared - weight(known) >= bound.shared * factor and share >= bound.share * factor:
            return share, change.sentence
    return None


def _rewriting(later: Statements, earlier: Statements) -> str:
    """Return the edit of *later* that replaces what an edit of *earlier* wrote in the same file; "" if none does."""
    written = [edit for edit in earlier.changes if edit.kind == EDITED and edit.new]
    for edit in later.changes if written else ():
        if edit.kind == EDITED and edit.old:
            for other in written:
                is_written = edit.old <= other.new | other.unchanged and not edit.old.isdisjoint(other.new)
                if is_written and edited_file(edit) == edited_file(other):
                    return str(edit.sentence)
    return ""


def _known(change: Change, earlier: Statements, weight: Weight) -> tuple[frozenset[str], Bound | None]:
    """Return what is known of a thing that *change* names, and the bound from which it is one; None if it is none."""
    nothing = frozenset[str]()
    if change.kind == VALUES:
        return nothing, OF_VALUES if any(_differs(value, earlier) for value in change.values) else None
    if change.kind == BARE_VALUE:
        [value] = change.values
        is_new = bool(earlier.values) and all(other.number != value.number for other in earlier.values)
        if not value.name:
            return nothing, OF_MATTER if is_new else None
        return nothing, OF_BARE if is_new and value.name in earlier.words else None
    if change.kind == EDITED:
        return _edited(change, earlier, weight)
    if change.kind == REJECTED and change.new <= earlier.words:
        return nothing, None  # the note records what was settled there
    named = frozenset(word for word in (change.old or change.new) if not is_number(word))
    known = named & earlier.words
    is_known = 2 * len(known) >= len(named) and max((weight((word,)) for word in known), default=0.0) >= NAMES
    if change.kind in (NAMED, REJECTED):
        return known, OF_NAMED if is_known else None
    return (known, OF_ADOPTED) if is_known else (nothing, OF_MATTER)


def _edited(change: Change, earlier: Statements, weight: Weight) -> tuple[frozenset[str], Bound | None]:
    """Return what is known of the names and numbers that an edit replaced, and the bound from which it is a change."""
    known = change.old & earlier.words
    numbers = frozenset(filter(is_number, known))
    new_numbers = frozenset(filter(is_number, change.new))
    is_other_number = bool(numbers and new_numbers) and new_numbers.isdisjoint(earlier.words)
    if is_other_number and any(weight((word,)) >= ATTRIBUTE for word in change.unchanged & earlier.words):
        return known, OF_VALUE_NAMED
    is_name = max((weight((word,)) for word in known - numbers), default=0.0) >= NAMES
    return known, OF_EDITED if is_other_number or is_name else None


def _differs(value: Value, earlier: Statements) -> bool:
    """Whether an earlier text states another number of the same unit about the same thing, and not this one."""
    same = [
        other
        for other in earlier.values
        if (value.unit and other.unit == value.unit) or (value.name and value.name == other.name)
    ]
    return all(other.number != value.number for other in same) and any(value.words & other.words for other in same)
