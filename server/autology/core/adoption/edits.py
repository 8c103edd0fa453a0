"""Changing an adopted record: its own text by the smallest edit in its form, everything else in its sidecar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from autology.core.adoption import record_node, reread_record, write_supersession
from autology.core.adoption.container import Container, Part, joined
from autology.core.adoption.record_facts import Adopted
from autology.core.adoption.record_node import OWN_FIELDS, UNRELATED, beside, node, unrelated
from autology.core.adoption.records import Records, checksum
from autology.core.adoption.retained_head import with_head
from autology.core.content.codec import Stored
from autology.model.errors import ValidationError
from autology.model.node import (
    DERIVED,
    SUPERSEDED_BY,
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    Relation,
    RelationType,
)
from autology.text.notes import sidecar
from autology.text.notes.charset import Decoded, decode
from autology.text.notes.frontmatter import texts
from autology.text.records import editing
from autology.text.records.outline import MARKDOWN, Field, Outline, Place
from autology.text.records.successions import Where

_NAMING = (Place.SECTION, Place.LINE, Place.TABLE)
"""Places where a status is followed by what replaced the record; in others it is one of a list of words."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
FORMER_TEXT = "former_text"
"""The field of a sidecar with what a supersession replaced in the record: ``status Implemented (Swift 5.5)``."""
_BARE = re.compile(r"(?<!\r)\n")
_WORDS: Mapping[str, str] = {status.value: status.value for status in DecisionStatus}


@dataclass(slots=True)
class _Texts:
    """The texts of a record while they are being changed."""

    one: Adopted
    container: Container
    main: Decoded
    second: Decoded | None
    text: str
    beside: str | None
    former: dict[str, str]
    """What stood in the places that a supersession changed, by ``status`` or the kind of the field."""

    def outline(self) -> Outline:
        return reread_record.outlined(self.one, self.text, self.beside)

    @property
    def files(self) -> write_supersession.Files:
        return write_supersession.Files(self.text, self.beside)

    def take(self, files: write_supersession.Files | None) -> bool:
        """Take the texts of *files*; return whether there are any."""
        if files is not None:
            self.text, self.beside = files
        return files is not None

    def text_of(self, field: Field) -> str:
        """Return the text that *field* lies in."""
        return self.beside if field.place is Place.SIDECAR and self.beside is not None else self.text

    def change(self, field: Field, edit: Callable[[str], str]) -> None:
        """Apply *edit* to the text that *field* lies in."""
        if field.place is Place.SIDECAR and self.beside is not None:
            self.beside = edit(self.beside)
        else:
            self.text = edit(self.text)


def edited(records: Records, stored: Stored[Node], entry: Node) -> tuple[Node, bytes]:
    """Return *entry*, an adopted record, as it will be parsed, and the data of *stored* updated to it.

    Raises:
        ValidationError: the record's own form cannot hold the change.
    """
    if entry.type is not NodeType.DECISION:
        step = "Capture a note of that type which references it."
        raise ValidationError("type", "an adopted record stays a decision", step)
    one, container, main = records.parsed(stored.data, stored.path)
    before = node(records, stored.data, stored.path)
    second = decode(container.second.data) if container.second and container.second.data is not None else None
    former = dict(text.partition(" ")[::2] for text in texts(entry.extra.get(FORMER_TEXT)))
    now = _Texts(one, container, main, second, main.text, second.text if second else None, former)
    if entry.content != before.content:
        now.text = _with_content(now, before.content, entry.content)
    if entry.title != before.title:
        _retitle(records, now, entry.title)
    in_text = _restate(records, now, before, entry)
    removed = [*_removed(before, entry), *_restate_others(records, now, before, entry)]
    extra = {key: value for key, value in entry.extra.items() if key != FORMER_TEXT}
    retained = {FORMER_TEXT: [f"{name} {text}" for name, text in now.former.items()]} if now.former else {}
    entry = replace(entry, extra=MappingProxyType({**extra, **retained}))
    added = _sidecar(records, container, before, entry, in_text, removed)
    data = joined(
        container.with_data(
            main.encoded(now.text), second.encoded(now.beside) if second and now.beside is not None else None, added
        )
    )
    after = node(records, data, stored.path)
    if entry.title != before.title and after.title != entry.title:
        raise ValidationError("title", "cannot be written in this record's form", f"Edit {one.path} by hand.")
    return after, data


def named(records: Records, stored: Stored[Node]) -> bytes:
    """Return the data of *stored* with a sidecar, which keeps its id whatever its path becomes."""
    _, container, _ = records.parsed(stored.data, stored.path)
    if container.sidecar and container.sidecar.data is not None:
        return stored.data
    data = sidecar.written(_blank(stored.entry))
    return joined(container._replace(sidecar=Part(records.sidecar_path(stored.path), data)))


def _with_content(now: _Texts, before: str, after: str) -> str:
    text = now.text
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        after = _BARE.sub("\r\n", after)
    at = len(text) - len(before) if now.one.form == MARKDOWN else 0
    if text.endswith("\n") and not after.endswith("\n"):
        after += "\r\n" if text.endswith("\r\n") else "\n"
    replacement = reread_record.outlined(now.one, after, None)
    return text[:at] + with_head(now.one, text, now.outline(), at, after, replacement)


def _retitle(records: Records, now: _Texts, title: str) -> None:
    one, outline = now.one, now.outline()
    location = one.located.get("title")
    if location is None or location[0] in (Place.NAME, Place.FOLDER):
        step = f"Rename the file: its name is its title ({one.path})."
        raise ValidationError("title", "is not written in the record's text", step)
    if "\n" in title or "\r" in title:
        raise ValidationError("title", "has several lines", "Give one line.")
    is_heading = location[0] == Place.HEADING
    at = reread_record.heading_of(outline) if is_heading else reread_record.field_at(outline, location)
    if at is None:
        raise ValidationError("title", "is no longer where it was", f"Edit {one.path} by hand.")
    shown = reread_record.title_in(one, records.manner(one), outline)
    try:
        if isinstance(at, Field):
            field = at
            now.change(field, lambda text: editing.with_title(text, field, shown, title))
        else:
            now.text = editing.with_title(now.text, at, shown, title)
    except editing.NotWritableError as error:
        raise ValidationError("title", str(error), f"Edit {one.path} by hand.") from None


def _restate(records: Records, now: _Texts, before: Node, entry: Node) -> bool:
    """Write the status of *entry*, and what replaces it, into the record's own text; return whether its status is."""
    added, gone = _successors(before, entry)
    newer = next(iter(added), "")
    form = write_supersession.form(records, now.one, now.files, write_supersession.OLDER, newer) if newer else None
    in_text = _with_status(records, now, before, entry, newer, form)
    if form and form.where is not Where.STATUS:
        _say(now, form)
    for former in gone:
        if left := write_supersession.form(records, now.one, now.files, write_supersession.OLDER, former):
            _unsay(now, left)
    return in_text


def _with_status(
    records: Records, now: _Texts, before: Node, entry: Node, newer: str, form: write_supersession.Form | None
) -> bool:
    """Write the status of *entry* where the record states it, and there the record *newer* if *form* does so."""
    if entry.decision_status is None or (entry.decision_status is before.decision_status and not newer):
        return True
    one, manner, outline = now.one, records.manner(now.one), now.outline()
    field = reread_record.field_at(outline, one.located.get("status") or manner.places.get("status"))
    if field is None or not field.value.strip():
        return False
    status, successor = entry.decision_status, ""
    word = manner.words.get(status.value) or _WORDS[status.value]
    if status is DecisionStatus.SUPERSEDED and form and form.where is Where.STATUS:
        word, _, successor = form.statement.partition(" ")
    elif status is DecisionStatus.SUPERSEDED and newer and not form and field.place in _NAMING:
        successor = _by(records, one, newer, field.place)
    if status is before.decision_status and not successor:
        return True
    written, unchanged = field, now.files
    try:
        if status is DecisionStatus.SUPERSEDED:
            now.former.setdefault("status", editing.status_text(now.text_of(field), field))
        elif former := now.former.pop("status", ""):
            now.change(written, lambda text: editing.with_status_text(text, written, former))
            if _reads(records, now) == status.value:
                return True
            now.take(unchanged)
        now.change(written, lambda text: editing.with_status(text, written, word, successor))
    except editing.NotWritableError:
        return False
    return _reads(records, now) == status.value


def _reads(records: Records, now: _Texts) -> str:
    """Return the status that the record's own text states."""
    check = checksum([now.text.encode("utf-8", "replace")])
    return reread_record.reread(now.one, records.manner(now.one), now.text, now.beside, check).status


def _say(now: _Texts, form: write_supersession.Form) -> None:
    """Write what *form* says into the record, if that has a place for it."""
    empty = write_supersession.empty(now.one, now.files, form)
    if now.take(write_supersession.stated(now.one, now.files, form)) and empty is not None:
        now.former[form.kind] = empty


def _unsay(now: _Texts, form: write_supersession.Form) -> bool:
    """Take back what *form* says; return whether the record said so."""
    taken = now.take(write_supersession.unstated(now.one, now.files, form, now.former.get(form.kind)))
    if taken and not write_supersession.is_filled_in(now.one, now.files, form):
        now.former.pop(form.kind, None)
    return taken


def _successors(before: Node, entry: Node) -> tuple[list[str], list[str]]:
    """Return the ids of the nodes that newly replace *entry*, and of those that no longer do."""
    former, present = (
        dict.fromkeys(_ID.findall(" ".join(texts(node.extra.get(SUPERSEDED_BY))))) for node in (before, entry)
    )
    return [id for id in present if id not in former], [id for id in former if id not in present]


def _by(records: Records, one: Adopted, newer: str, place: Place) -> str:
    """Return the words that name the record with the id *newer* as the successor; "" if it is not a record."""
    other = next((path for path in records.snapshot.records if records.id_of(path) == newer), None)
    target = records.get(other) if other else None
    return f"by {write_supersession.reference_to(target, one, place)}" if target else ""


def _restate_others(records: Records, now: _Texts, before: Node, entry: Node) -> list[str]:
    """Write into the record which others it newly replaces, as its collection does, and take back the former ones.

    Return the relations that its text still states though they were removed, as ``type id``.
    """
    former, present = (
        {one.target: one for one in node.relations if one.type is RelationType.SUPERSEDES} for node in (before, entry)
    )
    for target in present:
        if target in former:
            continue
        if form := write_supersession.form(records, now.one, now.files, write_supersession.NEWER, target):
            _say(now, form)
    stated = [f"{one.type} {one.target}" for one in record_node.derived(records, now.one)]
    left = []
    for target, one in former.items():
        if target in present or one.is_derived:
            continue
        form = write_supersession.form(records, now.one, now.files, write_supersession.NEWER, target)
        if not (form and _unsay(now, form)) and f"{one.type} {target}" in stated:
            left.append(f"{one.type} {target}")
    return left


def _sidecar(
    records: Records, container: Container, before: Node, entry: Node, in_text: bool, gone: Sequence[str]
) -> Part:
    """Return the sidecar with what *entry* adds to the record; without data if that is nothing."""
    path = records.sidecar_path(before.record)
    data = container.sidecar.data if container.sidecar else None
    former = beside(container) or _blank(before)
    status = former.decision_status
    if entry.decision_status is not before.decision_status or not in_text:
        status = None if in_text else entry.decision_status
    own = {key: value for key, value in entry.extra.items() if key not in OWN_FIELDS and key != UNRELATED}
    present = {f"{one.type} {one.target}" for one in entry.relations}
    removed = [one for one in dict.fromkeys((*unrelated(former.extra), *gone)) if one not in present]
    extra = {**({UNRELATED: removed} if removed else {}), **own, sidecar.RECORD: before.record}
    extra = {key: extra[key] for key in (*former.extra, *extra) if key in extra}
    added = replace(
        former,
        tags=entry.tags,
        confidence=entry.confidence,
        references=entry.references,
        relations=_own(before, entry),
        status=_standing(entry),
        decision_status=status,
        extra=MappingProxyType(extra),
    )
    if added == former and (data is None or former.title == entry.title):
        return Part(path, data)
    added = replace(added, title=entry.title or before.title, modified=max(entry.modified, former.modified))
    return Part(path, sidecar.written(added) if data is None else sidecar.edited(data, former, added))


def _standing(entry: Node) -> NodeStatus:
    """Return the status that only the sidecar says."""
    return entry.status if entry.status is NodeStatus.NEEDS_REVIEW else NodeStatus.ACTIVE


def _own(before: Node, entry: Node) -> tuple[Relation, ...]:
    """Return the relations of *entry* that are not the record's own: a derived one that was changed is ours."""
    derived = {relation.key: relation for relation in before.relations if relation.is_derived}
    return tuple(
        replace(one, extra=tuple(pair for pair in one.extra if pair != DERIVED)) if one.is_derived else one
        for one in entry.relations
        if not one.is_derived or derived.get(one.key) != one
    )


def _removed(before: Node, entry: Node) -> list[str]:
    """Return the derived relations that were removed, as ``type id``."""
    now = {relation.key for relation in entry.relations}
    return [f"{one.type} {one.target}" for one in before.relations if one.is_derived and one.key not in now]


def _blank(node: Node) -> Node:
    """Return the sidecar of *node* that adds nothing but its id."""
    return Node(
        id=node.id,
        type=NodeType.DECISION,
        title=node.title,
        content="",
        created=node.created,
        modified=node.modified,
        source=node.source,
        extra=MappingProxyType({sidecar.RECORD: node.record}),
    )
