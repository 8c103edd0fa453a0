"""Drafts of changes to nodes: frozen texts are protected, and files list the titles of related nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from autology.core.adoption.records import Records
from autology.core.content.codec import Stored
from autology.core.content.draft import Changeable, Draft
from autology.core.content.files import Change
from autology.core.index.index import Index
from autology.core.nodes import sealing
from autology.core.nodes.node_codec import NodeCodec
from autology.model.hit import Source
from autology.model.node import NODES, Node
from autology.text.notes import sidecar


class ChangeableNodes(Changeable[Node], Protocol):
    """What a draft needs from the graph."""

    index: Index
    records: Records | None

    def stamp(self) -> str:
        """The current time as a node's timestamp."""

    def source(self, id: str, role: str = "") -> Source:
        """Return the source with that id or unambiguous prefix."""

    def stored(self, source: Source, role: str = "") -> Stored[Node]:
        """Return the node of an indexed source, read from disk."""

    def titles(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Return the titles of these nodes, as far as they exist."""


class NodeDraft(Draft[Node]):
    """A draft of changes to the nodes of *graph*, which records whether relations change."""

    def __init__(self, graph: ChangeableNodes) -> None:
        super().__init__(graph, NodeCodec(self._titles, graph.records))
        self.graph = graph
        self.relations_touched = False

    def read(self, id: str, role: str = "") -> Stored[Node]:
        """Return the node with that id or unambiguous prefix, read from disk, with this draft's changes.

        Raises:
            NotFoundError: there is none.
            AmbiguousIdError: there are several.
            StorageError: its file cannot be read as a node.
        """
        stored = self.graph.stored(self.graph.source(id, role), role)
        return Stored(self.entries.get(stored.path, stored.entry), stored.path, stored.data)

    def create(self, entry: Node) -> Node:
        """Add a new node, and return it as it will be stored."""
        return super().create(sealing.sealed(entry))

    def replace(self, stored: Stored[Node], entry: Node, amended: bool = False) -> Node:
        """Change a stored node, and return it as it will be stored; a change of type moves its file.

        Raises:
            ValidationError: it is accepted, and what is frozen of it would change, unless that is *amended* knowingly.
        """
        if stored.entry.record:
            if not amended:
                sealing.refuse_rewriting(stored.entry, entry)
        else:
            entry = sealing.resealed(entry) if amended else sealing.checked(stored.entry, entry)
        node = super().replace(stored, entry)
        self.relations_touched |= node.relations != stored.entry.relations
        return node

    def rewrite(self, path: str, entry: Node) -> None:
        """Change again the node that this draft writes to *path*."""
        staged = self.staged(path)
        assert staged is not None
        super().replace(staged, entry if entry.record else sealing.sealed(entry))

    def keep_id(self, stored: Stored[Node]) -> None:
        """Let the record in *stored* keep its id whatever its path becomes: something names it now."""
        if stored.entry.record and self.graph.records is not None and stored.path not in self.changes:
            from autology.core.adoption import edits

            data = edits.named(self.graph.records, stored)
            if data != stored.data:
                self.stage(stored.path, stored.data, data, stored.entry)

    def take_back(self, change: Change) -> None:
        """Revert a *change*, of a node's file or any other."""
        before = change.before
        is_node = before is not None and change.path.startswith(NODES) and sidecar.read(before) is None
        node = self.codec.parse(before, change.path) if is_node and before is not None else None
        self.stage(change.path, change.after, change.before, node)
        self.relations_touched = True

    def stage(self, path: str, before: bytes | None, after: bytes | None, entry: Node | None = None) -> None:
        """Stage the change of the file at *path* from *before* to *after*, which contains the node *entry*."""
        super().stage(path, before, after, entry)
        self.relations_touched |= after is None or (before is None and entry is not None and bool(entry.relations))

    def _titles(self, entry: Node) -> Mapping[str, str]:
        """Return the titles of the nodes that *entry* relates to, including those in this draft."""
        known = self.graph.titles([relation.target for relation in entry.relations])
        return {**known, **{other.id: other.title for other in self.entries.values()}}
