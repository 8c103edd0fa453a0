"""Which of several texts about one matter was changed by a later one, told from what the later one says.

That a text is newer proves nothing: newer talk often only mentions a matter. A text amends an earlier one if one of its
sentences drops, replaces or changes what the earlier one names. The expressions are in change_words.txt.
"""

from __future__ import annotations

import os
from collections import namedtuple
from functools import lru_cache

from autology.text.tokens import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence, Set
    from importlib.abc import SourceLoader

    Part = frozenset[str] | str

LONGEST_SLOT = 6
"""Words of what is replaced, or replaces it."""
GAP = 3
"""Words that `*` stands for at most."""
MATTER = 2
"""Words that a text shares with a sentence that names the matter but not what was replaced."""
TAKES_BACK = 6
"""First words of the next sentence among which one that keeps things as they are takes a change back."""
LONGEST = 4_000
"""Characters of a text that are read: two chunks of talk."""
_OLD, _NEW, _GAP = "<old>", "<new>", "*"
_ENDS = frozenset(
    "for in on at with from by because since when while as and or then now so but after which that who where there of"
    " für in auf mit bei weil da wenn und oder dann jetzt pour dans sur avec car quand et ou puis maintenant para en"
    " con porque cuando y luego ahora".split()
)
"""Words that end the noun phrase of a slot."""
_NUMBERS = {
    word: str(number) for number, word in enumerate("zero one two three four five six seven eight nine ten".split())
}
_CLAUSES = ".!?\n,;:()—"
_SENTENCES = ".!?\n"

BEHIND = 0.9
"""The factor for the relevance of what was amended, which what amends it takes over."""
NEAR = 0.25
"""The share of an earlier text's relevance that a later one needs to be about the same matter."""

Change = namedtuple("Change", ("old", "words"))
"""A sentence that changes something: the words of what it replaces, if it names that, and all its words."""

_sections: dict[str, list[list[Part]]] = {}


def amended(texts: Sequence[tuple[str, str]], query: Collection[str] = ()) -> dict[int, tuple[int, str]]:
    """Return for each text that a later one amends, by its position, the position of the latest such text.

    With that comes the sentence that says so. *texts* are about one matter, each with a key by which they are in order
    of time; *query* are the words asked for, which the sentence of a change shares with what it changes unless it names
    what it replaces.
    """
    vocabulary = [words_of(text) for _, text in texts]
    changes = {at: stated for at, (_, text) in enumerate(texts) if (stated := changes_in(text))}
    wanted = {_form(word) for word in query}
    latest: dict[int, tuple[int, str]] = {}
    for later in sorted(changes, key=lambda at: texts[at][0]):
        for earlier, (key, _) in enumerate(texts):
            if key >= texts[later][0]:
                continue
            for change, sentence in changes[later]:
                if _changes(change, vocabulary[earlier], vocabulary[later], wanted):
                    latest[earlier] = (later, sentence)
                    break
    return latest


def in_force(
    texts: Sequence[tuple[str, str]], relevances: Sequence[float], query: Collection[str]
) -> tuple[list[float], dict[int, tuple[int, str]]]:
    """Return the relevance of each of *texts*, with what holds now ahead of what it amends, and what was amended.

    The arguments and the second result are as for :func:`amended`.
    """
    weighed = list(relevances)
    changed = {
        earlier: (later, sentence)
        for earlier, (later, sentence) in amended(texts, query).items()
        if relevances[later] >= NEAR * relevances[earlier]
    }
    for earlier, (later, _) in changed.items():
        weighed[later] = max(weighed[later], relevances[earlier])
    for earlier in changed:
        weighed[earlier] *= BEHIND
    return weighed, changed


def _changes(change: Change, earlier: frozenset[str], later: frozenset[str], query: Set[str]) -> bool:
    if change.old:
        return 2 * len(change.old & earlier) >= len(change.old) and not query.isdisjoint((earlier & later) | change.old)
    shared = change.words & earlier
    return len(shared) >= MATTER and not shared.isdisjoint(query)


def changes_in(text: str) -> list[tuple[Change, str]]:
    """Return the changes that the sentences of *text* state, each with the sentence."""
    text = text[:LONGEST]
    if _keys().isdisjoint(_tokens(text)):
        return []
    stated: list[tuple[Change, str]] = []
    sentences = list(_sentences(text))
    for at, sentence in enumerate(sentences):
        following = _tokens(sentences[at + 1])[:TAKES_BACK] if at + 1 < len(sentences) else []
        if sentence.endswith("?") or following[:1] in (["no"], ["nein"], ["non"]) or _is_kept(following):
            continue
        words = words_of(sentence)
        for clause in _split(sentence, _CLAUSES):
            stated += ((Change(old, words), sentence) for old in _replaced(_tokens(clause)))
    return stated


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
                elif words := _noun_phrase(old, is_before=lead):
                    yield words


def _fit(tokens: Sequence[str], at: int, phrase: Sequence[Part]) -> dict[str, Sequence[str]] | None:
    """Return the slots of *phrase* if it is at that position of *tokens*."""
    if not phrase:
        return {}
    part, rest = phrase[0], phrase[1:]
    if not isinstance(part, str):
        return _fit(tokens, at + 1, rest) if at < len(tokens) and tokens[at] in part else None
    if not rest:
        return {part: tokens[at : at + LONGEST_SLOT]} if at < len(tokens) else None
    for length in range(part != _GAP, (GAP if part == _GAP else LONGEST_SLOT) + 1):
        if (slots := _fit(tokens, at + length, rest)) is not None:
            return {**slots, part: tokens[at : at + length]}
    return None


def _noun_phrase(tokens: Sequence[str], is_before: bool) -> frozenset[str]:
    """Return the words of what *tokens* name: up to a preposition, or from the last one on if they come before."""
    words = list(tokens)
    ends = [at for at, word in enumerate(words) if word in _ENDS]
    if ends:
        words = words[ends[-1] + 1 :] if is_before else words[: ends[0]]
    return frozenset(_form(word) for word in words if _tells(word))


def words_of(text: str) -> frozenset[str]:
    """Return the words of *text* by which matters are recognised."""
    return frozenset(_form(word) for word in _tokens(text[:LONGEST]) if _tells(word))


def _tells(word: str) -> bool:
    return word not in STOP_WORDS and word not in _keys() and (len(word) > 2 or word.isdigit())


def _form(word: str) -> str:
    """Return *word* without the ending of a plural, and a number as digits."""
    word = _NUMBERS.get(word.lower(), word.lower())
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


_LETTERS = {ord(mark): " " for mark in '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~❯●·…—–„“”«»¿¡'} | {
    ord("'"): None,
    ord("’"): None,
}


@lru_cache(maxsize=256)
def _tokens(text: str) -> list[str]:
    return text.lower().translate(_LETTERS).split()


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
                    [part if part in (_OLD, _NEW, _GAP) else frozenset(part.split("|")) for part in line.split()]
                )
    return _sections[section]
