"""Reading a single record again, by what is known of its collection: after an edit, until the collection is read."""

from __future__ import annotations

from autology.core.adoption.record_facts import Adopted, Manner, Where
from autology.core.records import titles
from autology.model.node import DecisionStatus
from autology.text.adr.dates import find_date
from autology.text.adr.statuses import Standing, lines, standing
from autology.text.records import reading
from autology.text.records.blocks import yaml_fields
from autology.text.records.field_labels import normal
from autology.text.records.outline import Field, Heading, Outline, Place


def outlined(one: Adopted, text: str, beside: str | None) -> Outline:
    """Return the outline of a record's *text*, with the fields of the file *beside* it first."""
    outline = reading.read(text, one.form)
    if beside is None:
        return outline
    fields = tuple(yaml_fields(beside, 0, len(beside), Place.SIDECAR))
    return Outline(outline.form, (*fields, *outline.fields), outline.headings, outline.length)


def field_at(outline: Outline, where: Where | None) -> Field | None:
    """Return the first field of *outline* at the place and key *where*."""
    if where is None:
        return None
    place, key = where[0], normal(where[1])
    return next((f for f in outline.fields if f.place == place and normal(f.label) == key), None)


def heading_of(outline: Outline) -> Heading | None:
    """Return the heading that is the title's."""
    return outline.headings[0] if outline.headings else None


def reread(one: Adopted, manner: Manner, text: str, beside: str | None, check: int) -> Adopted:
    """Return *one* with the title, status and date that its changed files state."""
    outline = outlined(one, text, beside)
    word, status, located = one.word, one.status, dict(one.located)
    location = one.located.get("status") or manner.places.get("status")
    if location and (field := field_at(outline, location)) and (stands := stated(field)):
        word, status = stands.words, meaning(manner, stands)
        located["status"] = location
    date = one.date
    if (field := field_at(outline, one.located.get("date"))) and (day := find_date(field.value[:300])):
        date = day
    title = title_in(one, manner, outline)
    return one._replace(title=title, word=word, status=status, date=date, check=check, located=located)


def title_in(one: Adopted, manner: Manner, outline: Outline) -> str:
    """Return the title of *one* as *outline* has it; its former one if that is gone."""
    value = titles.shown(written_title(one, outline))
    number = int(one.number) if one.number else None
    return titles.without_number(value, number, manner.prefixes, one.path)[0] if value else one.title


def written_title(one: Adopted, outline: Outline) -> str:
    """Return the title of *one* with its number, as the place that it is read from has it; "" if there is none."""
    location = one.located.get("title")
    if location is None or location[0] in (Place.NAME, Place.FOLDER):
        return ""
    if location[0] == Place.HEADING:
        heading = heading_of(outline)
        return heading.title if heading else ""
    field = field_at(outline, location)
    return " ".join(field.value.split()) if field else ""


def stated(field: Field) -> Standing | None:
    """Return what a status field states."""
    return standing(lines(field.value) if field.place is Place.SECTION else [" ".join(field.value.split())[:1_000]])


def meaning(manner: Manner, stands: Standing) -> str:
    """Return what a state's words mean in a collection, "" if that is unknown."""
    lowered = stands.words.lower()
    for word, status in manner.meanings.items():
        if lowered == word or lowered.startswith(f"{word} "):
            return status
    return stands.status.value if isinstance(stands.status, DecisionStatus) else ""
