"""Writing into an adopted record that it replaces another one, or is replaced, as its collection's records do."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from autology.core.adoption import reread_record
from autology.core.adoption.record_facts import Adopted
from autology.core.adoption.records import Records
from autology.model.node import RelationType
from autology.text.records import successions
from autology.text.records.outline import MARKDOWN, Outline, Place
from autology.text.records.successions import Example, Named, Where

NEWER, OLDER = "supersedes", "superseded_by"
"""The kinds of what the replacing and the replaced record say."""
_OTHERS = (NEWER, OLDER, RelationType.DEPENDS_ON.value, RelationType.RELATES_TO.value)
MOST = 40
"""Records whose texts are read for how a collection says it: the last by path, which are mostly the newest."""


class Files(NamedTuple):
    """The texts of a record: its main one, and the one beside it if it has one."""

    text: str
    beside: str | None


class Form(NamedTuple):
    """How a record states something of another: like the *example*, naming it by the *reference*."""

    example: Example | None
    kind: str
    reference: str
    named: Named

    @property
    def where(self) -> Where:
        """Where it is stated; without an example, in a field that the record has."""
        return self.example.where if self.example else Where.FIELD

    @property
    def statement(self) -> str:
        """The words of a status: ``Superseded by [7. Use X](0007-use-x.md)``."""
        return successions.statement(self.example, self.reference) if self.example else ""


def form(records: Records, one: Adopted, files: Files, kind: str, other: str) -> Form | None:
    """Return how *one* states *kind* of the record with the id *other* by its collection's form; None if it has none.

    The form that most of its records use, else a field that *one* has for it, filled in or not.
    """
    target = next((path for path in records.snapshot.records if records.id_of(path) == other), None)
    record = records.get(target) if target else None
    if record is None or record.path == one.path:
        return None
    named, located = _named(record), list(_examples(records, one, kind))
    if located:
        most = Counter(example.form for example in located).most_common(1)[0][0]
        same = sorted((one for one in located if one.form == most), key=lambda example: not example.shows_digits)
        for example in same:
            if example.source == one.path and example.named.path == named.path:
                return Form(example, kind, example.text[example.start : example.stop], named)
            if reference := successions.reference_like(example, named, one.path):
                return Form(example, kind, reference, named)
        return Form(same[0], kind, reference_to(record, one, same[0].place), named)
    own = successions.own_field(_outline(one, files), kind)
    if own is None:
        return None
    for related in _OTHERS:
        for example in _examples(records, one, related):
            alike = example.place is own.place and example.where is Where.FIELD
            if alike and (reference := successions.reference_like(example, named, one.path)):
                return Form(None, kind, reference, named)
    return Form(None, kind, reference_to(record, one, own.place), named)


def reference_to(target: Adopted, one: Adopted, place: Place) -> str:
    """Return how *target* is named in *one* at *place* where nothing shows how its collection does it."""
    if place in (Place.FRONTMATTER, Place.SIDECAR, Place.HEADER, Place.FIELD_LIST):
        return target.number or _named(target).stem
    label = f"{target.number}. {target.title}" if target.number else target.title
    if one.form != MARKDOWN:
        return label
    return f"[{label}]({posixpath.relpath(target.path, posixpath.dirname(one.path) or '.')})"


def stated(one: Adopted, files: Files, form: Form) -> Files | None:
    """Return *files* with what *form* says; None if they have no place for it. They may say it already."""
    outline, place = _outline(one, files), form.example.place if form.example else None
    own = successions.own_field(outline, form.kind, place)
    is_beside = (place or (own.place if own else None)) is Place.SIDECAR
    text = files.beside if is_beside else files.text
    if text is None:
        return None
    if _says(files, outline, form, one):
        return files
    after: str | None = None
    if form.example:
        after = successions.stated(text, outline, form.example, form.kind, form.reference)
    elif own:
        after = successions.with_value(text, own, form.reference, None)
    if after is None:
        return None
    changed = files._replace(beside=after) if is_beside else files._replace(text=after)
    return changed if _says(changed, _outline(one, changed), form, one) else None


def empty(one: Adopted, files: Files, form: Form) -> str | None:
    """Return how the field that *form* would fill in is written now; None if there is none, or it names something."""
    own = successions.own_field(_outline(one, files), form.kind, form.example.place if form.example else None)
    if own is None or form.where is not Where.FIELD or not successions.is_empty(own):
        return None
    return successions.written_empty(own, (files.beside or "") if own.place is Place.SIDECAR else files.text)


def is_filled_in(one: Adopted, files: Files, form: Form) -> bool:
    """Whether the field that *form* fills in names any record."""
    own = successions.own_field(_outline(one, files), form.kind, form.example.place if form.example else None)
    return own is not None and not successions.is_empty(own)


def unstated(one: Adopted, files: Files, form: Form, empty: str | None) -> Files | None:
    """Return *files* without what *form* says, if they say it so, else None; *empty* is what its field was before."""
    if form.example is None:
        return None
    is_beside = form.example.place is Place.SIDECAR
    text = files.beside if is_beside else files.text
    if text is None:
        return None

    def put(changed: str) -> Files:
        return files._replace(beside=changed) if is_beside else files._replace(text=changed)

    def read(changed: str) -> Outline:
        return _outline(one, put(changed))

    after = successions.without(text, form.example, form.kind, form.reference, (form.named, one.path), read, empty)
    return put(after) if after is not None else None


def _says(files: Files, outline: Outline, form: Form, one: Adopted) -> bool:
    """Whether *files* have a statement of that kind about the record that *form* names."""
    stating = successions.examples(form.kind, form.named, one.path, files.text, outline, files.beside)
    return any(True for _ in stating)


def _outline(one: Adopted, files: Files) -> Outline:
    return reread_record.outlined(one, files.text, files.beside)


def _named(one: Adopted) -> Named:
    return Named(one.path, one.id_path, int(one.number) if one.number else None, one.title)


def _examples(records: Records, one: Adopted, kind: str) -> Iterator[Example]:
    """Yield how the other records of the collection of *one* state *kind*."""
    for sibling, text, beside in _texts(records, one, kind):
        outline = reread_record.outlined(sibling, text, beside)
        for target in sibling.targets(kind):
            if record := records.get(target):
                yield from successions.examples(kind, _named(record), sibling.path, text, outline, beside)


def _texts(records: Records, one: Adopted, kind: str = "") -> Iterator[tuple[Adopted, str, str | None]]:
    """Yield the records, with their texts, of the collection of *one* that state *kind*, or all if that is ""."""
    every = sorted(records.snapshot.records.values(), key=lambda record: record.path, reverse=True)
    siblings = [record for record in every if record.manner == one.manner and (not kind or record.targets(kind))]
    for sibling in siblings[:MOST]:
        text = records.folders.text(sibling.path)
        if text is not None:
            yield sibling, text, records.folders.text(sibling.paths[1]) if len(sibling.paths) > 1 else None
