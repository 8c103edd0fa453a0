"""What a session settled without capturing it: choices, rules that the user set, and fixes that held.

The user's word decides. A choice was named by the assistant before and carried out after; a rule stands in the user's
own words; a fix was confirmed by the user, or by a test that failed before. Precision comes before recall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import takewhile

from autology.model.conversation import ASSISTANT, TOOL, USER, Turn
from autology.ranking.settling_prompt import Moment, Named, settling
from autology.text.language.choice_phrases import (
    LONG_STORY,
    decides,
    enumerates,
    excludes,
    is_done_once,
    leaves_a_choice,
    may_choose,
    offers,
    offers_an_errand,
    praises,
    reports,
)
from autology.text.language.commitments import (
    RULING,
    affirms_what_was,
    asks,
    confirms,
    content,
    declines,
    dismisses,
    explains,
    is_once,
    lasted,
    may_give_reason,
    names,
    observes,
    own_words,
    recurring,
    replaced,
    reports_failure,
    sets_rule,
    takes_back,
    undone,
)
from autology.text.language.sentences import sentences

SETTLED, RULE, FIX = "settled", "rule", "fix"
LONGEST = 60
"""Words of a prompt that settles something: longer ones tell a story."""
RULE_WORDS = 4
"""The least words of a rule: fewer only rate what happened, as "toujours 12" does."""
FEW = 3
"""Words of a candidate from which most of them tell that another repeats it."""
SHORT = 4
"""Words of a prompt that only names what was offered, and need not be repeated by what carried it out."""
REPORTS = 2
"""Prompts before a fix that tell what failed: one that reports it, and one that answers a question about it."""
MOST = 0.67
"""The share of a choice's words in what the assistant says was undone, which is often another thing of that name."""
BRIEF = 20
"""Words of a prompt that settles what nobody offered before: longer ones describe what happens."""
NAMED = 2
"""Words of a choice that an answer dismisses as a whole: of more, it may be a part."""
SETTLES = 1.6
"""The log-odds from which a prompt settles something in words that are not known. With weights learned without the
world (bench/wording/learn_settling_prompt.py), the candidates of the open halves of bench/sessions have a precision of
0.98 and a recall of 0.68; from 1.2 on 0.98 and 0.71, but many more of the sealed ones are wrong; with known words alone
0.98 and 0.62."""
SHARED = 2
"""Words that a choice shares with what carried it out, where it was not offered before."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something settled: its *kind*, the *quote* and who said it, what carried it out, and the words it is about."""

    id: str
    kind: str
    quote: str
    author: str
    at: str
    session: str
    turn: str
    outcome: str
    words: frozenset[str]


def mined(turns: Sequence[Turn]) -> list[Candidate]:
    """Return the candidates in the *turns* of a session, redacted, in order; at most one for each turn."""
    spoken, talk = _spoken(turns)
    candidates: list[Candidate] = []
    for number, moment in _moments(spoken, talk):
        candidate = _of_prompt(spoken, talk, number, moment)
        if candidate and not any(_is_same(candidate, earlier) for earlier in candidates):
            candidates.append(candidate)
    valid = [one for one in candidates if not _taken_back(one, spoken, talk)]
    return [one for at, one in enumerate(valid) if not any(_renumbers(later, one) for later in valid[at + 1 :])]


def moments(turns: Sequence[Turn]) -> Iterator[tuple[Turn, Moment]]:
    """Yield the prompts in the *turns* of a session but for the one that opens it, each with what is around it."""
    spoken, talk = _spoken(turns)
    return ((spoken[talk[number]], moment) for number, moment in _moments(spoken, talk))


def _spoken(turns: Sequence[Turn]) -> tuple[list[Turn], list[int]]:
    """Return the *turns* without those of sub-agents, and which of them are talk."""
    spoken = [turn for turn in turns if turn.agent is None and (turn.text or turn.calls)]
    return spoken, [at for at, turn in enumerate(spoken) if turn.role != TOOL and turn.text.strip()]


def _moments(spoken: Sequence[Turn], talk: Sequence[int]) -> Iterator[tuple[int, Moment]]:
    """Yield the number of each prompt of the *talk* but for the first, and what is around it."""
    prompts = [number for number, at in enumerate(talk) if spoken[at].role == USER]
    named: dict[str, int] = {}
    earlier = 0
    for number, following in zip(prompts, (*prompts[1:], None), strict=True):
        for place in range(earlier, number):
            for word in content(spoken[talk[place]].text):
                named.setdefault(word, place)
        earlier = number + 1
        if number:
            yield (
                number,
                Moment(
                    own_words(spoken[talk[number]].text),
                    _answers(spoken, talk, number, -1),
                    _answers(spoken, talk, number, 1),
                    "" if following is None else spoken[talk[following]].text,
                    Named(named, number),
                ),
            )


def _is_same(candidate: Candidate, earlier: Candidate) -> bool:
    """Whether a candidate is what an *earlier* one of its session is about: confirmed as a fix, or said once more."""
    if candidate.turn == earlier.turn or (candidate.kind == FIX and candidate.quote in earlier.outcome):
        return True
    if FIX in (candidate.kind, earlier.kind):
        return False
    own, before = _matter(candidate), _matter(earlier)
    fewer = min(len(own), len(before))
    if fewer >= SHARED and len(own & before) >= NOTED * fewer:
        return True
    if earlier.kind == RULE and before and len(before & content(candidate.quote)) >= NOTED * len(before):
        return True
    if candidate.kind != RULE or not before or not before <= own:
        return False
    return len(own & (before | content(earlier.outcome))) >= NOTED * len(own)


def _matter(candidate: Candidate) -> frozenset[str]:
    """Return the words of a candidate without those by which rules are set."""
    return candidate.words - RULING


def _of_prompt(spoken: Sequence[Turn], talk: Sequence[int], number: int, moment: Moment) -> Candidate | None:
    """Return what the prompt of a *moment* settles."""
    if len(moment.prompt.split()) > LONGEST:
        return None
    turn, after = spoken[talk[number]], moment.after
    for sentence in sentences(moment.prompt) if after and not explains(after) else ():
        is_rule = sets_rule(sentence) and len(sentence.split()) >= RULE_WORDS
        if is_rule and (not may_give_reason(sentence) or content(sentence) & content(after)):
            return _candidate(RULE, sentence, turn, after, content(sentence))
    is_likely = not moment.prompt.rstrip().endswith("?") and settling(moment) >= SETTLES
    return _fix(spoken, talk, number, moment, is_likely) or _choice(moment, turn, is_likely)


def _choice(moment: Moment, turn: Turn, is_likely: bool) -> Candidate | None:
    """Return the choice that a prompt makes: of what was offered before, or carried out in its own words.

    One that *is_likely* by how the talk goes may be made in other words.
    """
    text, before, after = moment.prompt, moment.before, moment.after
    first = next(sentences(after), "" if is_likely else "?")
    if asks(first) or declines(first) or affirms_what_was(first) or explains(after) or enumerates(text):
        return None
    story = LONGEST if is_likely else LONG_STORY
    clauses = [one for one in sentences(text) if may_choose(one) and not reports(one, story)]
    if not clauses or text.rstrip().endswith("?") or (all(map(praises, clauses)) and not leaves_a_choice(before)):
        return None
    carried, offered = content(own_words(after)), content(before)
    chosen = content(" ".join(clauses))
    if not chosen and len(text.split()) <= SHORT:
        return _accepted(turn, before, after, carried, is_likely)
    if any(decides(one) for one in clauses):
        offered |= moment.named.among(carried)  # what was offered before another question
    words = _chosen(clauses, chosen, carried, offered, len(text.split()))
    if not words and is_likely:
        words = chosen & (carried | offered) or offered & carried
    is_excluded = any(dismisses(one, words) for one in clauses)
    if not words or is_done_once(chosen) or (len(words) <= NAMED and not is_excluded and dismisses(after, words)):
        return None
    return _candidate(SETTLED, " ".join(clauses), turn, after, words)


def _accepted(turn: Turn, before: str, after: str, carried: frozenset[str], is_likely: bool) -> Candidate | None:
    """Return the last thing that was offered before a prompt which only agrees, if it was carried out.

    If it *is_likely* that it settles something, what was said before is an offer in whatever words.
    """
    statements = list(sentences(own_words(before)))
    offer = next((one for one in reversed(statements) if offers(one)), "")
    if is_likely and statements and len(content(offer) & carried) < SHARED:
        offer = max(statements, key=lambda one: len(content(one) & carried))
    words = content(offer)
    if is_once(offer) or offers_an_errand(offer) or len(words & carried) < (1 if is_likely else SHARED):
        return None
    return replace(_candidate(SETTLED, offer, turn, after, words & carried), author=ASSISTANT)


def _chosen(
    clauses: Sequence[str], chosen: frozenset[str], carried: frozenset[str], offered: frozenset[str], length: int
) -> frozenset[str]:
    """Return the words of *clauses* that settle something; none if it may be by chance that they recur."""
    if both := chosen & offered & carried:
        return both
    own = frozenset[str]() if length > BRIEF or any(map(observes, clauses)) else chosen & carried
    if len(own) >= SHARED or (own and any(excludes(one) and content(one) & carried for one in clauses)):
        return own
    if length <= SHORT and chosen and chosen <= offered:
        return chosen  # nothing but what was offered
    for one in clauses:
        taken = content(one) & offered
        if len(taken) >= SHARED and decides(one):
            return taken
    return frozenset()


def _fix(spoken: Sequence[Turn], talk: Sequence[int], number: int, moment: Moment, is_likely: bool) -> Candidate | None:
    """Return the fix that a prompt confirms, if something was reported as failing and changed before it.

    If it *is_likely* that it settles something, to say for how long all has been well confirms it, too.
    """
    turn, before = spoken[talk[number]], moment.before
    has_lasted = is_likely and not moment.after and lasted(turn.text)
    if not before or not (confirms(turn.text) or has_lasted) or is_once(turn.text):
        return None
    earlier = list(takewhile(lambda one: one.role != USER or not confirms(one.text), reversed(spoken[: talk[number]])))
    changed = any(call.code for one in earlier for call in one.calls)
    failed = any(one.failed or (one.role == USER and reports_failure(one.text)) for one in earlier)
    if not (changed and (failed or any(one.role == TOOL for one in earlier))) and not failed:
        return None
    statements = [one for one in sentences(own_words(before)) if not asks(one)]
    answer = spoken[talk[number - 1]]
    if not statements or answer.role != ASSISTANT:
        return None
    return _candidate(FIX, statements[-1], answer, turn.text, content(before))


def _answers(spoken: Sequence[Turn], talk: Sequence[int], number: int, step: int) -> str:
    """Return what the assistant said next to the prompt, before it or after it, up to another prompt."""
    texts: list[str] = []
    at = number + step
    while 0 <= at < len(talk) and spoken[talk[at]].role == ASSISTANT:
        texts.append(spoken[talk[at]].text)
        at += step
    return "\n".join(texts[::step])


def _taken_back(candidate: Candidate, spoken: Sequence[Turn], talk: Sequence[int]) -> bool:
    """Whether a later prompt of the session replaces it, takes it back, or says that it failed."""
    later = [number for number, at in enumerate(talk) if spoken[at].role == USER and spoken[at].at > candidate.at]
    texts = [spoken[talk[number]].text for number in later]
    if candidate.kind == FIX:
        reported = content("\n".join(_reports(candidate, spoken)))
        failing = [content(text) for text in texts if reports_failure(text)]
        return any(candidate.words & words or len(reported & words) >= SHARED for words in failing)
    if texts and takes_back(texts[0]):
        return True
    if any(names(replaced(text), candidate.words) for text in texts):
        return True
    answers = [_answers(spoken, talk, number, 1) for number in later]
    for text, answer in zip(texts, answers, strict=True):
        if takes_back(text) and names([content(f"{text}\n{answer}")], candidate.words, MOST):
            return True
    return not undoes(candidate) and any(names(undone(answer), candidate.words, MOST) for answer in answers)


def _reports(candidate: Candidate, spoken: Sequence[Turn]) -> list[str]:
    """Return the latest prompts before the answer that a fix is, with what they reported."""
    before = takewhile(lambda turn: turn.id != candidate.turn, spoken)
    return [turn.text for turn in before if turn.role == USER][-REPORTS:]


def undoes(candidate: Candidate) -> bool:
    """Whether a candidate is itself to undo something, as those say who mention it later."""
    return names([*replaced(candidate.quote), *undone(candidate.outcome)], candidate.words)


def _renumbers(later: Candidate, earlier: Candidate) -> bool:
    """Whether a later choice of a session gives another number to what an earlier one is about."""
    if FIX in (later.kind, earlier.kind) or not _numbers(later.words):
        return False
    numbers, outcome = _numbers(earlier.words), content(later.outcome)
    return bool(numbers) and not numbers & outcome and bool((earlier.words - numbers) & outcome)


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0].isdigit())


def _candidate(kind: str, quote: str, turn: Turn, outcome: str, words: frozenset[str]) -> Candidate:
    key = blake2b(f"{kind}\0{turn.id}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    line = " ".join(outcome.split())
    return Candidate(key, kind, " ".join(quote.split()), turn.role, turn.at, turn.session, turn.id, line, words)


def without_replaced(candidates: Sequence[Candidate], turns: Sequence[Turn]) -> Iterator[Candidate]:
    """Yield *candidates*, of one project and in order of time, without those that were replaced or repeated later.

    *turns* are what was said in all its sessions: what replaces a choice may be no candidate itself.
    """
    undoing = [(turn, _undoing(turn)) for turn in turns]
    failing = [(turn, recurring(turn.text)) for turn in turns if turn.role == USER]
    telling = [[(turn, matters) for turn, matters in some if matters] for some in (undoing, failing)]
    replacing = [(one, replaced(f"{one.quote}. {one.outcome}")) for one in candidates]
    for at, candidate in enumerate(candidates):
        if any(_supersedes(later, matters, candidate) for later, matters in replacing[at + 1 :]):
            continue
        later = [(turn, matters) for turn, matters in telling[candidate.kind == FIX] if _is_after(turn, candidate)]
        if not any(_drops(turn, matters, candidate) for turn, matters in later):
            yield candidate


def _drops(turn: Turn, matters: Sequence[frozenset[str]], candidate: Candidate) -> bool:
    """Whether a *turn* with such *matters* replaces a candidate, or tells that what it fixed fails again."""
    if candidate.kind == FIX:
        return any(len(words & candidate.words) >= SHARED for words in matters)
    if turn.role == USER:
        return names(matters, candidate.words)
    return names(matters, candidate.words, MOST) and not undoes(candidate)


def _undoing(turn: Turn) -> list[frozenset[str]]:
    return replaced(turn.text) if turn.role == USER else undone(turn.text)


def _is_after(turn: Turn, candidate: Candidate) -> bool:
    return turn.session != candidate.session and turn.at > candidate.at


def _supersedes(later: Candidate, matters: Sequence[frozenset[str]], earlier: Candidate) -> bool:
    """Whether a *later* candidate, which says that such *matters* are replaced, takes the place of an *earlier* one."""
    if later.session == earlier.session and later.turn == earlier.turn:
        return True
    replaceable = later.session != earlier.session and earlier.kind != FIX
    if replaceable and matters and names(matters, earlier.words | content(earlier.quote)):
        return True
    return (earlier.kind == FIX) == (later.kind == FIX) and _repeats(_matter(later), _matter(earlier))


def _repeats(later: frozenset[str], earlier: frozenset[str]) -> bool:
    """Whether two candidates are about the same: by all of a few words, or by most of more."""
    if len(earlier) < FEW:
        return bool(earlier) and earlier == later
    return len(earlier & later) >= round(NOTED * max(len(earlier), len(later)))


def is_noted(candidate: Candidate, notes: Sequence[frozenset[str]]) -> bool:
    """Whether one of *notes*, by their content words, says what *candidate* does: it has most of its words."""
    own = candidate.words
    return any(len(own & note) >= max(1, round(NOTED * len(own))) for note in notes)


NOTED = 0.6
"""The share of a candidate's words that a note which says the same has (bench/sessions)."""
