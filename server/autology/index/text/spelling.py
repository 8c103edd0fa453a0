"""The words of an index that others may be misspellings of."""

from __future__ import annotations

from autology.text.misspelt_search_words import beginnings, is_misspelt
from autology.text.stemmer import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.index.text.postings import Postings


def spelled(postings: Postings, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return, for each of *words* that may be a misspelling, the most frequent word of *postings* that it may mean.

    *words* are in lower case and do not occur in *postings*.
    """
    meant = []
    for word in words:
        near = {start: postings.with_prefix(start) for start in beginnings(word)}
        terms = {term.rstrip("_") for terms in near.values() for term in terms if term.rstrip("_").isalpha()}
        matching = [term for term in terms if is_misspelt(word, term) or is_misspelt(stem(word), term)]
        if matching:
            counts = postings.exact_frequencies(map(stem, matching))
            best = max(sorted(matching), key=lambda term: counts[stem(term)])
            if counts[stem(best)]:
                meant.append((word, best))
    return meant
