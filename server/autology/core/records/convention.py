"""Inferring how a collection writes its records, from what most of them do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autology.core.records.collection import (
    FIELDS,
    Convention,
    Correction,
    Location,
    SectionSupport,
    StateMeaning,
    Support,
)
from autology.text.adr.dates import find_date
from autology.text.adr.sections import section_name
from autology.text.records.field_labels import DATES, key_of, normal
from autology.text.records.outline import Field, Outline, Place

STATED = 0.1
"""Share of the records that must state a status for the collection to be one that does."""
MAIN = 0.25
"""Share of the best support from which a label that names the thing itself comes before others: status before state."""
EXPECTED = 0.6
"""Share of accepted records that have a section for it to be one of the collection's."""
FORGOTTEN = 0.15
"""Share of accepted records without a section up to which they are said to lack it: at 0.4, half of such findings about
ten public collections named sections that their authors leave out at will."""
SEVERAL = 3
"""Accepted records that have a section for another to lack it: two of three are no custom of a collection."""
_KEYS = {"title": ("title",), "authors": ("authors", "deciders"), "date": DATES}
_PLACES = tuple(Place)
ASIDE = re.compile(
    r"links?|references|(?:table of )?contents|toc|copyright|license|more information|change ?log|(?:revision"
    r"|change) history|history"
    r"|acknowledge?ments?|status|date|deciders|meta(?:data)?|preamble|footnotes|appendix|related .*|see also|notes?"
)
"""Sections that say nothing of the matter itself: a record without them is complete."""
FORMAL = re.compile(
    r"abstract|background|definitions|glossary|introduction|overview|(?:executive |short )?summary|tl;?dr"
    r"|(?:new )?terminology|positive|negative|neutral|(?:(?:positive|negative|neutral) )?consequences \(\w+\)"
)
"""Sections whose matter stands elsewhere where they are missing, and parts of others that may be empty."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place and the normalised labels under which a field is read, with its support."""

    location: Location
    label: str
    count: int


def sources(outlines: Sequence[Outline], name: str) -> list[Source]:
    """Return where the field *name* is written in the records of a collection, the one to read first at the front."""
    keys = _KEYS.get(name, (name,))
    counts: Counter[tuple[Place, str]] = Counter()
    written: dict[tuple[Place, str], Counter[str]] = {}
    for outline in outlines:
        met = set()
        for field in outline.fields:
            key = key_of(field.label)
            if key not in keys or not field.value.strip() or (key in DATES and not find_date(field.value)):
                continue
            at = (field.place, normal(field.label))
            if at not in met:
                met.add(at)
                counts[at] += 1
                written.setdefault(at, Counter())[field.label.strip()] += 1
    best = max(counts.values(), default=0)

    def order(at: tuple[Place, str]) -> tuple[object, ...]:
        place, label = at
        key = key_of(label)
        rank = keys.index(key) if counts[at] >= MAIN * best or key == keys[0] else len(keys)
        itself = label in (name, *keys[:1]) and counts[at] >= MAIN * best
        return (rank, not itself, -counts[at], _PLACES.index(place), label)

    return [
        Source(Location(at[0], written[at].most_common(1)[0][0]), at[1], counts[at]) for at in sorted(counts, key=order)
    ]


def first_value(outline: Outline, ordered: Iterable[Source]) -> tuple[Field, Source] | None:
    """Return the first non-empty value in the order of *ordered* sources."""
    for source in ordered:
        for field in outline.fields:
            if field.place is source.location.place and field.value.strip() and normal(field.label) == source.label:
                return field, source
    return None


def corrected(ordered: Sequence[Source], name: str, correction: Correction | None) -> list[Source]:
    """Return *ordered*, the location that the configuration gives first."""
    location = correction.places.get(name) if correction else None
    if location is None:
        return list(ordered)
    label = normal(location.key)
    same = [source for source in ordered if source.location.place is location.place and source.label == label]
    return [*(same or [Source(location, label, 0)]), *(source for source in ordered if source not in same)]


def schema(outlines: Sequence[Outline], correction: Correction | None) -> tuple[SectionSupport, ...]:
    """Return the sections that most of these records have, in their usual order; *outlines* are of accepted ones."""
    if correction and correction.sections is not None:
        return tuple(SectionSupport(title, section_name(title), 0, 0) for title in correction.sections)
    counts: Counter[str] = Counter()
    positions: dict[str, list[float]] = {}
    titles: dict[str, Counter[str]] = {}
    for outline in outlines:
        names = [section_name(heading.title) for heading in outline.headings]
        for at, name in enumerate(names):
            if name and name not in names[:at] and not ASIDE.fullmatch(name):
                counts[name] += 1
                positions.setdefault(name, []).append(at / len(names))
                titles.setdefault(name, Counter())[outline.headings[at].title.strip()] += 1
    expected = [name for name, count in counts.items() if count >= EXPECTED * len(outlines) and len(outlines) > 2]
    expected.sort(key=lambda name: sum(positions[name]) / len(positions[name]))
    return tuple(
        SectionSupport(titles[name].most_common(1)[0][0], name, counts[name], len(outlines)) for name in expected
    )


def convention(
    ordered: Mapping[str, Sequence[tuple[Location, int]]],
    total: int,
    sections: Sequence[SectionSupport],
    states: Sequence[StateMeaning],
    correction: Correction | None,
) -> Convention:
    """Return the convention with these locations and counts by field."""
    places = {
        name: tuple(Support(location, count, total) for location, count in ordered.get(name, ()))
        for name in FIELDS
        if ordered.get(name)
    }
    return Convention(places, sections, states, tuple(correction.places) if correction else ())
