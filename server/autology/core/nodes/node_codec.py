"""Nodes as files and as index entries, and the relations of a deleted one in the trash."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autology.core.adoption import record_node
from autology.core.adoption.container import changes as container_changes
from autology.core.adoption.container import is_container
from autology.core.adoption.records import Records, is_record_path
from autology.core.content.codec import Codec, Stored, Trashed, clean, clean_passages, text_of
from autology.core.content.files import Change, Stamp, Watched
from autology.core.content.trash import TRASH
from autology.core.index.changes import Put
from autology.core.nodes import sealing
from autology.core.nodes.pins import SEEN
from autology.model.conversation import ASSISTANT, USER
from autology.model.entry import CITATION, NODE, Entry, Link
from autology.model.node import SUPERSEDED_BY, DecisionStatus, Node, NodeStatus, NodeType, Relation, RelationType
from autology.text.markdown.links import mentions, written
from autology.text.notes.fields import in_line_ends_of
from autology.text.notes.frontmatter import texts
from autology.text.notes.node_file import edit_node, read_node, write_node
from autology.text.redaction import secrets_in
from autology.text.slug import last_part, slug, without_ending


class NodeCodec(Codec[Node]):
    """A node is ``.autology/nodes/{type}/{id}.md``, or one of *records*, adopted where it lies.

    *titles* returns the titles of related nodes.
    """

    kind = NODE
    noun = "node"
    trash = ""

    def __init__(
        self, titles: Callable[[Node], Mapping[str, str]] = lambda _: {}, records: Records | None = None
    ) -> None:
        self._titles = titles
        self.records = records

    def read(self, files: Watched, path: str) -> tuple[bytes, Stamp]:
        """Return the data of the node at *path*, of a record with its sidecar, and its stamp."""
        if self.records is not None and self.records.is_record(path):
            return self.records.read(path)
        return files.read(path)

    def changes(self, change: Change) -> Sequence[Change]:
        """Return the changes of files that make up a *change* of a node's data."""
        is_record = is_container(change.before) or is_container(change.after)
        in_trash = change.path.startswith(TRASH)
        return container_changes(change) if is_record and not in_trash else (change,)

    def parse(self, data: bytes, path: str) -> Node:
        """Return the node in *data*; its folder tells the type if the data does not. Raises UnreadableNodeError."""
        if self.records is not None and is_container(data):
            return record_node.node(self.records, data, path)
        folder = path.split("/")[-2] if "/" in path else ""
        return read_node(text_of(data), _TYPES.get(folder))

    def serialise(self, entry: Node) -> bytes:
        """Return the data of a new node."""
        return write_node(entry, self._titles(entry)).encode()

    def edit(self, stored: Stored[Node], entry: Node) -> tuple[Node, bytes]:
        """Return *entry* with the line endings of *stored*, and the updated data."""
        if self.records is not None and entry.record:
            from autology.core.adoption import edits  # patterns that only a change of a record needs

            return edits.edited(self.records, stored, entry)
        text = text_of(stored.data)
        node = in_line_ends_of(text, stored.entry, entry)
        return node, edit_node(text, node, self._titles(node)).encode()

    def project(self, path: str, at: Stamp, entry: Node) -> Put:
        """Return the node's index entry, in redacted passages."""
        return Put(path, at, entry_of(entry), tuple(clean_passages(entry.content)))

    def check_trashed(self, item: Trashed) -> None:
        """Raise if *item* cannot be a deleted node."""
        if item.id != item.name or not (_NODE_FILE.match(item.path) or is_record_path(item.path)):
            raise ValueError
        incoming(item)


_TYPES = {type.folder: type for type in NodeType}
_MAIN = ("readme", "index")
"""Names of the main file of a record that is a folder."""
_NUMBER = re.compile(r"[a-z]{0,12}-?\d+-")
"""The number in a name, with its prefix: ``adr-0007-``."""
_HASH = "text"
"""The kind of rule that is the hash of a text, as in `text.language.governing`: not taken for a secret."""
_NODE_FILE = re.compile(rf"\.autology/nodes/(?:{'|'.join(type.folder for type in NodeType)})/[^./\\][^/\\]*\.md\Z")


def entry_of(node: Node) -> Entry:
    """Return the index entry of *node* without its content, redacted."""
    entry = _entry(node)
    links = [link.description or "" for link in entry.links]
    terms = [f"{term} {detail}" for what, term, detail in entry.rules if what != _HASH]
    whole = "\n".join([entry.title, entry.session or "", *entry.tags, *entry.aliases, *links, *terms, entry.extra_text])
    return _clean_entry(entry) if secrets_in(whole) else entry


def _clean_entry(entry: Entry) -> Entry:
    return replace(
        entry,
        title=clean(entry.title),
        session=clean(entry.session) if entry.session else entry.session,
        tags=tuple(map(clean, entry.tags)),
        references=tuple(map(clean, entry.references)),
        aliases=tuple(map(clean, entry.aliases)),
        links=tuple(
            replace(link, description=clean(link.description)) if link.description else link for link in entry.links
        ),
        rules=tuple(rule for rule in entry.rules if rule[0] == _HASH or not secrets_in(" ".join(rule[1:]))),
        extra_text=clean(entry.extra_text),
    )


def _entry(node: Node) -> Entry:
    origin = node.extra.get("origin")
    described = [relation.description for relation in node.relations if relation.description]
    return Entry(
        id=node.id,
        kind=NODE,
        type=node.type.value,
        title=node.title,
        created=node.created,
        modified=node.modified,
        status=node.status.value,
        confidence=node.confidence,
        decision_status=node.decision_status.value if node.decision_status else None,
        session=node.session,
        origin=origin if isinstance(origin, str) else None,
        tags=node.tags,
        references=node.references,
        aliases=(*texts(node.extra.get("aliases")), *_file_names(node)),
        rules=_governed(node),
        links=(*(Link(r.type.value, r.target, r.confidence, r.description) for r in node.relations), *_cited(node)),
        authors=tuple(texts([node.extra.get("author"), node.extra.get("authors")])),
        trust=ASSISTANT if node.session else USER,
        changed=sealing.changed(node),
        extra_text="\n".join([*node.references, node.record, *described, *_other_fields(node)]),
    )


def _file_names(node: Node) -> Iterator[str]:
    """Yield the names of a record's file, or of its folder, with and without its number: people search by them."""
    if node.record:
        folder, _, name = without_ending(node.record).rpartition("/")
        stem = slug(folder.rpartition("/")[2] if name.lower() in _MAIN and folder else name)
        yield from dict.fromkeys((stem, _NUMBER.sub("", stem) or stem))


def _other_fields(node: Node) -> Iterator[str]:
    """Yield further searchable text of the file, without the successor, which ranks by its own title."""
    return texts({key: value for key, value in node.extra.items() if key not in (SUPERSEDED_BY, SEEN)})


def _governed(node: Node) -> tuple[tuple[str, str, str], ...]:
    """Return what *node* governs, if it is an accepted decision or a convention in force."""
    decided = node.type is NodeType.DECISION and node.decision_status is DecisionStatus.ACCEPTED
    if node.status is NodeStatus.SUPERSEDED or not (decided or node.type is NodeType.CONVENTION):
        return ()
    from autology.text.language.governing import RECORD, rules  # patterns that take 7 ms, for decisions alone

    origin = node.extra.get("origin")
    record = origin if isinstance(origin, str) else ""
    own = [(RECORD, path, "") for path in (node.path, record) if path and decided]
    return (*own, *rules(node.title, node.content, node.references, record))


def _cited(node: Node) -> Iterator[Link]:
    """Yield what the node's text links to, by the last part of the name, described by every way it is written."""
    spellings: dict[tuple[str, str], dict[str, None]] = {}
    for mention in mentions(node.content) if "[" in node.content else ():
        if mention.leads_to_a_file:
            spellings.setdefault((mention.type, last_part(mention.target)), {})[written(mention)] = None
    for (type, name), written_as in spellings.items():
        yield Link(type, name, description="\n".join(written_as), kind=CITATION)


Incoming = tuple[str, int, Relation]
"""A relation's source, its place there, and the relation."""


def recorded(source: str, at: int, relation: Relation) -> dict[str, object]:
    """Return the *relation* at that position in *source*, for a record."""
    return {
        "source": source,
        "at": at,
        "type": relation.type.value,
        "confidence": relation.confidence,
        "description": relation.description,
        "extra": dict(relation.extra),
    }


def incoming(item: Trashed) -> tuple[Incoming, ...]:
    """Return the relations that led to *item*. Raises ValueError, KeyError or TypeError if its record is invalid."""
    return tuple((str(e["source"]), int(e.get("at", -1)), _read(e, item.id)) for e in item.record["incoming"])


def _read(entry: dict[str, Any], target: str) -> Relation:
    extra, described = entry.get("extra"), entry.get("description")
    return Relation(
        RelationType(str(entry["type"])),
        target,
        float(str(entry["confidence"])),
        str(described) if described is not None else None,
        tuple(extra.items()) if isinstance(extra, dict) else (),
    )
