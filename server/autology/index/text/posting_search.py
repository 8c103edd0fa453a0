"""Evaluation of lexical queries on posting lists: which texts match some or all terms, and their scores.

Standard library only, because hooks use it too.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from itertools import compress

from autology.index.text.postings import malformed
from autology.ranking import bm25
from autology.text.stemmer import stem
from autology.text.tokens import exact_forms, is_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from autology.index.text.postings import PostingList, Postings

    TextFilter = Callable[[int, Iterable[int]], Iterable[object]]
    """Given a segment's row and positions in it, returns for each whether its text is accepted."""

Match = tuple[float, int, int, int]
"""A matching text: its score, its row, the row of its segment and its position there."""
SEEK = 16
"""Postings that a linear pass reads in the time of one binary search."""


class TermQuery:
    """One query term: a text matches if it contains all words of any of its *alternatives*; each word then scores."""

    __slots__ = ("alternatives", "words")

    def __init__(self, alternatives: Iterable[tuple[str, ...]]) -> None:
        self.alternatives = tuple(alternatives)
        self.words = tuple(dict.fromkeys(word for alternative in self.alternatives for word in alternative))

    def positions(self, lists: Mapping[str, Mapping[int, PostingList]], row: int) -> Collection[int]:
        """Return the positions of the matching texts in that segment."""
        if len(self.words) == 1:
            postings = lists[self.words[0]].get(row)
            return postings[0] if postings else ()
        union: set[int] = set()
        for words in self.alternatives:
            positions = [postings[0] if (postings := lists[word].get(row)) else () for word in words]
            union.update(_intersection(sorted(positions, key=len)))
        return union


def term_queries(postings: Postings, terms: Iterable[tuple[str, ...]]) -> list[TermQuery]:
    """Return groups of tokens as term queries: an identifier matches as a whole or by all of its parts."""
    queries = []
    for group in terms:
        if is_run(group[0]):
            # In scripts without spaces, a single letter matches as the start of any token.
            single = len(group) == 1 and len(group[0]) == 1
            queries.append(TermQuery([(word,) for word in postings.with_prefix(group[0])] if single else [group]))
        else:
            stems = tuple(map(stem, group))
            queries.append(TermQuery([stems[-1:], stems[:-1]] if len(stems) > 1 else [stems]))
    return queries


def frequencies(postings: Postings, queries: Sequence[TermQuery]) -> list[int]:
    """Return an upper bound of each query's document frequency, deleted texts included."""
    return _bounds(queries, postings.frequencies(word for query in queries for word in query.words))


def alive_frequencies(postings: Postings, queries: Sequence[TermQuery]) -> list[int]:
    """Return the same without deleted texts, so that it does not depend on what was indexed before."""
    return _bounds(queries, postings.exact_frequencies(word for query in queries for word in query.words))


def _bounds(queries: Sequence[TermQuery], counts: Mapping[str, int]) -> list[int]:
    return [sum(min(counts[word] for word in words) for words in query.alternatives) for query in queries]


def matching_all(postings: Postings, terms: Sequence[TermQuery]) -> dict[int, Collection[int]]:
    """Return the positions of the texts that match all *terms*, by segment row.

    Terms are read one after the other, in the segments that have texts left: mostly, no text has them all. First comes
    the term that is rarest in the largest segment.
    """
    counts = postings.frequencies((word for term in terms for word in term.words), postings.largest())
    frequencies = dict(zip(terms, _bounds(terms, counts), strict=True))
    matching: dict[int, Collection[int]] | None = None
    for term in sorted(terms, key=frequencies.__getitem__):
        lists = postings.lists(term.words, matching)
        having = {row: term.positions(lists, row) for row in matching or postings.segments}
        if matching is not None:
            having = {row: _intersection(sorted((matching[row], places), key=len)) for row, places in having.items()}
        matching = {row: places for row, places in having.items() if places}
        if not matching:
            break
    return matching or {}


def rarest(frequencies: Sequence[int], budget: int) -> list[int]:
    """Return the indexes of the lowest *frequencies* that sum to at most *budget*; at least one."""
    chosen: list[int] = []
    for at in sorted(range(len(frequencies)), key=frequencies.__getitem__):
        budget -= frequencies[at]
        if budget < 0 and chosen:
            break
        chosen.append(at)
    return chosen


class TermSearch:
    """Evaluates term queries on postings; *exact* are additional exact word forms that score."""

    def __init__(
        self,
        postings: Postings,
        terms: Sequence[TermQuery],
        exact: Iterable[str] = (),
        scale: bm25.Scale = bm25.PASSAGES,
    ) -> None:
        self._postings = postings
        self._terms = terms
        self._scale = scale
        self._exact = tuple(exact)
        self.lists = postings.lists([*(word for term in terms for word in term.words), *self._exact])
        self._score_tables: list[tuple[str, bm25.CodeScores, TermQuery | None]] | None = None

    def best(self, count: int, min_terms: int = 1, accept: TextFilter | None = None) -> list[Match]:
        """Return the *count* best texts that match at least *min_terms* queries and pass *accept*."""
        by_segment = {
            row: scores for row in self._postings.segments if (scores := self._scores(row, min_terms, accept))
        }
        min_score = bm25.first(by_segment.values(), count)
        matches = [
            (-score, texts[at], row, at)
            for row, texts in ((row, self._postings.texts(row)) for row in by_segment)
            for at, score in by_segment[row].items()
            if score >= min_score
        ]
        matches.sort()
        return [(-score, text, row, at) for score, text, row, at in matches[:count]]

    def pairs(
        self, pairs: Iterable[tuple[str, str]]
    ) -> Iterator[tuple[tuple[str, str], dict[int, PostingList], dict[int, PostingList]]]:
        """Yield *pairs* of words with the posting lists of both."""
        pairs = list(pairs)
        others = {word for pair in pairs for word in pair if word not in self.lists}
        lists = self.lists | self._postings.lists(others)
        return ((pair, lists[pair[0]], lists[pair[1]]) for pair in pairs)

    def stems(self) -> Iterator[tuple[float, dict[int, PostingList]]]:
        """Yield the inverse document frequency of each word, exact forms aside, with its posting lists."""
        for word in dict.fromkeys(word for term in self._terms for word in term.words):
            lists = self.lists[word]
            yield bm25.rarity(self._postings.count, sum(len(codes) for _, codes in lists.values())), lists

    def counts(self, containing: int, weight: float = 1.0) -> bm25.CodeScores:
        """Return the score of each posting code for a word that *containing* texts contain."""
        idf = bm25.rarity(self._postings.count, containing)
        return bm25.table(idf, self._postings.average, self._scale, weight)

    def _scores(self, row: int, min_terms: int, accept: TextFilter | None) -> dict[int, float]:
        """Return the scores of that segment's texts, by position."""
        positions = self._accepted(row, min_terms, accept) if min_terms > 1 else None
        scores: dict[int, float] = {}
        matching: dict[TermQuery, list[int]] = {}
        if positions is not None and not positions:
            return scores
        for word, counts, term in self._scored_words:
            if (postings := self.lists[word].get(row)) is None:
                continue
            if positions is not None:
                postings = _restricted(postings, positions)
            if term is not None and (
                positions is None or min_terms < len(self._terms)
            ):  # else each of the few matches it
                if term not in matching:
                    matching[term] = sorted(term.positions(self.lists, row))
                postings = _restricted(postings, matching[term])
            if positions is None and accept is not None:
                postings = _marked(postings, accept(row, postings[0]))
            bm25.add(scores, *postings, counts)
        return scores

    def _accepted(self, row: int, min_terms: int, accept: TextFilter | None) -> list[int]:
        """Return the sorted positions of the texts in that segment that match at least *min_terms* queries."""
        positions = sorted(self._matching(row, min_terms))
        return list(compress(positions, accept(row, positions))) if accept is not None and positions else positions

    @property
    def _scored_words(self) -> list[tuple[str, bm25.CodeScores, TermQuery | None]]:
        """Each word with its score table, and the query to check against if that one has several words.

        The most common word comes first: inserting into an empty dictionary is cheapest.
        """
        if self._score_tables is None:
            stems = [(word, 1.0, term if len(term.words) > 1 else None) for term in self._terms for word in term.words]
            words = [*stems, *((word, bm25.EXACT, None) for word in self._exact)]
            totals = {word: sum(len(codes) for _, codes in lists.values()) for word, lists in self.lists.items()}
            words.sort(key=lambda entry: -totals[entry[0]])
            self._score_tables = [(word, self.counts(totals[word], weight), term) for word, weight, term in words]
        return self._score_tables

    def _matching(self, row: int, min_terms: int) -> Collection[int]:
        """Return the positions of the texts in that segment that match at least *min_terms* queries."""
        if min_terms >= len(self._terms):
            return self._matching_all(row)
        times: Counter[int] = Counter()
        for term in self._terms:
            times.update(term.positions(self.lists, row))
        return {at for at, count in times.items() if count >= min_terms}

    def _matching_all(self, row: int) -> Collection[int]:
        lists = sorted((term.positions(self.lists, row) for term in self._terms), key=len)
        return _intersection(lists) if lists else ()


def _intersection(lists: Sequence[Collection[int]]) -> Collection[int]:
    """Return the intersection of *lists*, the first of which is the shortest."""
    common: Collection[int] = lists[0]
    for other in lists[1:]:
        if not common:
            break
        if isinstance(other, array) and len(common) * SEEK < len(other):
            common = {at for at in common if (index := bisect_left(other, at)) < len(other) and other[index] == at}
        else:
            common = set(common).intersection(other)
    return common


def _restricted(postings: PostingList, few: Sequence[int]) -> PostingList:
    """Return the postings at the sorted positions *few*."""
    positions, codes = postings
    count = len(positions)
    if len(few) * SEEK >= count:
        return _marked(postings, map(set(few).__contains__, positions))
    indexes = [index for at in few if (index := bisect_left(positions, at)) < count and positions[index] == at]
    return array("H", map(positions.__getitem__, indexes)), bytes(map(codes.__getitem__, indexes))


def _marked(postings: PostingList, mask: Iterable[object]) -> PostingList:
    """Return the postings that *mask* marks."""
    positions, codes = postings
    keep = list(mask)
    return array("H", compress(positions, keep)), bytes(compress(codes, keep))


def within(postings: Postings, projects: Collection[int]) -> TextFilter:
    """Return a filter for texts of *projects*."""

    def accept(row: int, positions: Iterable[int]) -> Iterable[object]:
        return map(projects.__contains__, map(postings.projects(row).__getitem__, positions))

    return accept


def between(postings: Postings, first: int, last: int) -> TextFilter:
    """Return a filter for texts whose rows lie between *first* and *last*, inclusive."""
    numbers = range(first, last + 1)

    def accept(row: int, positions: Iterable[int]) -> Iterable[object]:
        return map(numbers.__contains__, map(postings.texts(row).__getitem__, positions))

    return accept


def of_sources(postings: Postings, passing: bytes | bytearray) -> TextFilter:
    """Return a filter for texts whose source row is marked in *passing*."""

    def accept(row: int, positions: Iterable[int]) -> Iterable[object]:
        try:
            return bytes(map(passing.__getitem__, map(postings.sources(row).__getitem__, positions)))
        except IndexError:
            raise malformed() from None

    return accept


def passing(postings: Postings, rows: bytes | bytearray) -> set[int]:
    """Return the rows of all texts that :func:`of_sources` accepts."""
    accept = of_sources(postings, rows)
    segments = ((row, postings.texts(row)) for row in postings.segments)
    return {text for row, texts in segments for text in compress(texts, accept(row, range(len(texts))))}


def all_of(*filters: TextFilter) -> TextFilter | None:
    """Return the conjunction of *filters*; None if there are none."""

    def accept(row: int, positions: Iterable[int]) -> Iterable[object]:
        return map(all, zip(*(accept_one(row, positions) for accept_one in filters)))  # noqa: B905 - all cover the same positions

    return accept if len(filters) > 1 else next(iter(filters), None)


def exact(terms: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the indexed exact forms of those *terms* that are single words."""
    return [form for group in terms if len(group) == 1 for form in exact_forms(group)]
