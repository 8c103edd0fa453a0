"""Supersession recorded at both ends: a relation in the newer node's file, and a link to it in the older one's.

The relation is authoritative; the link leads a reader of the older file to its successor. A hand-written link stays,
unless a change affects its pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from autology.core.adoption.container import is_container
from autology.core.content.files import Change
from autology.core.nodes.node_draft import NodeDraft
from autology.model.errors import NotFoundError, StorageError, UnreadableNodeError
from autology.model.node import NODES, SUPERSEDED_BY, Node, RelationType
from autology.text.notes.frontmatter import texts
from autology.text.notes.node_body import wiki_link

_NAMED = re.compile(r"(?:.*\[\[)?\s*(?P<name>[^\[\]|#]+?)\s*(?:[|#\]].*)?\Z", re.DOTALL)


def successors(node: Node) -> tuple[str, ...]:
    """Return the successors in *node*'s file: ids, or free text."""
    return tuple(dict.fromkeys(name for name, _ in _links(node)))


def naming(node: Node, newer: str, title: str | None) -> Node:
    """Return *node* with a link to its successor, replacing one that names it by its title or an id prefix."""
    if newer in successors(node):
        return node
    same = (title or "").strip().lower()
    others = [link for name, link in _links(node) if name != same and not (len(name) >= 8 and newer.startswith(name))]
    links = [*others, wiki_link(newer, title)]
    return replace(node, extra={**node.extra, SUPERSEDED_BY: links})


def without_names(node: Node, former: str) -> Node:
    """Return *node* without its links to *former*."""
    if former not in successors(node):
        return node
    links = [link for name, link in _links(node) if name != former]
    others = {key: value for key, value in node.extra.items() if key != SUPERSEDED_BY}
    return replace(node, extra={**others, SUPERSEDED_BY: links} if links else others)


def settle(draft: NodeDraft) -> None:
    """Update the older end of every supersession that *draft* adds or removes."""
    before = _superseded(node for change in draft.changes.values() if (node := _before(draft, change)))
    now = _superseded(draft.entries[path] for path in _written_paths(draft).values())
    named = {**dict.fromkeys([*_waiting(draft), *(now - before)], True), **dict.fromkeys(before - now, False)}
    for newer, older in sorted(named):
        name(draft, newer, older, named[newer, older])


def name(draft: NodeDraft, newer: str, older: str, named: bool = True) -> bool:
    """Add or remove the link to *newer* in the file of *older*; return whether the file changed.

    A missing or unreadable file stays as it is.
    """
    written = _written_paths(draft)
    try:
        stored = None if older in written else draft.read(older)
    except (NotFoundError, StorageError):
        return False
    if stored and stored.path in draft.changes:
        return False  # it is being removed
    node = stored.entry if stored else draft.entries[written[older]]
    after = naming(node, newer, _title(draft, newer)) if named else without_names(node, newer)
    if after == node:
        return False
    if stored:
        draft.replace(stored, after)
    else:
        draft.rewrite(written[older], after)
    return True


def _title(draft: NodeDraft, id: str) -> str | None:
    return next((n.title for n in draft.entries.values() if n.id == id), None) or draft.graph.titles([id]).get(id)


def _written_paths(draft: NodeDraft) -> dict[str, str]:
    """Return the paths of the nodes that *draft* writes, by id."""
    return {node.id: path for path, node in draft.entries.items() if draft.changes[path].after is not None}


def _links(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the target of each successor link of *node*, and the link as written."""
    for link in texts(node.extra.get(SUPERSEDED_BY)):
        if match := _NAMED.match(link):
            yield match["name"].lower(), link


def _superseded(nodes: Iterable[Node]) -> set[tuple[str, str]]:
    """Return the supersessions that *nodes* state; those that a record's own text states are its own matter."""
    pairs = ((node.id, r) for node in nodes for r in node.relations if not r.is_derived)
    return {(id, r.target) for id, r in pairs if r.type is RelationType.SUPERSEDES}


def _before(draft: NodeDraft, change: Change) -> Node | None:
    ours = change.path.startswith(NODES) or is_container(change.before)
    if change.before is None or not ours or _SUPERSEDES not in change.before:
        return None
    try:
        return draft.codec.parse(change.before, change.path)
    except UnreadableNodeError:
        return None


_SUPERSEDES = RelationType.SUPERSEDES.value.encode()


def _waiting(draft: NodeDraft) -> Iterator[tuple[str, str]]:
    """Yield the supersessions of new nodes by existing ones, as batches of an import produce them."""
    new = {node.id for path, node in draft.entries.items() if draft.changes[path].before is None}
    for edge in draft.graph.index.edges(list(new)) if new else ():
        if edge.type == RelationType.SUPERSEDES and edge.target in new:
            yield edge.source, edge.target
