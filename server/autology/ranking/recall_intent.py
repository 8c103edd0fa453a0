"""Recall intent: how much a prompt sounds like asking about the past, the kind of answer it needs, and its subject.

Only the person's own words count: code, logs, quotations, pasted lists and machine-written text are ignored,
because they are full of "again" and "previously". Each remaining sentence is matched against phrases of several
sorts: something done together, a time, something that recurs, memory itself. Usually no phrase is enough on its own.
The phrases are matched without regular expressions: compiling so many would dominate a hook's run time.
"""

from __future__ import annotations

from collections import namedtuple

from autology.ranking import recall_phrases
from autology.ranking.asking_form import ENGLISH, LOOK, asking_form, subject_of
from autology.ranking.past_wording import past_wording
from autology.ranking.recall_phrases import KEYS
from autology.text.user_words import (
    by_machine,
    errors,
    logged,
    named_inside,
    own_words,
    plain_words,
    sentences,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Part = frozenset[str] | int | str
    # A parsed phrase: its weight, its parts, and those parts that must occur literally.
    Phrase = tuple[float, tuple[Part, ...], tuple[frozenset[str], ...]]

IMPLEMENTATION, PROBLEM, WORK, DISCUSSION = "implementation", "problem", "work", "discussion"
"""Kinds of answers: how something was done; how an error was fixed; the work in progress; an earlier discussion."""

RecallIntent = namedtuple("RecallIntent", ("wants", "about", "evidence", "form", "wording"))
"""The kind of answer that a prompt *wants*, and its search words *about* it, in order; "" for the latest session. The
*evidence* of its phrases that it asks about the past, the `AskingForm` of its words, and how much their *wording* asks
for the past, as log-odds."""

ENOUGH = 1.0
"""The evidence that tells by itself that a prompt asks about the past: the strongest phrase of each sort, summed."""

NEXT = 0.7
"""The weight of a prompt's second-best sentence."""

LEAST_WORDING, LEAST_OF_QUESTION = -1.5, -3.0
"""Log-odds of its wording from which a prompt, and one with a question mark, is looked up.

On prompts4, prompts5 and moment, each with wording learned without it, as many are answered wrongly with -0.8 for both,
and of 438 questions of other sets 161 are answered and 139 with the right session, for 179 and 155; with -2.0, two
orders of work on a known subject more are answered."""

PHRASED = 2.5
"""The wording of a prompt with a phrase of a language that was not learned: the most that the gate counts."""
_BRIEF = 10
"""The most words of a prompt without asking words whose wording is weighed: a noun phrase asks, a longer one orders."""
SPOKEN = 2_000
"""Maximum length of a person's own words; a longer text is a document."""

_GAPS = {"..": 6, "~": 2}
_NO_PAST = frozenset("need indeed speed exceed proceed succeed bleed breed greed embed shed sled seed feed".split())
_ANY_PAST = "-ed"
_parsed: list[tuple[Phrase, ...]] = []
_parts: dict[str, Part] = {}
_lists: dict[str, str] = {}

_NEUTRAL = frozenset("cert spec symptom test tests thing".split())
"""Words of the list `wrong` that alone do not indicate a problem."""
_FAILS = frozenset(
    "fails failing breaks broken broke crash crashed crashes crashing flaky flaking hanging hangs stuck dies dying"
    " stalls stalling leaks leaking fix fixed fixing fixes solve solved solving workaround".split()
)
_OF_ERRORS = frozenset(
    "base boundary budget budgets case cases class classes code codes data envelope envelopes format formats handler"
    " handlers handling log logging logs message messages page pages policies policy rate rates report reporting"
    " response responses shape template templates tracker tracking type types".split()
)
"""Words after which an error is something to build: `error pages`, `timeout policy`."""
_TALK = frozenset(
    "agree agreed agreement choose chose chosen consensus conclude concluded conclusion decide decided decision"
    " decisions discuss discussed discussion settle settled".split()
)
_HOW = frozenset(
    "how trick script command snippet helper recipe approach pattern structure way same like similar example code"
    " art".split()
)
_HOW_MUCH = frozenset("big come far few fast large little long many much often old small soon".split())
"""Words after which `how` asks for a reason or an amount, and not for the way that something was done."""
_GOING_ON = frozenset("session sessions recap resume continue left off working worked".split())


def recall_intent(prompt: str) -> RecallIntent | None:
    """Return the recall intent of *prompt*, or None if it does not ask for anything: then nothing is looked up."""
    if by_machine(prompt):
        return None
    person_words = own_words(prompt)
    if not person_words or len(person_words) > SPOKEN:
        return None
    lower = person_words.lower()
    in_other_language = _matches_other_language(lower)
    evidence = ENOUGH if in_other_language else _evidence(lower)
    form = asking_form(person_words)
    is_phrased = evidence >= ENOUGH - 0.001
    if not is_phrased and form.sorts <= {LOOK} and not form.is_question and len(person_words.split()) > _BRIEF:
        return None
    wording = past_wording(person_words, form)
    if in_other_language and form.language == ENGLISH:
        wording = max(wording, PHRASED)
    is_open = form.is_question and not form.asks_how  # how something is done may be asked in general
    if not is_phrased and wording < (LEAST_OF_QUESTION if is_open else LEAST_WORDING):
        return None
    words = about(prompt, person_words, form.language)
    if not is_phrased and not words:
        return None
    return RecallIntent(_wanted(prompt, lower, words), words, evidence, form, wording)


def by_phrase(intent: RecallIntent | None) -> bool:
    """Whether the phrases of a prompt tell by themselves that it asks about the past."""
    return intent is not None and intent.evidence >= ENOUGH - 0.001


def narrowed(intent: RecallIntent, prompt: str, rest: str) -> RecallIntent:
    """Return *intent* for the *rest* of the prompt's own words, after a time expression was removed."""
    words = about(prompt, rest, intent.form.language)
    return intent._replace(wants=intent.wants if words else WORK, about=words)


def about(prompt: str, own: str, language: str) -> str:
    """Return the search words of *prompt*: the subject of the person's *own* words in it, and what it quotes."""
    quoted = subject_of(" ".join((*named_inside(prompt), *logged(prompt))), language)
    return " ".join(dict.fromkeys((*subject_of(own, language), *quoted)))


def _wanted(prompt: str, lower: str, words: str) -> str:
    if not words:
        return WORK
    tokens = lower.replace("?", " ").replace(",", " ").replace(".", " ").split()
    if _is_problem(prompt, tokens):
        return PROBLEM
    if not _TALK.isdisjoint(tokens):
        return DISCUSSION
    if not _GOING_ON.isdisjoint(tokens):
        return WORK
    following = zip(tokens, [*tokens[1:], ""], strict=True)
    is_how = any(word in _HOW and not (word == "how" and after in _HOW_MUCH) for word, after in following)
    return IMPLEMENTATION if is_how else DISCUSSION


def _is_problem(prompt: str, tokens: list[str]) -> bool:
    """Whether a prompt, tokenised as *tokens*, shows an error or describes something that goes wrong."""
    if errors(prompt):
        return True
    if not _TALK.isdisjoint(tokens):
        return False  # it asks what was decided about the problem
    if not _FAILS.isdisjoint(tokens):
        return True
    following = zip(tokens, [*tokens[1:], ""], strict=True)
    wrong = frozenset(recall_phrases.lists()["wrong"].split()) - _NEUTRAL
    return any(word in wrong and following_word not in _OF_ERRORS for word, following_word in following)


# ---- phrases -------------------------------------------------------------------------------------


def _matches_other_language(lower: str) -> bool:
    return any(all(part in lower for part in parts) for parts in recall_phrases.other_languages())


def _evidence(lower: str) -> float:
    """Return how strongly *lower*, a person's words, suggests a question about the past."""
    if KEYS.isdisjoint(plain_words(lower)):
        return 0.0
    tokenised = list(sentences(lower))
    if not _parsed:
        _lists.update(recall_phrases.lists())
        _parsed.extend(
            tuple(_phrase(weight, text) for weight, text in sort) for sort in recall_phrases.evidence().values()
        )
    best, *others = sorted(map(_sentence_evidence, tokenised), reverse=True)
    return best + NEXT * max(0.0, *others, 0.0)


def _sentence_evidence(words: list[str]) -> float:
    distinct = frozenset(words)
    return sum(next((phrase[0] for phrase in sort if _occurs_in(words, distinct, phrase)), 0.0) for sort in _parsed)


def _phrase(weight: float, text: str) -> Phrase:
    parts = tuple(_part(part) for part in text.split())
    needed = tuple(part for part in parts if isinstance(part, frozenset) and _ANY_PAST not in part)
    return weight, parts, needed


def _part(text: str) -> Part:
    part = _parts.get(text)
    if part is None:
        part = _parts[text] = _GAPS.get(text) or (text if text in "^$" else _choice(text))
    return part


def _choice(text: str) -> frozenset[str]:
    named = (_lists[word[1:-1]].split() if word.startswith("<") else [word] for word in text.split("|"))
    return frozenset(word for words in named for word in words)


def _occurs_in(words: list[str], distinct: frozenset[str], phrase: Phrase) -> bool:
    _, parts, all_needed = phrase
    for needed in all_needed:
        if distinct.isdisjoint(needed):
            return False  # the usual case
    if parts[0] == "^":
        return _follows(words, 0, parts, 1)
    return any(_matches_part(word, parts[0]) and _follows(words, at + 1, parts, 1) for at, word in enumerate(words))


def _follows(words: list[str], at: int, parts: tuple[Part, ...], part: int) -> bool:
    if part == len(parts):
        return True
    expected = parts[part]
    if isinstance(expected, int):
        return any(_follows(words, later, parts, part + 1) for later in range(at, min(len(words), at + expected) + 1))
    if expected == "$":
        return words[at:] in ([], ["?"])
    return at < len(words) and _matches_part(words[at], expected) and _follows(words, at + 1, parts, part + 1)


def _matches_part(word: str, part: Part) -> bool:
    assert isinstance(part, frozenset)
    return word in part or (word.endswith("ed") and len(word) > 4 and _ANY_PAST in part and word not in _NO_PAST)
