"""How likely later talk takes the place of earlier talk, by what both have in common and how each goes.

A linear model over pairs of passages. `bench/wording/learn_replacing.py` learns its weights from the pairs that
questions of labelled worlds find.
"""

from __future__ import annotations

from collections import namedtuple
from math import exp, log

from autology.ranking.change_statements import EDITED, EDITED_TO, edited_file, is_talk, is_unanswered
from autology.ranking.quantized_vectors import SCALE, products
from autology.ranking.settling import settling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from autology.ranking.amendments import Text
    from autology.ranking.change_statements import Change, Statements

    Weight = Callable[[Iterable[str]], float]

MAY_REPLACE = 0.2
"""The likelihood from which later talk comes first where both are about as relevant: from 0.1 to 0.4 the rows of
bench/change.py are level within two."""
COMPARED = 14
"""Passages that are compared with each other, the best ones."""
NEAR = 0.15
"""The least cosine of two passages that are compared further: below it, no labelled pair is likely."""
OF_SENTENCE = 0.6
"""The likelihood that a sentence or code of talk settles something."""
STEEP = 1.5
"""By how much the log-odds of settling something count."""
LENGTH = 7.0
"""The unit of the logarithm of a text's length."""

Pair = namedtuple(
    "Pair",
    (
        "bias",
        "share",
        "share_of_heavier",
        "cosine",
        "later_settles",
        "earlier_settles",
        "confirmed",
        "longer",
        "later_is_part",
        "earlier_is_part",
        "later_is_unanswered",
        "earlier_is_unanswered",
        "has_change",
        "edited_away",
        "same_file",
        "more_relevant",
    ),
)
"""What a later and an earlier passage have in common, and how they differ, each in about 0-1: the shares of the lighter
and of the heavier one's rare words, whether one is a part of its talk, what of the earlier one an edit replaced."""
WEIGHTS = Pair(-6.46, 6.37, 3.02, 8.64, 1.31, -0.37, -4.12, 5.05, 3.45, -2.29, -1.27, 2.38, 2.40, 1.23, 1.53, 1.27)
"""Printed by bench/wording/learn_replacing.py. Learned without one of five worlds and asked of that one, the mean area
under the curve is 0.98; 0.97 between changes and mentions alone, and 0.97 without the cosine."""

Likeness = namedtuple("Likeness", ("likelihood", "cosine"))
"""How likely one passage replaces another, and their cosine."""


def likelihood(pair: Pair) -> float:
    """Return how likely the later one of *pair* replaces the earlier one."""
    return 1 / (1 + exp(-sum(value * weight for value, weight in zip(pair, WEIGHTS, strict=True))))


def pairs(
    texts: Sequence[Text],
    contents: Sequence[tuple[Statements, ...]],
    relevances: Sequence[float],
    rows: Sequence[bytes],
    weight: Weight,
    totals: Mapping[Statements, float],
    changes: Mapping[int, Mapping[int, object]],
) -> dict[tuple[int, int], Pair]:
    """Return the pairs of a later and an earlier talk among the best of *texts*, by their positions.

    *contents* is what each text states, whose words weigh as *weight* says and together as *totals* have it; *rows* are
    the texts' vectors, empty where one has none. *changes* has, by an earlier text, those that change it. Without any
    edit in these nothing is paired: casual talk about the same goes on, and replaces nothing.
    """
    if not any(EDITED_TO in one.text for one in texts):
        return {}
    best = sorted((at for at in range(len(texts)) if relevances[at] and texts[at].text), key=lambda at: -relevances[at])
    compared = [at for at in best[:COMPARED] if rows[at] and texts[at].talk]
    vectors = [rows[at] for at in compared]
    table = products(vectors, vectors) if len(compared) > 1 else []
    forms = {at: _Form(texts[at].text, contents[at]) for at in compared}
    by_positions: dict[tuple[int, int], Pair] = {}
    for later, of_later in zip(compared, table, strict=False):
        for earlier, product in zip(compared, of_later, strict=True):
            one, other = texts[later], texts[earlier]
            cosine = product / SCALE**2
            if cosine < NEAR or one.order <= other.order or one.talk == other.talk:
                continue
            if "" not in (one.project, other.project) and one.project != other.project:
                continue
            new, old = forms[later], forms[earlier]
            share = heavier = confirmed = 0.0
            for ours in contents[later]:
                for theirs in contents[earlier]:
                    shared = weight(ours.words & theirs.words)
                    if shared:
                        lighter, heaviest = sorted((totals[ours], totals[theirs]))
                        share, heavier = max(share, shared / lighter), max(heavier, shared / heaviest)
                    if ours.confirmed:
                        confirmed = max(confirmed, weight(ours.confirmed & theirs.words))
            by_positions[later, earlier] = Pair(
                1.0,
                min(1.0, share),
                min(1.0, heavier),
                cosine,
                new.settles,
                old.settles,
                min(1.0, confirmed),
                new.length - old.length,
                new.is_part,
                old.is_part,
                new.is_unanswered,
                old.is_unanswered,
                float(later in changes.get(earlier, ())),
                _edited_away(new.edits, contents[earlier], weight),
                float(not new.files.isdisjoint(old.files)),
                relevances[later] - relevances[earlier],
            )
    return by_positions


class _Form:
    """How a passage *text* of talk, which states *contents*, goes."""

    def __init__(self, text: str, contents: Sequence[Statements]) -> None:
        talk = is_talk(text)
        self.is_part = float(not talk)
        self.settles = 1 / (1 + exp(-STEEP * max(-3.0, min(3.0, settling(text))))) if talk else OF_SENTENCE
        self.is_unanswered = float(talk and is_unanswered(text))
        self.length = log(1 + len(text)) / LENGTH
        self.edits: list[Change] = [edit for stated in contents for edit in stated.changes if edit.kind == EDITED]
        self.files = {edited_file(edit) for edit in self.edits}


def _edited_away(edits: Iterable[Change], earlier: Iterable[Statements], weight: Weight) -> float:
    """Return the weight, up to 1, of what one of *edits* replaced of what an *earlier* text says."""
    return max((min(1.0, weight(edit.old & stated.words)) for edit in edits for stated in earlier), default=0.0)
