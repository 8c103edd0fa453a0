"""Changing an adopted record: its own text by the smallest edit in its form, everything else in its sidecar."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from autology.core.adoption import single
from autology.core.adoption.adopted import Adopted
from autology.core.adoption.container import Container, Part, joined
from autology.core.adoption.record_node import OWN_FIELDS, UNRELATED, beside, node, unrelated
from autology.core.adoption.records import Records, checksum
from autology.core.content.codec import Stored
from autology.model.errors import ValidationError
from autology.model.node import DERIVED, SUPERSEDED_BY, DecisionStatus, Node, NodeStatus, NodeType, Relation
from autology.text.notes import sidecar
from autology.text.notes.charset import Decoded, decode
from autology.text.notes.frontmatter import texts
from autology.text.records import editing
from autology.text.records.outline import MARKDOWN, Field, Outline, Place

_NAMING = (Place.SECTION, Place.LINE, Place.TABLE)
"""Places where a status is followed by what replaced the record; in others it is one of a list of words."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
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

    def outline(self) -> Outline:
        return single.outlined(self.one, self.text, self.beside)

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
    now = _Texts(one, container, main, second, main.text, second.text if second else None)
    if entry.content != before.content:
        now.text = _with_content(now, before.content, entry.content)
    if entry.title != before.title:
        _retitle(records, now, entry.title)
    in_text = _restate(records, now, before, entry)
    added = _sidecar(records, container, before, entry, in_text)
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
    return text[:at] + after


def _retitle(records: Records, now: _Texts, title: str) -> None:
    one, outline = now.one, now.outline()
    location = one.located.get("title")
    if location is None or location[0] in (Place.NAME, Place.FOLDER):
        step = f"Rename the file: its name is its title ({one.path})."
        raise ValidationError("title", "is not written in the record's text", step)
    if "\n" in title or "\r" in title:
        raise ValidationError("title", "has several lines", "Give one line.")
    at = single.heading_of(outline) if location[0] == Place.HEADING else single.field_at(outline, location)
    if at is None:
        raise ValidationError("title", "is no longer where it was", f"Edit {one.path} by hand.")
    shown = single.title_in(one, records.manner(one), outline)
    try:
        if isinstance(at, Field):
            field = at
            now.change(field, lambda text: editing.with_title(text, field, shown, title))
        else:
            now.text = editing.with_title(now.text, at, shown, title)
    except editing.NotWritableError as error:
        raise ValidationError("title", str(error), f"Edit {one.path} by hand.") from None


def _restate(records: Records, now: _Texts, before: Node, entry: Node) -> bool:
    """Write the status of *entry* into the record's own text; return whether it is there."""
    newer = _new_successor(before, entry)
    if entry.decision_status is None or (entry.decision_status is before.decision_status and not newer):
        return True
    one, manner, outline = now.one, records.manner(now.one), now.outline()
    field = single.field_at(outline, one.located.get("status") or manner.places.get("status"))
    if field is None or not field.value.strip():
        return False
    status = entry.decision_status
    word = manner.words.get(status.value) or _WORDS[status.value]
    successor = ""
    if status is DecisionStatus.SUPERSEDED and newer and field.place in _NAMING:
        successor = _reference(records, one, newer)
    elif status is before.decision_status:
        return True
    written = field
    try:
        now.change(written, lambda text: editing.with_status(text, written, word, successor))
    except editing.NotWritableError:
        return False
    again = single.reread(one, manner, now.text, now.beside, checksum([now.text.encode("utf-8", "replace")]))
    return again.status == status.value


def _new_successor(before: Node, entry: Node) -> str:
    """Return the id of the node that newly replaces *entry*, "" if there is none."""
    former = set(_ID.findall(" ".join(texts(before.extra.get(SUPERSEDED_BY)))))
    return next((id for id in _ID.findall(" ".join(texts(entry.extra.get(SUPERSEDED_BY)))) if id not in former), "")


def _reference(records: Records, one: Adopted, newer: str) -> str:
    """Return how the record with the id *newer* is named in *one*; "" if it is not a record."""
    other = next((path for path in records.snapshot.records if records.id_of(path) == newer), None)
    target = records.get(other) if other else None
    if target is None:
        return ""
    label = f"{target.number}. {target.title}" if target.number else target.title
    if one.form != MARKDOWN:
        return label
    return f"[{label}]({posixpath.relpath(target.path, posixpath.dirname(one.path) or '.')})"


def _sidecar(records: Records, container: Container, before: Node, entry: Node, in_text: bool) -> Part:
    """Return the sidecar with what *entry* adds to the record; without data if that is nothing."""
    path = records.sidecar_path(before.record)
    data = container.sidecar.data if container.sidecar else None
    former = beside(container) or _blank(before)
    status = former.decision_status
    if entry.decision_status is not before.decision_status or not in_text:
        status = None if in_text else entry.decision_status
    own = {key: value for key, value in entry.extra.items() if key not in OWN_FIELDS and key != UNRELATED}
    removed = _removed(former, before, entry)
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


def _removed(former: Node, before: Node, entry: Node) -> list[str]:
    """Return the derived relations that are not shown, as ``type id``."""
    now = {relation.key for relation in entry.relations}
    gone = [f"{one.type} {one.target}" for one in before.relations if one.is_derived and one.key not in now]
    named = {f"{type} {target}" for type, target in now}
    return [one for one in dict.fromkeys((*unrelated(former.extra), *gone)) if one not in named]


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
