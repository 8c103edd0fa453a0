"""What a project must hold after everything that was acknowledged: a model of it, and the same read from its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autology.files.atomic import is_staged
from autology.text.notes.memory_file import read_memory
from autology.text.notes.node_file import read_node

Relation = tuple[str, str]  # (type, target)


@dataclass(frozen=True)
class Note:
    """A node as the model knows it."""

    title: str
    content: str
    tags: frozenset[str] = frozenset()
    relations: frozenset[Relation] = frozenset()


@dataclass(frozen=True)
class Gone:
    """A deleted node, with the relations that led to it."""

    note: Note
    incoming: frozenset[tuple[str, str]]  # (source, type)


@dataclass(frozen=True)
class State:
    """Nodes and memories by id, documents by path, and what lies in the trash; a value that is never changed."""

    notes: Mapping[str, Note] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    memories: Mapping[str, str] = field(default_factory=dict)
    gone_notes: Mapping[str, Gone] = field(default_factory=dict)
    gone_documents: Mapping[str, str] = field(default_factory=dict)
    gone_memories: Mapping[str, str] = field(default_factory=dict)

    @property
    def seen(self) -> dict[str, object]:
        """What of it can be read from files."""
        return {
            "notes": dict(self.notes),
            "documents": dict(self.documents),
            "memories": dict(self.memories),
            "gone notes": {id: gone.note for id, gone in self.gone_notes.items()},
            "gone documents": dict(self.gone_documents),
            "gone memories": dict(self.gone_memories),
        }

    # ---- nodes -----------------------------------------------------------------------------------

    def captured(self, id: str, note: Note) -> State:
        return replace(self, notes={**self.notes, id: note})

    def updated(self, id: str, content: str, tags: frozenset[str]) -> State:
        return self.captured(id, replace(self.notes[id], content=content, tags=tags))

    def related(self, source: str, kind: str, target: str) -> State:
        note = self.notes[source]
        return self.captured(source, replace(note, relations=note.relations | {(kind, target)}))

    def unrelated(self, source: str, kind: str, target: str) -> State:
        note = self.notes[source]
        return self.captured(source, replace(note, relations=note.relations - {(kind, target)}))

    def deleted(self, id: str) -> State:
        incoming = frozenset((s, k) for s, note in self.notes.items() for k, t in note.relations if t == id)
        left = {
            other: replace(note, relations=frozenset(r for r in note.relations if r[1] != id))
            for other, note in self.notes.items()
            if other != id
        }
        return replace(self, notes=left, gone_notes={**self.gone_notes, id: Gone(self.notes[id], incoming)})

    def restored(self, id: str) -> State:
        gone = self.gone_notes[id]
        alive = frozenset(r for r in gone.note.relations if r[1] in self.notes)
        left = {other: each for other, each in self.gone_notes.items() if other != id}
        state = replace(self, gone_notes=left).captured(id, replace(gone.note, relations=alive))
        for source, kind in gone.incoming:
            if source in self.notes:
                state = state.related(source, kind, id)
        return state

    def combined(self, kept: str, other: str) -> State:
        goes = self.notes[other]
        moved = [(s, k) for s, note in self.notes.items() for k, t in note.relations if t == other and s != kept]
        state = self.deleted(other)
        for source, kind in moved:
            state = state.related(source, kind, kept)
        note = state.notes[kept]
        taken = frozenset(r for r in goes.relations if r[1] != kept)
        return state.captured(kept, replace(note, tags=note.tags | goes.tags, relations=note.relations | taken))

    # ---- documents and memories --------------------------------------------------------------------

    def written(self, path: str, text: str) -> State:
        return replace(self, documents={**self.documents, path: text})

    def renamed(self, path: str, new: str) -> State:
        left = {name: text for name, text in self.documents.items() if name != path}
        return replace(self, documents={**left, new: self.documents[path]})

    def discarded(self, path: str) -> State:
        left = {name: text for name, text in self.documents.items() if name != path}
        return replace(self, documents=left, gone_documents={**self.gone_documents, path: self.documents[path]})

    def brought_back(self, path: str) -> State:
        left = {name: text for name, text in self.gone_documents.items() if name != path}
        return replace(self, documents={**self.documents, path: self.gone_documents[path]}, gone_documents=left)

    def remembered(self, id: str, content: str) -> State:
        return replace(self, memories={**self.memories, id: content})

    def forgotten(self, id: str) -> State:
        left = {other: text for other, text in self.memories.items() if other != id}
        return replace(self, memories=left, gone_memories={**self.gone_memories, id: self.memories[id]})

    def recalled(self, id: str) -> State:
        left = {other: text for other, text in self.gone_memories.items() if other != id}
        return replace(self, memories={**self.memories, id: self.gone_memories[id]}, gone_memories=left)


def on_disk(root: Path) -> dict[str, object]:
    """Return what the project's files hold, as :attr:`State.seen` has it; two files of one id are an error."""
    own = root / ".autology"
    gone_documents, gone_memories = {}, {}
    for record in (own / "trash" / "documents").glob("*.json"):
        facts = json.loads(record.read_bytes())
        gone_documents[facts["path"]] = record.with_suffix(".md").read_bytes().decode()
    for record in (own / "trash" / "memory").glob("*.json"):
        memory = read_memory(record.with_suffix(".md").read_bytes().decode())
        assert memory.id not in gone_memories, "a memory lies in the trash twice"
        gone_memories[memory.id] = memory.content
    return {
        "notes": _notes(sorted((own / "nodes").rglob("*.md"))),
        "documents": {
            path.relative_to(root).as_posix(): path.read_bytes().decode() for path in (root / "docs").rglob("*.md")
        },
        "memories": _memories(sorted((own / "memory").rglob("*.md"))),
        "gone notes": _notes(sorted((own / "trash").glob("*.md"))),
        "gone documents": gone_documents,
        "gone memories": gone_memories,
    }


def leftovers(root: Path) -> list[str]:
    """Return the files that no writer put in place, and changes that were left half done."""
    own = root / ".autology"
    staged = [path for path in own.rglob("*") if is_staged(path.name)]
    return sorted(path.relative_to(root).as_posix() for path in [*staged, *(own / "cache" / "journal").glob("*.json")])


def _notes(paths: list[Path]) -> dict[str, Note]:
    result: dict[str, Note] = {}
    for path in paths:
        if is_staged(path.name):
            continue
        node = read_node(path.read_bytes().decode())
        assert node.id not in result, f"{node.id} has two files"
        keys = [(relation.type.value, relation.target) for relation in node.relations]
        assert len(keys) == len(set(keys)), f"{node.id} has a relation twice"
        result[node.id] = Note(node.title, node.content, frozenset(node.tags), frozenset(keys))
    return result


def _memories(paths: list[Path]) -> dict[str, str]:
    result: dict[str, str] = {}
    for path in paths:
        if not is_staged(path.name):
            memory = read_memory(path.read_bytes().decode())
            assert memory.id not in result, f"{memory.id} has two files"
            result[memory.id] = memory.content
    return result
