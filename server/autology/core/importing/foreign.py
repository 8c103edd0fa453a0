"""Another tool's data, as values, and the plan of importing it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from uuid import UUID

from autology.core.content.codec import Stored
from autology.core.importing.known import Conflict
from autology.core.importing.originals import Refused, in_trash
from autology.core.importing.plan import MOST_RELATIONS, Addition, Edit, Plan
from autology.core.nodes import decision_steps, relate
from autology.core.nodes.classify import classify
from autology.core.nodes.graph import Graph
from autology.model.errors import NotFoundError, StorageError, UnreadableNodeError, ValidationError
from autology.model.node import (
    SUPERSEDED_BY,
    TAG_LIMIT,
    TITLE_LIMIT,
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    Relation,
    RelationType,
    normal_tags,
)
from autology.text.adr.sections import missing_sections
from autology.text.notes.node_file import read_node, write_node
from autology.text.redaction import redact

NOWHERE = "Relations that led nowhere"
"""The section that keeps a relation whose target was missing."""
_WORDS: Mapping[str, RelationType] = {
    **dict.fromkeys(("requires", "needs", "depends"), RelationType.DEPENDS_ON),
    **dict.fromkeys(("replaces", "obsoletes", "deprecates"), RelationType.SUPERSEDES),
    **dict.fromkeys(("impacts", "influences", "changes"), RelationType.AFFECTS),
    **dict.fromkeys(("calls", "includes", "imports"), RelationType.USES),
    **dict.fromkeys(("realizes", "realises", "satisfies"), RelationType.IMPLEMENTS),
    **dict.fromkeys(("based_on", "derives_from", "extracted_from", "originated_from"), RelationType.DERIVED_FROM),
}
"""Other tools' names for our relations; any other becomes relates_to, with the name as the description."""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation to the item called *target*; *written* if the text itself contains it."""

    target: str
    type: RelationType
    description: str | None = None
    confidence: float = 0.8
    written: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One item of another tool: *key* identifies it there, *names* are what links call it."""

    key: str
    title: str
    content: str
    moment: str
    names: tuple[str, ...] = ()
    type: NodeType | None = None
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    decision_status: DecisionStatus | None = None
    node: Node | None = None  # what it is where it was a node already

    @property
    def hash(self) -> str:
        """A hash of the item's current state."""
        links = [(link.target, link.type, link.description) for link in self.links]
        told = [self.title, self.content, self.type, *self.tags, links, sorted(self.extra.items()), repr(self.node)]
        return _hash(told)


@dataclass(frozen=True, slots=True)
class Remembered:
    """Everything that a tool called *kind* stored, what could not be read of it, and notes about it."""

    kind: str
    items: tuple[Item, ...]
    refused: tuple[Refused, ...] = ()
    remarks: tuple[str, ...] = ()


def relation_of(word: str) -> tuple[RelationType, str | None]:
    """Return the relation that another tool's *word* stands for, and the word if ours does not express it."""
    plain = re.sub(r"[\s-]+", "_", word.strip().lower())
    try:
        return RelationType(plain), None
    except ValueError:
        return _WORDS.get(plain, RelationType.RELATES_TO), word.strip() or None


def derived_id(kind: str, key: str) -> str:
    """Return the id of the item *key*: the same for every importer."""
    return str(UUID(bytes=sha256(json.dumps([kind, key]).encode("utf-8", "surrogatepass")).digest()[:16], version=4))


def together(kind: str, parts: Sequence[Remembered]) -> Remembered:
    """Return the data of several files or folders as one; an item in two of them counts once."""
    items = {item.key: item for part in parts for item in part.items}
    refused = tuple(each for part in parts for each in part.refused)
    return Remembered(kind, tuple(items.values()), refused, tuple(each for part in parts for each in part.remarks))


def plan(graph: Graph, remembered: Remembered) -> Plan:
    """Return the plan of importing *remembered*; existing unchanged items are left alone."""
    work = _Work(graph, remembered)
    for item in remembered.items:
        work.place(item)
    for item in remembered.items:
        work.relate(item)
    return work.plan()


class _Work:
    """A plan in the making; *nodes* are the items as nodes, by key."""

    def __init__(self, graph: Graph, remembered: Remembered) -> None:
        self.kind = remembered.kind
        self.remembered = remembered
        self.remarks = list(remembered.remarks)
        self.refused = list(remembered.refused)
        self.conflicts: list[Conflict] = []
        self.unchanged: list[str] = []
        self.changed: list[str] = []
        self.new: dict[str, Node] = {}
        self.stored: dict[str, Stored[Node]] = {}
        self.nodes: dict[str, Node] = {}
        self.dropped: dict[str, tuple[str, ...]] = {}
        self.keys = {name.casefold(): item.key for item in remembered.items for name in (*item.names, item.key)}
        self._graph = graph
        exists = graph.files.exists()
        if exists:
            graph.refresh(walk=True)
        self._origins = graph.index.by_origin() if exists else {}
        self._trashed = set(graph.files.trashed()) if exists else set()

    # ---- which node an item is -------------------------------------------------------------------

    def place(self, item: Item) -> None:
        origin = f"{self.kind}:{item.key}"
        id = self._origins.get(origin) or (item.node.id if item.node else derived_id(self.kind, item.key))
        stored = self._there(id)
        if stored is None and id in self._trashed:
            self.refused.append(Refused(item.key, in_trash(id)))
        elif stored is None:
            self.new[item.key] = self.nodes[item.key] = self._made(item, id, origin)
        else:
            self.stored[item.key] = stored
            self.nodes[item.key] = self._followed(item, stored, self._made(item, id, origin))

    def _there(self, id: str) -> Stored[Node] | None:
        found = self._graph.index.by_ids([id]).get(id) if self._graph.files.exists() else None
        try:
            return self._graph.stored(found) if found else None
        except (NotFoundError, StorageError):  # gone or broken since the walk
            return None

    def _followed(self, item: Item, stored: Stored[Node], made: Node) -> Node:
        """The existing node with the item's current state, unless it was edited here."""
        node = stored.entry
        known = node.extra.get("import_hash")
        same = _says(node) == _says(made)
        if known == made.extra["import_hash"] or (known is None and same):
            self.unchanged.append(item.key)
            return node
        if known is None or (not same and node.extra.get("import_text") != _says(node)):
            reason = "its node was edited, or is a different one; it is unchanged"
            self.conflicts.append(Conflict(item.key, node.id, f"{reason}: {node.path}"))
            return node
        self.changed.append(item.key)
        tags = tuple(dict.fromkeys([*node.tags, *made.tags]))[:TAG_LIMIT]
        modified = max(node.modified, made.modified)
        return replace(
            node,
            title=made.title,
            content=made.content,
            tags=tags,
            modified=modified,
            extra={**node.extra, **made.extra},
        )

    def _made(self, item: Item, id: str, origin: str) -> Node:
        title, content = _title_and_content(item)
        (title, in_title), (content, in_content) = redact(title), redact(content)
        if kinds := sorted({found.kind for found in (*in_title, *in_content)}):
            self.remarks.append(f"{item.key}: secrets were redacted: {', '.join(kinds)}")
        tags, self.dropped[item.key] = _tags(item.tags)
        extra = {**item.extra, "origin": origin, "import_hash": self._state(item)}
        if item.node:
            # One that was itself brought in keeps saying from where.
            own = {key: value for key, value in item.node.extra.items() if key != SUPERSEDED_BY}  # its ids may differ
            extra = {**extra, **own, "import_hash": extra["import_hash"]}
            made = replace(item.node, id=id, title=title, content=content, relations=(), extra=extra)
        else:
            type = item.type or classify(title, content, "import_").type
            incomplete = type is NodeType.DECISION and bool(missing_sections(content))
            made = Node(
                id=id,
                type=type,
                title=title,
                content=content,
                created=item.moment,
                modified=item.moment,
                tags=tags,
                source=f"import_{self.kind.replace('-', '_')}",
                status=NodeStatus.NEEDS_REVIEW if incomplete else NodeStatus.ACTIVE,
                decision_status=item.decision_status if type is NodeType.DECISION else None,
                extra=extra,
            )
        return replace(made, extra={**made.extra, "import_text": _says(made)})

    def _state(self, item: Item) -> str:
        """The item's state, and which of its relations resolve: one that resolves later is created then."""
        return _hash([item.hash, [link.target.casefold() in self.keys for link in item.links]])

    # ---- how they are related --------------------------------------------------------------------

    def relate(self, item: Item) -> None:
        node = self.nodes.get(item.key)
        if node is None or (item.key not in self.new and item.key not in self.changed):
            return
        lost: list[str] = []
        for link in item.links:
            target = self.nodes.get(self.keys.get(link.target.casefold(), ""))
            if target is None or target.id == node.id or len(node.relations) >= MOST_RELATIONS:
                lost.append(f"- {link.description or link.type}: {link.target}" if not link.written else "")
                where = "to itself" if target else "has a target that was not imported"
                self.remarks.append(f"{item.key}: {link.description or link.type} {link.target} {where}; kept as text")
                continue
            type = link.type
            if type is RelationType.SUPERSEDES and self._leads_back(target.id, node.id):
                self.remarks.append(f"{item.key} and {link.target} supersede each other; they are related only")
                type = RelationType.RELATES_TO
            node = relate.with_relation(
                node, _joined(node, Relation(type, target.id, link.confidence, link.description))
            )
            if type is RelationType.SUPERSEDES:
                key = self.keys[link.target.casefold()]
                self.nodes[key] = decision_steps.superseded(self.nodes[key])
            self.nodes[item.key] = node
        if kept := [line for line in lost if line]:
            content = f"{node.content}\n\n## {NOWHERE}\n\n" + "\n".join(kept)
            node = replace(node, content=content)
            self.nodes[item.key] = replace(node, extra={**node.extra, "import_text": _says(node)})

    def _leads_back(self, start: str, end: str) -> bool:
        by_id = {node.id: node for node in self.nodes.values()}
        seen, waiting = set(), [start]
        while waiting:
            id = waiting.pop()
            if id == end:
                return True
            if id not in seen and id in by_id:
                seen.add(id)
                waiting += [r.target for r in by_id[id].relations if r.type is RelationType.SUPERSEDES]
        return False

    def plan(self) -> Plan:
        additions, relations = [], []
        for key in self.new:
            node = self.nodes[key]
            if not _is_storable(node):
                self.refused.append(Refused(key, "it is too long for a node's file"))
                continue
            missing = missing_sections(node.content) if node.type is NodeType.DECISION else ()
            additions.append(Addition(f"{self.kind}/{key}", node, True, tuple(missing), self.dropped.get(key, ())))
            relations += [(node.id, r.type, r.target) for r in node.relations]
        edits = []
        for key, stored in self.stored.items():
            if self.nodes[key] != stored.entry:
                edits.append(Edit(stored, self.nodes[key]))
                known = {r.key for r in stored.entry.relations}
                relations += [
                    (stored.entry.id, r.type, r.target) for r in self.nodes[key].relations if r.key not in known
                ]
        return Plan(
            additions=tuple(additions),
            edits=tuple(edits),
            changed=tuple(self.changed),
            unchanged=tuple(self.unchanged),
            conflicts=tuple(self.conflicts),
            refused=tuple(self.refused),
            relations=tuple(relations),
            titles={node.id: node.title for node in self.nodes.values()},
            remarks=tuple(self.remarks),
        )


def _joined(node: Node, added: Relation) -> Relation:
    """*added* with the description of an existing relation: two of theirs may map to one of ours."""
    old = node.relation(added.type, added.target)
    words = dict.fromkeys(
        word for each in (old, added) if each for word in (each.description or "").split("; ") if word
    )
    return replace(added, description="; ".join(words) or None)


def _title_and_content(item: Item) -> tuple[str, str]:
    title = " ".join("".join(c if c.isprintable() else " " for c in item.title).split()) or "Untitled"
    if len(title) <= TITLE_LIMIT:
        return title, item.content
    return f"{title[: TITLE_LIMIT - 1].rstrip()}…", f"{item.title}\n\n{item.content}"


def _tags(tags: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    kept: dict[str, None] = {}
    dropped = []
    for tag in tags:
        try:
            kept[normal_tags([tag])[0]] = None
        except ValidationError:
            dropped.append(tag)
    return tuple(kept)[:TAG_LIMIT], (*dropped, *tuple(kept)[TAG_LIMIT:])


def _is_storable(node: Node) -> bool:
    try:
        return read_node(write_node(node, {}), node.type) == node
    except UnreadableNodeError:
        return False


def _says(node: Node) -> str:
    return _hash([node.title, node.content])


def _hash(value: Sequence[object]) -> str:
    return sha256(json.dumps(value, default=str).encode("utf-8", "surrogatepass")).hexdigest()
