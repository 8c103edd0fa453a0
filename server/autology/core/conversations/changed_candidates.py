"""Candidates that later talk changed, told as recall tells what holds now, or that a later edit replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from autology.core.conversations.mining import FIX, SHARED, Candidate, undoes
from autology.core.conversations.rival_choices import Settled, choices, replaces, settled
from autology.model.conversation import TOOL, Exchange, Turn
from autology.ranking.amendments import Text, changed_since
from autology.text.conversation.chunks import EDIT, SIGNS, exchanges
from autology.text.language.commitments import content, undone
from autology.text.source_code.replaced_lines import BY

SAME = 0.4
"""The share that a candidate's exchange and a later one must have in common for that to change it. Of the candidates in
the open halves of bench/change, 22 were changed later: this and the edits leave 9. From 0.4 to 0.5 it is level, and
below that candidates of bench/sessions go that still hold."""
MOST = 0.67
"""The share of a candidate's names that an edit takes out of a line to replace it, and of a sentence's words on
what was undone that are about the candidate."""
BEFORE = 2
"""Exchanges, the candidate's own being the last, whose words tell which number an edit changes."""

_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class _Edit:
    """What an edit took out of a line at *at*, and what it left there."""

    at: str
    gone: frozenset[str]
    retained: frozenset[str]


def without_changed(candidates: Sequence[Candidate], turns: Sequence[Turn]) -> Iterator[Candidate]:
    """Yield *candidates* without those that what was said or edited later changed.

    *turns* are what was said in all sessions of the project, session by session.
    """
    talk = [one for _, own in groupby(turns, key=lambda turn: turn.session) for one in exchanges(own)]
    place = {turn.id: at for at, one in enumerate(talk) for turn in one.turns}
    waiting = [one for one in candidates if one.kind != FIX and one.turn in place]
    texts = list(map(_text, talk))
    changed = changed_since([texts[place[one.turn]] for one in waiting], texts, SAME)
    edits = [edit for one in talk for edit in _edits(one)]
    undoing = [(one.turns[-1].at, words) for one in talk for words in undone(one.answer) if words]
    chosen = list(choices(talk))
    dropped: set[str] = set()
    for candidate, sentence in zip(waiting, changed, strict=True):
        at = place[candidate.turn]
        before = [one for one in talk[max(0, at - BEFORE + 1) : at + 1] if one.turns[0].session == candidate.session]
        about = content("\n".join(turn.text for one in before for turn in one.turns if turn.role != TOOL))
        end = talk[at].turns[-1].at
        first = settled(candidate, at, talk)
        if (
            sentence
            or any(_replaces(edit, candidate.words, about) for edit in edits if edit.at > end)
            or any(_undoes_it(words, first, about) for when, words in undoing if when > end and not undoes(candidate))
            or any(replaces(choice, first) for choice in chosen if choice.exchange.turns[0].at > end)
        ):
            dropped.add(candidate.id)
    return (one for one in candidates if one.id not in dropped)


def _undoes_it(words: Set[str], first: Settled, about: Set[str]) -> bool:
    """Whether *words* of a sentence that says what was undone tell it of what was settled *first*.

    Most of them are of what that is *about*, a part of its outcome among them.
    """
    return len(words & about) >= max(SHARED, MOST * len(words)) and not words.isdisjoint(first.outcome | first.words)


def _text(exchange: Exchange) -> Text:
    """Return an exchange as recall compares it: what was said, and what small edits replaced."""
    texts = [f"{SIGNS[turn.role]}{turn.text}" for turn in exchange.turns if turn.role != TOOL and turn.text]
    edits = [f"{EDIT}{line}" for turn in exchange.turns for call in turn.calls for line in call.replaced]
    first = exchange.turns[0]
    return Text(first.at, "\n\n".join((*texts, *edits)), talk=first.session)


def _edits(exchange: Exchange) -> Iterator[_Edit]:
    for turn in exchange.turns:
        for line in (line for call in turn.calls for line in call.replaced):
            path, _, replaced = line.partition(": ")
            old, _, new = replaced.partition(BY)
            before, after = _names(old), _names(new)
            yield _Edit(turn.at, before - after, (before & after) | _names(path))


def _names(code: str) -> frozenset[str]:
    """Return the words of *code*, those within names as well."""
    return content(code) | content(_CAMEL.sub(" ", code))


def _replaces(edit: _Edit, words: frozenset[str], about: Set[str]) -> bool:
    """Whether an edit takes out what *words* name, or if they are numbers only, one of them from what it is *about*."""
    names = frozenset(word for word in words if not word[0].isdigit())
    if names:
        return len(names & edit.gone) >= max(1, round(MOST * len(names)))
    return not edit.gone.isdisjoint(words) and not edit.retained.isdisjoint(about)
