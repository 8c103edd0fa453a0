"""Which parts of a decision a record lacks that its collection makes a reader look for.

Readers of 119 collections that no rule had seen found half of the findings about any section of no use: the matter
stood under another heading, the section came later than the record, or it is one that is left out at will.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from autology.core.records.archives import is_archived
from autology.core.records.collection import SectionSupport
from autology.core.records.convention import ASIDE, FORGOTTEN, FORMAL, SEVERAL
from autology.core.records.reader import Entry, ReadCollection
from autology.model.node import DecisionStatus
from autology.text.adr.sections import CONTEXT, DECISION, parts_named, section_name
from autology.text.records.field_labels import normal
from autology.text.records.outline import Outline, Place
from autology.text.records.section_words import telling_stems
from autology.text.stemmer import stem

_PROCESS = re.compile(r"meta|process|informational|organi[sz]ational|governance|policy", re.IGNORECASE)
_JOINING = frozenset("a an and for in of on or the to & und der die das et de la le los y".split())
_AT_WILL = "prior art"
"""A part that a complete record may have nothing to say in."""
_MATTER = re.compile(
    r"(?:\w+ )?(?:design|specification|description|explanation|rationale|details|requirements|approach)"
    r"|rationale .*|design .*|proposed .*|decision .*|what|why|how"
)
"""Sections with what a record is about: it may stand under headings of its own."""
OWN = 3
"""Headings of its own from which a record with less than half of the usual sections follows another form."""
PROSE = 1_500
"""Characters of a record with one of the usual sections from which it tells the others in prose."""
NOTHING = 8
"""Characters below a heading, line ends included, up to which it says nothing: ``None.``, ``N/A``, ``TBD``."""
OFTEN = 1 / 3
"""Share of the accepted records with a section that say nothing in it from which one without it lacks nothing. In the
one collection that readers found to be so, it was 15 of 26; chosen below."""
TEMPLATE = 0.5
"""Share of a collection's sections that a template must ask for to be the collection's own."""


def lapses(collection: ReadCollection, *, is_closed: bool = False) -> dict[str, tuple[str, ...]]:
    """Return, by path, the titles of the sections that each record of a collection lacks, those of clear lapses only.

    A section that the configuration asks for is one whenever it is missing; in a project that *is closed*, no other.
    """
    sections = collection.convention.sections
    configured = [section for section in sections if not section.of]
    usual = [
        section
        for section in sections
        if _is_expected(section)
        and _is_in_template(section, collection, sections)
        and not _is_within(section, sections)
        and not _is_often_empty(section.key, collection.entries)
    ]
    wanted = (*configured, *usual)
    places = _order(collection.entries)
    firsts = {section.key: _first(section.key, collection.entries, places) for section in usual}
    keys = [section.key for section in sections]
    missing: dict[str, tuple[str, ...]] = {}
    for entry in collection.entries:
        names = _names(entry.outline)
        absent = [section for section in wanted if not any(_is_section(name, section.key) for name in names)]
        if not absent or _is_of_process(entry.outline):
            continue
        own = _headings_of_its_own(entry, names, keys)
        usual_ones = sum(any(_is_section(name, key) for name in names) for key in keys)
        is_prose = usual_ones == 0 or (usual_ones == 1 and entry.outline.length >= PROSE)
        has_another_form = is_prose or (len(own) >= OWN and 2 * usual_ones < len(keys))
        clear = (
            section.title
            for section in absent
            if not section.of
            or not (
                is_closed
                or has_another_form
                or is_archived(entry.unit.path)
                or (places and places[entry.unit.path] < firsts[section.key])
                or _is_elsewhere(section.key, names, is_free=bool(own), is_decision=collection.kind == "decision")
            )
        )
        missing[entry.unit.path] = tuple(clear)
    return missing


def _is_of_process(outline: Outline) -> bool:
    """Whether a record says of itself that it is about the process and not about the matter of the others."""
    return any(
        field.place is not Place.SECTION
        and normal(field.label) in ("type", "category", "kind")
        and _PROCESS.fullmatch(field.value.strip()) is not None
        for field in outline.fields
    )


def _is_expected(section: SectionSupport) -> bool:
    """Whether a record without *section*, which others of its collection have, lacks a part of a decision.

    Of findings about decision, alternatives and consequences in 120 repositories, readers found 28 of 36 right; of
    those about sections of a collection's own ("Test Cases", "Security", "Adoption strategy"), 1 of 7; and none of 6
    about context or motivation, which the introduction of a record usually covers.
    """
    if section.count < SEVERAL or not parts_named(section.key, is_title=True) - {CONTEXT}:
        return False
    has_most = section.of - section.count <= max(1, FORGOTTEN * section.of)
    is_optional = FORMAL.fullmatch(section.key) or section.key == _AT_WILL or _is_optional(section.title)
    return has_most and not is_optional


def _is_within(section: SectionSupport, sections: Sequence[SectionSupport]) -> bool:
    """Whether *section* is a part of another of the collection, which need not have it: MADR's ``Consequences``, or
    ``Positive Consequences``."""
    return section.key.endswith("consequences") and any(one.key == "decision outcome" for one in sections)


def _is_often_empty(key: str, entries: Sequence[Entry]) -> bool:
    """Whether many of the accepted records with the section called *key* say nothing in it."""
    accepted = (entry for entry in entries if entry.status is DecisionStatus.ACCEPTED)
    sizes = [size for entry in accepted for size in _sizes(entry.outline, key)[:1]]
    return bool(sizes) and sum(size <= NOTHING for size in sizes) >= OFTEN * len(sizes)


def _sizes(outline: Outline, key: str) -> list[int]:
    """Return how many characters stand below each heading called *key*, those below its subheadings included."""
    heads = outline.headings
    ends = [
        next((other.start for other in heads[at + 1 :] if other.level <= head.level), outline.length)
        for at, head in enumerate(heads)
    ]
    return [
        end - head.body for head, end in zip(heads, ends, strict=True) if _is_section(section_name(head.title), key)
    ]


def _is_optional(title: str) -> bool:
    return "optional" in title.lower()


def _is_in_template(section: SectionSupport, one: ReadCollection, sections: Sequence[SectionSupport]) -> bool:
    """Whether the collection's template asks for *section*; also if it has no template."""
    for headings in one.templates:
        names = [section_name(title) for title in headings if not _is_optional(title)]
        own = sum(any(_is_section(name, other.key) for name in names) for other in sections)
        if own >= TEMPLATE * len(sections) and not any(_is_section(name, section.key) for name in names):
            return False
    return True


def _order(entries: Sequence[Entry]) -> Mapping[str, int]:
    """Return the place of each record in its series, by path: its number, else its date; {} if they form no series."""
    numbers = {entry.unit.path: entry.number for entry in entries if entry.number is not None}
    if len(set(numbers.values())) == len(entries):
        return numbers
    dates = {entry.unit.path: entry.date for entry in entries if entry.date}
    days = sorted(set(dates.values()))
    return {path: days.index(day) for path, day in dates.items()} if len(dates) == len(entries) else {}


def _first(key: str, entries: Sequence[Entry], places: Mapping[str, int]) -> int:
    """Return the place of the first accepted record with the section called *key*: earlier ones are older than it."""
    having = (
        places[entry.unit.path]
        for entry in entries
        if places
        and entry.status is DecisionStatus.ACCEPTED
        and any(_is_section(name, key) for name in _names(entry.outline))
    )
    return min(having, default=0)


def _names(outline: Outline) -> list[str]:
    return [section_name(heading.title) for heading in outline.headings]


def _headings_of_its_own(entry: Entry, names: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return a record's headings that are neither its title nor sections that others have or that say a part."""
    title = entry.located.get("title")
    return [
        name
        for at, (name, heading) in enumerate(zip(names, entry.outline.headings, strict=True))
        if name
        and not (title and title.start <= heading.start < title.stop)
        and not (at == 0 and heading.level == 1)
        and not ASIDE.fullmatch(name)
        and not FORMAL.fullmatch(name)
        and not parts_named(name, is_title=False)
        and not any(_is_section(name, key) for key in keys)
    ]


def _is_elsewhere(key: str, names: Sequence[str], *, is_free: bool, is_decision: bool) -> bool:
    """Whether what belongs in the section called *key* may stand under a heading with one of its telling words, or if
    it is the matter itself under any heading: a proposal's also in its summary."""
    telling = telling_stems(key)
    if any(telling & telling_stems(name) for name in names):
        return True
    parts = parts_named(key, is_title=True)
    if _MATTER.fullmatch(key) or DECISION in parts:
        return is_free or not is_decision
    return False


@lru_cache(maxsize=16_384)
def _is_section(name: str, key: str) -> bool:
    """Whether a section called *name* serves for the one called *key*: all words of one are among the other's, as in
    "Proposal: a custom tool" and "Drawbacks", or both are the same part of a decision."""
    if name == key or name.startswith(f"{key}:"):
        return True
    words, wanted = _stems(name), _stems(key)
    if words and wanted and (words <= wanted or wanted <= words):
        return True
    return bool(parts_named(name, is_title=True) & parts_named(key, is_title=True))


def _stems(title: str) -> frozenset[str]:
    """Return the stems of the words in *title*, without *and*, *of* and the like."""
    return frozenset(stem(word) for word in re.findall(r"\w+", title) if word not in _JOINING)
