"""How likely a passage answers a question: one scale for every search, from what the passage itself holds.

What else was found does not matter, so that equal evidence has the same score in every tool.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from itertools import repeat
from typing import NamedTuple

from autology.ranking.prompt_similarity import WINDOW, StemFinder, words_between
from autology.ranking.quantized_vectors import SCALE, products
from autology.text.tokens import STOP_WORDS, UNASKED, groups
from autology.text.wordlists import root, synonyms

ANSWERS, RECORDED = 0.4, 0.25
"""The likelihood from which a passage of talk, and from which a note, a document or a memory counts as an answer.

Fewer texts are recorded than said, in fewer words. What these levels tell is said below, with the weights.
"""
ORDER = 0.4
"""The weight of the likelihood in the order of hits, beside their relevance to each other (150 queries of each labelled
set, nDCG@10: +0.013 on code, +0.001 and +0.016 on conversations by sessions and turns, -0.002 on abstracts; 0.6 gains
half as much again on conversations and loses 0.006 on abstracts)."""
JUDGED = 20
"""The hits, the best ones, whose order it changes."""
FAR_SAID, FAR_RECORDED = 0.05, 0.3
"""The shares of those likelihoods below which a passage of talk, and a record, is not even shown as what may answer.

bench/recall.py, sessions: nDCG@10 is 0.849 with 0.3 for talk, 0.853 with 0.05 and if all are shown. Of 506 questions
that the open halves of the labelled worlds answer, 3 are shown nothing instead of 6; of 175 that nothing answers, 0.19
instead of 0.34: the others are shown what is nearest, and told that nothing answers.
"""
READ = 4_000
"""Characters of a passage that are read."""

# Log-odds of a logistic regression on the open halves of tests/labelled/never, …/change, …/change2, …/moment,
# …/sessions and …/sessions2: the best right passage of a question against the best one where nothing answers, as if
# both were as frequent. Nothing answers what is labelled so (which weighs most), questions of another world, and those
# whose sessions and notes were left out of a world. Fitted on four of these five worlds and asked of the fifth, each in
# turn, the area under the curve is 0.91 for what is labelled and for what was left out; with the features of before,
# 0.89 for both.
_AT_FIRST = -2.2
"""Fitted: -2.5. Moved so that likelihoods keep their meaning: at 0.4, 0.73 of the labelled questions that nothing in
the talk answers count as unanswered, and 0.06 of those that it answers, all of the world left out of the fit; of notes,
at 0.25, 0.79 and 0.21."""
_SHARE, _WEIGHT, _MOST_WEIGHT, _MEANING = 1.85, 0.75, 2.5, 3.4
_NAME_ABSENT, _WORD_ABSENT, _MOST_ABSENT = -4.0, -1.1, 2
"""Fitted for names: -2.5, as two questions with one have an answer; -4 tells as much there, and more in few notes."""
_ORDINARY_ABSENT = -1.15

# The features of that regression, set by hand.
_COMMON, _SPECIFIC, _LEAST_SPECIFIC = 60, 8_000, 0.15
"""Ranks by general frequency up to which a word says next to nothing, and from which it says all that it can."""
_UNKNOWN = 0.8
"""The weight of a word that the index does not hold."""
_ORDINARY = 0.6
"""The factor for such a word that is ordinary English, or of another language: people say the same in other words."""
_NUMBER = 0.3
_BROAD = 50
"""Passages of an index from which it tells all that it can that it does not hold a word: a few notes hold few words
(by the same regression: of what notes never speak of, 0.42 is told at 0.05 wrongly; 0.26 if it always counts)."""
_APART = 0.7
"""How much a word counts that is far from the others."""
_ASKED_FOR = 0.2
"""How much of its weight a word keeps that only says what is asked for, where a passage does not hold it.

Area under the curve in the same regression, with a sixth world: 0.923, and 0.920 if it counts as others do; for notes
0.864 and 0.852; where the answers were left out of a world 0.902 and 0.900, of notes 0.719 and 0.714.
"""
_RELATED, _SLOPE, _MOST_RELATED = 0.25, 3.0, 0.75
"""The cosine from which a word is related, how much each further one counts, and how much a related word counts.

Area under the curve in the same regression: 0.911 with a slope of 3, 0.905 with 1.4; for notes 0.850 and 0.828.
"""
_SAME, SYNONYM = 0.5, 0.68
"""The cosine from which a word is another one for the same, and the one that counts for a synonym."""


class Term(NamedTuple):
    """A word of a question's subject: as it is *written*, its *stem*, and its *weight* in 0-1.

    *is_known* says whether the index holds it; *is_name* that it is not an ordinary English word; *is_proper* that it
    is written as a name; *is_foreign* that it is of another language, and its meaning unknown; *is_asked_for* that it
    only says what is asked for. *row* is its vector, empty without one.
    """

    word: str
    written: str
    stem: str
    weight: float
    is_known: bool
    is_name: bool
    is_proper: bool
    is_foreign: bool = False
    is_asked_for: bool = False
    row: bytes = b""


class Question(NamedTuple):
    """The subject of a question, as an index knows it; *rows* returns vectors of words.

    Of words that weigh less than *least* together a passage never holds the most: they ask for nothing. *breadth* in
    0-1 says how much it tells that the index does not hold a word. *compounds* are names of several words in one, as
    `SpecAugment` is, that the index does not hold as such.
    """

    terms: tuple[Term, ...]
    breadth: float
    least: float
    rows: Callable[[Sequence[str]], Sequence[bytes]]
    compounds: tuple[str, ...] = ()


class Match(NamedTuple):
    """What a passage holds of a question: its likelihood to answer, the terms that it holds, and the compounds not."""

    likelihood: float
    held: frozenset[Term]
    lacking: frozenset[str] = frozenset()


def ordering(relevance: float, likelihood: float) -> float:
    """Return by what a hit is ordered, of its *relevance* relative to the best one and its *likelihood* to answer."""
    return relevance + ORDER / (1 - ORDER) * likelihood


class Text(NamedTuple):
    """A passage: its *heading*, its *text*, and its *cosine* to the question."""

    heading: str
    text: str
    cosine: float


def matches(query: Question, texts: Sequence[Text]) -> list[Match]:
    """Return how each of *texts* matches the question."""
    texts = [text if len(text.text) <= READ else text._replace(text=text.text[:READ]) for text in texts]
    finder = StemFinder([term.stem for term in query.terms])
    numbers = {term.stem: number for number, term in enumerate(query.terms)}
    weights = [term.weight for term in query.terms]
    held = [_held(finder, numbers, weights, text) for text in texts]
    every = frozenset(numbers.values())
    related = _related(query, texts, [every - of_text.together for of_text in held])
    return list(map(_match, repeat(query), texts, held, related))


def _match(query: Question, text: Text, held: _Held, related: Mapping[int, float]) -> Match:
    together, apart = held
    total = covered = ordinary = 0.0
    lacking = _without(query.compounds, text)
    names, words = set(lacking), set[str]()
    for number, term in enumerate(query.terms):
        nearest = related.get(number, 0.0)
        if number in together:
            share = 1.0
        else:
            share = max(min(_MOST_RELATED, max(0.0, (nearest - _RELATED) * _SLOPE)), _APART * (number in apart))
        is_held = number in together or number in apart
        weight = term.weight * (_ASKED_FOR if term.is_asked_for and not is_held else 1.0)
        total += weight
        covered += weight * share
        if not is_held and not term.is_known and not term.is_foreign and nearest < _SAME:
            if term.is_name:
                if term.is_proper or not term.is_asked_for:
                    (names if term.is_proper else words).add(term.written)
            else:
                ordinary += weight * (1.0 - share)
    odds = _AT_FIRST + _MEANING * max(0.0, text.cosine)
    odds += _SHARE * covered / (max(total, query.least) or 1.0) + _WEIGHT * min(covered, _MOST_WEIGHT)
    odds += _NAME_ABSENT * min(len(names), _MOST_ABSENT)
    odds += query.breadth * (_WORD_ABSENT * min(len(words), _MOST_ABSENT) + _ORDINARY_ABSENT * ordinary)
    return Match(1 / (1 + math.exp(-odds)), frozenset(query.terms[number] for number in together | apart), lacking)


def question(
    words: Sequence[tuple[str, str]],
    weights: Mapping[str, float],
    ranks: Callable[[Sequence[str]], Sequence[int | None]],
    rows: Callable[[Sequence[str]], Sequence[bytes]],
    foreign: Collection[str],
    least: float,
    opening: str = "",
    size: int = _BROAD,
    asked_for: Collection[str] = (),
    compounds: Sequence[str] = (),
) -> Question:
    """Return a question of *words*: each as it is meant, in lower case, and as it is written, in order.

    *weights* has the weight of each stem that the index holds; *ranks* returns words' ranks by general frequency, None
    for rare ones. *foreign* are those of another language, whose meaning is unknown; *least* is as in
    :class:`Question`. *opening* is the word that the question begins with, in a capital whatever it is. *size* is the
    number of passages of the index. *asked_for* are words, as they are written, that only say what is asked for;
    *compounds* are as in :class:`Question`.
    """
    from autology.text.stemmer import stem

    meant = [word for word, _ in words]
    terms: dict[str, Term] = {}
    for (word, written), rank, row in zip(words, _ranked(ranks, meant), _rows(rows, meant), strict=True):
        root_form = stem(word)
        weight = weights.get(root_form)
        is_asked_for = written in asked_for
        proper = _is_proper(written, opening) and not (is_asked_for and rank is not None)
        name = (rank is None or proper) and not word.isdigit() and not _FILE.search(written)
        value = (_UNKNOWN if weight is None else weight) * specificity(rank)
        if weight is None:
            ordinary = _NUMBER if word.isdigit() else _ORDINARY
            value *= 1.0 if name and word not in foreign else ordinary
        is_foreign = word in foreign
        term = Term(word, written, root_form, value, weight is not None, name, proper, is_foreign, is_asked_for, row)
        terms.setdefault(root_form, term)
    return Question(tuple(terms.values()), min(1.0, size / _BROAD), least, rows, tuple(compounds))


def absent(query: Question, matches: Sequence[Match]) -> tuple[str, ...]:
    """Return the words of *query*, as they are written, that none of *matches* holds."""
    stems_held = {term.stem for match in matches for term in match.held}
    written = {term.written: term.stem not in stems_held for term in reversed(query.terms)}
    written.update((word, all(word in match.lacking for match in matches)) for word in query.compounds)
    return tuple(word for word in dict.fromkeys(term.written for term in query.terms) if written[word])


def bare_word(written: str) -> str:
    """Return a word without the punctuation around it."""
    return written.strip(_MARKS)


def words_of_subject(subject: str) -> list[tuple[str, str]]:
    """Return the words of *subject* in lower case, an identifier's by its parts, each with how it is written."""
    words: dict[str, str] = {}
    for written in subject.split():
        bare = bare_word(written)
        for group in ((bare.lower(),),) if _is_plural(bare) else groups(written):
            for word in group if len(group) == 1 else group[:-1]:
                if word not in UNASKED and (len(word) > 1 or not word.isascii()):
                    words.setdefault(word, bare)
    return list(words.items())


def is_english(written: str, rank: int | None, language: str, opening: str) -> bool:
    """Whether a word of a question in *language* is likely the same in English: a name, or a frequent English word.

    German has capitals in all nouns; what scripts without spaces hold in Latin letters is such a word. *rank* is its
    rank by general frequency; *opening* is as in :func:`question`.
    """
    if rank is not None and rank < _FREQUENT:
        return True
    if language == _GERMAN:
        return is_identifier(written) or any(letter.isdigit() for letter in written)
    return _is_proper(written, opening) or (written.isascii() and language in _UNSPACED)


def _is_plural(written: str) -> bool:
    """Whether a word is *written* as several of what a few capitals stand for: `PDFs`."""
    return len(written) > 2 and written.endswith("s") and written[:-1].isalpha() and written[:-1].isupper()


def is_identifier(written: str) -> bool:
    """Whether a word is *written* with capitals inside it, as `PgBouncer` is."""
    return _CASED.search(written) is not None


def _ranked(ranks: Callable[[Sequence[str]], Sequence[int | None]], words: Sequence[str]) -> list[int | None]:
    """Return the *ranks* of *words*, of a plural that is not listed its singular's."""
    ranked = list(ranks(words))
    plurals = [at for at, rank in enumerate(ranked) if rank is None and words[at].endswith("s")]
    for at, rank in zip(plurals, ranks([words[at][:-1] for at in plurals]) if plurals else (), strict=True):
        ranked[at] = rank
    return ranked


def specificity(rank: int | None) -> float:
    """Return how much a word of that *rank* by general frequency tells (0-1), None for a rare one."""
    if rank is None:
        return 1.0
    return min(1.0, max(_LEAST_SPECIFIC, math.log((rank + 10) / _COMMON) / math.log(_SPECIFIC / _COMMON)))


def _is_proper(written: str, opening: str) -> bool:
    return (written[:1].isupper() and written != opening) or is_identifier(written)


def _without(compounds: Sequence[str], text: Text) -> frozenset[str]:
    """Return which of *compounds* are not in *text*, in whatever way they are written."""
    if not compounds:
        return frozenset()
    letters = _letters(f"{text.heading}{text.text}")
    return frozenset(written for written in compounds if _letters(written) not in letters)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


class _Held(NamedTuple):
    """The numbers of the terms that a heading and one window of a text hold *together*, and of those held *apart*."""

    together: frozenset[int]
    apart: frozenset[int]


def _held(finder: StemFinder, numbers: Mapping[str, int], weights: Sequence[float], text: Text) -> _Held:
    """Return which terms *text* holds, by the stems' *numbers* and the terms' *weights*."""
    titled = frozenset(numbers[stem] for stem in finder.first(text.heading))
    first = finder.first(text.text)
    everywhere = titled.union(numbers[stem] for stem in first)
    if everywhere == titled or (_in_one_window(text.text, first.values()) and min(weights) > _ROUNDING):
        return _Held(everywhere, frozenset())
    places = [(at, numbers[stem]) for at, stem in finder.positions(text.text)]
    best = _heaviest_window(places, titled, weights, everywhere)
    return _Held(best, everywhere - best)


def _in_one_window(text: str, offsets: Collection[int]) -> bool:
    """Whether the words at these *offsets* of *text* are in one window."""
    first, last = min(offsets), max(offsets)
    # A word is a letter at least, and one sign apart from the next.
    return last - first < 2 * WINDOW or words_between(text, first, last) < WINDOW


def _heaviest_window(
    places: Iterable[tuple[int, int]], titled: frozenset[int], weights: Sequence[float], everywhere: frozenset[int]
) -> frozenset[int]:
    """Return which terms are *titled* or in the one window of *places* where they weigh most, by their numbers."""
    counts = [int(number in titled) for number in range(len(weights))]
    most = weight = sum(weight for weight, count in zip(weights, counts, strict=True) if count)
    best = titled
    window: deque[tuple[int, int]] = deque()
    for at, number in places:
        if len(best) == len(everywhere):
            break
        while window and window[0][0] <= at - WINDOW:
            _, gone = window.popleft()
            counts[gone] -= 1
            weight -= weights[gone] if not counts[gone] else 0.0
        window.append((at, number))
        counts[number] += 1
        if counts[number] == 1:
            weight += weights[number]
            if weight > most + _ROUNDING:
                most, best = weight, frozenset(number for number, count in enumerate(counts) if count)
    return best


def _related(query: Question, texts: Sequence[Text], lacking: Sequence[Set[int]]) -> list[dict[int, float]]:
    """Return, for each of *texts*, how near its nearest word is to each of the terms that it is *lacking*, as a cosine.

    Terms are given by numbers. Without a related word it is 0.
    """
    sought = frozenset[int]().union(*lacking)
    terms = {
        number: term
        for number, term in enumerate(query.terms)
        if number in sought and term.word.isascii() and not term.word.isdigit()
    }
    if not terms:
        return [{} for _ in texts]
    words = [
        _words(text.heading, text.text) if lacked else frozenset[str]()
        for text, lacked in zip(texts, lacking, strict=True)
    ]
    every = _comparable(frozenset[str]().union(*words))
    near: dict[int, list[tuple[int, str]]] = {}
    if every and (with_rows := {number: term.row for number, term in terms.items() if any(term.row)}):
        table = products([*with_rows.values()], query.rows(every))
        near = {number: _near(every, row) for number, row in zip(with_rows, table, strict=True)}
    alike = {number: _synonyms(term.word, every) for number, term in terms.items()}

    def nearest(number: int, of_text: frozenset[str]) -> float:
        product = next((product for product, word in near.get(number, ()) if word in of_text), 0)
        cosine = product / SCALE**2
        return cosine if alike[number].isdisjoint(of_text) else max(cosine, SYNONYM)

    return [
        {number: nearest(number, of_text) for number in terms if number in lacked}
        for of_text, lacked in zip(words, lacking, strict=True)
    ]


def _near(words: Sequence[str], products: Sequence[int]) -> list[tuple[int, str]]:
    """Return the related ones of *words*, nearest first, each with its product: others count as unrelated."""
    least = _RELATED * SCALE**2
    return sorted(
        ((product, word) for word, product in zip(words, products, strict=True) if product >= least), reverse=True
    )


def comparable_words(heading: str, text: str) -> list[str]:
    """Return the words of a passage whose vectors are compared with those of a question's words."""
    return _comparable(_words(heading, text[:READ]))


def _comparable(words: frozenset[str]) -> list[str]:
    return [word for word in words - STOP_WORDS if len(word) >= _SHORTEST]


def _words(heading: str, text: str) -> frozenset[str]:
    """Return the runs of ASCII letters in a passage, in lower case."""
    passage = f"{heading}\n{text}"
    plain = passage if passage.isascii() else passage.lower().encode("ascii", "replace").decode("ascii")
    return frozenset(plain.translate(_LETTERS).split())


def _synonyms(word: str, words: Iterable[str]) -> frozenset[str]:
    """Return those of *words* that are synonyms of *word*."""
    groups = synonyms().get(root(word))
    if groups is None:
        return frozenset()
    return frozenset(other for other in words if not groups.isdisjoint(synonyms().get(root(other), ())))


def _rows(rows: Callable[[Sequence[str]], Sequence[bytes]], words: Sequence[str]) -> Sequence[bytes]:
    return rows(words) or [b""] * len(words)


_ROUNDING = 1e-9
_GERMAN, _UNSPACED = "de", ("zh", "ja")
_FREQUENT = 15_000  # half of the table of word vectors; the rarer half has more words of other languages
_MARKS = ".,:;!?()[]{}<>\"'`«»“”‘’¿¡*"
_CASED = re.compile(r"[a-z][A-Z]|[A-Z]{2}")
_FILE = re.compile(r"\.\w{2,4}$")
_LETTERS = "".join(letter.lower() if letter.isalpha() else " " for letter in map(chr, range(128)))
"""Translates ASCII to lower case, and all but letters to spaces: a third of the time of a regular expression."""
_SHORTEST = 3
"""Letters of a word that others may be related to."""
