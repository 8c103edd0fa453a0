"""Which of several texts about one matter was changed by a later one, told from what the later one says.

That a text is newer proves nothing: newer talk often only mentions a matter. A text amends an earlier one if one of its
sentences drops, replaces or changes what the earlier one names. The expressions are in change_words.txt.
"""

from __future__ import annotations

import os
import re
from collections import namedtuple
from functools import lru_cache
from itertools import pairwise

from autology.text.tokens import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.abc import SourceLoader

    Part = frozenset[str] | str

LONGEST_SLOT = 6
"""Words of what is replaced, or replaces it."""
GAP = 3
"""Words that `*` stands for at most."""
MATTER, SHARE = 3, 0.2
"""Words that both texts have in common, at least, and as a share of those of the shorter one, if the later one does not
name what goes (bench/change.py: with a share of 0.1 half as many again were wrong, with 0.25 a tenth fewer right)."""
TAKES_BACK = 6
"""First words of the next sentence among which one that keeps things as they are takes a change back."""
LONGEST = 4_000
"""Characters of a text that are read: two chunks of talk."""
_OLD, _NEW, _GAP, _END = "<old>", "<new>", "*", "$"
_ENDS = frozenset(
    "for in on at with from by because since when while as then now so but after which that who where there of"
    " für in auf mit bei weil da wenn dann jetzt pour dans sur avec car quand puis maintenant para en"
    " con porque cuando luego ahora".split()
)
"""Words that end the noun phrase of a slot."""
_AND = frozenset("and or und oder et ou y o".split())
_NUMBERS = {
    word: str(number) for number, word in enumerate("zero one two three four five six seven eight nine ten".split())
}
_CLAUSES = ".!?\n,;:()—"
_SENTENCES = ".!?\n"

BEHIND = 0.9
"""The factor for the relevance of what was amended, which what amends it takes over."""
NEAR, AS_NEAR = 0.25, 0.5
"""The least relevance of a text, as a share of the earlier one's, at which it can amend that: the first if it names
what goes, else the second."""

Text = namedtuple("Text", ("order", "text", "project"), defaults=("",))
"""A text about the question, a key by which texts are in order of time, and its project: "" is every project's."""
Change = namedtuple("Change", ("old", "values"))
"""What a sentence changes: the words of what it replaces if it names that, or the values that it states.

Neither: it says only that something changes, and the rest of the text what that is.
"""
Value = namedtuple("Value", ("number", "unit", "words"))
"""A number with the word after it, and the other words of its sentence."""

_sections: dict[str, list[list[Part]]] = {}


def in_force(texts: Sequence[Text], relevances: Sequence[float]) -> tuple[list[float], dict[int, tuple[int, str]]]:
    """Return the relevance of each of *texts*, with what holds now ahead of what it amends, and what was amended.

    The second result has, by the position of each amended text, the position of the latest one that amends it, and the
    sentence that says so.
    """
    changed = _amended(texts, relevances)
    weighed = list(relevances)
    for earlier, (later, _) in changed.items():
        weighed[later] = max(weighed[later], relevances[earlier])
    for earlier in changed:
        weighed[earlier] *= BEHIND
    return weighed, changed


def _amended(texts: Sequence[Text], relevances: Sequence[float]) -> dict[int, tuple[int, str]]:
    vocabulary = [words_of(one.text) for one in texts]
    values = [values_in(one.text) for one in texts]
    changes = {at: stated for at, one in enumerate(texts) if (stated := changes_in(one.text))}
    latest: dict[int, tuple[int, str]] = {}
    for later in sorted(changes, key=lambda at: texts[at].order):
        for earlier, one in enumerate(texts):
            share = relevances[later] / (relevances[earlier] or 1.0)
            is_elsewhere = "" not in (one.project, texts[later].project) and one.project != texts[later].project
            if one.order >= texts[later].order or is_elsewhere or share < NEAR:
                continue
            for change, sentence in changes[later]:
                is_near = share >= (NEAR if change.old else AS_NEAR)
                if is_near and _changes(change, vocabulary[earlier], vocabulary[later], values[earlier]):
                    latest[earlier] = (later, sentence)
                    break
    return latest


def _changes(change: Change, earlier: frozenset[str], later: frozenset[str], values: Sequence[Value]) -> bool:
    if change.old and not all(word.isdigit() for word in change.old):
        return 2 * len(change.old & earlier) >= len(change.old)
    least = max(MATTER, SHARE * min(len(later), len(earlier)))
    if len(later & earlier) < least or not change.old <= earlier:
        return False
    return not change.values or any(_differs(value, values) for value in change.values)


def _differs(value: Value, values: Sequence[Value]) -> bool:
    """Whether an earlier text states another number of the same unit about the same thing, and not this one."""
    same = [other for other in values if other.unit == value.unit]
    return all(other.number != value.number for other in same) and any(value.words & other.words for other in same)


def changes_in(text: str) -> list[tuple[Change, str]]:
    """Return the changes that the sentences of *text* state, each with the sentence."""
    text = text[:LONGEST]
    stated: list[tuple[Change, str]] = []
    sentences = list(_sentences(text))
    for at, sentence in enumerate(sentences):
        following = _tokens(sentences[at + 1])[:TAKES_BACK] if at + 1 < len(sentences) else []
        if sentence.endswith("?") or following[:1] in (["no"], ["nein"], ["non"]) or _is_kept(following):
            continue
        for clause in _split(sentence, _CLAUSES):
            stated += ((Change(old, ()), sentence) for old in _replaced(_tokens(clause)))
        if values := values_in(sentence):
            stated.append((Change(frozenset(), tuple(values)), sentence))
    return stated


def values_in(text: str) -> list[Value]:
    """Return the numbers that *text* states with their units, outside of questions and of what is only thought of."""
    values: list[Value] = []
    for sentence in _sentences(text[:LONGEST]):
        tokens = [_form(word) for word in _tokens(sentence)]
        if sentence.endswith("?") or not any(token.isdigit() for token in tokens):
            continue
        for number, unit in pairwise(tokens):
            if number.isdigit() and unit.isalpha() and unit not in STOP_WORDS and unit not in _ENDS:
                words = frozenset(word for word in tokens if _tells(word) and not word.isdigit()) - {unit}
                values.append(Value(number, unit, words))
    return values


def _replaced(tokens: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yield what a clause of *tokens* replaces, for each of its expressions; empty where it does not name that."""
    for section in ("named", "matter"):
        for phrase in _read(section):
            lead = phrase[0] in (_OLD, _NEW)
            literal = phrase[1] if lead else phrase[0]
            for at, token in enumerate(tokens):
                if token not in literal or (lead and not at):
                    continue
                slots = _fit(tokens, at, phrase[1:] if lead else phrase)
                start = max(0, at - LONGEST_SLOT) if lead else at
                if slots is None or not _words("unless").isdisjoint(tokens[:at]):
                    continue
                old = slots.get(_OLD, ())
                if lead and phrase[0] == _OLD:
                    old = tokens[start:at]
                if section == "matter":
                    yield frozenset()
                else:
                    yield from _noun_phrases(old, is_before=lead)


def _fit(tokens: Sequence[str], at: int, phrase: Sequence[Part]) -> dict[str, Sequence[str]] | None:
    """Return the slots of *phrase* if it is at that position of *tokens*."""
    if not phrase:
        return {}
    part, rest = phrase[0], phrase[1:]
    if part == _END:
        return {} if at == len(tokens) else None
    if not isinstance(part, str):
        return _fit(tokens, at + 1, rest) if at < len(tokens) and tokens[at] in part else None
    if not rest:
        return {part: tokens[at : at + LONGEST_SLOT]} if at < len(tokens) else None
    for length in range(part != _GAP, (GAP if part == _GAP else LONGEST_SLOT) + 1):
        if (slots := _fit(tokens, at + length, rest)) is not None:
            return {**slots, part: tokens[at : at + length]}
    return None


def _noun_phrases(tokens: Sequence[str], is_before: bool) -> Iterator[frozenset[str]]:
    """Yield the words of each thing that *tokens* name: up to a preposition, or from the last one on if before it."""
    words = list(tokens)
    ends = [at for at, word in enumerate(words) if word in _ENDS]
    if ends:
        words = words[ends[-1] + 1 :] if is_before else words[: ends[0]]
    start = 0
    for at in (*(at for at, word in enumerate(words) if word in _AND), len(words)):
        if named := frozenset(_form(word) for word in words[start:at] if _tells(word)):
            yield named
        start = at + 1


def words_of(text: str) -> frozenset[str]:
    """Return the words of *text* by which matters are recognised."""
    return frozenset(_form(word) for word in _tokens(text[:LONGEST]) if _tells(word))


def _tells(word: str) -> bool:
    return word not in STOP_WORDS and word not in _keys() and (len(word) > 2 or word.isdigit())


def _form(word: str) -> str:
    """Return *word* without the ending of a plural, and a number as digits."""
    word = _NUMBERS.get(word.lower(), word.lower())
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")
_LETTERS = {ord(mark): " " for mark in '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~❯●·…—–„“”«»¿¡'} | {
    ord("'"): None,
    ord("’"): None,
}


@lru_cache(maxsize=256)
def _tokens(text: str) -> list[str]:
    return _CAMEL.sub(" ", text).lower().translate(_LETTERS).split()


def _sentences(text: str) -> Iterator[str]:
    for sentence in _split(text, _SENTENCES, keep=True):
        if sentence := sentence.strip(" ❯●*-\t"):
            yield sentence


def _split(text: str, marks: str, keep: bool = False) -> list[str]:
    """Return *text* cut after each of *marks* that ends a word, so not within `v1.2`."""
    parts: list[str] = []
    start = 0
    for at, letter in enumerate(text):
        if letter in marks and (letter == "\n" or not text[at + 1 : at + 2].isalnum()):
            parts.append(text[start : at + keep])
            start = at + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]


def _is_kept(tokens: Sequence[str]) -> bool:
    return not _words("keeps").isdisjoint(tokens)


@lru_cache(maxsize=2)
def _words(section: str) -> frozenset[str]:
    return frozenset().union(*(part for line in _read(section) for part in line))


@lru_cache(maxsize=1)
def _keys() -> frozenset[str]:
    """Return the words of which every expression has one."""
    phrases = (*_read("named"), *_read("matter"))
    return frozenset().union(*(next(part for part in phrase if not isinstance(part, str)) for phrase in phrases))


def _read(section: str) -> list[list[Part]]:
    """Return the lines of a section of the file, which is read on first use: each as its parts."""
    if not _sections:
        # By the loader, for hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        data = loader.get_data(os.path.join(os.path.dirname(__file__), "change_words.txt")).decode("utf-8")
        name = ""
        for line in data.splitlines():
            if line.startswith("["):
                name = line.strip("[]")
            elif line and not line.startswith("#"):
                _sections.setdefault(name, []).append(
                    [part if part in (_OLD, _NEW, _GAP, _END) else frozenset(part.split("|")) for part in line.split()]
                )
    return _sections[section]
