"""A record's title and number, from its heading and file name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from autology.text.adr.plain import plain

NAMES = r"(?:adrs?|pdr|tdr|rfcs?|rfd|otep|kep|pep)"
"""Projects' names for their records, before the number."""

_WORDS = r"(?:architectur(?:e|al)(?:\s+technical)?\s+decision(?:\s+record)?|decision\s+record)"
_HEADING = re.compile(
    rf"(?:(?P<name>{NAMES}|{_WORDS}|decision)[\s_#-]*)?#?(?P<number>\d{{1,9}})"
    r"(?P<mark>\s*[:.)–—|]\s+|\s*[–—]\s*|\s+-+\s+|\s+|\Z)",
    re.IGNORECASE,
)
_UNNUMBERED = re.compile(rf"(?:{NAMES}|{_WORDS})\s*(?::\s*|\s[–—-]+\s)", re.IGNORECASE)
# A date (2024-01-31-, 20240131-), a name with a number (ADR-12, adr_0007, team-adr-3), or a number alone.
_FILE = re.compile(
    rf"(?P<date>\d{{4}}-\d{{2}}-\d{{2}})(?![^\W_])"
    rf"|(?:[a-z][a-z0-9]{{0,20}}[-_ ])?(?:{NAMES}|decision)[-_ #]?(?P<named>\d{{1,9}})(?![^\W_])"
    rf"|(?P<number>\d{{1,9}})(?![^\W_])",
    re.IGNORECASE,
)
_EXTENSION = re.compile(r"\.(?:md|markdown|mdown|mkd|mdx|txt)\Z", re.IGNORECASE)
_SEPARATORS = re.compile(r"[-_\s]+")
_DATE_DIGITS = 8
"""A file name's number of this many digits is a date, unless the heading has another."""


@dataclass(frozen=True, slots=True)
class FileName:
    """A file name's parts: its number, if it has one, and the words after it."""

    number: int | None
    slug: str
    dated: bool


@lru_cache(maxsize=4096)
def file_name(path: str) -> FileName:
    """Return the parts of the file name in *path*."""
    stem = _EXTENSION.sub("", path.replace("\\", "/").rsplit("/", 1)[-1])
    match = _FILE.match(stem)
    if not match:
        return FileName(None, stem, dated=False)
    digits = (match["date"] or match["named"] or match["number"]).replace("-", "")
    return FileName(int(digits), stem[match.end() :].lstrip("-_. "), dated=len(digits) == _DATE_DIGITS)


def heading_title(heading: str, path: str) -> tuple[str, int | None]:
    """Return the title in *heading*, without its number, and the record's number.

    The file name's number is the most reliable (headings are copied), unless it is a date. A bare number without
    punctuation after it belongs to the title (``12 factor apps``), unless it is the file's or begins with a zero; so
    does a standard's (``RFC 7231 semantics``).
    """
    title = plain(heading)
    named = file_name(path)
    match = _HEADING.match(title)
    if match:
        number = int(match["number"])
        if _numbers_the_record(match, number, named):
            best = named.number if named.number is not None and not named.dated else number
            return title[match.end() :].strip() or title, best
    elif unnumbered := _UNNUMBERED.match(title):
        return title[unnumbered.end() :].strip() or title, named.number
    return title, named.number


def name_title(path: str) -> str:
    """Return a title made of the name of the file at *path*."""
    name = file_name(path)
    words = _SEPARATORS.sub(" ", name.slug or _EXTENSION.sub("", path.rsplit("/", 1)[-1])).strip()
    title = plain(words) or "Untitled"
    return title[0].upper() + title[1:]


def _numbers_the_record(match: re.Match[str], number: int, named: FileName) -> bool:
    """Whether the number at a heading's beginning is the record's and not part of its title."""
    name = (match["name"] or "").lower()
    marked = bool(match["mark"].strip())
    if number == named.number or (name.startswith("adr") and named.number is None):
        return True
    if name.startswith(("rfc", "pep")):
        return marked and named.number is None
    return marked or (not name and match["number"].startswith("0"))
