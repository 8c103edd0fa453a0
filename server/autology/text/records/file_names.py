"""The names of records' files and folders: their prefix, number, date and words."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_DATE = re.compile(
    r"(?P<year>(?:19|20)\d{2})(?P<mark>[-_.]?)(?P<month>0[1-9]|1[0-2])(?:(?P=mark)(?P<day>0[1-9]|[12]\d|3[01])"
    r"(?:(?:T?(?:[01]\d|2[0-3])(?P<colon>[-_.:]?)[0-5]\d(?:(?P=colon)[0-5]\d)?|[-_](?:[01]\d|2[0-3])(?:[0-5]\d){2})Z?)?"
    r")?(?![\d])"
    r"[-_. ]*(?:(?P<number>\d{1,6})(?=[-_. ]))?"
)
_NUMBER = re.compile(
    r"(?P<prefix>[A-Za-z][A-Za-z_. -]{0,40}?)??[-_# .]*(?P<number>\d{1,6})(?P<part>[-.]\d{1,2}(?!\w))?(?=[-_. )+]|\Z)"
)
_GAPS = re.compile(r"[-_\s.]+")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
LETTER = "?"
"""The prefix of names numbered by letter and number, as A57 and L7."""
SHARED = 0.1
"""Share of the names in a folder that a prefix needs to be the collection's: EIPs and ERCs lie together."""
FEWEST = 2


@dataclass(frozen=True, slots=True)
class Name:
    """A name's parts; *number* is None without one, *part* is that of a record in several: ``01`` of cap-0046-01."""

    prefix: str
    number: int | None
    part: str
    date: str | None
    words: str


@lru_cache(maxsize=65_536)
def parsed(stem: str) -> Name:
    """Return the parts of a file's or folder's name without extension."""
    if (date := _DATE.match(stem)) and (date["day"] or date["mark"] != "" or len(stem) > 6):
        day = f"{date['year']}-{date['month']}-{date['day']}" if date["day"] else None
        number = int(date["number"]) if date["number"] and date["day"] else None
        words = stem[date.end() :]
        return Name("", number, "", day or f"{date['year']}-{date['month']}", _spaced(words))
    match = _NUMBER.match(stem)
    if not match:
        return Name("", None, "", None, _spaced(stem))
    prefix = (match["prefix"] or "").strip("-_. ").lower()
    part = (match["part"] or "").strip("-.")
    return Name(prefix, int(match["number"]), part, None, _spaced(stem[match.end() :]))


def shared_prefixes(stems: Iterable[str]) -> frozenset[str]:
    """Return the prefixes by which the names in a folder are numbered, "" for none; empty if they are not."""
    counts: Counter[str] = Counter()
    total = 0
    for stem in stems:
        name = parsed(stem)
        total += 1
        if name.number is not None and name.date is None and not (name.prefix == "" and _YEAR.match(stem)):
            counts[prefix_of(name)] += 1
    return frozenset(prefix for prefix, count in counts.items() if count >= FEWEST and count >= SHARED * total)


def prefix_of(name: Name) -> str:
    """Return a name's prefix; `LETTER` for any single letter."""
    return LETTER if len(name.prefix) == 1 else name.prefix


def nearest(source: str, paths: Sequence[str]) -> str | None:
    """Return the one of *paths* that is the fewest folders away from *source*; None on a tie."""
    if len(paths) < 2:
        return paths[0] if paths else None
    home = posixpath.dirname(source).split("/")

    def distance(path: str) -> int:
        folder = posixpath.dirname(path).split("/")
        shared = len(posixpath.commonprefix([home, folder]))
        return len(home) + len(folder) - 2 * shared

    ranked = sorted((distance(path), path) for path in paths if path != source)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def _spaced(words: str) -> str:
    return _GAPS.sub(" ", words).strip()
