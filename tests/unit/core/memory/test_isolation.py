"""No find, in any mode and along any relation, returns an item of another scope that was given, or an expired one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from autology.core.memory.find import FoundMemory, Request, find
from autology.core.memory.memories import Memories
from autology.core.nodes.graph import Graph
from autology.embedding.static import StaticEncoder
from autology.files.memory_folder import MemoryFolder
from autology.files.node_folder import AutologyFolder
from autology.index.sqlite import SqliteIndex
from autology.model.argument_limits import DEEP, EXPANSIONS, MEMORY_MODES
from autology.model.memory import Kind, Memory, Scope
from autology.text.language.timestamps import stamp
from tests.fakes.remembered import HERE, NOW, a_memory, write

ENCODER = StaticEncoder()
WORDS = ("zeppelin lands on the roof", "the harbour is closed", "zeppelin and harbour", "a doctor treats the patient")
ASKED = (*WORDS, "zeppelin", "physician", "item-3")
NUMBERS = st.integers(0, 9)

parts = st.sampled_from([None, "one", "two"])
scopes = st.builds(Scope, parts, st.sampled_from([None, "here", "there"]), parts)
days = st.sampled_from([None, -1.0, 0.0, 0.5, 1.0, 30.0])


class Isolation(RuleBasedStateMachine):
    """Memories are written, moved, tied together and removed as time goes by, and looked for all the while."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="autology-isolation-"))
        self.root, self.user = self.folder / "project", self.folder / "data"
        self.root.mkdir()
        self.now = NOW
        self.there: dict[str, tuple[Memory, Path]] = {}
        place = str(self.folder / "index.sqlite")
        index = SqliteIndex(lambda: place, lambda: ENCODER)
        graph = Graph(AutologyFolder(str(self.root)), index, lambda: self.now, str)
        files = MemoryFolder(str(self.root)), MemoryFolder(str(self.user))
        self.memories = Memories(graph, *files, lambda: HERE, ENCODER.encode)

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder, ignore_errors=True)

    def _write(self, memory: Memory) -> None:
        if memory.id in self.there:
            self.there[memory.id][1].unlink()
        root = self.root if memory.scope.project == "here" else self.user
        self.there[memory.id] = (memory, write(root, memory))
        for _ in self.memories.roots:  # what moves from one root to the other has its id to itself at the second look
            self.memories.refresh(walk=True)

    @rule(number=NUMBERS, content=st.sampled_from(WORDS), scope=scopes, lives=days, kind=st.sampled_from(list(Kind)))
    def keep(self, number: int, content: str, scope: Scope, lives: float | None, kind: Kind) -> None:
        until = self._until(lives)
        self._write(a_memory(f"item-{number}", None, kind, content=content, scope=scope, expires_at=until))

    @rule(
        number=NUMBERS, one=NUMBERS, other=NUMBERS, scope=scopes, lives=days, type=st.sampled_from(["uses", "part_of"])
    )
    def tie(self, number: int, one: int, other: int, scope: Scope, lives: float | None, type: str) -> None:
        data = {"source_id": f"item-{one}", "target_id": f"item-{other}", "relation_type": type}
        until = self._until(lives)
        tied = a_memory(f"tie-{number}", None, Kind.RELATION, content="a tie", scope=scope, expires_at=until, data=data)
        self._write(tied)

    @rule(number=NUMBERS, parent=NUMBERS)
    def put_below(self, number: int, parent: int) -> None:
        known = self.there.get(f"item-{number}")
        assume(known is not None)
        assert known is not None
        self._write(replace(known[0], data={**known[0].data, "parent_id": f"item-{parent}"}))

    @precondition(lambda self: self.there)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from(sorted(self.there)))
        self.there.pop(id)[1].unlink()

    @rule(hours=st.sampled_from([1, 13, 24, 24 * 31]))
    def time_goes_by(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    def _until(self, lives: float | None) -> str | None:
        return None if lives is None else stamp(self.now + timedelta(days=lives))

    @rule(
        query=st.sampled_from(ASKED),
        scope=st.none() | scopes,
        mode=st.sampled_from(MEMORY_MODES),
        way=st.none() | st.sampled_from(EXPANSIONS),
        types=st.lists(st.sampled_from([kind.value for kind in Kind]), max_size=2, unique=True),
        limit=st.integers(1, 30),
        offset=st.integers(0, 3),
    )
    def look(
        self,
        query: str,
        scope: Scope | None,
        mode: str,
        way: str | None,
        types: list[str],
        limit: int,
        offset: int,
    ) -> None:
        expand = way if mode == DEEP else None
        hits = find(self.memories, Request(query, tuple(types), scope, mode, limit, offset, expand))
        self._only_what_may_be_seen(hits.items, scope)
        for item in hits.items:
            assert expand or not types or item.kind in types
        assert len(hits.items) <= limit

    @invariant()
    def nothing_is_missed_or_shown_wrongly(self) -> None:
        """What is written, alive and of a scope is found by its words; nothing else is."""
        if not hasattr(self, "memories"):
            return
        for scope in (None, Scope(org="one"), Scope(project="here")):
            hits = find(self.memories, Request("zeppelin", scope=scope, limit=100))
            self._only_what_may_be_seen(hits.items, scope)
            due = {
                id
                for id, (memory, _) in self.there.items()
                if "zeppelin" in memory.content and self._alive(memory) and (scope or Scope()).covers(memory.scope)
                if self._is_placed(memory)
            }
            assert due <= {item.id for item in hits.items}

    def _only_what_may_be_seen(self, items: Iterable[FoundMemory], scope: Scope | None) -> None:
        for item in items:
            memory = self.there[item.id][0]
            assert (item.content, item.scope) == (memory.content, memory.scope)
            assert self._alive(memory)
            assert self._is_placed(memory)
            assert (scope or Scope()).covers(memory.scope)

    def _is_placed(self, memory: Memory) -> bool:
        return memory.scope.branch is None or memory.scope.project is not None

    def _alive(self, memory: Memory) -> bool:
        return memory.expires_at is None or memory.expires_at > stamp(self.now)


TestIsolation = Isolation.TestCase
TestIsolation.settings = settings(max_examples=25, stateful_step_count=20)
