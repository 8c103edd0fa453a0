"""What a question asks of an index: how likely passages answer it, and which of its words no passage holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from autology.core.index.retrieval import TextSearch, VectorSearch, WordStatistics
from autology.core.question_words import understood
from autology.model.query import Filter, Terms
from autology.ranking.evidence import ANSWERS, FAR_SAID, Match, Term, Text, absent, matches
from autology.text.slug import key as name_key
from autology.text.tokens import is_run

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMED = 5
"""Absent words that are named."""
SPECIFIC = 0.4
"""The weight from which an absent word is named: others say little anyway."""
NEAREST = 5
"""Hits that are named as the nearest where none answers."""
T = TypeVar("T")


class JudgedIndex(TextSearch, VectorSearch, WordStatistics, Protocol):
    """The parts of an index by which its passages are judged."""


class Passage(NamedTuple):
    """A passage of the source with that *id*: its *text*, and the *heading* that it stands below."""

    id: str
    heading: str
    text: str


class Verdict(NamedTuple):
    """Whether something found answers a question, and its telling words that no passage searched holds (*absent*).

    If not, *is_near* says that the nearest may answer all the same.
    """

    is_answered: bool = True
    absent: tuple[str, ...] = ()
    is_near: bool = True

    def beside(self, subject: IndexedQuestion, matches: Sequence[Match]) -> Verdict:
        """Return the verdict together with shared passages, which *subject* *matches* so."""
        theirs = verdict_on(matches, ANSWERS)
        absent = tuple(word for word in self.absent if word in subject.not_held(matches))
        return Verdict(self.is_answered or theirs.is_answered, absent, self.is_near or theirs.is_near)

    def shown(self, answers: Sequence[T]) -> list[T]:
        """Return those of the *answers*, best first, that are shown as results."""
        return list(answers if self.is_answered else answers[:NEAREST] if self.is_near else ())


NO_VERDICT = Verdict()


def verdict_on(matches: Iterable[Match], least: float, far: float = FAR_SAID) -> Verdict:
    """Return whether one of *matches* answers, which has at least the likelihood *least*.

    It may answer from the share *far* of that."""
    best = max((match.likelihood for match in matches), default=0.0)
    return Verdict(best >= least, (), best >= far * least)


class IndexedQuestion:
    """The question *words*, as *index* knows its words.

    *query* are the words to search for: misspelt and foreign ones are followed by what they mean. *meaning* are the
    words in English, as far as they are known.
    """

    def __init__(self, index: JudgedIndex, words: str) -> None:
        self._index = index
        self._words = words
        self._question, self.query, self.meaning = understood(index, words)
        self._terms_by_key: dict[str, list[Term]] = {}
        for term in self._question.terms:
            if key := name_key(term.written):
                self._terms_by_key.setdefault(key, []).append(term)

    def matches(self, passages: Sequence[Passage]) -> list[Match]:
        """Return how each of *passages* matches the question."""
        ids = tuple(dict.fromkeys(passage.id for passage in passages))
        where = Filter(kind=None, ids=ids)
        near = self._index.semantic_candidates(self.meaning, where, len(ids)) if ids else ()
        cosines = {candidate.source.id: candidate.cosine for candidate in near}
        texts = [Text(passage.heading, passage.text, cosines.get(passage.id, 0.0)) for passage in passages]
        title = name_key(self._words)
        return [
            match._replace(likelihood=1.0) if title and name_key(text.heading) == title else match
            for match, text in zip(matches(self._question, texts), texts, strict=True)
        ]

    def verdict(
        self, matches: Sequence[Match], where: Filter, least: float = ANSWERS, far: float = FAR_SAID
    ) -> Verdict:
        """Return whether one of *matches*, all within *where*, answers, and what nothing there speaks of.

        An answer has at least the likelihood *least*; from the share *far* of that, a match may answer.
        """
        titled = any(match.likelihood == 1.0 for match in matches)
        return verdict_on(matches, least, far)._replace(absent=() if titled else self.absent(matches, where))

    def named(self, match: Match, name: str) -> Match:
        """Return *match* of a passage of what is called *name*: it holds a word of the question that is this name."""
        held = self._terms_by_key.get(name_key(name))
        if not held:
            return match
        return match._replace(
            held=match.held.union(held), lacking=match.lacking.difference(one.written for one in held)
        )

    def not_held(self, matches: Sequence[Match]) -> tuple[str, ...]:
        """Return the words of the question that none of *matches* holds."""
        return absent(self._question, matches)

    def absent(self, matches: Sequence[Match], where: Filter) -> tuple[str, ...]:
        """Return the telling words of the question that neither *matches* nor another passage within *where* holds."""
        missing = []
        for word in self.not_held(matches):
            if word in self._question.compounds:
                missing.append(word)
                continue
            terms = [term for term in self._question.terms if term.written == word]
            if is_run(word[0]) or max(term.weight for term in terms) < SPECIFIC:
                continue
            sought = Terms(tuple((term.word,) for term in terms if term.is_known))
            if not sought.terms or not self._index.lexical_candidates(sought, where, True, 1):
                missing.append(word)
        return tuple(missing[:NAMED])


class IndexedQuestions:
    """The questions of one search of several indexes, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], IndexedQuestion] = {}

    def of(self, index: JudgedIndex, words: str) -> IndexedQuestion:
        """Return the question *words* of *index*."""
        key = (id(index), words)
        if key not in self._known:
            self._known[key] = IndexedQuestion(index, words)
        return self._known[key]
