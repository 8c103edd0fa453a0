"""What is wrong with a project's notes and their index, each finding with its fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from autology.core import projection, sync
from autology.core.graph import Graph
from autology.core.importing import legacy_relations
from autology.model.node import is_uuid4, node_path, node_type
from autology.model.query import Filter

DANGLING = 100
"""Dangling relations examined one by one."""
TRASH_LIMIT = 100_000_000
"""Bytes in the trash from which it is worth a word."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong: where, what, and what to do; *safe* if ``--fix`` does it without asking."""

    area: str
    problem: str
    fix: str
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What is so, as (area, words), and what is wrong."""

    facts: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()

    def __add__(self, other: Report) -> Report:
        return Report((*self.facts, *other.facts), (*self.findings, *other.findings))


@dataclass(frozen=True, slots=True)
class Disk:
    """What lies under ``.autology``: bytes by part, and what dead or living writers left there."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    journal: Sequence[str] = ()
    staged: Sequence[str] = ()
    writer: str | None = None
    unwritable: Sequence[str] = ()
    ignored: bool = True


class Inspection(Protocol):
    """A look at the project's ``.autology`` folder that changes nothing."""

    def look(self) -> Disk:
        """Return what lies there."""


def examine(graph: Graph, inspection: Inspection) -> Report:
    """Return how the project's notes and index are."""
    if not graph.files.exists():
        step = "Run `autology init`: it makes it and brings in the records that are there."
        return Report((("project", "has no .autology yet"),), (Finding("project", "has no .autology yet", step),))
    disk = inspection.look()
    return _index(graph) + _disk(disk) + Report(findings=tuple(_nodes(graph)))


def mend(graph: Graph) -> list[str]:
    """Do what is safe: read what changed, complete what was left half done, write what is generated; say what."""
    read = graph.refresh(walk=True)
    relations = projection.write(graph)  # takes the lock, which completes and sweeps
    return [f"{read} files read or forgotten", f"{relations} relations listed", "left-overs completed and removed"]


def _index(graph: Graph) -> Report:
    known = graph.index.stamps()
    plan = sync.plan(graph.files.scan(), known)
    # A file that was read while it was being written is read again next time: nothing is wrong with it.
    sure = [path for path in plan.changed if path not in known or known[path].mtime_ns]
    behind = len(sure) + len(plan.gone)
    counts = graph.index.counts()
    nodes, relations = sum(counts.nodes.values()), sum(counts.relations.values())
    facts = (("index", f"{nodes:,} nodes, {relations:,} relations, {'behind' if behind else 'fresh'}"),)
    if not behind:
        return Report(facts)
    problem = f"is behind: {behind:,} files changed since it was written"
    return Report(facts, (Finding("index", problem, "Run `autology sync`; search does it by itself, too.", safe=True),))


def _disk(disk: Disk) -> Report:
    facts = [("disk", ", ".join(f"{name} {_size(size)}" for name, size in disk.sizes.items()))]
    found = []
    if disk.writer:
        facts.append(("writer", disk.writer))
    if disk.journal and not disk.writer:
        problem = f"{len(disk.journal)} changes were left half done by a process that died"
        step = "`autology doctor --fix` completes them, as any write does."
        found.append(Finding("journal", problem, step, safe=True))
    if disk.staged and not disk.writer:
        problem = f"{len(disk.staged)} files of dead writers lie about, as {disk.staged[0]}"
        found.append(Finding("left-overs", problem, "`autology doctor --fix` removes them.", safe=True))
    step = "Make it writable for yourself."
    found += [Finding("permissions", f"{path} cannot be written", step) for path in disk.unwritable]
    if not disk.ignored:
        problem = "has no .gitignore: git would take the index and the trash along"
        found.append(Finding("project", problem, "`autology doctor --fix` writes it.", safe=True))
    if disk.sizes.get("trash", 0) > TRASH_LIMIT:
        problem = f"the trash holds {_size(disk.sizes['trash'])}"
        found.append(Finding("disk", problem, "Empty .autology/trash if nothing in it is to be restored."))
    return Report(tuple(facts), tuple(found))


def _nodes(graph: Graph) -> Iterator[Finding]:
    graph.refresh(walk=True)
    for path, reason in graph.index.faults():
        twice = reason.startswith("has the same id")
        fix = "Give one of the two a new id, or delete the one that is a copy." if twice else "Mend the file by hand."
        yield Finding("duplicate id" if twice else "unreadable", f"{path}: {reason}", f"{fix} It is left as it is.")
    for source in graph.index.listed(Filter(), -1, ""):
        right = node_path(node_type(source.type), source.id)
        if source.path != right:
            yield Finding("misplaced", f"{source.path} is not where its id and type say", f"Rename it to {right}.")
    dangling = graph.index.dangling(DANGLING)
    titles = graph.titles(sorted({edge.source for edge in dangling}))
    for edge in dangling:
        problem = f"'{titles.get(edge.source, edge.source)}' {edge.type} {edge.target[:40]}, which does not exist"
        if is_uuid4(edge.target):
            step = f"`autology unrelate {edge.source[:8]} {edge.type} {edge.target}`, or restore the node."
        else:
            step = f"Mend or remove the relation in {edge.source}.md: it leads to no node's id."
        yield Finding("dangling", problem, step)
    if older := legacy_relations.waiting(graph).relations:
        problem = f"{len(older)} relations are only in the index of an older version"
        yield Finding("relations", problem, "`autology init` brings them into their nodes.")


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1_000:.1f} KB"
