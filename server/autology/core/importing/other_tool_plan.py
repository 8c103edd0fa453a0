"""The plan of importing another tool's data."""

from __future__ import annotations

from dataclasses import replace

from autology.core.content.codec import Stored
from autology.core.importing.import_plan import (
    MOST_RELATIONS,
    Addition,
    Conflict,
    ImportPlan,
    derived_id,
    is_storable,
    node_edits,
    plain_title,
    usable_tags,
)
from autology.core.importing.originals import Refused, in_trash
from autology.core.importing.other_tool_data import ForeignData, ForeignItem, state_hash
from autology.core.importing.record_relations import is_reachable
from autology.core.nodes import relate, status_transitions
from autology.core.nodes.classify import classify
from autology.core.nodes.graph import Graph
from autology.model.errors import NotFoundError, StorageError
from autology.model.node import (
    SUPERSEDED_BY,
    TAG_LIMIT,
    TITLE_LIMIT,
    Node,
    NodeStatus,
    NodeType,
    Relation,
    RelationType,
)
from autology.text.adr.sections import missing_sections
from autology.text.redaction import redact

NOWHERE = "Relations that led nowhere"
"""The section that keeps a relation whose target was missing."""


def plan(graph: Graph, data: ForeignData) -> ImportPlan:
    """Return the plan of importing *data*; existing unchanged items are left alone."""
    work = _ForeignImport(graph, data)
    for item in data.items:
        work.place(item)
    for item in data.items:
        work.relate(item)
    return work.plan()


class _ForeignImport:
    """A plan in the making; *nodes* are the items as nodes, by key."""

    def __init__(self, graph: Graph, data: ForeignData) -> None:
        self.kind = data.kind
        self.remarks = list(data.remarks)
        self.refused = list(data.refused)
        self.conflicts: list[Conflict] = []
        self.unchanged: list[str] = []
        self.changed: list[str] = []
        self.new: dict[str, Node] = {}
        self.stored: dict[str, Stored[Node]] = {}
        self.nodes: dict[str, Node] = {}
        self.dropped: dict[str, tuple[str, ...]] = {}
        self.keys = {name.casefold(): item.key for item in data.items for name in (*item.names, item.key)}
        self._graph = graph
        exists = graph.files.exists()
        if exists:
            graph.refresh(walk=True)
        self._origins = graph.index.by_origin() if exists else {}
        self._trashed = set(graph.files.trashed()) if exists else set()

    # ---- which node an item is -------------------------------------------------------------------

    def place(self, item: ForeignItem) -> None:
        origin = f"{self.kind}:{item.key}"
        id = self._origins.get(origin) or (item.node.id if item.node else derived_id(self.kind, item.key))
        stored = self._stored(id)
        if stored is None and id in self._trashed:
            self.refused.append(Refused(item.key, in_trash(id)))
        elif stored is None:
            self.new[item.key] = self.nodes[item.key] = self._imported(item, id, origin)
        else:
            self.stored[item.key] = stored
            self.nodes[item.key] = self._updated(item, stored, self._imported(item, id, origin))

    def _stored(self, id: str) -> Stored[Node] | None:
        source = self._graph.index.by_ids([id]).get(id) if self._graph.files.exists() else None
        try:
            return self._graph.stored(source) if source else None
        except (NotFoundError, StorageError):  # gone or broken since the walk
            return None

    def _updated(self, item: ForeignItem, stored: Stored[Node], imported: Node) -> Node:
        """The existing node with the item's current state, unless it was edited here."""
        node = stored.entry
        known = node.extra.get("import_hash")
        same = _text_hash(node) == _text_hash(imported)
        if known == imported.extra["import_hash"] or (known is None and same):
            self.unchanged.append(item.key)
            return node
        if known is None or (not same and node.extra.get("import_text") != _text_hash(node)):
            reason = "its node was edited, or is a different one; it is unchanged"
            self.conflicts.append(Conflict(item.key, node.id, f"{reason}: {node.path}"))
            return node
        self.changed.append(item.key)
        tags = tuple(dict.fromkeys([*node.tags, *imported.tags]))[:TAG_LIMIT]
        modified = max(node.modified, imported.modified)
        return replace(
            node,
            title=imported.title,
            content=imported.content,
            tags=tags,
            modified=modified,
            extra={**node.extra, **imported.extra},
        )

    def _imported(self, item: ForeignItem, id: str, origin: str) -> Node:
        title, content = _title_and_content(item)
        (title, in_title), (content, in_content) = redact(title), redact(content)
        if kinds := sorted({finding.kind for finding in (*in_title, *in_content)}):
            self.remarks.append(f"{item.key}: secrets were redacted: {', '.join(kinds)}")
        tags, self.dropped[item.key] = usable_tags(item.tags)
        extra = {**item.extra, "origin": origin, "import_hash": self._state(item)}
        if item.node:
            # One that was itself brought in keeps saying from where.
            own = {key: value for key, value in item.node.extra.items() if key != SUPERSEDED_BY}  # its ids may differ
            extra = {**extra, **own, "import_hash": extra["import_hash"]}
            node = replace(item.node, id=id, title=title, content=content, relations=(), extra=extra)
        else:
            type = item.type or classify(title, content, "import_").type
            incomplete = type is NodeType.DECISION and bool(missing_sections(content))
            node = Node(
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
        return replace(node, extra={**node.extra, "import_text": _text_hash(node)})

    def _state(self, item: ForeignItem) -> str:
        """The item's state, and which of its relations resolve: one that resolves later is created then."""
        return state_hash([item.hash, [link.target.casefold() in self.keys for link in item.links]])

    # ---- how they are related --------------------------------------------------------------------

    def relate(self, item: ForeignItem) -> None:
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
            if type is RelationType.SUPERSEDES and self._supersedes(target.id, node.id):
                self.remarks.append(f"{item.key} and {link.target} supersede each other; they are related only")
                type = RelationType.RELATES_TO
            node = relate.with_relation(
                node, _joined(node, Relation(type, target.id, link.confidence, link.description))
            )
            if type is RelationType.SUPERSEDES:
                key = self.keys[link.target.casefold()]
                self.nodes[key] = status_transitions.superseded(self.nodes[key])
            self.nodes[item.key] = node
        if unresolved := [line for line in lost if line]:
            content = f"{node.content}\n\n## {NOWHERE}\n\n" + "\n".join(unresolved)
            node = replace(node, content=content)
            self.nodes[item.key] = replace(node, extra={**node.extra, "import_text": _text_hash(node)})

    def _supersedes(self, newer: str, older: str) -> bool:
        """Whether *newer* supersedes *older*, directly or through others."""
        edges = {
            node.id: [relation.target for relation in node.relations if relation.type is RelationType.SUPERSEDES]
            for node in self.nodes.values()
        }
        return is_reachable(edges, newer, older)

    def plan(self) -> ImportPlan:
        additions = []
        for key in self.new:
            node = self.nodes[key]
            if not is_storable(node):
                self.refused.append(Refused(key, "it is too long for a node's file"))
                continue
            missing = missing_sections(node.content) if node.type is NodeType.DECISION else ()
            additions.append(Addition(f"{self.kind}/{key}", node, True, tuple(missing), self.dropped.get(key, ())))
        return ImportPlan(
            additions=tuple(additions),
            edits=node_edits(self.stored, self.nodes),
            changed=tuple(self.changed),
            unchanged=tuple(self.unchanged),
            conflicts=tuple(self.conflicts),
            refused=tuple(self.refused),
            titles={node.id: node.title for node in self.nodes.values()},
            remarks=tuple(self.remarks),
        )


def _joined(node: Node, added: Relation) -> Relation:
    """*added* with the description of an existing relation: two of theirs may map to one of ours."""
    old = node.relation(added.type, added.target)
    descriptions = [relation.description or "" for relation in (old, added) if relation]
    words = dict.fromkeys(word for description in descriptions for word in description.split("; ") if word)
    return replace(added, description="; ".join(words) or None)


def _title_and_content(item: ForeignItem) -> tuple[str, str]:
    title = plain_title(item.title)
    if len(title) <= TITLE_LIMIT:
        return title, item.content
    return f"{title[: TITLE_LIMIT - 1].rstrip()}…", f"{item.title}\n\n{item.content}"


def _text_hash(node: Node) -> str:
    return state_hash([node.title, node.content])
