"""The plan of an import, as values: shown first, then applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.content.codec import Stored
from autology.core.importing import facts, known, revise, ties
from autology.core.importing.identity import imported_ids
from autology.core.importing.known import Conflict, Match
from autology.core.importing.originals import Original, Originals, Refused
from autology.core.importing.ties import Tie
from autology.core.long_work import Progress
from autology.core.nodes import decision_steps, relate, sealing
from autology.core.nodes.graph import Graph
from autology.core.nodes.history import History
from autology.model.errors import UnreadableNodeError, ValidationError
from autology.model.node import CONTENT_LIMIT, Node, RelationType, check_text
from autology.text.adr.record import Record
from autology.text.language.timestamps import parse_stamp
from autology.text.notes.node_file import read_node, write_node

MOST_RELATIONS = 500
"""Relations imported with one node: an index of records may name more, and frontmatter is limited."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A file that becomes a node; *is_record* if it has the form of a decision record.

    *unread_date* is its date, if that is ambiguous.
    """

    origin: str
    node: Node
    is_record: bool
    missing: tuple[str, ...] = ()
    dropped_tags: tuple[str, ...] = ()
    unread_date: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """An existing node in its new state."""

    stored: Stored[Node]
    node: Node


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes of an import.

    *changed*, *moved*, *unchanged* are paths of files whose nodes exist; *relations* are all new ones, already part of
    the nodes of *additions* and *edits*; *circles* are (newer, older) paths of supersessions that would close a cycle
    and became mere relations; *titles* names every node that they may lead to; *remarks* list what was not understood
    and is kept as text, and which accepted texts change.
    """

    additions: tuple[Addition, ...] = ()
    edits: tuple[Edit, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    refused: tuple[Refused, ...] = ()
    relations: tuple[tuple[str, RelationType, str], ...] = ()
    circles: tuple[tuple[str, str], ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether it changes anything."""
        return bool(self.additions or self.edits)

    @property
    def supersessions(self) -> int:
        """How many of the new relations are supersessions."""
        return sum(type is RelationType.SUPERSEDES for _, type, _ in self.relations)


def plan(
    graph: Graph,
    history: History,
    originals: Originals,
    folders: Sequence[str],
    progress: Progress | None = None,
) -> Plan:
    """Return the plan of importing every markdown file below *folders*.

    Raises:
        StorageError: a folder is missing or cannot be read.
    """
    found, refused = _gathered(originals, folders)
    before = known.imported(graph)
    fresh = [original for path, original in found.items() if not known.has_text(before.get(path), original)]
    records = _read(fresh, progress)
    match = known.match(found, records, before, originals.has)
    work = _Work(found, records, match, originals)
    if match:
        records |= _read([found[path] for path in match.unchanged])
        dates = history.dates([original.path for original in found.values() if original.inside])
        refused += _nodes(work, graph, history.identity() if match.new else None, dates)
        _relate(work, _new_ties(work))
        refused += _unfit(work)
    return _plan(work, refused)


@dataclass(slots=True)
class _Work:
    """A plan in the making; *nodes* has every imported node by its file's path, in its new state."""

    found: Mapping[str, Original]
    records: dict[str, Record]
    match: Match
    originals: Originals
    nodes: dict[str, Node] = field(default_factory=dict)
    relations: list[tuple[str, RelationType, str]] = field(default_factory=list)
    circles: list[tuple[str, str]] = field(default_factory=list)


def _gathered(originals: Originals, folders: Sequence[str]) -> tuple[dict[str, Original], list[Refused]]:
    found: dict[str, Original] = {}
    reasons: dict[str, str] = {}
    for folder in folders:
        texts, unread = originals.markdown(folder)
        reasons |= {item.path: item.reason for item in unread}
        for original in texts:
            if found.setdefault(original.path, original).text != original.text:
                reasons[original.path] = "two folders hold different files of this name; import them one by one"
    for path, original in found.items():
        try:
            check_text(original.text, "content", CONTENT_LIMIT)
        except ValidationError as error:
            reasons[path] = error.problem
    kept = {path: original for path, original in found.items() if path not in reasons}
    return kept, [Refused(path, reason) for path, reason in reasons.items()]


def _read(some: Sequence[Original], progress: Progress | None = None) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for original in some:
        records[original.path] = facts.read(original.text, original.path)
        if progress:
            progress(len(records), len(some))
    return records


# ---- the nodes -----------------------------------------------------------------------------------


def _nodes(work: _Work, graph: Graph, project: str | None, dates: Mapping[str, tuple[str, str]]) -> list[Refused]:
    """Fill in the nodes, new ones without relations yet; return the files that cannot become nodes."""
    match, refused = work.match, []
    work.nodes = {path: stored.entry for path, stored in match.stored.items()}
    for path in match.moved:
        work.nodes[path] = revise.moved(match.stored[path].entry, path)
    for path in match.changed:
        modified = _moments(work, path, dates)[1]
        work.nodes[path] = revise.changed(
            match.stored[path].entry, work.found[path], work.records[path], work.originals.has, modified
        )
    ids = {path: imported_ids(work.found[path], project) for path in match.new}
    there = graph.index.by_ids(sorted({id for both in ids.values() for id in both})) if graph.files.exists() else {}
    taken = {node.id for node in work.nodes.values()} | there.keys()
    trashed = set(graph.files.trashed())
    broken = {path for path, _ in graph.index.faults()} if graph.files.exists() else set()
    for path in match.new:
        id = next((id for id in ids[path] if id not in taken), None)
        if id is None:
            known_as = there.get(ids[path][1])
            said = f", '{known_as.title}'; `autology show {known_as.id[:8]}` shows it" if known_as else ""
            refused.append(Refused(path, f"its id belongs to a node that was not imported from it{said}"))
            continue
        node = _node(work, path, id, _moments(work, path, dates))
        if node.id in trashed:
            step = f"restore it with `autology restore {node.id}`"
            refused.append(Refused(path, f"its node was deleted and is in the trash; {step}"))
        elif node.path in broken:
            refused.append(Refused(path, f"its node {node.path} cannot be read; fix that file"))
        elif not _is_storable(node):
            refused.append(Refused(path, "its frontmatter is too long for a node's"))
        else:
            work.nodes[path] = node
            taken.add(node.id)
    return refused


def _node(work: _Work, path: str, id: str, moments: tuple[str, str]) -> Node:
    original, record = work.found[path], work.records[path]
    told = facts.facts(record, original.inside, work.originals.has)
    return Node(
        id=id,
        type=told.type,
        title=told.title,
        content=told.content,
        created=moments[0],
        modified=moments[1],
        tags=told.tags,
        source=facts.SOURCE,
        references=told.references,
        status=told.status,
        decision_status=told.decision_status,
        extra=facts.origin_of(original, record),
    )


def _moments(work: _Work, path: str, dates: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """When a record was created and last changed: by its own dates, by version control, or by the disk."""
    own = work.records[path].date
    first, last = dates.get(path, (None, None))
    created = (parse_stamp(own) if own else None) or first or work.found[path].changed
    return created, max(created, last or created)


def _is_storable(node: Node) -> bool:
    try:
        return read_node(write_node(node, {}), node.type) == node
    except UnreadableNodeError:
        return False


# ---- how they are related ------------------------------------------------------------------------


def _new_ties(work: _Work) -> list[Tie]:
    """The ties that this import adds: those of new files, and new ones in changed texts.

    A tie that was removed by hand stays removed.
    """
    match = work.match
    for path in match.elsewhere:  # links may lead to them
        work.records[path] = facts.read(facts.text_of(match.stored[path].entry), path)
    records = {path: work.records[path] for path in work.nodes}
    types = {path: node.type for path, node in work.nodes.items()}
    former = {path: facts.read(facts.text_of(match.stored[path].entry), path) for path in match.changed}
    said = {_key(tie) for tie in ties.ties({**records, **former}, types)} if former else set()
    new, changed = set(match.new), set(match.changed)
    fresh = [
        tie
        for tie in ties.ties(records, types)
        if new & {tie.source, tie.target} or (changed & {tie.source, tie.target} and _key(tie) not in said)
    ]
    paths = {node.id: path for path, node in work.nodes.items()}
    held = [
        (path, paths[relation.target])
        for path, node in work.nodes.items()
        for relation in node.relations
        if relation.type is RelationType.SUPERSEDES and relation.target in paths
    ]
    kept = ties.without_cycles(fresh, held)
    work.circles += [(tie.source, tie.target) for tie, was in zip(kept, fresh, strict=True) if tie.type is not was.type]
    return kept


def _key(tie: Tie) -> tuple[str, RelationType, str]:
    return tie.source, tie.type, tie.target


def _relate(work: _Work, fresh: Sequence[Tie]) -> None:
    for tie in fresh:
        node, target = work.nodes[tie.source], work.nodes[tie.target]
        if len(node.relations) >= MOST_RELATIONS:
            continue
        related = relate.with_relation(node, tie.relation(target.id))
        if node.relation(tie.type, target.id) is None:
            work.relations.append((node.id, tie.type, target.id))
        work.nodes[tie.source] = related
        if tie.replaces:
            work.nodes[tie.target] = decision_steps.superseded(work.nodes[tie.target])


def _unfit(work: _Work) -> list[Refused]:
    """Shorten new relations that are too long for a file's frontmatter; return those that still are."""
    refused = []
    for path in {*work.match.new, *work.match.changed} & work.nodes.keys():
        node = work.nodes[path]
        if not _is_storable(node):
            node = replace(node, relations=tuple(replace(r, description=None) for r in node.relations))
            work.nodes[path] = node
        if not _is_storable(node):
            refused.append(Refused(path, "its frontmatter and relations are too long for a node's"))
            work.nodes.pop(path)
    return refused


def _plan(work: _Work, refused: Sequence[Refused]) -> Plan:
    match, has = work.match, work.originals.has
    additions = []
    for path in (path for path in match.new if path in work.nodes):
        node, record = work.nodes[path], work.records[path]
        missing = record.missing if node.decision_status else ()
        dropped = facts.facts(record, False, has, node.type).dropped_tags
        unread = "" if record.date else facts.unread_date(work.found[path].text)
        additions.append(Addition(path, node, record.is_record, missing, dropped, unread))
    edits = [
        Edit(stored, work.nodes[path])
        for path, stored in match.stored.items()
        if path in work.nodes and work.nodes[path] != stored.entry
    ]
    return Plan(
        additions=tuple(additions),
        edits=tuple(edits),
        changed=tuple(match.changed),
        moved=tuple(match.moved),
        unchanged=tuple(match.unchanged),
        conflicts=tuple(match.conflicts),
        refused=tuple(sorted(refused, key=lambda item: item.path)),
        relations=tuple(work.relations),
        circles=tuple(work.circles),
        titles={node.id: node.title for node in work.nodes.values()},
        remarks=tuple(
            f"{edit.node.title}: its text differs from the accepted one;"
            f" `autology review {edit.node.id[:8]}` accepts it with a reason; until then it is flagged"
            for edit in edits
            if sealing.is_broken(sealing.carried(edit.stored.entry, edit.node))
        ),
    )
