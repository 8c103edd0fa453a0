"""A new record of an adopted collection: its files, in the form, with the number and the sections of its neighbours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from autology.core.adoption import reread_record
from autology.core.adoption.record_facts import Adopted, Manner, own_id
from autology.core.adoption.records import Records
from autology.core.content.files import Change
from autology.model.errors import ValidationError
from autology.model.next_step import Action, Sentence, do
from autology.model.node import DecisionStatus, Node
from autology.text.adr.sections import parts_named, section_name
from autology.text.markdown.sections import sections
from autology.text.records import composing
from autology.text.records.composing import NotComposableError
from autology.text.records.editing import cased
from autology.text.records.field_labels import normal
from autology.text.records.outline import Field, Heading, Outline, Place

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class NewRecord:
    """The *changes* of files that make a record, the *path* of its main one, its *id*, and what it has to state."""

    changes: tuple[Change, ...]
    path: str
    id: str
    title: str
    status: DecisionStatus


def compose(records: Records, folder: str, node: Node, today: date) -> NewRecord:
    """Return *node*, a decision, as the next record of the adopted collection in *folder*.

    Raises:
        ValidationError: there is no such collection.
        NotComposableError: none of its records is written in a form that a new one can be given.
    """
    neighbours = _neighbours(records, folder)
    status = node.decision_status or DecisionStatus.ACCEPTED
    number = max((int(one.number) for one in neighbours if one.number), default=0) + 1
    one = _model(neighbours, status)
    return _Writing(records, one, node, status, number, today).record()


def _neighbours(records: Records, folder: str) -> Sequence[Adopted]:
    """Return the records of the collection in *folder*."""
    every = records.snapshot.records.values()
    place = folder.strip().replace("\\", "/").removeprefix("./").strip("/")
    place = "" if place == "." else place
    located = [one for one in every if records.manner(one).folder == place]
    located = located or [one for one in every if place and one.path.startswith(f"{place}/")]
    if not located or len({one.manner for one in located}) > 1:
        names = sorted({manner.folder or "." for manner in records.snapshot.manners})
        step = f"Name one of: {', '.join(names)}." if names else Sentence("Adopt a collection first: ", do(Action.INIT))
        raise ValidationError("capture_to", f"'{folder[:200]}' is not the folder of an adopted collection", step)
    return located


def _model(neighbours: Sequence[Adopted], status: DecisionStatus) -> Adopted:
    """Return the record that a new one is written like: of the same status if possible, and the newest."""
    written = [one for one in neighbours if one.form in composing.WRITTEN]
    if not written:
        raise NotComposableError("its form is only read")
    wanted = (status.value, DecisionStatus.ACCEPTED.value, DecisionStatus.PROPOSED.value)
    rank = {word: len(wanted) - at for at, word in reversed(list(enumerate(wanted)))}
    return max(written, key=lambda one: (rank.get(one.status, 0), int(one.number or 0), one.date, one.path))


class _Writing:
    """A new record while it is being written like *one*."""

    def __init__(
        self, records: Records, one: Adopted, node: Node, status: DecisionStatus, number: int, today: date
    ) -> None:
        self.records, self.one, self.node, self.status = records, one, node, status
        self.number, self.today = number, today
        self.manner: Manner = records.manner(one)
        self.text = records.folders.text(one.path) or ""
        self.second = (records.folders.text(one.paths[1]) or "") if len(one.paths) > 1 else None
        self.outline: Outline = reread_record.outlined(one, self.text, self.second)
        self.own = reread_record.outlined(one, self.text, None)

    def record(self) -> NewRecord:
        path, second = self._paths()
        changes = [Change(path, None, self._in_line_ends(self.text, self._main()))]
        if second is not None and self.second is not None:
            fields = [field for field in self.outline.fields if field.place is Place.SIDECAR]
            text = composing.fields_like(self.second, fields, self._values().get(Place.SIDECAR, {}))
            changes.append(Change(second, None, self._in_line_ends(self.second, text)))
        id_path = path.rpartition("/")[0] if self.one.id_path != self.one.path else path
        return NewRecord(tuple(changes), path, own_id(id_path), self.node.title, self.status)

    def _in_line_ends(self, like: str, text: str) -> bytes:
        plain = text.replace("\r\n", "\n")
        return (plain.replace("\n", "\r\n") if "\r\n" in like else plain).encode()

    def _paths(self) -> tuple[str, str | None]:
        one = self.one
        is_folder = one.id_path != one.path
        folder, _, name = one.id_path.rpartition("/")
        stem, dot, ending = (name, "", "") if is_folder else name.rpartition(".")
        new = composing.name_like(stem, self.number, self.node.title, self.today)
        base = f"{folder}/{new}" if folder else new
        taken = {known.id_path.lower() for known in self.records.snapshot.records.values()}
        if f"{base}{dot}{ending}".lower() in taken:
            raise NotComposableError(f"{base}{dot}{ending} exists")
        if not is_folder:
            second = one.paths[1].rpartition("/")[2] if len(one.paths) > 1 else None
            return f"{base}.{ending}", f"{base}.{second.rpartition('.')[2]}" if second else None
        inner = [file.removeprefix(f"{one.id_path}/") for file in one.paths]
        return f"{base}/{inner[0]}", f"{base}/{inner[1]}" if len(inner) > 1 else None

    def _main(self) -> str:
        outline, title = self.own, ("", "")
        if outline.headings and self.one.title in outline.headings[0].title:
            title = (outline.headings[0].title, self._retitled(outline.headings[0].title))
        head = composing.head_like(self.text, outline, self._values(), title)
        headline = composing.headline_like(self.text, outline)
        level = self._level(outline.headings[1:] if title[0] else outline.headings)
        titles, missing = self._titles()
        body = composing.body_like(self.node.content, headline, level, titles)
        rest = "".join(f"\n{headline(level, name)}\n" for name in missing)
        return f"{head.rstrip()}\n\n{body}{rest}" if head.strip() else f"{body}{rest}"

    def _level(self, headings: Sequence[Heading]) -> int:
        wanted = {section_name(title) for title in self.manner.schema}
        return next((one.level for one in headings if section_name(one.title) in wanted), 2)

    def _titles(self) -> tuple[dict[str, str], list[str]]:
        """Return the neighbours' titles for sections of the content, and those of the sections that it lacks."""
        own = [part.title for part in sections(self.node.content)]
        stated = {key for keys in self._values().values() for key in keys}
        schema = [title for title in self.manner.schema if normal(title) not in stated]
        titles: dict[str, str] = {}
        for name in own:
            same = [one for one in schema if section_name(one) == section_name(name)]
            alike = [one for one in schema if parts_named(one, is_title=False) & parts_named(name, is_title=False)]
            for one in (*same, *alike):
                if one not in titles.values():
                    titles[name] = one
                    break
        return titles, [one for one in schema if one not in titles.values()] if own else []

    def _values(self) -> dict[Place, dict[str, str]]:
        """Return the values to write, by place and label."""
        values: dict[Place, dict[str, str]] = defaultdict(dict)
        for name in ("title", "number", "status", "date"):
            where = self.one.located.get(name) or self.manner.places.get(name)
            field = reread_record.field_at(self.outline, where)
            if field is not None:
                values[field.place][normal(field.label)] = self._value(name, field)
        return values

    def _value(self, name: str, field: Field) -> str:
        written = " ".join(field.value.split())
        if name == "title":
            return self._retitled(written)
        if name == "number":
            return _DIGITS.sub(lambda match: str(self.number).zfill(len(match[0])), written, count=1)
        if name == "status":
            word = self.manner.words.get(self.status.value) or self.status.value
            return cased(word, self.one.word or word)
        return composing.day_like(written, self.one.date, self.today)

    def _retitled(self, written: str) -> str:
        """Return the title as it is *written* there, with the new one and its number."""
        before, middle, after = written.partition(self.one.title)
        if not middle:
            raise NotComposableError("its title is written with mark-up")
        lead = _DIGITS.sub(lambda match: str(self.number).zfill(len(match[0])), before, count=1)
        return f"{lead}{self.node.title}{after}"
