"""Reading a collection: its convention from all of its records, then each record by it."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autology.core.records import convention as conventions
from autology.core.records import states, titles
from autology.core.records.collection import (
    Convention,
    Correction,
    LeftOut,
    LocatedValue,
    Location,
    Texts,
    cached,
)
from autology.core.records.convention import Source
from autology.core.records.grouping import Candidate, FormedGroup, hint, members, outlined
from autology.core.records.membership import MOST_NUMBERED, membership
from autology.core.records.units import Unit, is_template
from autology.model.node import DecisionStatus
from autology.text.adr.dates import find_date
from autology.text.adr.sections import parts_named, section_name
from autology.text.adr.statuses import Standing, lines, standing
from autology.text.records import reading
from autology.text.records.amendment_words import Change, changes
from autology.text.records.field_labels import RELATIONS, key_of, normal
from autology.text.records.file_names import LETTER, parsed, prefix_of, shared_prefixes
from autology.text.records.mentions import Reference, Statement, named_in_part, references, statements
from autology.text.records.outline import TEXT, Field, Heading, Outline, Place, form_of

_OF_CHANGES = re.compile(r"\b(?:pr|prs|pull|issue|ticket|version|bug|page)\b")
"""Labels of numbers that are not the record's own."""
_OPTIONAL = re.compile(r"<!--(?:(?!-->)[\s\S]){0,200}\boptional\b(?:(?!-->)[\s\S]){0,200}-->\s*\Z", re.IGNORECASE)
"""The comment that MADR's template has before a section which may be left out."""
_PROPOSING = frozenset(
    (
        "proposal",
        "solution",
        "proposed solution",
        "the solution",
        "design",
        "detailed design",
        "explanation",
        "resolution",
        "recommendation",
        "conclusion",
    )
)
"""Sections that proposals have, too."""
DECISION = 0.4
"""Share of the records with a section for a decision or its consequences from which they are decisions."""
ENDED = (DecisionStatus.SUPERSEDED, DecisionStatus.DEPRECATED)


@dataclass(slots=True)
class Entry:
    """A record while it is being read."""

    unit: Unit
    outline: Outline
    number: int | None = None
    title: str = ""
    stands: Standing | None = None
    status: DecisionStatus | None = None
    source: str = ""
    date: str | None = None
    authors: tuple[str, ...] = ()
    located: dict[str, LocatedValue] = dataclasses.field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    statements: tuple[Statement, ...] = ()
    changes: tuple[Change, ...] = ()
    in_part: tuple[Reference, ...] = ()
    """The references to a part of another record."""
    status_text: str = ""


@dataclass(slots=True)
class ReadCollection:
    """A collection whose records are read, but not yet linked."""

    kind: str
    entries: list[Entry]
    left_out: list[LeftOut]
    convention: Convention
    relations: Mapping[str, Sequence[Source]]
    prefixes: frozenset[str]
    templates: tuple[tuple[str, ...], ...] = ()
    """The headings of each template that lies near."""


def read_collection(
    group: FormedGroup, texts: Texts, correction: Correction | None, guides: Sequence[str]
) -> ReadCollection | None:
    """Return the collection in *group*, read; None if nothing in it is a record after all."""
    candidates, left_out = members(group, membership(group, texts))
    if not candidates:
        return None
    frequent = titles.section_headings([candidate.outline for candidate in candidates])
    spoken = titles.prefixes(candidates, frequent)
    named = frozenset(prefix for prefix in _name_prefixes(candidates) if prefix and prefix != LETTER)
    prefixes = spoken | named
    kind = _kind(group, candidates)
    stateless = not _states_status([candidate.outline for candidate in candidates])
    entries = [
        entry
        for candidate in candidates
        if (entry := _entry(candidate, texts, prefixes, in_prose=stateless or kind == "decision"))
    ]
    outlines = [entry.outline for entry in entries]
    frequent = titles.section_headings(outlines)
    sources = {
        name: _sources(outlines, name, correction)
        for name in ("title", "name", "status", "date", "authors", *RELATIONS)
    }
    _numbers(entries)
    places = {name: [(source.location, source.count) for source in sources[name]] for name in RELATIONS}
    places["number"] = _number_places(entries)
    places["title"] = _titles(entries, sources, frequent, spoken | named)
    own = states.explained(_state_words(entries, sources["status"]), [*group.guides, *guides], texts)
    states_status = _states_status(outlines) or bool(correction and "status" in correction.places)
    places["status"] = _statuses(entries, sources["status"], group.folder, own, correction, states_status)
    places["date"] = _dates(entries, sources["date"])
    places["authors"] = _authors(entries, sources["authors"])
    accepted = [entry.outline for entry in entries if entry.status is DecisionStatus.ACCEPTED] or outlines
    convention = conventions.convention(
        places,
        len(entries),
        conventions.schema(accepted, correction),
        states.summary((entry.stands.words, entry.status, entry.source) for entry in entries if entry.stands),
        correction,
    )
    relations = {name: sources[name] for name in RELATIONS}
    templates = tuple(_headings(path, texts) for path in sorted({*group.guides, *guides}) if is_template(path))
    return ReadCollection(kind, entries, left_out, convention, relations, prefixes, templates)


def _headings(path: str, texts: Texts) -> tuple[str, ...]:
    """Return the titles of a template's sections; a comment right before one, or in it, may call it optional."""
    text = texts.text(path)
    if not text:
        return ()
    outline: Outline = cached(texts, reading.read, text, form_of(path) or TEXT)
    return tuple(
        f"{heading.title} (optional)" if _OPTIONAL.search(text, 0, heading.start) else heading.title
        for heading in outline.headings
    )


def _name_prefixes(candidates: Sequence[Candidate]) -> frozenset[str]:
    return shared_prefixes(candidate.unit.stem for candidate in candidates)


def _kind(group: FormedGroup, candidates: Sequence[Candidate]) -> str:
    if named := hint(group.folder):
        return named
    decided = sum(any(_decides(heading.title) for heading in candidate.outline.headings) for candidate in candidates)
    return "decision" if decided >= DECISION * len(candidates) else "proposal"


def _decides(title: str) -> bool:
    """Whether a section of that *title* is a decision record's, and not a proposal's."""
    parts = parts_named(title, is_title=True)
    return "Consequences" in parts or ("Decision" in parts and section_name(title) not in _PROPOSING)


def _entry(candidate: Candidate, texts: Texts, prefixes: frozenset[str], in_prose: bool) -> Entry | None:
    text = texts.text(candidate.unit.path)
    if text is None:
        return None
    outline = outlined(text, candidate.unit, texts)
    number = parsed(candidate.unit.stem).number
    entry = Entry(candidate.unit, outline)
    entry.references = cached(texts, _references, text, prefixes)
    entry.statements = cached(texts, _statements, text, prefixes, number, not in_prose)
    entry.changes = cached(texts, _changes, text, prefixes, number)
    entry.in_part = tuple(named_in_part(text, entry.references))
    return entry


def _references(text: str, prefixes: frozenset[str]) -> tuple[Reference, ...]:
    return tuple(references(text, prefixes))


def _statements(text: str, prefixes: frozenset[str], number: int | None, of_itself: bool) -> tuple[Statement, ...]:
    return tuple(statements(text, prefixes, number, of_itself=of_itself))


def _changes(text: str, prefixes: frozenset[str], number: int | None) -> tuple[Change, ...]:
    return tuple(changes(text, prefixes, number))


def _states_status(outlines: Sequence[Outline]) -> bool:
    """Whether enough of the records state a status for the collection to be one that does."""
    stating = sum(
        any(key_of(field.label) == "status" and _standing(field) is not None for field in outline.fields)
        for outline in outlines
    )
    return stating > 0 and stating >= conventions.STATED * len(outlines)


def _standing(field: Field) -> Standing | None:
    """Return what a status field states; None for a template's choices and for nothing."""
    if field.place is Place.SECTION:
        return standing(lines(field.value))
    return standing([" ".join(field.value.split())[:1_000]])


def _sources(outlines: Sequence[Outline], name: str, correction: Correction | None) -> list[Source]:
    return conventions.corrected(conventions.sources(outlines, name), name, correction)


def _located(entry: Entry, field: Field) -> LocatedValue:
    """Return where a field's value lies: in the sidecar or the main file."""
    path = entry.unit.sidecar if field.place is Place.SIDECAR and entry.unit.sidecar else entry.unit.path
    return LocatedValue(field.value, Location(field.place, field.label.strip()), path, field.start, field.stop)


def _numbers(entries: Sequence[Entry]) -> None:
    """Read each record's number: from its name if the collection numbers names, else from a field that does."""
    prefixes = shared_prefixes(entry.unit.stem for entry in entries)
    for entry in entries:
        name = parsed(entry.unit.stem)
        if name.number is not None and name.date is None and prefix_of(name) in prefixes:
            entry.number = name.number
            entry.located["number"] = LocatedValue(str(name.number), Location(Place.NAME), entry.unit.path)
    numbering = _number_label(entries)
    for entry in entries:
        if numbering is None:
            break
        for field in entry.outline.fields:
            digits = _digits(field.value) if normal(field.label) == numbering else None
            if digits is not None:
                entry.number = digits
                entry.located["number"] = _located(entry, field)
                break


def _number_label(entries: Sequence[Entry]) -> str | None:
    """Return the label of the field that has the records' numbers: those of their names, or one number for each."""
    values: dict[str, dict[int, int]] = {}
    agreeing: Counter[str] = Counter()
    for at, entry in enumerate(entries):
        for field in entry.outline.fields:
            digits = _digits(field.value)
            label = normal(field.label)
            if digits is None or field.place is Place.SECTION or key_of(label) or _OF_CHANGES.search(label):
                continue
            values.setdefault(label, {})[at] = digits
            agreeing[label] += digits == entry.number
    for label, numbers in sorted(values.items(), key=lambda item: -len(item[1])):
        enough = len(numbers) >= MOST_NUMBERED * len(entries)
        unnumbered = not any(entry.number is not None for entry in entries)
        short = len(label) <= 6 or "number" in label or label == "id"
        if enough and agreeing[label] * 10 >= len(numbers) * 8:
            return label
        if enough and unnumbered and short and len(set(numbers.values())) == len(numbers) > 1:
            return label
    return None


def _digits(value: str) -> int | None:
    plain = value.strip().strip("\"'*_` ")
    tail = plain.rpartition("-")[2] if plain[:1].isalpha() and len(plain) < 16 else plain
    return int(tail) if tail.isascii() and tail.isdigit() and len(tail) <= 6 else None


def _number_places(entries: Sequence[Entry]) -> list[tuple[Location, int]]:
    counts = Counter(entry.located["number"].location for entry in entries if "number" in entry.located)
    return counts.most_common()


def _titles(
    entries: Sequence[Entry], sources: Mapping[str, Sequence[Source]], frequent: frozenset[str], common: frozenset[str]
) -> list[tuple[Location, int]]:
    """Read each record's title; return the places, the one that most records use first."""
    heads = {entry.unit.path: titles.title_heading(entry.outline, frequent) for entry in entries}
    headed = sum(head is not None for head in heads.values())
    most = MOST_NUMBERED * len(entries)
    by_field = sum(source.count for source in sources["title"][:1]) >= most
    readers = [_field_title(sources["title"])] if by_field else []
    readers += [_heading_title(heads)] if headed >= most else []
    readers += [_field_title(sources["title"]), _named_title(sources["name"])]
    used: Counter[Location] = Counter()
    for entry in entries:
        for reader in readers:
            if (value := reader(entry)) and not titles.is_left_over(value.value, entry.unit.stem):
                break
        else:
            value = LocatedValue(titles.file_title(entry.unit.stem), Location(Place.NAME), entry.unit.path)
        title, number = titles.without_number(value.value, entry.number, common, entry.unit.path)
        if (
            entry.number is None
            and number is not None
            and value.location.place is not Place.NAME
            and parsed(entry.unit.stem).date is None
        ):
            entry.number = number
        entry.title = title
        entry.located["title"] = value
        used[value.location] += 1
    return used.most_common()


def _field_title(ordered: Sequence[Source]) -> Callable[[Entry], LocatedValue | None]:
    def read(entry: Entry) -> LocatedValue | None:
        first = conventions.first_value(entry.outline, ordered)
        if first is None or not (title := titles.shown(" ".join(first[0].value.split()))):
            return None
        located = _located(entry, first[0])
        return LocatedValue(title, located.location, located.path, located.start, located.stop)

    return read


def _named_title(ordered: Sequence[Source]) -> Callable[[Entry], LocatedValue | None]:
    def read(entry: Entry) -> LocatedValue | None:
        first = conventions.first_value(entry.outline, ordered)
        if first is None or not (title := titles.readable_name(first[0].value)):
            return None
        located = _located(entry, first[0])
        return LocatedValue(title, located.location, located.path, located.start, located.stop)

    return read


def _heading_title(heads: Mapping[str, Heading | None]) -> Callable[[Entry], LocatedValue | None]:
    def read(entry: Entry) -> LocatedValue | None:
        head = heads[entry.unit.path]
        if head is None:
            return None
        return LocatedValue(titles.shown(head.title), Location(Place.HEADING), entry.unit.path, head.start, head.body)

    return read


def _state_words(entries: Sequence[Entry], ordered: Sequence[Source]) -> list[str]:
    firsts = (conventions.first_value(entry.outline, ordered) for entry in entries)
    return sorted({first[0].value[:200] for first in firsts if first})


def _statuses(
    entries: Sequence[Entry],
    ordered: Sequence[Source],
    top: str,
    own: Mapping[str, tuple[DecisionStatus, str]],
    correction: Correction | None,
    states_status: bool,
) -> list[tuple[Location, int]]:
    """Read each record's status; a collection that states none counts as accepted."""
    used: Counter[Location] = Counter()
    for entry in entries:
        _status(entry, ordered)
    by_folder = not states_status and _folder_states(entries, top)
    for entry in entries:
        if by_folder and entry.stands is None:
            entry.stands = _folder_standing(entry.unit, top)
            if entry.stands:
                entry.located["status"] = LocatedValue(entry.stands.words, Location(Place.FOLDER), entry.unit.path)
        if entry.stands is None:
            entry.status = None if states_status or by_folder else DecisionStatus.ACCEPTED
            continue
        corrections = correction.states if correction else {}
        entry.status, entry.source = states.of_record(entry.stands.words, entry.stands.status, own, corrections)
        used[entry.located["status"].location] += 1
    return used.most_common() if states_status or by_folder else []


def _status(entry: Entry, ordered: Sequence[Source]) -> None:
    """Read a record's status: of several, that it is superseded, which comes last; else the first by the convention."""
    stated = (
        (field, stands)
        for source in ordered
        for field in entry.outline.fields
        if field.place is source.location.place and normal(field.label) == source.label
        if (stands := _standing(field)) is not None
    )
    every = list(stated)
    if not every:
        return
    over = (one for one in every if one[1].status is DecisionStatus.SUPERSEDED)
    field, entry.stands = next(over, every[0])
    entry.status_text = field.value
    entry.located["status"] = _located(entry, field)


def _folder_states(entries: Sequence[Entry], top: str) -> bool:
    """Whether the folders that the records lie in are named for their states."""
    named = sum(_folder_standing(entry.unit, top) is not None for entry in entries)
    return named >= MOST_NUMBERED * len(entries)


def _folder_standing(unit: Unit, top: str) -> Standing | None:
    own = unit.folder[len(top) :].strip("/") if top else unit.folder
    for name in reversed([part for part in (*top.split("/")[-1:], *own.split("/")) if part]):
        words = name.replace("-", " ").replace("_", " ")
        stands = standing([words])
        if stands and stands.status and len(words.split()) < 3 and hint(name) != "proposal":
            return stands
        stands = standing([words.split()[-1]])
        if stands and stands.status and len(words.split()) == 2:
            return stands
    return None


def _dates(entries: Sequence[Entry], ordered: Sequence[Source]) -> list[tuple[Location, int]]:
    """Read each record's date: from its field, else that of its status unless one that ended it, else the first of its
    changelog, else its name's.
    """
    used: Counter[Location] = Counter()
    for entry in entries:
        for source in ordered:
            values = (
                (field, day)
                for field in entry.outline.fields
                if field.place is source.location.place and normal(field.label) == source.label
                if (day := find_date(field.value[:300]))
            )
            if first := next(values, None):
                entry.date = first[1]
                entry.located["date"] = _located(entry, first[0])
                break
        name = parsed(entry.unit.stem)
        if entry.date is None and entry.stands and entry.stands.day and entry.stands.status not in ENDED:
            entry.date, entry.located["date"] = entry.stands.day, entry.located["status"]
        if entry.date is None and (first_change := _first_change(entry)):
            entry.date, entry.located["date"] = first_change
        if entry.date is None and name.date and len(name.date) == len("2020-01-01"):
            entry.date = name.date
            entry.located["date"] = LocatedValue(name.date, Location(Place.NAME), entry.unit.path)
        if "date" in entry.located:
            used[entry.located["date"].location] += 1
    return used.most_common()


def _first_change(entry: Entry) -> tuple[str, LocatedValue] | None:
    """Return the earliest date of the record's changelog, and where it lies."""
    logs = (field for field in entry.outline.fields if key_of(field.label) == "history")
    log = next(logs, None)
    days = [day for line in log.value.splitlines() if (day := find_date(line[:300]))] if log else []
    return (min(days), _located(entry, log)) if log and days else None


def _authors(entries: Sequence[Entry], ordered: Sequence[Source]) -> list[tuple[Location, int]]:
    used: Counter[Location] = Counter()
    for entry in entries:
        if first := conventions.first_value(entry.outline, ordered):
            entry.authors = _people(first[0].value)
            if entry.authors:
                entry.located["authors"] = _located(entry, first[0])
                used[entry.located["authors"].location] += 1
    return used.most_common()


def _people(value: str) -> tuple[str, ...]:
    parts = (
        value.splitlines() if "\n" in value and value.lstrip().startswith("-") else value.replace("\n", " ").split(",")
    )
    names = (titles.shown(part.strip().lstrip("-*").strip().strip("[]\"'")).strip("\"' ") for part in parts)
    return tuple(dict.fromkeys(name for name in names if name))[:50]
