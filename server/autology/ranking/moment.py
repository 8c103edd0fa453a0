"""Whether a prompt asks for the past, what it wants of it, and the words to look for.

Only the person's own words count: code, logs, quotations, lists that were pasted and what a
program wrote are looked past, for they are full of "again" and "previously". In what remains
each sentence is held against phrases, written down as they would be said. They speak for
a thing that was done together, for a time, for something that comes back, for memory itself:
no phrase by itself is enough unless it leaves no doubt. No regular expression is made of them:
compiling so many would cost a hook more than everything else.
"""

from __future__ import annotations

from collections import namedtuple

from autology.ranking.phrases import ASKING, ELSEWHERE, EVIDENCE, KEYS, LISTS
from autology.text.spoken import by_machine, errors, named_inside, own_words, plain_words, sentences, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Part = frozenset[str] | int | str
    # A phrase that was read: what it is worth, its parts, and those of them that must be there as they are.
    Phrase = tuple[float, tuple[Part, ...], tuple[frozenset[str], ...]]

IMPLEMENTATION, PROBLEM, WORK, DISCUSSION = "implementation", "problem", "work", "discussion"
"""What may be wanted: how a thing was done; what was done about an error; what was going on; what was said of it."""

Moment = namedtuple("Moment", ("wants", "about"))
"""What a prompt *wants* of the past, and the words that tell what it is *about*, in order; "" means just the latest."""

ENOUGH = 1.0
"""Evidence from which a prompt asks for the past: of each sort the strongest counts, of all sorts the sum."""

NEXT = 0.7
"""What the second-best sentence of a prompt adds."""

SPOKEN = 2_000
"""Letters of a person's own words that are looked at; more of them are a document."""

_GAPS = {"..": 6, "~": 2}
_NO_PAST = frozenset("need indeed speed exceed proceed succeed bleed breed greed embed shed sled seed feed".split())
_ANY_PAST = "-ed"
_read: list[tuple[Phrase, ...]] = []
_parts: dict[str, Part] = {}

_WRONG = frozenset(LISTS["wrong"].split()) - frozenset("cert spec symptom test tests thing".split())
_FAILS = frozenset(
    "fails failing breaks broken broke crash crashed crashes crashing flaky flaking hanging hangs stuck dies dying"
    " stalls stalling leaks leaking fix fixed fixing fixes solve solved solving workaround".split()
)
_OF_ERRORS = frozenset(
    "base boundary budget budgets case cases class classes code codes data envelope envelopes format formats handler"
    " handlers handling log logging logs message messages page pages policies policy rate rates report reporting"
    " response responses shape template templates tracker tracking type types".split()
)
"""Words that make a thing to be built of an error: `error pages`, `timeout policy`."""
_TALK = frozenset(
    "agree agreed agreement choose chose chosen consensus conclude concluded conclusion decide decided decision"
    " decisions discuss discussed discussion settle settled".split()
)
_HOW = (
    "how trick script command snippet helper recipe approach pattern structure way same like similar example code art"
)
_GOING_ON = "session sessions recap resume continue left off working worked"


def moment(prompt: str) -> Moment | None:
    """Return what *prompt* wants of the past, or None: it asks for nothing that is not in sight."""
    if by_machine(prompt):
        return None
    own = own_words(prompt)
    if not own or len(own) > SPOKEN:
        return None
    lower = own.lower()
    if not _elsewhere(lower) and _evidence(lower) < ENOUGH - 0.001:
        return None
    words = about(prompt, own)
    return Moment(_wanted(prompt, lower, words), words)


def narrowed(asked: Moment, prompt: str, rest: str) -> Moment:
    """Return *asked*, about what the *rest* of the prompt's own words tells: a time was taken out of them."""
    words = about(prompt, rest)
    return Moment(asked.wants if words else WORK, words)


def about(prompt: str, own: str) -> str:
    """Return what tells what *prompt*, whose person's *own* words are these, is about: without what merely asks."""
    said = dict.fromkeys(words_of(f"{own} {' '.join(named_inside(prompt))}"))
    return " ".join(word for word in said if word.lower().replace("'", "") not in ASKING)


def _wanted(prompt: str, lower: str, words: str) -> str:
    if not words:
        return WORK
    said = lower.replace("?", " ").replace(",", " ").replace(".", " ").split()
    if _is_problem(prompt, said):
        return PROBLEM
    if not _TALK.isdisjoint(said):
        return DISCUSSION
    for wants, telling in ((WORK, _GOING_ON), (IMPLEMENTATION, _HOW)):
        if not frozenset(telling.split()).isdisjoint(said):
            return wants
    return DISCUSSION


def _is_problem(prompt: str, said: list[str]) -> bool:
    """Whether a prompt, in whose own words this is *said*, shows an error or tells of something that goes wrong."""
    if errors(prompt):
        return True
    if not _TALK.isdisjoint(said):
        return False  # what was decided about it is asked for
    if not _FAILS.isdisjoint(said):
        return True
    following = zip(said, [*said[1:], ""], strict=True)
    return any(word in _WRONG and after not in _OF_ERRORS for word, after in following)


# ---- phrases -------------------------------------------------------------------------------------


def _elsewhere(lower: str) -> bool:
    return any(all(part in lower for part in parts) for parts in ELSEWHERE)


def _evidence(lower: str) -> float:
    """Return how much speaks for *lower*, a person's words, asking for the past."""
    if KEYS.isdisjoint(plain_words(lower)):
        return 0.0
    said = list(sentences(lower))
    if not _read:
        _read.extend(tuple(_phrase(worth, text) for worth, text in sort) for sort in EVIDENCE.values())
    best, *others = sorted(map(_of_sentence, said), reverse=True)
    return best + NEXT * max(0.0, *others, 0.0)


def _of_sentence(words: list[str]) -> float:
    said = frozenset(words)
    return sum(next((phrase[0] for phrase in sort if _stands_in(words, said, phrase)), 0.0) for sort in _read)


def _phrase(worth: float, text: str) -> Phrase:
    parts = tuple(_part(part) for part in text.split())
    needed = tuple(part for part in parts if isinstance(part, frozenset) and _ANY_PAST not in part)
    return worth, parts, needed


def _part(text: str) -> Part:
    known = _parts.get(text)
    if known is None:
        known = _parts[text] = _GAPS.get(text) or (text if text in "^$" else _choice(text))
    return known


def _choice(text: str) -> frozenset[str]:
    named = (LISTS[word[1:-1]].split() if word.startswith("<") else [word] for word in text.split("|"))
    return frozenset(word for words in named for word in words)


def _stands_in(words: list[str], said: frozenset[str], phrase: Phrase) -> bool:
    _, parts, all_needed = phrase
    for needed in all_needed:
        if said.isdisjoint(needed):
            return False  # as nearly always
    if parts[0] == "^":
        return _follows(words, 0, parts, 1)
    return any(_is(word, parts[0]) and _follows(words, at + 1, parts, 1) for at, word in enumerate(words))


def _follows(words: list[str], at: int, parts: tuple[Part, ...], part: int) -> bool:
    if part == len(parts):
        return True
    wanted = parts[part]
    if isinstance(wanted, int):
        return any(_follows(words, later, parts, part + 1) for later in range(at, min(len(words), at + wanted) + 1))
    if wanted == "$":
        return words[at:] in ([], ["?"])
    return at < len(words) and _is(words[at], wanted) and _follows(words, at + 1, parts, part + 1)


def _is(word: str, wanted: Part) -> bool:
    assert isinstance(wanted, frozenset)
    return word in wanted or (word.endswith("ed") and len(word) > 4 and _ANY_PAST in wanted and word not in _NO_PAST)
