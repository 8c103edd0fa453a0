"""Word lists as plain text files: synonyms, opposites, forms, phrases, names; read on first use."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from autology.text import stemmer

Groups = Mapping[str, frozenset[int]]
"""A stem, and the lines of a list that contain it."""


@dataclass(frozen=True, slots=True)
class Opposite:
    """A word's side of an opposite: *about* names both sides, *sign* is -1 for the one that says less.

    *stateful*: `not` turns one side into the other.
    """

    about: str
    sign: int
    stateful: bool


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """Return the stem of *word*, a word in lower case; of an irregular form, its base form's."""
    return stemmer.stem(forms().get(word, word))


@cache
def forms() -> Mapping[str, str]:
    """Return irregular forms and their base forms."""
    return {form: line[0] for line in _lines("forms") for form in line}


@cache
def participles() -> frozenset[str]:
    """Return the irregular forms alone."""
    return frozenset(form for line in _lines("forms") for form in line[1:])


@cache
def synonyms() -> Groups:
    """Return the synonyms: stems that share a group."""
    return _groups("synonyms")


@cache
def tasks() -> Groups:
    """Return the words of kinds of tasks: stems that share a group belong to one kind."""
    return _groups("tasks")


@cache
def exclusive() -> Groups:
    """Return the stems that exclude each other: those that share a group."""
    return _groups("exclusive")


@cache
def opposites() -> Mapping[str, Opposite]:
    """Return the stems that have an opposite."""
    sided: dict[str, Opposite] = {}
    for line in _lines("opposites"):
        stateful = line[0] == "!"
        middle = line.index("/")
        sides = line[stateful:middle], line[middle + 1 :]
        for words, sign in zip(sides, (1, -1), strict=True):
            for word in words:
                sided.setdefault(root(word), Opposite(root(sides[0][0]), sign, stateful))
    return sided


@cache
def phrases() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return phrases as rows of words, and their replacements."""
    return {tuple(line[: line.index("=")]): tuple(line[line.index("=") + 1 :]) for line in _lines("phrases")}


@cache
def words(kind: str) -> frozenset[str]:
    """Return the words of one *kind*, as in kinds.txt."""
    return frozenset(word for line in _lines("kinds") if line[0] == f"{kind}:" for word in line[1:])


@cache
def roots(kind: str) -> frozenset[str]:
    """Return the stems of the words of one *kind*."""
    return frozenset(map(root, words(kind)))


@cache
def software_names() -> Mapping[str, tuple[str, ...]]:
    """Return known names of software in lower case, and the words that say what each is."""
    named: dict[str, tuple[str, ...]] = {}
    for line in _lines("software_names"):
        names, _, words = " ".join(line).partition(": ")
        description = words.replace("-", " ").split()
        for name in names.split():
            named[name] = tuple(dict.fromkeys((*named.get(name, ()), *description)))
    return named


def _groups(name: str) -> Groups:
    groups: dict[str, frozenset[int]] = {}
    for number, line in enumerate(_lines(name)):
        for word in line:
            groups[root(word)] = groups.get(root(word), frozenset()) | {number}
    return groups


def _lines(name: str) -> Iterator[list[str]]:
    with open(os.path.join(os.path.dirname(__file__), f"{name}.txt"), encoding="utf-8") as file:
        text = file.read()
    return (line.split() for line in text.splitlines() if line and not line.startswith("#"))
