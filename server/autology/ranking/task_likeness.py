"""How much past work resembles a request: by its words and related ones, kinds of tasks, meaning, project and form.

People describe a feature that resembles one they built in other words: word by word, the nearest word of the past work
counts.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autology.ranking.asking_form import ENGLISH, subject_of
from autology.ranking.quantized_vectors import SCALE, products
from autology.ranking.task_forms import PastWork, form_of, has_form
from autology.text.tokens import STOP_WORDS, groups
from autology.text.wordlists import root, synonyms, tasks

Encode = Callable[[Sequence[str]], Sequence[bytes]]

TERMS, READ = 32, 4_000
"""Words of a request, and characters of each part of past work, that are compared."""
REMEMBERED = 10_000
"""Words whose vectors are kept, 300 bytes each."""
SYNONYM = 0.6
"""The weight of a synonym against the same word."""
UNRELATED = 0.2
"""The cosine up to which two words have nothing in common."""
MEANING, TASKS = 3.0, 1.0
"""The weights of meaning and of the kind of task beside the words' (open halves of bench/similar: with 3 six of 232
more come first than with 2; without the tasks a quarter of the features is lost)."""
MANY = 3
"""Words of a kind of task from which further ones do not count."""
ELSEWHERE, OTHER_FORM = 0.65, 0.75
"""The factors for another project's work and for work of another form (open half of bench/similar: level from 0.55 to
0.65 and from 0.65 to 0.75)."""


class WordVectors:
    """The vectors of words and texts by *encode*; those of words are kept, for most of a text repeats."""

    def __init__(self, encode: Encode) -> None:
        self.encode = encode
        self._rows: dict[str, bytes] = {}

    def rows(self, words: Sequence[str]) -> list[bytes]:
        """Return the vector of each of *words*."""
        if len(self._rows) > REMEMBERED:
            self._rows = {}
        rows = self._rows
        missing = [word for word in words if word not in rows]
        rows.update(zip(missing, self.encode(missing), strict=True))
        return [rows[word] for word in words]


def likenesses(request: str, works: Sequence[PastWork], vectors: WordVectors | None) -> list[float]:
    """Return how much each of *works* resembles *request*: 1 for the same words, more for the same text."""
    if not works:
        return []
    subject = " ".join(subject_of(request, ENGLISH)) or request
    compared = _Compared(subject, works, vectors)
    form = form_of(request)
    return [
        compared.of(at) * (1.0 if work.own else ELSEWHERE) * (1.0 if has_form(work, form) else OTHER_FORM)
        for at, work in enumerate(works)
    ]


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a past work, their stems, and how many words of each kind of task it has."""

    words: frozenset[str]
    stems: frozenset[str]
    tasks: Mapping[int, int]


class _Compared:
    """A *subject* compared with *works*."""

    def __init__(self, subject: str, works: Sequence[PastWork], vectors: WordVectors | None) -> None:
        self._works = [_words_of(_text(work)) for work in works]
        self._terms = list(dict.fromkeys(_split(subject)))[:TERMS]
        counts = Counter(stem for work in self._works for stem in work.stems)
        self._weights = {term: _rarity(counts[root(term)], len(works)) for term in self._terms}
        self._tasks = _tasks_of(self._terms)
        task_counts = Counter(task for work in self._works for task in work.tasks)
        self._task_weights = {task: _rarity(task_counts[task], len(works)) for task in self._tasks}
        self._near = self._nearness(vectors) if vectors else {}
        talks = [work.talk[:READ] for work in works]
        self._meanings = _cosines(vectors.encode, subject, talks) if vectors else [0.0] * len(works)

    def of(self, at: int) -> float:
        """Return the likeness of the work at *at*."""
        return self._shared_words(self._works[at]) + self._shared_tasks(self._works[at]) + MEANING * self._meanings[at]

    def _shared_words(self, work: _Words) -> float:
        total = sum(self._weights.values()) or 1.0
        return sum(weight * self._nearest(term, work) for term, weight in self._weights.items()) / total

    def _nearest(self, term: str, work: _Words) -> float:
        """Return how near the nearest word of *work* is to *term*: 1 for the same."""
        if root(term) in work.stems:
            return 1.0
        alike = synonyms().get(root(term))
        if alike and any(not alike.isdisjoint(synonyms().get(stem, ())) for stem in work.stems):
            return SYNONYM
        near = self._near.get(term)
        return max(0.0, max((near[word] for word in work.words), default=0.0) - UNRELATED) if near else 0.0

    def _shared_tasks(self, work: _Words) -> float:
        total = sum(self._task_weights[task] * min(count, MANY) for task, count in self._tasks.items())
        shared = sum(
            self._task_weights[task] * min(count, MANY) * min(work.tasks.get(task, 0), MANY) / MANY
            for task, count in self._tasks.items()
        )
        return TASKS * shared / total if total else 0.0

    def _nearness(self, vectors: WordVectors) -> Mapping[str, Mapping[str, float]]:
        """Return the cosine of each term with each word of the works."""
        words = sorted(frozenset().union(*(work.words for work in self._works)))
        table = products(vectors.rows(self._terms), vectors.rows(words))
        return {
            term: {word: product / SCALE**2 for word, product in zip(words, row, strict=True)}
            for term, row in zip(self._terms, table, strict=True)
        }


def _cosines(encode: Encode, subject: str, texts: Sequence[str]) -> list[float]:
    row, *rows = encode([subject, *texts])
    return [product / SCALE**2 for product in products([row], rows)[0]]


def _rarity(count: int, size: int) -> float:
    return math.log((size + 1) / (count + 0.5))


def _text(work: PastWork) -> str:
    return "\n".join(part[:READ] for part in (work.talk, work.tools, work.code))


def _words_of(text: str) -> _Words:
    words = frozenset(_split(text))
    return _Words(words, frozenset(map(root, words)), _tasks_of(words))


def _tasks_of(words: Iterable[str]) -> Mapping[int, int]:
    """Return how many of *words*, forms of one counted once, are of each kind of task."""
    stems: dict[int, set[str]] = defaultdict(set)
    for word in words:
        stem = root(word)
        for task in tasks().get(stem, ()):
            stems[task].add(stem)
    return {task: len(of_task) for task, of_task in stems.items()}


def _split(text: str) -> Iterator[str]:
    """Yield the words of *text* that carry a subject; an identifier by its parts."""
    for group in groups(text):
        for word in group if len(group) == 1 else group[:-1]:
            if len(word) > 1 and word not in STOP_WORDS and not _DIGITS.fullmatch(word):
                yield word


_DIGITS = re.compile(r"\d{1,2}|\d{6,}")
