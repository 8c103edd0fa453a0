"""Matching the files on disk with imported nodes: unchanged, changed, moved, or new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from autology.core.content.codec import Stored
from autology.core.importing import facts
from autology.core.importing.originals import Original
from autology.core.nodes.graph import Graph
from autology.model.errors import NotFoundError, StorageError
from autology.model.node import Node
from autology.text.adr.record import Record


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that is left alone, the node that it belongs to, and why."""

    origin: str
    id: str
    reason: str


@dataclass(slots=True)
class Match:
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
    found: dict[str, Stored[Node]] = {}
    with graph.index.keep_open():
        for source in sources.values():
            try:
                stored = graph.stored(source)
            except (NotFoundError, StorageError):  # gone or broken since the walk
                continue
            if isinstance(stored.entry.extra.get("origin_hash"), str):
                found[origin_of(stored)] = stored
    return found


def match(
    found: Mapping[str, Original],
    records: Mapping[str, Record],
    before: Mapping[str, Stored[Node]],
    has: Callable[[str], bool],
) -> Match:
    """Match the files *originals* with the nodes imported *before*.

    *records* are the parsed files that changed.
    """
    made = Match()
    lost = {path: stored for path, stored in before.items() if path not in found and not has(path)}
    by_hash = {str(stored.entry.extra["origin_hash"]): path for path, stored in lost.items()}
    for path, original in found.items():
        if path in before:
            made.stored[path] = before[path]
            _compared(made, path, original, records)
        elif former := by_hash.pop(original.hash, None):
            made.stored[path] = lost.pop(former)
            made.moved.append(path)
        else:
            made.new.append(path)
    _moved_and_changed(made, records, lost)
    for path, stored in before.items():
        if path not in found and stored not in made.stored.values():
            made.stored[path] = stored
            made.elsewhere.append(path)
    return made


def origin_of(stored: Stored[Node]) -> str:
    """Return the path of the file that a node was imported from."""
    return str(stored.entry.extra.get("origin"))


def has_text(stored: Stored[Node] | None, original: Original) -> bool:
    """Whether *stored* was imported from exactly this text."""
    return stored is not None and stored.entry.extra.get("origin_hash") == original.hash


def _compared(made: Match, path: str, original: Original, records: Mapping[str, Record]) -> None:
    node = made.stored[path].entry
    if has_text(made.stored[path], original):
        made.unchanged.append(path)
    elif not facts.is_as_imported(node):
        reason = (
            f"both the file and its node were edited. Undo one of the two edits, then import again: without "
            f"that in {made.stored[path].path} the node follows the file, without the one in the file the node stays"
        )
        made.conflicts.append(Conflict(path, node.id, reason))
    elif not original.inside and facts.read(facts.text_of(node), path).full_title != records[path].full_title:
        reason = f"another record of this name was imported before, '{node.title}'; rename the folder to import both"
        made.conflicts.append(Conflict(path, node.id, reason))
    else:
        made.changed.append(path)


def _moved_and_changed(made: Match, records: Mapping[str, Record], lost: Mapping[str, Stored[Node]]) -> None:
    """Treat a new file as a lost one if only these two have the same title, and the node was not edited."""
    titles: dict[str, list[Stored[Node]]] = {}
    for path, stored in lost.items():
        titles.setdefault(facts.read(facts.text_of(stored.entry), path).full_title, []).append(stored)
    for path in list(made.new):
        same = titles.get(records[path].full_title, [])
        rivals = [other for other in made.new if records[other].full_title == records[path].full_title]
        if len(same) == len(rivals) == 1 and facts.is_as_imported(same[0].entry):
            made.stored[path] = same[0]
            made.new.remove(path)
            made.changed.append(path)
