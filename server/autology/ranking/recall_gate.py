"""Whether to answer a prompt from the past: how it asks, and how well the past answers it, weighed together."""

from __future__ import annotations

from autology.ranking.asking_form import ENGLISH, LOOK, MATTER, PAST, WE, WHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set

    from autology.ranking.asking_form import AskingForm


class Knowledge:
    """What the best passage knows of a prompt: the summed *weight* of the subject's words in it, 1 for the rarest.

    Their *share* of the weight of all that the index holds; the number of *rare* ones; and the number of words of the
    subject that are *unknown* to the index.
    """

    __slots__ = ("rare", "share", "unknown", "weight")

    def __init__(self, weight: float, share: float, rare: int, unknown: int) -> None:
        self.weight = weight
        self.share = share
        self.rare = rare
        self.unknown = unknown


NOTHING = Knowledge(0.0, 0.0, 0, 0)

# Log-odds of a logistic regression on the open half of tests/labelled/moment, rounded (bench/moment).
_AT_FIRST = -6.0
_SORTS = {WHY: 2.2, WE: 1.7, PAST: 1.0, MATTER: 1.7, LOOK: 0.3}
_TERSE_WHY = 0.6
"""For a word of reasons in a prompt of a few words: it is then most of what is said."""
_QUESTION_MARK = 2.2
_PHRASES = 1.0
_MOST_PHRASES = 1.2
_WEIGHT, _MOST_WEIGHT = 2.0, 2.5
_SHARE = 3.0
_UNKNOWN, _MOST_UNKNOWN = -1.4, 3
"""English prompts only: transcripts of code are written in English words, so that others' are unknown anyway."""
_FOREIGN, _FOREIGN_UNKNOWN = 0.2, -0.3
_NOTHING_RARE = -1.3
_LEAST_KNOWN = 2.9
"""The least that the passage adds to the log-odds if one word of it is rare: that may be a coincidence, however a
prompt asks (questions on what was never discussed, in a world of 440 sessions)."""
_ENOUGH = 1.25
"""Log-odds from which a prompt is answered: a harmless prompt costs more than an unanswered one. In a world of 440
sessions, 0.5 answers 6 harmless ones of the open half and 1.25 answers 2, at a recall of 0.97 and 0.94."""


def is_worth_answering(form: AskingForm, evidence: float, sorts: Set[str], knowledge: Knowledge) -> bool:
    """Whether a prompt of *form*, with the *evidence* of phrases and the *sorts* of asking words, gets an answer."""
    return odds(form, evidence, sorts, knowledge) >= _ENOUGH


def odds(form: AskingForm, evidence: float, sorts: Set[str], knowledge: Knowledge) -> float:
    """Return the log-odds that a prompt asks for the past that *knowledge* measures."""
    if not knowledge.weight:
        return _AT_FIRST
    english = form.language == ENGLISH
    wording = sum(weight for sort, weight in _SORTS.items() if sort in sorts)
    wording += _QUESTION_MARK * form.is_question + _PHRASES * max(-1.0, min(evidence, _MOST_PHRASES))
    wording += _TERSE_WHY * (form.is_terse and WHY in sorts)
    unknown = min(knowledge.unknown, _MOST_UNKNOWN)
    known = _WEIGHT * min(knowledge.weight, _MOST_WEIGHT) + _SHARE * knowledge.share
    known += (_UNKNOWN if english else _FOREIGN_UNKNOWN) * unknown + _FOREIGN * (not english)
    if known < _LEAST_KNOWN and knowledge.rare < 2:
        return _AT_FIRST
    return _AT_FIRST + wording + known + (0.0 if knowledge.rare else _NOTHING_RARE)
