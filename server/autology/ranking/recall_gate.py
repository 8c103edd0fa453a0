"""Whether to answer a prompt from the past: how it asks, and how well the past answers it, weighed together."""

from __future__ import annotations

from autology.ranking.asking_form import ENGLISH


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

# Log-odds of a logistic regression on the open halves of tests/labelled/moment and prompts4, rounded; the wording is
# that of weights learned without the set in question (bench/wording).
_AT_FIRST = -4.4
_WORDING, _LEAST_WORDING, _MOST_WORDING = 0.65, -3.0, 2.5
_WEIGHT, _MOST_WEIGHT = 2.0, 2.5
_SHARE = 3.6
_UNKNOWN, _FOREIGN_UNKNOWN = 1.0, 0.4
"""What a word that the index does not hold weighs. Transcripts of code are written in English words, so that those of
other languages are unknown anyway."""
_NOTHING_RARE = -0.75
_IN_TIME = 1.0
"""For what was said at the time that a prompt names. Chosen, not fitted: where everybody speaks of the subject, its
words weigh nothing, and only the time tells."""
_ENOUGH = 0.4
"""Log-odds from which a prompt is answered: a harmless prompt costs more than an unanswered one. On the open halves of
prompts4 and prompts5, with wording learned without the one in question, 0.4 answers 125 of 146 that ask, 119 of these
with the right session, and 13 of 132 others; 0.2 127, 120 and 16; 0.8 117, 112 and 10; 1.0 112, 108 and 9."""
_ENOUGH_OF_NOTE = 1.0
"""The same of a note where no talk answers. On the open halves of prompts4 to prompts6, those that answer have 2.5 and
more; of two that do not, one has 0.5 and one 0.9."""


def is_worth_answering(wording: float, language: str, knowledge: Knowledge, is_in_time: bool = False) -> bool:
    """Whether a prompt in *language* gets an answer, if its *wording* has these log-odds of asking for the past.

    *knowledge* is of the time that the prompt names, if it *is in time*.
    """
    return odds(wording, language, knowledge) + _IN_TIME * is_in_time >= _ENOUGH


def is_note_worth_answering(wording: float, language: str, knowledge: Knowledge) -> bool:
    """Whether a note by itself is worth an answer: among few notes many words are rare."""
    return odds(wording, language, knowledge) >= _ENOUGH_OF_NOTE


def odds(wording: float, language: str, knowledge: Knowledge) -> float:
    """Return the log-odds that a prompt asks for the past that *knowledge* measures."""
    if not knowledge.weight:
        return _AT_FIRST
    unknown = knowledge.unknown * (_UNKNOWN if language == ENGLISH else _FOREIGN_UNKNOWN)
    share = knowledge.weight / (knowledge.weight / knowledge.share + unknown)
    known = _WEIGHT * min(knowledge.weight, _MOST_WEIGHT) + _SHARE * share
    worded = _WORDING * max(_LEAST_WORDING, min(wording, _MOST_WORDING))
    return _AT_FIRST + worded + known + (0.0 if knowledge.rare else _NOTHING_RARE)
