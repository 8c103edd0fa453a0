"""Whatever is done in whatever order, files, index and relations are what a plain dictionary says they should be."""

from __future__ import annotations

import copy
import re
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from autology.core.nodes import delete_restore, graph_index_file, relate, search, supersession
from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_codec import NodeCodec
from autology.core.nodes.status import status
from autology.core.nodes.update import Fields, update
from autology.model.errors import NotFoundError, StorageError, ValidationError
from autology.model.node import Node, NodeType
from autology.model.query import Filter
from tests.fakes.files import MemoryFiles
from tests.fakes.project import a_graph, an_id, on_disk

COMPLETE = "## Context\nwhy\n## Decision\nwhat\n## Alternatives\nelse\n## Consequences\nthen"
TITLES = ("Use JWT", "Cache the words", "null", "Store: notes # as files", "---", "Über 数据库", "Use JWT twice")
CONTENTS = (COMPLETE, "plain first", "plain second\n\n## Related\n- mine\n", "---\nthird\r\n", "fourth\n" * 40)
EDITED = ("edited by hand", "---\n\nedited twice\n")
BY_HAND = "# a comment by hand"

Key = tuple[str, str]


@dataclass
class Note:
    """A node as the model has it."""

    type: str
    title: str
    content: str
    tags: tuple[str, ...]
    status: str = "active"
    decision_status: str | None = None
    confidence: float = 0.9
    references: tuple[str, ...] = ()
    relations: dict[Key, tuple[float, str | None]] = field(default_factory=dict)
    commented: bool = False
    seal: tuple[str, bool] | None = field(default=None, compare=False)

    @property
    def frozen_text(self) -> tuple[str, bool]:
        """What an acceptance freezes of it."""
        return self.title, self.content == COMPLETE

    def accepted(self) -> bool:
        """Whether its text is frozen; from then on for ever."""
        if self.type == "decision" and self.decision_status == "accepted" and self.content == COMPLETE:
            self.seal = self.seal or self.frozen_text
        return self.type == "decision" and self.seal is not None

    def add(self, kind: str, target: str, confidence: float, told: str | None) -> None:
        """Relate: the higher confidence stays, a given description replaces."""
        known, before = self.relations.get((kind, target), (0.0, None))
        self.relations[(kind, target)] = (max(known, confidence), told if told is not None else before)

    def place(self, key: tuple[str, str], at: int) -> None:
        """Put a relation where it stood before."""
        items = [item for item in self.relations.items() if item[0] != key]
        items.insert(at, (key, self.relations[key]))
        self.relations = dict(items)

    def superseded(self) -> None:
        self.status = "superseded"
        self.decision_status = "superseded" if self.decision_status else None

    @property
    def incomplete(self) -> bool:
        """Whether it is a decision that lacks a section."""
        return self.type == "decision" and self.content != COMPLETE

    def current(self) -> None:
        """Nothing supersedes it any more."""
        self.status = "needs_review" if self.incomplete else "active"
        self.decision_status = "accepted" if self.decision_status == "superseded" else self.decision_status

    def review(self) -> None:
        """A decision that lacks a section needs review, as long as nobody said otherwise."""
        if self.incomplete and self.status == "active":
            self.status = "needs_review"


Incoming = list[tuple[str, str, float, "str | None", int]]
targets = st.integers(0, 99)
kinds = st.sampled_from(["affects", "uses", "supersedes", "supersedes", "relates_to"])
types = st.sampled_from([type.value for type in NodeType])
tag_lists = st.lists(st.sampled_from(["a", "b", "c-d"]), unique=True, max_size=2).map(tuple)
confidences = st.sampled_from([0.1, 0.5, 0.8, 1.0])
descriptions = st.sampled_from([None, "because", "null", "x: y # z"])


class Project(RuleBasedStateMachine):
    """The use cases in memory, beside a model of what they should have done."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: dict[str, Note] = {}
        self.trash: dict[str, tuple[Note, Incoming]] = {}
        self.snapshots: list[tuple[dict[str, bytes], dict[str, Note]]] = []
        self.made = 0
        self.graph = self.open()

    def open(self) -> Graph:
        return a_graph()

    # ---- files, as a person has them ---------------------------------------------------------------

    def files(self) -> dict[str, bytes]:
        return {path: self.graph.files.read(path)[0] for path in self.graph.files.scan()}

    def save(self, path: str, data: bytes | None) -> None:
        files = self.graph.files
        assert isinstance(files, MemoryFiles)
        if data is None:
            files.remove(path)
        else:
            files.save(path, data)

    def some(self, number: int) -> str:
        return sorted(self.notes)[number % len(self.notes)]

    def reaches(self, start: str, goal: str) -> bool:
        """Whether *start* supersedes *goal*, by however many steps."""
        front, result = [start], {start}
        while front:
            note = self.notes.get(front.pop())
            for kind, target in note.relations if note else ():
                if kind == "supersedes" and target not in result:
                    result.add(target)
                    front.append(target)
        return goal in result

    # ---- what tools do --------------------------------------------------------------------------------

    @initialize(title=st.sampled_from(TITLES))
    def begin(self, title: str) -> None:
        self.capture(title, CONTENTS[1], "concept", (), [], [])

    @rule(
        title=st.sampled_from(TITLES),
        content=st.sampled_from(CONTENTS),
        type=types,
        tags=tag_lists,
        wishes=st.lists(st.tuples(kinds, targets, confidences, descriptions), max_size=2),
        supersedes=st.lists(targets, max_size=1),
    )
    def capture(
        self,
        title: str,
        content: str,
        type: str,
        tags: tuple[str, ...],
        wishes: list[tuple[str, int, float, str | None]],
        supersedes: list[int],
    ) -> None:
        if not self.notes:
            wishes, supersedes = [], []
        requests = [(kind, self.some(number), result, sure) for kind, number, sure, result in wishes]
        replaced = [self.some(number) for number in supersedes]
        material = Material(
            title,
            content,
            type,
            tags,
            relations=tuple(RequestedRelation(*wish) for wish in requests),
            supersedes=tuple(replaced),
        )
        done = capture(self.graph, material, automatic=2.0)
        self.made += 1
        assert (done.node.id, done.created) == (an_id(self.made), ())
        note = Note(type, title, content, tags, decision_status="accepted" if type == "decision" else None)
        note.review()
        for kind, target, result, sure in (*requests, *(("supersedes", id, None, 0.95) for id in replaced)):
            note.add(kind, target, sure, result)
            if kind == "supersedes":
                self.notes[target].superseded()
        self.notes[done.node.id] = note

    @precondition(lambda self: self.notes)
    @rule(
        number=targets,
        title=st.none() | st.sampled_from(TITLES),
        content=st.none() | st.sampled_from(CONTENTS),
        tags=st.none() | tag_lists,
        state=st.sampled_from([None, None, "active", "needs_review", "superseded"]),
        confidence=st.none() | confidences,
        type=st.none() | types,
        references=st.sampled_from([None, (), ("src/a.py", "docs/é b.md")]),
    )
    def update(
        self,
        number: int,
        title: str | None,
        content: str | None,
        tags: tuple[str, ...] | None,
        state: str | None,
        confidence: float | None,
        type: str | None,
        references: tuple[str, ...] | None,
    ) -> None:
        id = self.some(number)
        fields = Fields(title, content, tags, state, confidence, type, references)
        if not fields.set_names():
            with pytest.raises(ValidationError, match="no fields to update"):
                update(self.graph, id, fields)
            return
        note = self.notes[id]
        if state in ("active", "needs_review") and note.status == "superseded" and self.superseded(id):
            with pytest.raises(ValidationError, match="status: the node is superseded"):
                update(self.graph, id, fields)
            return
        before = replace(note)
        for name in fields.set_names():
            setattr(note, name, getattr(fields, name))
        if before.accepted() and (
            note.type != before.type or note.frozen_text not in (before.frozen_text, before.seal)
        ):
            self.notes[id] = before
            with pytest.raises(ValidationError, match="of an accepted decision is frozen"):
                update(self.graph, id, fields)
            return
        if note.type == "decision":
            note.decision_status = note.decision_status or "accepted"
            if state == "superseded":
                note.superseded()
            elif state is not None and note.decision_status == "superseded":
                note.decision_status = "accepted"
        if (content is not None or type is not None) and state is None:
            note.review()
            if before.incomplete and not note.incomplete and note.status == "needs_review":
                note.status = "active"  # that was what it waited for
        assert update(self.graph, id, fields).fields == (fields.set_names() if note != before else ())

    @precondition(lambda self: self.notes)
    @rule(start=targets, end=targets, kind=kinds, told=descriptions, confidence=confidences)
    def relate(self, start: int, end: int, kind: str, told: str | None, confidence: float) -> None:
        source, target = self.some(start), self.some(end)
        circle = kind == "supersedes" and self.reaches(target, source)
        if source == target or circle:
            with pytest.raises(ValidationError, match="target"):
                relate.relate(self.graph, source, target, kind, told, confidence)
            return
        relate.relate(self.graph, source, target, kind, told, confidence)
        self.notes[source].add(kind, target, confidence, told)
        if kind == "supersedes":
            self.notes[target].superseded()

    @precondition(lambda self: self.notes)
    @rule(start=targets, end=targets, kind=kinds)
    def unrelate(self, start: int, end: int, kind: str) -> None:
        source = self.some(start)
        related = [target for known, target in self.notes[source].relations if known == kind]
        target = related[end % len(related)] if related else self.some(end)
        done = relate.unrelate(self.graph, source, target, kind)
        gone = self.notes[source].relations.pop((kind, target), None)
        assert done.changed == (gone is not None)
        if gone and kind == "supersedes":
            self.reconsider(target)

    @precondition(lambda self: len(self.notes) > 1)
    @rule(number=targets)
    def delete(self, number: int) -> None:
        id = self.some(number)
        incoming: Incoming = []
        for source in sorted(self.notes):
            if source != id:
                relations = self.notes[source].relations
                for at, key in [(at, key) for at, key in enumerate(relations) if key[1] == id]:
                    sure, result = relations.pop(key)
                    incoming.append((source, key[0], sure, result, at))
        note = self.notes.pop(id)
        assert delete_restore.delete(self.graph, id).relations == len(note.relations) + len(incoming)
        self.trash[id] = (note, incoming)
        for _, former in [key for key in note.relations if key[0] == "supersedes"]:
            self.reconsider(former)
        with pytest.raises(NotFoundError):
            relate.relate(self.graph, id, self.some(0), "uses")

    @precondition(lambda self: self.trash)
    @rule(number=targets)
    def restore(self, number: int) -> None:
        id = sorted(self.trash)[number % len(self.trash)]
        if id in self.notes:
            with pytest.raises(StorageError, match="a node with this id exists"):
                delete_restore.restore(self.graph, id)
            return
        note, incoming = self.trash.pop(id)
        note.relations = {key: value for key, value in note.relations.items() if key[1] in self.notes}
        self.notes[id] = note
        count = len(note.relations)
        for source, kind, sure, result, at in incoming:
            if source in self.notes and not (kind == "supersedes" and self.reaches(id, source)):
                self.notes[source].add(kind, id, sure, result)
                self.notes[source].place((kind, id), at)
                count += 1
        if any(kind == "supersedes" for _, kind, *_ in incoming):
            self.reconsider(id)
        assert delete_restore.restore(self.graph, id).relations == count
        for _, former in [key for key in note.relations if key[0] == "supersedes"]:
            self.notes[former].superseded()

    def superseded(self, id: str) -> bool:
        return any(("supersedes", id) in note.relations for note in self.notes.values())

    def reconsider(self, id: str) -> None:
        """What superseded it is gone: unless another does, it holds again."""
        if id in self.notes and self.notes[id].status == "superseded" and not self.superseded(id):
            self.notes[id].current()

    @rule(end=targets)
    def relate_to_nothing(self, end: int) -> None:
        with pytest.raises(NotFoundError, match="target node not found"):
            relate.relate(self.graph, self.some(end), an_id(0xDEAD), "uses")

    # ---- what people do beside them -------------------------------------------------------------------

    @precondition(lambda self: self.notes)
    @rule(number=targets, content=st.sampled_from(EDITED), confidence=st.sampled_from(["0.25", "1", "0.5"]))
    def edit_by_hand(self, number: int, content: str, confidence: str) -> None:
        id = self.some(number)
        note = self.notes[id]
        path = self.graph.index.by_ids([id])[id].path
        text = self.graph.files.read(path)[0].decode()
        assert text.count(note.content) == 1 or note.content in note.title
        head, _, body = text.partition(f"\n# {note.title}\n\n")
        body = body.replace(note.content, content, 1)
        head = re.sub(r"^confidence: .*$", f"confidence: {confidence}", head, count=1, flags=re.MULTILINE)
        if BY_HAND not in head:
            head = head.replace("\ntags:", f"\n{BY_HAND}\nown_key: [kept, as it is]\ntags:", 1)
        self.save(path, f"{head}\n# {note.title}\n\n{body}".encode())
        note.content, note.confidence, note.commented = content, float(confidence), True
        self.graph.refresh(walk=True)

    @precondition(lambda self: len(self.snapshots) < 3)
    @rule()
    def remember(self) -> None:
        self.snapshots.append((self.files(), copy.deepcopy(self.notes)))

    @precondition(lambda self: self.snapshots)
    @rule(number=targets)
    def check_out(self, number: int) -> None:
        """Replace the notes by those of another branch, as version control does."""
        files, notes = self.snapshots[number % len(self.snapshots)]
        present = self.files()
        for path in present.keys() - files.keys():
            self.save(path, None)
        for path, data in files.items():
            if present.get(path) != data:
                self.save(path, data)
        self.notes = copy.deepcopy(notes)
        self.graph.refresh(walk=True)

    # ---- what must hold ---------------------------------------------------------------------------------

    @invariant()
    def files_hold_the_model(self) -> None:
        result: dict[str, Node] = {}
        for path, data in self.files().items():
            node = NodeCodec().parse(data, path)
            assert node.path == path
            result[node.id] = node
            note = self.notes[node.id]
            text = data.decode()
            assert (BY_HAND in text and "own_key: [kept, as it is]" in text) == note.commented
            listed = re.findall(r"^- \[\[([0-9a-f-]{36})(?:\|[^\n]*)?\]\]$", text, re.MULTILINE)
            assert listed == list(dict.fromkeys(target for _, target in note.relations))
        assert {id: as_note(node, self.notes[id].commented) for id, node in result.items()} == self.notes

    @invariant()
    def the_index_knows_the_model(self) -> None:
        self.graph.refresh(walk=True)
        index = self.graph.index
        assert {source.id: source.title for source in index.listed(Filter(), -1, "")} == {
            id: note.title for id, note in self.notes.items()
        }
        edges = {(edge.source, edge.type, edge.target): (edge.confidence, edge.description) for edge in index.edges()}
        assert edges == {(id, *key): value for id, note in self.notes.items() for key, value in note.relations.items()}
        assert (list(index.faults()), list(index.dangling(9))) == ([], [])

    @invariant()
    def no_relation_leads_to_what_was_deleted(self) -> None:
        for data in self.files().values():
            for id in self.trash.keys() - self.notes.keys():
                assert id not in data.decode()

    @invariant()
    def supersession_goes_one_way(self) -> None:
        for id, note in self.notes.items():
            assert not any(kind == "supersedes" and self.reaches(target, id) for kind, target in note.relations)

    @invariant()
    def both_ends_of_a_supersession_name_each_other(self) -> None:
        nodes = [NodeCodec().parse(data, path) for path, data in self.files().items()]
        named = {(newer, node.id) for node in nodes for newer in supersession.successors(node)}
        assert named == {
            (newer, older)
            for newer, note in self.notes.items()
            for kind, older in note.relations
            if kind == "supersedes"
        }

    @invariant()
    def what_is_accepted_is_frozen(self) -> None:
        for note in self.notes.values():
            note.accepted()

    @invariant()
    def the_trash_holds_what_was_deleted(self) -> None:
        assert sorted(item.id for item in self.graph.trash.items()) == sorted(self.trash)

    @invariant()
    def every_note_is_found_by_its_id(self) -> None:
        for id in list(self.notes)[:3]:
            assert [hit.node.id for hit in search.search(self.graph, search.NodeQuery(id)).hits] == [id]

    def teardown(self) -> None:
        counted = status(self.graph)
        assert (counted.total_nodes, counted.dangling, counted.unreadable) == (len(self.notes), 0, ())
        assert graph_index_file.write(self.graph) == sum(len(note.relations) for note in self.notes.values())


class ProjectOnDisk(Project):
    """The same on a real disk with a real index."""

    def open(self) -> Graph:
        self.root = Path(tempfile.mkdtemp(prefix="autology-"))
        return on_disk(self.root)

    def save(self, path: str, data: bytes | None) -> None:
        if data is None:
            (self.root / path).unlink()
        else:
            (self.root / path).write_bytes(data)

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            shutil.rmtree(self.root, ignore_errors=True)


def as_note(node: Node, commented: bool) -> Note:
    return Note(
        type=node.type.value,
        title=node.title,
        content=node.content,
        tags=node.tags,
        status=node.status.value,
        decision_status=node.decision_status.value if node.decision_status else None,
        confidence=node.confidence,
        references=node.references,
        relations={r.key: (r.confidence, r.description) for r in node.relations},
        commented=commented,
    )


TestProjectInMemory = Project.TestCase
TestProjectInMemory.settings = settings(max_examples=60, stateful_step_count=30)
TestProjectOnDisk = ProjectOnDisk.TestCase
TestProjectOnDisk.settings = settings(max_examples=10, stateful_step_count=25)
