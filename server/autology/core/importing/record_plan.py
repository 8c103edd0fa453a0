"""The plan of importing decision records: files that become nodes, nodes that follow their files, and relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.importing import record_matching, record_node, record_relations
from autology.core.importing.import_plan import (
    MOST_RELATIONS,
    Addition,
    ImportPlan,
    derived_id,
    is_storable,
    node_edits,
    usable_tags,
)
from autology.core.importing.originals import Original, Originals, Refused, in_trash
from autology.core.importing.record_matching import FileMatches
from autology.core.importing.record_relations import RecordRelation
from autology.core.long_work import Progress
from autology.core.nodes import relate, sealing, status_transitions
from autology.core.nodes.graph import Graph
from autology.core.nodes.version_control import History
from autology.model.errors import ValidationError
from autology.model.next_step import Action, Sentence, do
from autology.model.node import CONTENT_LIMIT, Node, RelationType, check_text
from autology.text.adr.record import Record
from autology.text.language.timestamps import parse_stamp


def plan(
    graph: Graph,
    history: History,
    originals: Originals,
    folders: Sequence[str],
    progress: Progress | None = None,
) -> ImportPlan:
    """Return the plan of importing every markdown file below *folders*.

    Raises:
        StorageError: a folder is missing or cannot be read.
    """
    files, refused = _gathered(originals, folders)
    adopted = graph.record_files() & files.keys()
    refused += [Refused(path, "is adopted where it lies: it is a node already") for path in sorted(adopted)]
    files = {path: original for path, original in files.items() if path not in adopted}
    before = record_matching.imported(graph)
    fresh = [original for path, original in files.items() if not record_matching.has_text(before.get(path), original)]
    records = _read(fresh, progress)
    match = record_matching.match(files, records, before, originals.has)
    work = _RecordImport(files, records, match, originals)
    if match:
        records |= _read([files[path] for path in match.unchanged])
        dates = history.dates([original.path for original in files.values() if original.inside])
        refused += _nodes(work, graph, history.identity() if match.new else None, dates)
        _relate(work, _new_relations(work))
        refused += _unfit(work)
    return _plan(work, refused)


@dataclass(slots=True)
class _RecordImport:
    """A plan in the making; *nodes* has every imported node by its file's path, in its new state."""

    files: Mapping[str, Original]
    records: dict[str, Record]
    match: FileMatches
    originals: Originals
    nodes: dict[str, Node] = field(default_factory=dict)
    circles: list[tuple[str, str]] = field(default_factory=list)


def _gathered(originals: Originals, folders: Sequence[str]) -> tuple[dict[str, Original], list[Refused]]:
    files: dict[str, Original] = {}
    reasons: dict[str, str] = {}
    for folder in folders:
        texts, unread = originals.markdown(folder)
        reasons |= {item.path: item.reason for item in unread}
        for original in texts:
            if files.setdefault(original.path, original).text != original.text:
                reasons[original.path] = "two folders hold different files of this name; import them one by one"
    for path, original in files.items():
        try:
            check_text(original.text, "content", CONTENT_LIMIT)
        except ValidationError as error:
            reasons[path] = error.problem
    accepted = {path: original for path, original in files.items() if path not in reasons}
    return accepted, [Refused(path, reason) for path, reason in reasons.items()]


def _read(some: Sequence[Original], progress: Progress | None = None) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for original in some:
        records[original.path] = record_node.read(original.text, original.path)
        if progress:
            progress(len(records), len(some))
    return records


# ---- the nodes -----------------------------------------------------------------------------------


def _nodes(
    work: _RecordImport, graph: Graph, project: str | None, dates: Mapping[str, tuple[str, str]]
) -> list[Refused]:
    """Fill in the nodes, new ones without relations yet; return the files that cannot become nodes."""
    match, refused = work.match, []
    work.nodes = {path: stored.entry for path, stored in match.stored.items()}
    for path in match.moved:
        work.nodes[path] = record_node.moved(match.stored[path].entry, path)
    for path in match.changed:
        modified = _moments(work, path, dates)[1]
        work.nodes[path] = record_node.updated(
            match.stored[path].entry, work.files[path], work.records[path], work.originals.has, modified
        )
    ids = {path: _ids(work.files[path], project) for path in match.new}
    there = graph.index.by_ids(sorted({id for both in ids.values() for id in both})) if graph.files.exists() else {}
    taken = {node.id for node in work.nodes.values()} | there.keys()
    trashed = set(graph.files.trashed())
    broken = {path for path, _ in graph.index.faults()} if graph.files.exists() else set()
    for path in match.new:
        id = next((id for id in ids[path] if id not in taken), None)
        if id is None:
            other = there.get(ids[path][1])
            reason = Sentence("its id belongs to a node that was not imported from it")
            if other:
                shows = Sentence(do(Action.READ_NODE, id=other.id[:8]), " shows it")
                reason = Sentence(reason, f", '{other.title}'; ", shows)
            refused.append(Refused(path, reason))
            continue
        created, modified = _moments(work, path, dates)
        node = record_node.node_of(work.records[path], work.files[path], work.originals.has)
        node = replace(node, id=id, created=created, modified=modified)
        if node.id in trashed:
            refused.append(Refused(path, in_trash(node.id)))
        elif node.path in broken:
            refused.append(Refused(path, f"its node {node.path} cannot be read; fix that file"))
        elif not is_storable(node):
            refused.append(Refused(path, "its frontmatter is too long for a node's"))
        else:
            work.nodes[path] = node
            taken.add(node.id)
    return refused


def _ids(original: Original, project: str | None) -> tuple[str, str]:
    """Return the id for *original* in the project whose first commit is *project*, and a second choice.

    It is derived from the path, and without version control from the text as well; so is the second choice, for when
    the first is taken, as by a record that was moved away from that path.
    """
    with_text = derived_id(project or "", original.path, original.hash)
    return derived_id(project, original.path, "") if project else with_text, with_text


def _moments(work: _RecordImport, path: str, dates: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """When a record was created and last changed: by its own dates, by version control, or by the disk."""
    own = work.records[path].date
    first, last = dates.get(path, (None, None))
    created = (parse_stamp(own) if own else None) or first or work.files[path].changed
    return created, max(created, last or created)


# ---- how they are related ------------------------------------------------------------------------


def _new_relations(work: _RecordImport) -> list[RecordRelation]:
    """The relations that this import adds: those of new files, and new ones in changed texts.

    One that was removed by hand stays removed.
    """
    match = work.match
    for path in match.elsewhere:  # links may lead to them
        work.records[path] = record_node.read(record_node.text_of(match.stored[path].entry), path)
    records = {path: work.records[path] for path in work.nodes}
    types = {path: node.type for path, node in work.nodes.items()}
    former = {path: record_node.read(record_node.text_of(match.stored[path].entry), path) for path in match.changed}
    known = record_relations.relations({**records, **former}, types) if former else []
    keys = {relation.key for relation in known}
    new, changed = set(match.new), set(match.changed)
    fresh = [
        relation
        for relation in record_relations.relations(records, types)
        if new & relation.ends or (changed & relation.ends and relation.key not in keys)
    ]
    paths = {node.id: path for path, node in work.nodes.items()}
    existing = [
        (path, paths[relation.target])
        for path, node in work.nodes.items()
        for relation in node.relations
        if relation.type is RelationType.SUPERSEDES and relation.target in paths
    ]
    accepted = record_relations.without_cycles(fresh, existing)
    for relation, before in zip(accepted, fresh, strict=True):
        if relation.type is not before.type:
            work.circles.append((relation.source, relation.target))
    return accepted


def _relate(work: _RecordImport, fresh: Sequence[RecordRelation]) -> None:
    for relation in fresh:
        node, target = work.nodes[relation.source], work.nodes[relation.target]
        if len(node.relations) >= MOST_RELATIONS:
            continue
        work.nodes[relation.source] = relate.with_relation(node, relation.relation(target.id))
        if relation.replaces:
            work.nodes[relation.target] = status_transitions.superseded(work.nodes[relation.target])


def _unfit(work: _RecordImport) -> list[Refused]:
    """Shorten new relations that are too long for a file's frontmatter; return those that still are."""
    refused = []
    for path in {*work.match.new, *work.match.changed} & work.nodes.keys():
        node = work.nodes[path]
        if not is_storable(node):
            node = replace(node, relations=tuple(replace(r, description=None) for r in node.relations))
            work.nodes[path] = node
        if not is_storable(node):
            refused.append(Refused(path, "its frontmatter and relations are too long for a node's"))
            work.nodes.pop(path)
    return refused


def _plan(work: _RecordImport, refused: Sequence[Refused]) -> ImportPlan:
    match = work.match
    additions = []
    for path in (path for path in match.new if path in work.nodes):
        node, record = work.nodes[path], work.records[path]
        missing = record.missing if node.decision_status else ()
        dropped = usable_tags(record.tags)[1]
        date = "" if record.date else record_node.ambiguous_date(work.files[path].text)
        additions.append(Addition(path, node, record.is_record, missing, dropped, date))
    edits = node_edits(match.stored, work.nodes)
    return ImportPlan(
        additions=tuple(additions),
        edits=edits,
        changed=tuple(match.changed),
        moved=tuple(match.moved),
        unchanged=tuple(match.unchanged),
        conflicts=tuple(match.conflicts),
        refused=tuple(sorted(refused, key=lambda item: item.path)),
        circles=tuple(work.circles),
        titles={node.id: node.title for node in work.nodes.values()},
        remarks=tuple(
            Sentence(
                f"{edit.node.title}: its text differs from the accepted one; ",
                do(Action.REVIEW, id=edit.node.id[:8]),
                " accepts it with a reason; until then it is flagged",
            )
            for edit in edits
            if sealing.is_broken(sealing.carried(edit.stored.entry, edit.node))
        ),
    )
