"""Matching the files on disk with imported nodes: unchanged, changed, moved, or new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from autology.core.content.codec import Stored
from autology.core.importing import record_node
from autology.core.importing.import_plan import Conflict
from autology.core.importing.originals import Original
from autology.core.nodes.graph import Graph
from autology.model.errors import NotFoundError, StorageError
from autology.model.node import Node
from autology.text.adr.record import Record


@dataclass(slots=True)
class FileMatches:
    """Every path on disk or in the graph, in exactly one of these; *stored* has the existing nodes, by path."""

    new: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    stored: dict[str, Stored[Node]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.new or self.changed or self.moved)


def imported(graph: Graph) -> dict[str, Stored[Node]]:
    """Return the nodes that were imported from files, by the path of the file."""
    if not graph.files.exists():
        return {}
    graph.refresh(walk=True)
    sources = graph.index.by_ids(list(graph.index.by_origin().values()))
    nodes: dict[str, Stored[Node]] = {}
    with graph.index.keep_open():
        for source in sources.values():
            try:
                stored = graph.stored(source)
            except (NotFoundError, StorageError):  # gone or broken since the walk
                continue
            if isinstance(stored.entry.extra.get("origin_hash"), str):
                nodes[str(stored.entry.extra.get("origin"))] = stored
    return nodes


def match(
    files: Mapping[str, Original],
    records: Mapping[str, Record],
    before: Mapping[str, Stored[Node]],
    has: Callable[[str], bool],
) -> FileMatches:
    """Match *files* with the nodes imported *before*.

    *records* are the parsed files that changed.
    """
    matches = FileMatches()
    lost = {path: stored for path, stored in before.items() if path not in files and not has(path)}
    by_hash = {str(stored.entry.extra["origin_hash"]): path for path, stored in lost.items()}
    for path, original in files.items():
        if path in before:
            matches.stored[path] = before[path]
            _compared(matches, path, original, records)
        elif former := by_hash.pop(original.hash, None):
            matches.stored[path] = lost.pop(former)
            matches.moved.append(path)
        else:
            matches.new.append(path)
    _moved_and_changed(matches, records, lost)
    for path, stored in before.items():
        if path not in files and stored not in matches.stored.values():
            matches.stored[path] = stored
            matches.elsewhere.append(path)
    return matches


def has_text(stored: Stored[Node] | None, original: Original) -> bool:
    """Whether *stored* was imported from exactly this text."""
    return stored is not None and stored.entry.extra.get("origin_hash") == original.hash


def _compared(matches: FileMatches, path: str, original: Original, records: Mapping[str, Record]) -> None:
    node = matches.stored[path].entry
    if has_text(matches.stored[path], original):
        matches.unchanged.append(path)
    elif not record_node.is_as_imported(node):
        reason = (
            f"both the file and its node were edited. Undo one of the two edits, then import again: without "
            f"that in {matches.stored[path].path} the node follows the file, without the one in the file the node stays"
        )
        matches.conflicts.append(Conflict(path, node.id, reason))
    elif (
        not original.inside and record_node.read(record_node.text_of(node), path).full_title != records[path].full_title
    ):
        reason = f"another record of this name was imported before, '{node.title}'; rename the folder to import both"
        matches.conflicts.append(Conflict(path, node.id, reason))
    else:
        matches.changed.append(path)


def _moved_and_changed(matches: FileMatches, records: Mapping[str, Record], lost: Mapping[str, Stored[Node]]) -> None:
    """Treat a new file as a lost one if only these two have the same title, and the node was not edited."""
    titles: dict[str, list[Stored[Node]]] = {}
    for path, stored in lost.items():
        titles.setdefault(_title(stored, path), []).append(stored)
    for path in list(matches.new):
        same = titles.get(records[path].full_title, [])
        rivals = [other for other in matches.new if records[other].full_title == records[path].full_title]
        if len(same) == len(rivals) == 1 and record_node.is_as_imported(same[0].entry):
            matches.stored[path] = same[0]
            matches.new.remove(path)
            matches.changed.append(path)


def _title(stored: Stored[Node], path: str) -> str:
    """Return the title of the record that a node was imported from."""
    return record_node.read(record_node.text_of(stored.entry), path).full_title
