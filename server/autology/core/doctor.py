"""Problems of a project's notes and their index, each with its fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from autology.core.adoption import double_sidecars, imported_copies
from autology.core.importing import older_index_relations
from autology.core.nodes import graph_index_file
from autology.core.nodes.graph import Graph
from autology.model.errors import AutologyError, StorageError
from autology.model.next_step import Action, Sentence, do
from autology.model.node import NodeType, is_uuid4, node_path, node_type
from autology.model.query import Filter
from autology.text.language.plural import counted

NAMED = 3
"""Copies of records named in one finding."""
DANGLING = 100
"""Dangling relations examined one by one."""
TRASH_LIMIT = 100_000_000
"""Bytes in the trash from which it is reported."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A problem: where, what, and what to do; *safe* if ``--fix`` does it without asking."""

    area: str
    problem: str
    fix: str
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The state, as (area, text), and the problems."""

    facts: tuple[tuple[str, str], ...] = ()
    findings: tuple[Diagnosis, ...] = ()

    def __add__(self, other: Report) -> Report:
        # Several checks may report the same problem.
        met = {finding.problem for finding in self.findings}
        new = (finding for finding in other.findings if finding.problem not in met)
        return Report((*self.facts, *other.facts), (*self.findings, *new))


@dataclass(frozen=True, slots=True)
class Disk:
    """What lies under ``.autology``: bytes by part, and leftovers of dead or active writers."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    journal: Sequence[str] = ()
    staged: Sequence[str] = ()
    writer: str | None = None
    unwritable: Sequence[str] = ()
    refusal: str = ""  # why the system accepts no file there, for instance because the disk is full
    ignored: bool = True


class Inspection(Protocol):
    """A read-only look at the project's ``.autology`` folder."""

    def look(self) -> Disk:
        """Return what it contains."""


def examine(graph: Graph, inspection: Inspection) -> Report:
    """Return the state of the project's notes and index."""
    if not graph.files.exists():
        step = Sentence("Run ", do(Action.INIT), ": it creates it and imports existing records.")
        return Report((("project", "has no .autology yet"),), (Diagnosis("project", "has no .autology yet", step),))
    return (
        guarded("index", lambda: _index(graph))
        + guarded("records", lambda: Report(facts=tuple(_adopted(graph))))
        + guarded("disk", lambda: _disk(inspection.look()))
        + guarded("notes", lambda: Report(findings=tuple(_nodes(graph))))
        + guarded("relations", lambda: Report(findings=tuple(_older(graph))))
    )


def guarded(area: str, look: Callable[[], Report]) -> Report:
    """Return the result of *look*; its failure becomes a finding, so that the other parts are still examined."""
    try:
        return look()
    except StorageError as error:
        return Report(findings=(Diagnosis(area, f"{error.path}: {error.reason}", error.step),))
    except AutologyError as error:
        return Report(findings=(Diagnosis(area, error.message, _ELSEWHERE),))
    except OSError as error:
        return Report(findings=(Diagnosis(area, f"{error.filename or area}: {error.strerror or error}", _ELSEWHERE),))


def apply_fixes(graph: Graph) -> list[str]:
    """Apply the safe fixes: read changed files, complete interrupted changes, write generated files; return them."""
    read = graph.refresh(walk=True)
    with graph.files.locked():
        pass  # taking the lock completes and sweeps
    relations = graph_index_file.write(graph)
    listed = f"{counted(relations, 'relation')} listed"
    return [f"{counted(read, 'file')} indexed or removed", listed, "leftovers completed and removed"]


def _index(graph: Graph) -> Report:
    known, plan = graph.stamps(), graph.changes()
    # A file that was read while it was being written is read again next time; that is no problem.
    sure = [path for path in plan.changed if path not in known or known[path].mtime_ns]
    behind = len(sure) + len(plan.gone)
    counts = graph.index.counts()
    nodes, relations = sum(counts.nodes.values()), sum(counts.relations.values())
    facts = (("index", f"{nodes:,} nodes, {relations:,} relations, {'behind' if behind else 'fresh'}"),)
    if not behind:
        return Report(facts)
    problem = f"is behind: {counted(behind, 'file', 'are')} newer than it"
    step = Sentence("Run ", do(Action.SYNC), "; searches do so, too.")
    return Report(facts, (Diagnosis("index", problem, step, safe=True),))


def _disk(disk: Disk) -> Report:
    facts = [("disk", ", ".join(f"{name} {_size(size)}" for name, size in disk.sizes.items()))]
    problems = []
    if disk.writer:
        facts.append(("writer", disk.writer))
    if disk.journal and not disk.writer:
        problem = f"{counted(len(disk.journal), 'change', 'are')} left incomplete by a process that died"
        step = Sentence(_FIX, " completes them; so does any write.")
        problems.append(Diagnosis("journal", problem, step, safe=True))
    if disk.staged and not disk.writer:
        problem = f"{counted(len(disk.staged), 'file', 'are')} left behind by dead writers, such as {disk.staged[0]}"
        problems.append(Diagnosis("left-overs", problem, Sentence(_FIX, " removes them."), safe=True))
    if disk.unwritable:
        first, others = disk.unwritable[0], len(disk.unwritable) - 1
        more = f" and {counted(others, 'folder')} in it" if others else ""
        problem = f"{first}{more}: not writable, so notes are read-only"
        problems.append(Diagnosis("permissions", problem, "Make it writable if that is not intended."))
    if disk.refusal:
        problem = f".autology takes no files: {disk.refusal}"
        problems.append(Diagnosis("disk", problem, "Free some space, or check the disk: writes are refused."))
    if not disk.ignored:
        problem = "has no .gitignore: git would commit the index and the trash"
        problems.append(Diagnosis("project", problem, Sentence(_FIX, " writes it."), safe=True))
    if disk.sizes.get("trash", 0) > TRASH_LIMIT:
        problem = f"the trash holds {_size(disk.sizes['trash'])}"
        problems.append(Diagnosis("disk", problem, "Empty .autology/trash if you need nothing from it."))
    return Report(tuple(facts), tuple(problems))


def _nodes(graph: Graph) -> Iterator[Diagnosis]:
    graph.refresh(walk=True)
    yield from (fault(path, reason, "modified", _NEEDS) for path, reason in graph.index.faults())
    yield from _records(graph)
    for source in graph.index.listed(Filter(), -1, ""):
        if graph.records is not None and graph.records.is_record(source.path):
            continue
        right = node_path(node_type(source.type), source.id)
        if source.path != right:
            step = f"Rename it to {right}."
            if graph.files.project_has(right):
                step = f"{right} exists too: keep the right one under that name, delete the other."
            yield Diagnosis("misplaced", f"{source.path} is not at the path for its id and type", step)
    dangling = graph.index.dangling(DANGLING)
    titles = graph.titles(sorted({edge.source for edge in dangling}))
    for edge in dangling:
        problem = f"'{titles.get(edge.source, edge.source)}' {edge.type} {edge.target[:40]}, which does not exist"
        if is_uuid4(edge.target):
            remove = do(Action.UNRELATE, source=edge.source[:8], type=edge.type, target=edge.target)
            fix: str = Sentence(remove, ", or restore the node.")
        else:
            fix = f"Fix or remove the relation in {edge.source}.md: its target is not a node id."
        yield Diagnosis("dangling", problem, fix)


def _adopted(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield how many records are adopted from which folders."""
    snapshot = graph.records.snapshot if graph.records is not None else None
    if snapshot and snapshot.records:
        counts = Counter(snapshot.manners[one.manner].folder or "." for one in snapshot.records.values())
        listed = ", ".join(f"{folder} {count}" for folder, count in sorted(counts.items()))
        yield "records", f"{len(snapshot.records)} adopted where they lie: {listed}"


def _records(graph: Graph) -> Iterator[Diagnosis]:
    """Yield sidecars without their record, and copies of adopted records that differ from them."""
    if graph.records is None:
        return
    doubles = {one.path: other for one, other in double_sidecars.find(graph.records)}
    for one in graph.records.orphans():
        problem = f"{one.path} belongs to {one.record}, which is not an adopted record here"
        step: str = "It is kept for when the record is back, as on another branch. If it was removed, delete the file."
        if graph.records.problems:
            step = f"Correct the setting first, which may leave the record out: {graph.records.problems[0]}."
        if one.path in doubles:
            problem = f"{one.path} is a second one for {doubles[one.path].now}"
            step = Sentence(do(Action.SYNC), " moves what it adds into the other one.")
        yield Diagnosis("records", problem, step)
    every = imported_copies.find(graph)
    if agreeing := [copy for copy in every if copy.agrees]:
        fix: str = Sentence(do(Action.INIT), " turns them into what is kept beside the records.")
        yield Diagnosis("records", _copies(agreeing, differing=False), fix)
    if differing := [copy for copy in every if not copy.agrees]:
        fix = Sentence(
            "Search shows each with its record, once. Move what only they say into the records; then ",
            do(Action.DOCTOR, copies=True),
            " gives their ids, tags and relations to the records, and moves their texts to the trash.",
        )
        yield Diagnosis("records", _copies(differing, differing=True), fix)


def _copies(some: Sequence[imported_copies.Copy], differing: bool) -> str:
    """Return which notes are copies of which records, the first ones by name."""
    named = "; ".join(f"{copy.path} of {copy.record}" for copy in some[:NAMED])
    others = f" and {len(some) - NAMED} more" if len(some) > NAMED else ""
    what = "a copy of an adopted record" if len(some) == 1 else "copies of adopted records"
    more = f" and {'differs' if len(some) == 1 else 'differ'}" if differing else ""
    return f"{counted(len(some), 'note', 'are')} {what}{more}: {named}{others}"


def _older(graph: Graph) -> Iterator[Diagnosis]:
    if older := older_index_relations.waiting(graph).relations:
        problem = f"{counted(len(older), 'relation', 'are')} only in the index of an older version"
        yield Diagnosis("relations", problem, Sentence(do(Action.INIT), " moves them into their nodes."))


def fault(path: str, reason: str, changed: str, needs: str, prefix: str = "") -> Diagnosis:
    """Return the finding for an unreadable file of a node or a memory.

    *needs* describes its required first lines; *changed* is the field with its modification time.
    """
    message, own = f"{path}: {reason}", path.removeprefix(prefix)
    if reason.startswith("has the same id"):
        step = "Give one of the two a new id, or delete the copy. It is left as it is."
        return Diagnosis("duplicate id", message, step)
    if "merge conflict" in reason:
        step = f"Resolve it: `git checkout --ours {own}` (or --theirs), or edit it; of two `{changed}` keep the later."
        return Diagnosis("merge conflict", message, step)
    if reason.startswith(("is a link", "is not a regular file")):
        is_link = reason.startswith("is a link")
        step = "Put the text itself there" if is_link else f"Move it out of {own.rpartition('/')[0]}"
        return Diagnosis("unreadable", message, f"{step}, or remove it. It is left as it is.")
    step = f"Fix the file by hand. It needs no more than this at its top: ---, {needs}, ---. It is left as it is."
    return Diagnosis("unreadable", message, step)


_NEEDS = f"id: (a UUID of version 4), type: (one of {', '.join(NodeType)}), title: (1-100 characters)"
_FIX = do(Action.DOCTOR, fix=True)
_ELSEWHERE = Sentence("The rest was checked; fix this and run ", do(Action.DOCTOR), " again.")


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1_000:.1f} KB"
