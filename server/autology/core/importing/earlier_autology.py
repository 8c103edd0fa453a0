"""Importing the `.autology` of the earlier version: markdown nodes, relations in them and in a separate index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from autology.core.importing.import_plan import derived_id
from autology.core.importing.originals import Original, Refused
from autology.core.importing.other_tool_data import ForeignData, ForeignItem, ForeignLink
from autology.model.errors import UnreadableNodeError
from autology.model.node import NodeType, RelationType, is_uuid4
from autology.text.notes import frontmatter
from autology.text.notes.node_file import ORDER, read_node
from autology.text.notes.yaml_subset import YamlError

KIND = "autology"
_STAND_IN = "00000000-0000-4000-8000-000000000000"
_FOLDERS = {type.folder: type for type in NodeType}


def read(originals: Sequence[Original], refused: Sequence[Refused], index: Original | None) -> ForeignData:
    """Return the nodes; an unreadable one is kept as text, and so is a relation with a missing end."""
    items, remarks = [], []
    edges, unread = _edges(index)
    for original in originals:
        try:
            items.append(_item(original, edges))
        except (UnreadableNodeError, YamlError) as error:
            items.append(_as_text(original))
            remarks.append(f"{original.path}: {error}; imported as plain text")
    keys = {item.key for item in items}
    remarks += [f"{s} {r} {t} has no source node; it is left out" for s, r, t in edges if s not in keys]
    return ForeignData(KIND, tuple(items), tuple(refused), (*remarks, *unread))


Edges = dict[tuple[str, str, str], tuple[float, str | None]]


def _edges(index: Original | None) -> tuple[Edges, list[str]]:
    if index is None:
        return {}, []
    try:
        data = json.loads(index.text)
        edges: Edges = {}
        for entry in data["relations"]:
            confidence, description = entry.get("confidence", 0.8), entry.get("description")
            key = (str(entry["source"]), str(RelationType(entry["type"])), str(entry["target"]))
            edges[key] = (float(confidence), str(description) if description else None)
        return edges, []
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return {}, [f"{index.path} cannot be read ({type(error).__name__}); only the relations in the nodes are taken"]


def _item(original: Original, edges: Edges) -> ForeignItem:
    parts = frontmatter.split(original.text)
    own = frontmatter.read(parts.front).get("id") if parts else None
    text = original.text
    if parts and isinstance(own, str) and own and not is_uuid4(own.lower()):
        # It was named by hand; the node gets an id derived from that name.
        front = frontmatter.edit(parts.front, {"id": _STAND_IN}, ORDER, parts.newline)
        text = parts.opening + front + parts.closing + parts.body
    node = read_node(text, _FOLDERS.get(original.path.split("/")[-2] if "/" in original.path else ""))
    key = own.lower() if isinstance(own, str) and is_uuid4(own.lower()) else str(own)
    links = {
        (r.type.value, r.target): ForeignLink(r.target, r.type, r.description, r.confidence) for r in node.relations
    }
    for (source, type, target), (confidence, description) in edges.items():
        if source.lower() == key.lower() and (type, target) not in links:
            links[type, target] = ForeignLink(target, RelationType(type), description, confidence)
    return ForeignItem(
        key=key,
        title=node.title,
        content=node.content,
        moment=node.created,
        type=node.type,
        links=tuple(links.values()),
        node=replace(node, relations=(), id=derived_id(KIND, key) if node.id == _STAND_IN else node.id),
    )


def _as_text(original: Original) -> ForeignItem:
    name = original.path.rpartition("/")[2].rpartition(".")[0]
    folder = original.path.split("/")[-2] if "/" in original.path else ""
    return ForeignItem(
        original.path, f"Unreadable: {name}", original.text, original.changed, (name,), _FOLDERS.get(folder)
    )
