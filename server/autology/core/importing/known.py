"""Matching the files on disk with imported nodes: unchanged, changed, moved, or new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from autology.core.graph import Graph, Stored
from autology.core.importing import facts
from autology.core.importing.originals import Original
from autology.model.errors import NotFoundError, StorageError
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
    stored: dict[str, Stored] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.new or self.changed or self.moved)


def imported(graph: Graph) -> dict[str, Stored]:
    """Return the nodes that were imported from files, by the path of the file."""
    if not graph.files.exists():
        return {}
    graph.refresh(walk=True)
    sources = graph.index.by_ids(list(graph.index.by_origin().values()))
    by_path: dict[str, Stored] = {}
    with graph.index.held():
        for source in sources.values():
            try:
                stored = graph.stored(source)
            except (NotFoundError, StorageError):  # deleted or broken since the walk
                continue
            if isinstance(stored.node.extra.get("origin_hash"), str):
                by_path[origin_of(stored)] = stored
    return by_path


def match(
    originals: Mapping[str, Original],
    records: Mapping[str, Record],
    before: Mapping[str, Stored],
    has: Callable[[str], bool],
) -> Match:
    """Match the files *originals* with the nodes imported *before*.

    *records* are the parsed files that changed.
    """
    result = Match()
    lost = {path: stored for path, stored in before.items() if path not in originals and not has(path)}
    by_hash = {str(stored.node.extra["origin_hash"]): path for path, stored in lost.items()}
    for path, original in originals.items():
        if path in before:
            result.stored[path] = before[path]
            _compared(result, path, original, records)
        elif former := by_hash.pop(original.hash, None):
            result.stored[path] = lost.pop(former)
            result.moved.append(path)
        else:
            result.new.append(path)
    _moved_and_changed(result, records, lost)
    for path, stored in before.items():
        if path not in originals and stored not in result.stored.values():
            result.stored[path] = stored
            result.elsewhere.append(path)
    return result


def origin_of(stored: Stored) -> str:
    """Return the path of the file that a node was imported from."""
    return str(stored.node.extra.get("origin"))


def has_text(stored: Stored | None, original: Original) -> bool:
    """Whether *stored* was imported from exactly this text."""
    return stored is not None and stored.node.extra.get("origin_hash") == original.hash


def _compared(result: Match, path: str, original: Original, records: Mapping[str, Record]) -> None:
    node = result.stored[path].node
    if has_text(result.stored[path], original):
        result.unchanged.append(path)
    elif not facts.is_as_imported(node):
        reason = (
            f"both the file and its node were edited. Undo one of the two edits, then import again: without "
            f"that in {result.stored[path].path} the node follows the file, without the one in the file the node stays"
        )
        result.conflicts.append(Conflict(path, node.id, reason))
    elif not original.inside and facts.read(facts.text_of(node), path).full_title != records[path].full_title:
        reason = f"another record of this name was imported before, '{node.title}'; rename the folder to import both"
        result.conflicts.append(Conflict(path, node.id, reason))
    else:
        result.changed.append(path)


def _moved_and_changed(result: Match, records: Mapping[str, Record], lost: Mapping[str, Stored]) -> None:
    """Treat a new file as a lost one if only these two have the same title, and the node was not edited."""
    titles: dict[str, list[Stored]] = {}
    for path, stored in lost.items():
        titles.setdefault(facts.read(facts.text_of(stored.node), path).full_title, []).append(stored)
    for path in list(result.new):
        same = titles.get(records[path].full_title, [])
        rivals = [other for other in result.new if records[other].full_title == records[path].full_title]
        if len(same) == len(rivals) == 1 and facts.is_as_imported(same[0].node):
            result.stored[path] = same[0]
            result.new.remove(path)
            result.changed.append(path)
