"""Whether a later choice takes the place of a candidate: what was offered beside it, or another value in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from autology.core.conversations.mining import LONGEST, SHARED, Candidate
from autology.model.conversation import Exchange
from autology.text.language.choice_phrases import may_choose
from autology.text.language.commitments import asks, content, declines, names, own_words
from autology.text.language.sentences import sentences

FRAME = 3
"""Words that two answers share before or after what they set, from which they set the same thing: *the menu is on*."""
BESIDE = 2
"""As many suffice if what is set then was offered beside the first."""
ALL = 1.0
"""The share of a candidate's words, two at most, in the talk that led to a choice which is about the same."""

_WORD = re.compile(r"\w+(?:[.,]\d+)?")


class Choice(NamedTuple):
    """What a prompt chose and the answer carried out: the words *named* in the prompt, and those *taken* with what was
    offered before it, if it *accepts* that in no words of its own. *place* is that of its exchange in the talk; *about*
    are the words of the talk that led to it.
    """

    place: int
    exchange: Exchange
    named: frozenset[str]
    taken: frozenset[str]
    carried: frozenset[str]
    about: frozenset[str]
    answer: tuple[str, ...]
    accepts: bool


def choices(talk: Sequence[Exchange]) -> Iterator[Choice]:
    """Yield the choices that were carried out in *talk*, in its order."""
    for place, exchange in enumerate(talk):
        first = next(sentences(exchange.answer), "?")
        clauses = _choosing(exchange.question)
        if clauses and not asks(first) and not declines(first):
            before = previous(talk, place)
            offered = content(before.answer) if before else frozenset()
            carried, named = content(first), content(" ".join(clauses))
            accepts = not content(exchange.question)
            about = content(f"{before.question}\n{before.answer}" if before else "") | content(exchange.question)
            taken = (named | offered) & carried
            yield Choice(place, exchange, named & carried, taken, carried, about, _words(first), accepts)


def previous(talk: Sequence[Exchange], place: int) -> Exchange | None:
    """Return the exchange before that at *place*, of the same session."""
    before = talk[place - 1] if place else None
    return before if before and before.turns[0].session == talk[place].turns[0].session else None


class Settled(NamedTuple):
    """What a candidate settled, in the exchange at *place*: its *words*, and those of the *outcome* besides.

    *rivals* are the words of what was offered beside it, *subject* those of the prompt that was answered by the offer.
    """

    place: int
    words: frozenset[str]
    outcome: frozenset[str]
    rivals: frozenset[str]
    subject: frozenset[str]
    answer: tuple[str, ...]


def settled(candidate: Candidate, place: int, talk: Sequence[Exchange]) -> Settled:
    """Return what *candidate* settled, whose exchange is at *place* of *talk*."""
    before = previous(talk, place)
    offered = content(before.answer) if before else frozenset()
    outcome = content(candidate.outcome)
    # What the user thought of himself has no rival in the offer before it.
    rivals = offered - content(talk[place].question) - outcome if candidate.words & offered else frozenset()
    subject = content(before.question) if before else frozenset()
    answer = _words(next(sentences(candidate.outcome), ""))
    return Settled(place, candidate.words, outcome - candidate.words, rivals, subject, answer)


def replaces(choice: Choice, first: Settled) -> bool:
    """Whether a later *choice* takes the place of what was settled *first*."""
    return _takes_instead(choice, first) or _sets_the_same(choice, first, FRAME)


def _takes_instead(choice: Choice, first: Settled) -> bool:
    """Whether *choice* takes what was offered beside what was settled *first*."""
    if not first.rivals or not first.words.isdisjoint(choice.carried):
        return False
    is_led_to = names([choice.about], first.words, ALL)
    if first.rivals.isdisjoint(choice.named):
        return choice.accepts and is_led_to and not first.rivals.isdisjoint(choice.taken)
    is_next = choice.place == first.place + 1
    if is_led_to or is_next or len(choice.carried & first.outcome) >= SHARED or _sets_the_same(choice, first, BESIDE):
        return True
    return bool(first.subject) and names([choice.carried], first.subject, ALL)


def _sets_the_same(choice: Choice, first: Settled, frame: int) -> bool:
    """Whether the answer to a *choice* sets the same thing as what was settled *first*, to something else.

    *Charts are drawn by Plotly* and *charts are drawn by D3* do, and so do *D3 draws the charts* and *Plotly draws the
    charts*; *frame* words are the same.
    """
    sides = ((first.answer, choice.answer), (first.answer[::-1], choice.answer[::-1]))
    return any(_differs_after(frame, old, new, first.words, choice.taken) for old, new in sides)


def _differs_after(frame: int, old: Sequence[str], new: Sequence[str], words: Set[str], taken: Set[str]) -> bool:
    shorter = min(len(old), len(new))
    same = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    if same < frame or not content(" ".join(old[:same])) - words:
        return False
    was, now = content(" ".join(old[same:])), content(" ".join(new[same:]))
    # A number stands for something else beside other words: the image has Python 3.12, and it has Node 22.
    alike = _without_numbers(was) == _without_numbers(now)
    is_set = alike if not _without_numbers(words) else not taken.isdisjoint(now)
    return is_set and not words.isdisjoint(was) and words.isdisjoint(now)


def _without_numbers(words: Set[str]) -> Set[str]:
    return {word for word in words if not word[0].isdigit()}


def _choosing(prompt: str) -> list[str]:
    """Return the sentences of a brief *prompt* that may choose."""
    own = own_words(prompt)
    is_brief = len(own.split()) <= LONGEST and not own.rstrip().endswith("?")
    return list(filter(may_choose, sentences(own))) if is_brief else []


def _words(sentence: str) -> tuple[str, ...]:
    words = tuple(_WORD.findall(sentence.lower()))
    return tuple(word for word in words if word not in _NOW)


_NOW = frozenset("now again instead jetzt wieder nun maintenant désormais ahora".split())
"""Words by which an answer says that something has changed."""
