"""How much the wording of a prompt asks for the past, whatever it is about.

A linear model over the words, pairs and triples of words of each sentence, its length, and whether it names code. Only
words that say nothing about a subject are known to it; others count by their form. In scripts without spaces it takes
up to four characters that follow each other. `bench/wording` learns its weights from prompts that were written for
that, and writes past_wording.txt.
"""

from __future__ import annotations

import os
from math import sqrt

from autology.text.tokens import fold, is_run
from autology.text.user_words import files_in, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from importlib.abc import SourceLoader

    from autology.ranking.asking_form import AskingForm

READ = 2_000
"""Characters of a prompt whose wording counts."""
SCALE = 4.0
"""A feature counts by this over the root of how many a prompt has, so that a long one is not more certain."""
SPACED, RUNS = "spaced", "runs"
"""Sections of the weights: of scripts with spaces between words, and of those without."""
UNITS = 100
"""The unit in which the file has its weights."""
BIAS = "bias"
_LONGEST_RUN = 4
_BEGINNING, _END = "<", ">"
_QUESTION, _SORT, _TERSE = "question mark", "=", "terse ="
_CODE, _LENGTH, _SENTENCES = "names code", "length", "sentences"
_LENGTHS, _MOST_SENTENCES = 6, 4
_IN_NAMES = ("_", ".", "/")
"""What a word of the subject has inside that is a name of code, a path or an address."""
_ENDINGS = ("ed", "ing")
_sections: dict[str, Mapping[str, str]] = {}


def past_wording(own: str, form: AskingForm) -> float:
    """Return the log-odds that a person's *own* words, of this *form*, ask for something of the past."""
    own = own[:READ]
    section = RUNS if is_in_runs(own) else SPACED
    weights = _weights(section)
    known = [int(weights[feature]) for feature in features(own, form, weights) if feature in weights]
    return (sum(known) * SCALE / sqrt(max(1, len(known))) + int(weights[BIAS])) / UNITS


def is_in_runs(text: str) -> bool:
    """Whether *text* is in a script without spaces between words."""
    return not text.isascii() and any(is_run(letter) for letter in text if letter > "\u0fff")


def features(own: str, form: AskingForm, known: Collection[str]) -> set[str]:
    """Return the features of *own* words of a *form*; a word counts as itself if it is *known*."""
    parts = list(sentences(fold(own)))
    names = set(_of_runs(own) if is_in_runs(own) else _of_sentences(parts, known))
    names.update(f"{_SORT}{sort}" for sort in form.sorts)
    if form.is_terse:
        names.update(f"{_TERSE}{sort}" for sort in form.sorts)
    if form.is_question:
        names.add(_QUESTION)
    if any(map(_names_code, own.split())):
        names.add(_CODE)
    length = f"{_LENGTH} {min(_LENGTHS, sum(map(len, parts)).bit_length())}"
    names.update((length, f"{length} {form.is_question}", f"{_SENTENCES} {min(_MOST_SENTENCES, len(parts))}"))
    return names


def _names_code(word: str) -> bool:
    """Whether a *word* is a file's name, or written as a name in code: `drag.js`, `graceMs`, `flush()`, `max_len`."""
    word = word.strip(",.:;?!\"'")
    if "_" in word[1:-1] or "()" in word:
        return True
    if "." in word:
        return bool(files_in((word,)))
    return word[:1].islower() and word.isalnum() and not word.islower()


def _of_sentences(parts: Iterable[Sequence[str]], known: Collection[str]) -> Iterator[str]:
    for words in parts:
        forms = [_BEGINNING]
        for word in words:
            form = word if word in known else _form(word)
            if form[0] != "#" or forms[-1][0] != "#":
                forms.append(form)
        forms.append(_END)
        for at, form in enumerate(forms):
            yield form
            following = forms[at + 1 : at + 3]
            if following:
                yield f"{form} {following[0]}"
            if len(following) > 1:
                yield f"{form} {following[0]} {following[1]}"
                yield f"{form} _ {following[1]}"


def _form(word: str) -> str:
    """Return what stands for a *word* of the subject: its ending, if it may be a verb's, or that it is a name's."""
    if any(mark in word for mark in _IN_NAMES):
        return "#_"
    if word.isalpha():
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) > len(ending) + 2:
                return f"#{ending}"
    return "#"


def _of_runs(own: str) -> Iterator[str]:
    """Yield the runs of characters in *own*, in which other scripts' words are one character, and how it ends."""
    text = "".join(letter if letter > "\u0fff" else "X" for letter in own if not letter.isspace())
    while "XX" in text:
        text = text.replace("XX", "X")
    for length in range(1, _LONGEST_RUN + 1):
        for at in range(len(text) - length + 1):
            yield text[at : at + length]
    yield f"{text[-2:]}{_END}"
    yield f"{text[-3:]}{_END}"


def _weights(section: str) -> Mapping[str, str]:
    """Return the weights of a *section* by their features, which are read on first use."""
    if section not in _sections:
        # By the loader, for hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        data = loader.get_data(os.path.join(os.path.dirname(__file__), "past_wording.txt"))
        text = data.partition(f"\n[{section}]\n".encode())[2].partition(b"\n[")[0].decode("utf-8")
        cells = text.replace("\n", "\t").split("\t")  # a quarter faster than line by line
        _sections[section] = dict(zip(cells[::2], cells[1::2], strict=False))
    return _sections[section]
