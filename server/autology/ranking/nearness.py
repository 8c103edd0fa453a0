"""How near a prompt is to what was said before, by words alone, and from where on that is worth a word."""

from __future__ import annotations

import re
from math import log

from autology.text.tokens import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    # A word that is asked for, by its stem, and what it is worth: the rarer the more.
    Weighed = tuple[str, float]

ERROR, HOW_TO, FEATURE, PROBLEM = "error", "how-to", "feature", "problem"
"""What a prompt may be: an error, a question of how, something new to be made, anything else that is to be done."""


class Bar:
    """From where on a chunk counts: the *share* of what is asked that it holds, by worth, in so many *telling* words.

    Or *plenty* of them, whatever their share.
    """

    __slots__ = ("plenty", "share", "telling")

    def __init__(self, share: float, telling: int, plenty: int) -> None:
        self.share = share
        self.telling = telling
        self.plenty = plenty


RELEVANT = Bar(0.45, 0, 5)
"""For what a prompt asks of the past: who asks says more than the answer repeats."""
NEAR = {ERROR: Bar(0.42, 3, 99), HOW_TO: Bar(0.55, 3, 99), FEATURE: Bar(0.55, 3, 99), PROBLEM: Bar(0.5, 3, 99)}
"""For what a prompt merely comes close to (bench/moment): two words that are shared are a coincidence."""
CLOSE = 80
"""Words within which they must stand: in a whole chunk, some 300, any few words meet by chance."""
TELLING = 0.4
"""The worth from which on a word tells: it stands in at most 6 % of 1,000 chunks, in 1 % of 100,000."""
USUAL = 0.3
"""What a word counts that is said of every second task; the index of a young project cannot know how common it is."""

YOUNG = 300
"""Chunks from which on their number tells how rare a word is."""

_USUAL = frozenset(
    "add adds added make makes made fix fixes fixed change changed create new page file files test tests run"
    " runs running code function error errors fail fails failed app api user users data set get use used work"
    " works show shows list build built update server client project package folder name type value line button"
    " field table column row when after before from with without one two three time times name names way best"
    " please let allow support need needs want every all each get gets says said because same other again still"
    " wrong right job comes come goes go on off minute minutes second seconds day days night".split()
)
_NEW = frozenset(
    "add implement create build support introduce put let set write make send enable provide need want".split()
)
_WORD = re.compile(r"[^\W_]+")  # as the index has them, but for the cost of telling scripts apart
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = ("ations", "ation", "ings", "ing", "ied", "ies", "ers", "ed", "es", "er", "ly", "s", "e", "y")


def kind(own: str, errors: Sequence[str]) -> str:
    """Return what a prompt is, by a person's *own* words in it and the lines in it that name *errors*."""
    start = own.lower()[:60].split()[:4]
    if start[:1] in (["how"], ["hows"], ["howto"]) or start[:2] in (
        ["what's", "the"],
        ["whats", "the"],
        ["best", "way"],
    ):
        return HOW_TO
    if errors:
        return ERROR
    return FEATURE if not _NEW.isdisjoint(start) else PROBLEM


def weighed(terms: Sequence[tuple[str, ...]], often: Sequence[int], size: int) -> list[Weighed]:
    """Return *terms*, each of which *often* chunks of *size* hold, with what they are worth: 1 for the rarest."""
    size = max(size, YOUNG)
    most = log(size + 2)
    found: dict[str, float] = {}
    for term, many in zip(terms, often, strict=True):
        for token in term if len(term) == 1 else term[:-1]:
            if token in STOP_WORDS or (len(token) < 2 and token.isascii()):
                continue
            weight = log((size + 2) / (many + 1)) / most
            stem = stemmed(token)
            found[stem] = max(found.get(stem, 0.0), weight * (USUAL if token in _USUAL else 1.0))
    return list(found.items())


def reaches(bar: Bar, asked: Sequence[Weighed], text: str) -> float:
    """Return the share of what is *asked* that *text* holds, 0 where that does not reach the *bar*."""
    share, many = shared(asked, text)
    enough = share >= bar.share and many >= bar.telling
    return share if enough or many >= bar.plenty else 0.0


def shared(asked: Sequence[Weighed], text: str) -> tuple[float, int]:
    """Return which share of what is *asked* for stands close together in *text*, from 0 to 1, in how many words."""
    total = sum(weight for _, weight in asked)
    worth = dict(asked)
    there = [(at, stem) for at, stem in _stems(text, worth) if stem in worth]
    best = (0.0, 0)
    for first, (at, _) in enumerate(there):
        close = {stem for later, stem in there[first : first + CLOSE] if later < at + CLOSE}
        telling = sum(worth[stem] >= TELLING for stem in close)
        best = max(best, (sum(worth[stem] for stem in close) / total, telling))
    return best


def _stems(text: str, wanted: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the stems in *text* that may be among the *wanted*, each with its word's number."""
    begins = {stem[:2] for stem in wanted}  # stemming leaves the first letters alone
    others = [stem for stem in wanted if not stem.isascii()]
    for at, found in enumerate(_WORD.finditer(text)):
        word = found[0]
        if word.isascii():
            for part in (word,) if word.islower() or word.istitle() else _HUMP.split(word):
                lower = part.lower()
                if lower[:2] in begins:
                    yield at, stemmed(lower)
        elif others:
            folded = word.casefold()  # of scripts without spaces, a stem may stand anywhere
            yield from ((at, other) for other in others if other in folded)


def stemmed(token: str) -> str:
    """Return *token* without its ending, so that `retries` meets `retry`."""
    if not token.isascii() or len(token) < 4:
        return token
    for ending in _ENDINGS:
        if token.endswith(ending) and len(token) - len(ending) >= 3:
            token = token[: -len(ending)]
            break
    return token[:-1] if len(token) > 3 and token[-1] == token[-2] else token
