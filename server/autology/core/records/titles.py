"""Titles of records: from a field, the heading, a name, or the file's name, without the record's number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from autology.core.records.grouping import Candidate
from autology.text.adr.dates import DATE
from autology.text.adr.plain import plain
from autology.text.adr.sections import section_name
from autology.text.adr.titles import heading_title
from autology.text.records.file_names import parsed
from autology.text.records.outline import Heading, Outline

FREQUENT = 3
"""Records that begin with the same heading from which it names a section."""
SHARE = 0.05
COMMON = 0.3
"""Share of the headings that must begin with the same words and the record's number for them to be its prefix."""
MOST = 0.5
"""Share of the headings that must begin with the same words and a colon for these to be their prefix."""
_FIRST = 3
_PREFIX = re.compile(
    r"[\W_]*(?P<prefix>[^\W\d_][^\W\d_.]*(?:[ -][^\W\d_.]+){0,2}?)?[\s_#.:№-]{0,3}0*(?P<number>\d{1,6})(?![\w]|\.\d)"
)
_KIND = re.compile(r"(?P<prefix>[^\W\d_]+(?:[ -][^\W\d_]+){0,2}):\s+(?=\S)")
_MARKS = re.compile(rf"(?:[\s:.)\]–—|,-]|(?:{DATE}))*", re.IGNORECASE)
_ROLE = re.compile(r":[a-z]+:`([^`]*)`|``([^`]*)``")
_MACRO = re.compile(r"(?:link|xref):\S+?\[([^\]]*)\]")
_IDENTIFIER = re.compile(r"[`_]|\A\S+\Z")
_LEFT_OVER = re.compile(
    r"\W*(?:(?:your |the |a )?title(?: of .*)?|(?:[a-z]{2,12} )?template|neat[- ]enhancement[- ]idea)\W*\Z",
    re.IGNORECASE,
)
"""Titles of templates, the last that of Kubernetes' and OpenShift's enhancements."""
_NOTHING = re.compile(
    r"\W*(?:n/?a(?: .*)?|not applicable.*|none|null|nil|tbd|to be (?:determined|decided)|todo|fill me in.*"
    r"|\(fill.*)?\W*\Z",
    re.IGNORECASE,
)


def shown(title: str) -> str:
    """Return a *title* of any form as plain text."""
    return plain(_MACRO.sub(r"\1", _ROLE.sub(lambda match: match[1] or match[2], title)))


def is_left_over(title: str, stem: str) -> bool:
    """Whether *title* is that of the template; the name *stem* of the record's file does not speak of one."""
    return _LEFT_OVER.match(title) is not None and not {"template", "title"} & set(re.split(r"\W|_", stem.lower()))


def section_headings(outlines: Sequence[Outline]) -> frozenset[str]:
    """Return the names that several records have among their first headings: those of sections, not titles."""
    counts: Counter[str] = Counter()
    for outline in outlines:
        counts.update({section_name(heading.title) for heading in outline.headings[:_FIRST]})
    fewest = max(FREQUENT, SHARE * len(outlines)) if len(outlines) >= FREQUENT else 2
    return frozenset(name for name, count in counts.items() if count >= fewest)


def title_heading(outline: Outline, frequent: frozenset[str]) -> Heading | None:
    """Return the heading that is the record's title: the first one, unless it names a section."""
    top = [heading for heading in outline.headings if heading.level == 1]
    for at, heading in enumerate(outline.headings[:_FIRST]):
        if section_name(heading.title) not in frequent and shown(heading.title) and (at == 0 or top == [heading]):
            return heading
    return None


def prefixes(candidates: Sequence[Candidate], frequent: frozenset[str]) -> frozenset[str]:
    """Return the words with which the title headings of a collection begin, in lower case.

    They stand before the record's number, or before a colon, which is then their last sign: ``proposal:``.
    """
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for candidate in candidates:
        heading = title_heading(candidate.outline, frequent)
        title = shown(heading.title) if heading else ""
        if kind := _KIND.match(title):
            kinds[f"{kind['prefix'].lower()}:"] += 1
        match = _PREFIX.match(title)
        number = parsed(candidate.unit.stem).number
        if match and match["prefix"] and (number is None or int(match["number"]) == number):
            counts[match["prefix"].strip(" -").lower()] += 1
    fewest = max(2, COMMON * len(candidates))
    most = max(FREQUENT, MOST * len(candidates))
    return frozenset(
        [prefix for prefix, count in counts.items() if count >= fewest]
        + [kind for kind, count in kinds.items() if count >= most]
    )


def without_number(title: str, number: int | None, common: frozenset[str], path: str) -> tuple[str, int | None]:
    """Return *title* without the number, and the words before it, that its collection writes; and that number."""
    kind = _KIND.match(title)
    if kind and f"{kind['prefix'].lower()}:" in common:
        title = title[kind.end() :]
    match = _PREFIX.match(title)
    if match and not match["prefix"]:
        # "1. RFC 3645 - …": a heading that is numbered as a section.
        inner = title[match.end() :].lstrip(". ")
        if (nested := _PREFIX.match(inner)) and (nested["prefix"] or "").strip(" -").lower() in common:
            title, match = inner, nested
    if match:
        prefix, written = (match["prefix"] or "").strip(" -").lower(), int(match["number"])
        rest = title[match.end() :]
        marks = _MARKS.match(rest)
        after = rest[marks.end() :] if marks else rest
        if (
            prefix in common
            and after
            and (written == number or number is None or (marks and re.search(r"[:.)–—|-]", marks[0])))
        ):
            return after, written
        if (
            len(prefix) < 2
            and written == number
            and after
            and marks
            and (prefix or marks[0].strip() or title.startswith("0"))
        ):
            return after, written
    shortened, own = heading_title(title, path)
    return shortened, own if match and own == int(match["number"]) else None


def readable_name(value: str) -> str:
    """Return the *value* of a name field as a title; "" if it is an identifier or nothing."""
    text = shown(value)
    return "" if _NOTHING.match(text) or _IDENTIFIER.search(value.strip()) else text


def file_title(stem: str) -> str:
    """Return a title made of a file's or folder's name."""
    name = parsed(stem)
    words = name.words or stem
    return words[:1].upper() + words[1:]
