"""What a text says of changes: what its sentences drop, replace, change or confirm, and the values that they state.

The expressions are in change_words.txt.
"""

from __future__ import annotations

import os
import re
from collections import namedtuple
from functools import lru_cache
from itertools import pairwise

from autology.text.stemmer import stem
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
TAKES_BACK = 6
"""First words of the next sentence among which one that keeps things as they are takes a change back."""
BARE = 4
"""Words of a sentence that states nothing but a new value, at most: "limit 120", "90 then"."""
BRIEF = 100
"""Characters of an answer by which the user agrees to something, at most on the average. With the other conditions of
an agreement, 257 of 300 chunks are left that settle something in the worlds of bench/change.py, and 15 of 297 of casual
talk (LoCoMo)."""
SEGMENT = 900
"""Characters of a text that are about one matter, at most."""
LONGEST = 4_000
"""Characters of a text that are read: two chunks of talk."""
REMEMBERED = 500
"""Texts whose statements are confirming, 5 kB each: the passages of one matter are found again and again."""
_OLD, _NEW, _GAP, _START, _END = "<old>", "<new>", "*", "^", "$"
USER_SAYS, ASSISTANT_SAYS, EDITED_TO, _BY = "❯ ", "● ", "± ", " → "
_ENDS = frozenset(
    "for in on at with from by because since when while as then now so but after which that who where there of"
    " für in auf mit bei weil da wenn dann jetzt pour dans sur avec car quand puis maintenant para en"
    " con porque cuando luego ahora".split()
)
"""Words that end the noun phrase of a slot."""
_AND = frozenset("and or und oder et ou y o".split())
_OR = frozenset("or oder ou o".split())
"""Words before an order that make it an alternative: "or drop the column"."""
_IS = frozenset("is are be to of at was were now = ist sind auf est sont à es son".split())
"""Words between the name of a value and its number."""
_COMMON = STOP_WORDS | frozenset(
    "one two no not so too very all any both each every some more most other another same only just also well still"
    " even than about over under out up down off again once here now then yes ok okay please thanks get got make made"
    " take took go goes come use used using doing see sees saw want need let like way thing time new old done had us"
    " she he her his am im ive its lets dont doesnt cant isnt und der die das ein eine ist nicht auch les une des"
    " est pas que los las por con una del".split()
)
"""Words by which no matter is recognised."""
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100"}
_CLOCK = "clock"
"""The unit of a time of day."""
_CLAUSES = ".!?\n,;:()—"
_SENTENCES = ".!?\n"

Change = namedtuple(
    "Change",
    ("kind", "sentence", "old", "new", "values", "unchanged"),
    defaults=(frozenset(), frozenset(), (), frozenset()),
)
"""What a *sentence* changes: by its *kind* the words of what it replaces, and of what replaces that, or values; of an
edit also its *unchanged* words, such as the name of a value."""
NAMED, MATTER, VALUES, BARE_VALUE, REJECTED, EDITED = "named", "matter", "values", "bare", "rejected", "edited"
"""Kinds of changes: what goes is named; something changes; values are stated, in a sentence or as all that it says; a
note decides against an alternative; a small edit of a file replaces values or names."""
Value = namedtuple("Value", ("number", "unit", "name", "words"))
"""A number with the word after it, the word before it, and the other words of its sentence."""
Statements = namedtuple("Statements", ("words", "changes", "values", "confirmed"))
"""What a text says: the words by which its matter is recognised, its changes and values, and the words of what it says
to stay as it is."""

_sections: dict[str, list[list[Part]]] = {}


def is_talk(text: str) -> bool:
    """Whether the assistant says something in *text*."""
    return text.startswith(ASSISTANT_SAYS) or f"\n{ASSISTANT_SAYS}" in text


def settles(text: str) -> bool:
    """Whether something is settled in the talk *text*: the user answers the assistant, which acts on it."""
    return f"{ASSISTANT_SAYS[0]}{USER_SAYS[0]}{ASSISTANT_SAYS[0]}" in _turns(text)


def is_agreed(text: str) -> bool:
    """Whether the talk *text* ends in an agreement: the user answers each time in fewer words than the assistant
    proposed, briefly on the average, and neither asks back.
    """
    if not settles(text):
        return False
    turns = [turn for turn in text.split("\n\n") if turn.startswith((USER_SAYS, ASSISTANT_SAYS))]
    answers = [
        (before, turn)
        for before, turn in pairwise(turns)
        if before.startswith(ASSISTANT_SAYS) and turn.startswith(USER_SAYS)
    ]
    is_brief = sum(len(turn) for _, turn in answers) <= BRIEF * len(answers)
    asks = "?" in turns[-1] or any("?" in turn for _, turn in answers)
    return is_brief and not asks and all(len(turn) < len(before) for before, turn in answers)


def is_unanswered(text: str) -> bool:
    """Whether *text* is talk that the user leaves with the assistant's word, of which no small edit is known."""
    return (
        is_talk(text)
        and EDITED_TO not in text
        and f"{USER_SAYS[0]}{ASSISTANT_SAYS[0]}{USER_SAYS[0]}" not in _turns(text)
    )


@lru_cache(maxsize=REMEMBERED)
def _turns(text: str) -> str:
    """Return the signs of who speaks, turn after turn."""
    return "".join(turn[0] for turn in text.split("\n\n") if turn.startswith((USER_SAYS, ASSISTANT_SAYS)))


@lru_cache(maxsize=REMEMBERED)
def segments(text: str) -> tuple[Statements, ...]:
    """Return what *text* says, one segment of consecutive turns after another: a long talk is about several matters.

    Nothing, if several turns are all the user's: nothing is settled or done in these.
    """
    if text.count(USER_SAYS) > 1 and ASSISTANT_SAYS not in text:
        return ()
    parts: list[str] = []
    for turn in text[:LONGEST].split("\n\n"):
        if parts and len(parts[-1]) + len(turn) < SEGMENT:
            parts[-1] += f"\n\n{turn}"
        else:
            parts.append(turn)
    return tuple(map(_statements, parts))


@lru_cache(maxsize=REMEMBERED)
def decided_in(text: str) -> tuple[Statements, ...]:
    """Return what each sentence of the talk *text* says that states a decision."""
    from autology.text.language.decision_sentences import decisions  # only where something may have changed

    return tuple(map(_statements, decisions(text[:LONGEST]))) if is_talk(text) else ()


def _statements(text: str) -> Statements:
    changes: list[Change] = []
    values: list[Value] = []
    confirmed: set[str] = set()
    text, edits = _apart(text)
    sentences = list(_sentences(text))
    tokens = [_tokens(sentence) for sentence in sentences]
    for at, (sentence, words) in enumerate(zip(sentences, tokens, strict=True)):
        if sentence.endswith("?"):
            continue
        stated = _values(words)
        values += stated
        clauses = [_tokens(clause) for clause in _split(sentence, _CLAUSES)]
        confirming = [clause for clause in clauses if any(_fits(clause, phrase) for phrase in _read("confirms"))]
        confirmed.update(form for clause in confirming for form in _telling(clause))
        following = tokens[at + 1][:TAKES_BACK] if at + 1 < len(sentences) else []
        if following[:1] in (["no"], ["nein"], ["non"]) or not _words("keeps").isdisjoint(following):
            continue
        if not _keys().isdisjoint(words):
            for clause in clauses:
                if clause not in confirming:
                    changes += (Change(kind, sentence, old, new) for kind, old, new in _replaced(clause))
        if bare := _bare(words):
            changes.append(Change(BARE_VALUE, sentence, values=(bare,)))
        elif stated:
            changes.append(Change(VALUES, sentence, values=tuple(stated)))
    changes += _rejected(text)
    changes += edits
    tokens += (_tokens(edit.sentence) for edit in edits)
    telling = frozenset(form for words in tokens for form in _telling(words))
    return Statements(telling, tuple(changes), tuple(values), frozenset(confirmed))


def _apart(text: str) -> tuple[str, list[Change]]:
    """Return *text* without what small edits replaced, and these changes."""
    if EDITED_TO not in text:
        return text, []
    talk: list[str] = []
    edits: list[Change] = []
    for line in text.split("\n"):
        replaced = line.partition(": ")[2] if line.startswith(EDITED_TO) else ""
        before, by, after = replaced.partition(_BY)
        if by:
            old, new = frozenset(_telling(_tokens(before))), frozenset(_telling(_tokens(after)))
            edits.append(Change(EDITED, line, old - new, new - old, unchanged=old & new))
        else:
            talk.append(line)
    return "\n".join(talk), edits


def edited_file(edit: Change) -> str:
    """Return the name of the file that *edit* changed, without its folder."""
    return str(edit.sentence).partition(": ")[0]


def _rejected(text: str) -> Iterator[Change]:
    """Yield what a note lists as alternatives to what it decides: `- Celery: no priorities` under such a heading."""
    title, _, body = text.partition("\n")
    is_listed = False
    for line in body.split("\n") if "\n#" in text else ():
        if line.startswith("#"):
            is_listed = not _words("alternatives").isdisjoint(_tokens(line))
        elif is_listed and line.startswith(("- ", "* ")):
            named = _tokens(line.partition(":")[0])[:LONGEST_SLOT]
            if old := frozenset(_telling(named)):
                yield Change(REJECTED, title, old, frozenset(_telling(_tokens(title))))


def _values(tokens: Sequence[str]) -> list[Value]:
    """Return the numbers among *tokens*, each with its unit and its name if it has any."""
    forms = [_form(word) for word in tokens]
    if not any(map(is_number, forms)):
        return []
    telling = frozenset(form for form in _telling(tokens) if not is_number(form))
    values = []
    for at, (number, after) in enumerate(pairwise([*forms, ""])):
        if not is_number(number):
            continue
        name = _name(forms[max(0, at - 3) : at])
        unit = after if after.isalpha() and after not in _COMMON and after not in _ENDS else ""
        unit = _CLOCK if ":" in number else unit
        if unit or name:
            values.append(Value(number, unit, name, telling - {unit}))
    return values


def _name(before: Sequence[str]) -> str:
    """Return the word that the words before a number give that value to: "limit is", not "CRC"."""
    at = len(before)
    while at and before[at - 1] in _IS:
        at -= 1
    name = before[at - 1] if 0 < at < len(before) else ""
    return name if name.isalpha() and _telling([name]) else ""


def _bare(tokens: Sequence[str]) -> Value | None:
    """Return the value that is all that *tokens* state."""
    if not tokens or len(tokens) > BARE:
        return None
    telling = _telling(tokens)
    numbers = [form for form in telling if is_number(form)]
    if len(numbers) != 1 or len(telling) > 2:
        return None
    names = [form for form in telling if form not in numbers]
    return Value(numbers[0], "", names[0] if names else "", frozenset())


def _replaced(tokens: Sequence[str]) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield what a clause of *tokens* replaces and by what, with the kind of change, for each of its expressions."""
    if _keys().isdisjoint(tokens):
        return
    for kind in (NAMED, MATTER):
        for phrase in _read(kind):
            for at, slots in _matches(tokens, phrase):
                if not _words("unless").isdisjoint(tokens[:at]) or (at == 1 and tokens[0] in _OR):
                    continue
                lead = phrase[0]
                new = frozenset().union(*_noun_phrases(slots.get(_NEW, ()), lead == _NEW))
                if kind != NAMED:
                    yield kind, frozenset(), new
                else:
                    for old in _noun_phrases(slots.get(_OLD, ()), lead == _OLD):
                        yield kind, old, new


def _fits(tokens: Sequence[str], phrase: Sequence[Part]) -> bool:
    return next(_matches(tokens, phrase), None) is not None


def _matches(tokens: Sequence[str], phrase: Sequence[Part]) -> Iterator[tuple[int, dict[str, Sequence[str]]]]:
    """Yield where *phrase* begins in *tokens*, after the slot that it begins with, and its slots."""
    lead = phrase[0]
    if lead == _START:
        if (slots := _fit(tokens, 0, phrase[1:])) is not None:
            yield 0, slots
        return
    is_slot = lead in (_OLD, _NEW)
    literal, rest = (phrase[1], phrase[1:]) if is_slot else (lead, phrase)
    for at, token in enumerate(tokens):
        if token in literal and (at or not is_slot) and (slots := _fit(tokens, at, rest)) is not None:
            yield at, {**slots, str(lead): tokens[max(0, at - LONGEST_SLOT) : at]} if is_slot else slots


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
        if named := frozenset(_telling(words[start:at])):
            yield named
        start = at + 1


def is_number(word: str) -> bool:
    """Whether *word* is a number, with or without a fraction, or a time of day."""
    return word[:1].isdigit() and word.replace(".", "").replace(":", "").isdigit()


def _telling(words: Sequence[str]) -> list[str]:
    """Return the forms of those *words* by which a matter is recognised."""
    return [form for word in words if word not in _COMMON and _is_telling(form := _form(word))]


def _is_telling(form: str) -> bool:
    """Whether *form* is long enough to be a name: "H2" and "S3" are."""
    return len(form) > 2 or any(letter.isdigit() for letter in form)


def _form(word: str) -> str:
    """Return the stem of *word*, and a number as digits."""
    return _NUMBERS.get(word) or stem(word)


_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:[.,:]\d+)*)(?!st\b|nd\b|rd\b|th\b)([a-zA-Z]{0,4})\b")
"""A number, with its unit if that follows at once: `250ms`."""
_HELD = {ord("."): "\1", ord(","): None, ord(":"): "\2"}
_LETTERS = {ord(mark): " " for mark in '!"#$&()*+,-./:;<=>?@[\\]^_`{|}~❯●·…—–„“”«»¿¡'} | {
    ord("'"): None,
    ord("’"): None,
    ord("%"): " percent",
}


def _tokens(text: str) -> list[str]:
    """Return the words of *text* in lower case; a number is one word, without the unit that follows it."""
    text = _NUMBER.sub(lambda match: f"{match[1].translate(_HELD)} {match[2]}", text)
    words = _CAMEL.sub(" ", text).lower().translate(_LETTERS).split()
    return [word.replace("\1", ".").replace("\2", ":") for word in words]


def _sentences(text: str) -> Iterator[str]:
    for sentence in _split(text, _SENTENCES, keep=True):
        if sentence := sentence.strip(" ❯●*-\t\n"):
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


@lru_cache(maxsize=4)
def _words(section: str) -> frozenset[str]:
    return frozenset().union(*(part for line in _read(section) for part in line))


@lru_cache(maxsize=1)
def _keys() -> frozenset[str]:
    """Return words of which every expression has one."""
    phrases = (*_read(NAMED), *_read(MATTER))
    return frozenset().union(*(next(part for part in phrase if not isinstance(part, str)) for phrase in phrases))


def _read(section: str) -> list[list[Part]]:
    """Return the lines of a section of the file, which is read on first use: each as its parts."""
    if not _sections:
        # By the loader, for hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        data = loader.get_data(os.path.join(os.path.dirname(__file__), "change_words.txt")).decode("utf-8")
        name, marks = "", (_OLD, _NEW, _GAP, _START, _END)
        for line in data.splitlines():
            if line.startswith("["):
                name = line.strip("[]")
            elif line and not line.startswith("#"):
                parts = [part if part in marks else frozenset(part.split("|")) for part in line.split()]
                _sections.setdefault(name, []).append(parts)
    return _sections[section]
