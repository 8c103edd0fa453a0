"""What the words of a prompt in another language mean in English, as far as an index holds that."""

from __future__ import annotations

from itertools import islice

from autology.ranking.asking_form import asking_words
from autology.text.language.translation import SPACED, UNSPACED, meanings, meanings_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autology.core.lookup_ports import Terms

SHORTEST = 3
"""Letters of a word, in a language with spaces, from which it is looked up."""
_WORDS = 16
"""Maximum words that are translated, some 0.1 ms each with the look at how often the index holds what they mean."""


def in_english(
    own: str, subject: Sequence[str], language: str, often: Callable[[Terms], Sequence[int]]
) -> dict[str, tuple[str, ...]]:
    """Return what words of the *subject* of a person's *own* words mean, by word: for each part of one, a word.

    Of several meanings it is the one that is said most *often*. A word that is said as often as it is means itself.
    """
    if language in SPACED:
        possible = {word: meanings(word, language) for word in islice(subject, _WORDS) if len(word) >= SHORTEST}
    elif language in UNSPACED:
        # In all of the own words: without the asking words, that of a word of which one is a part is left out.
        within = meanings_within(own, language, asking_words(language))
        possible = {word: (meant,) for word, meant in islice(within, _WORDS)}
    else:
        return {}
    words = [*possible, *dict.fromkeys(right for parts in possible.values() for part in parts for right in part)]
    counts = dict(zip(words, often([(word.lower(),) for word in words]), strict=True))
    english = {}
    for word, parts in possible.items():
        best = tuple(right for part in parts if counts[right := max(part, key=counts.__getitem__)])
        if best and max(counts[right] for right in best) > counts[word]:
            english[word] = best
    return english
