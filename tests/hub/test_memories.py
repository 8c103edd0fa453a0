"""Memories for all: offered in order, kept once, with history; offline they wait; both sides of a conflict stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Put
from autology.core.memory.index_entry import entry_of
from autology.core.memory.memories import Memories
from autology.hub.model import ADMIN, CONFLICT, KEPT, REMOVED, WRITER, Offer, OfferResult, Space, StoredMemory
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.schema import space_id
from autology.hub.postgres.space_servers import Access
from autology.hub.sync import background_retry, project_files, pull_memories, push_memories
from autology.hub.sync.outbox import Outbox
from autology.hub.sync.share_log import ShareLog
from autology.model.errors import BusyError, HubError, HubRefusedError
from autology.model.memory import Memory, Scope
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.text.notes.memory_file import read_memory, write_memory
from autology.tools import calls, memory_store
from autology.tools.project import ServedProject
from tests.fakes import remembered
from tests.hub import fixtures
from tests.hub.proxy import Proxy
from tests.hub.servers import Server


@dataclass
class Desk:
    """One person's machine: the memories, the outbox, and the hub as that person sees it."""

    folder: Path
    memories: Memories
    outbox: Outbox
    hub: PostgresHub

    def says(self, id: str, text: str, org: str = "") -> None:
        """Write a memory for the whole organisation, as a store would."""
        made = remembered.a_memory(id, None, content=text, scope=Scope(org=org or self.hub.space.org))
        remembered.write(self.folder / "user", made)
        self.memories.refresh(walk=True)

    def removes(self, id: str) -> None:
        """Take its file away."""
        (self.folder / "user" / ".autology" / "memory" / "observation" / f"{id}.md").unlink()
        self.memories.refresh(walk=True)

    def pushes(self) -> push_memories.PushResult:
        """What `autology hub push` does with memories."""
        self.memories.refresh(walk=True)
        push_memories.queue_changes(self.memories, self.outbox, self.hub.space.org)
        return push_memories.send_queued(self.memories, self.outbox, self.hub)

    def pulls(self) -> pull_memories.PullResult:
        """What `autology hub pull` does."""
        self.memories.refresh(walk=True)
        push_memories.queue_changes(self.memories, self.outbox, self.hub.space.org)
        return pull_memories.pull(self.memories, self.outbox, self.hub, [self.hub.space])

    def holds(self) -> dict[str, str]:
        """What the user's files say."""
        files = (self.folder / "user" / ".autology" / "memory").rglob("*.md")
        text: list[Memory] = [read_memory(file.read_text(encoding="utf-8")) for file in files]
        return {memory.id: memory.content for memory in text}


@contextmanager
def a_desk(
    folder: Path, server: Server, space: Space, user: str, port: int = 0, deadline: float | None = None
) -> Iterator[Desk]:
    hub = fixtures.a_hub(server, space, user, WRITER)
    hub.close()
    result = PostgresHub(
        [("*", parse_dsn(server.dsn(user, port=port)))], space, Access(deadline=deadline or (1.5 if port else 30.0))
    )
    for name in ("project", "user"):
        (folder / name).mkdir(parents=True)
    made = remembered.memories(folder / "project", folder / "user")
    yield Desk(folder, made, Outbox(str(folder / "outbox")), result)
    result.close()


@pytest.fixture
def space(server: Server) -> Space:
    return fixtures.a_space()


@pytest.fixture
def ada(server: Server, space: Space, tmp_path: Path) -> Iterator[Desk]:
    with a_desk(tmp_path / "ada", server, space, "ada") as desk:
        yield desk


@pytest.fixture
def bob(server: Server, space: Space, tmp_path: Path) -> Iterator[Desk]:
    with a_desk(tmp_path / "bob", server, space, "bob") as desk:
        yield desk


def diverge(ada: Desk, bob: Desk, id: str, base: str, hers: str | None, his: str | None) -> None:
    """Have Ada push *base* and then *hers*, which Bob doesn't know, and Bob write *his*; None deletes."""
    ada.says(id, base)
    ada.pushes()
    bob.pulls()
    for desk, text in ((ada, hers), (bob, his)):
        if text is None:
            desk.removes(id)
        elif text != base:
            desk.says(id, text)
        if desk is ada:
            ada.pushes()


def test_a_pushed_memory_reaches_the_others(ada: Desk, bob: Desk) -> None:
    ada.says("cache", "The cache holds 40 entries.")
    assert (ada.pushes().sent, ada.pushes().sent) == (1, 0)
    assert bob.pulls().pulled == 1
    assert bob.holds() == {"cache": "The cache holds 40 entries."}
    assert (bob.pulls().pulled, bob.pushes().sent) == (0, 0)
    terms = Terms((("cache",),))
    hits = bob.hub.index.lexical_candidates(terms, Filter(kind="memory"), False, 5)
    assert {hit.source.id for hit in hits} == {"cache"}


def test_memories_without_team_scope_are_never_pushed(ada: Desk) -> None:
    ada.says("own", "Mine alone.", org="another")
    remembered.write(ada.folder / "user", remembered.a_memory("bare", None, scope=Scope()))
    assert ada.pushes().sent == 0
    assert ada.hub.versions() == {}


def test_secrets_stay_behind(ada: Desk) -> None:
    ada.says("key", "The key is AKIAIOSFODNN7EXAMPLE, says the wiki.")
    ada.pushes()
    (held,) = ada.hub.memories(["key"])
    assert held.file is not None
    assert "AKIA" not in held.file
    assert "[redacted" in held.file


def test_every_version_is_kept_with_whose_it_is(server: Server, ada: Desk, bob: Desk) -> None:
    ada.says("cache", "It holds 40.")
    ada.pushes()
    bob.pulls()
    bob.says("cache", "It holds 80.")
    bob.pushes()
    bob.removes("cache")
    bob.pushes()
    result = [(one.version, one.login, one.file is None) for one in ada.hub.history("cache")]
    assert result == [(3, "bob", True), (2, "bob", False), (1, "ada", False)]
    assert ada.pulls().removed == 1
    assert ada.holds() == {}
    assert remembered.trashed(ada.folder / "user").keys() == {"cache"}
    owner = fixtures.a_hub(server, ada.hub.space)
    ask = "SELECT login, action, outcome FROM autology.audit WHERE space = autology.here() ORDER BY at"
    told_of = owner.pool.query(ask)
    assert told_of == [["ada", "keep", "kept"], ["bob", "keep", "kept"], ["bob", "keep", "removed"]]
    owner.close()


def test_the_same_operation_again_does_nothing_more(ada: Desk) -> None:
    ada.says("cache", "It holds 40.")
    push_memories.queue_changes(ada.memories, ada.outbox, ada.hub.space.org)
    (offer,) = ada.outbox.waiting()
    first = ada.hub.store(offer, None)
    again = ada.hub.store(offer, None)
    assert (first.outcome, first.version) == (again.outcome, again.version) == (KEPT, 1)
    assert len(ada.hub.history("cache")) == 1
    # Its answer was lost, so it is still in the outbox: sending it settles it.
    assert ada.pushes().sent == 1
    assert (ada.outbox.waiting(), ada.hub.versions()) == ([], {"cache": 1})


def test_changes_of_different_paragraphs_are_put_together(ada: Desk, bob: Desk) -> None:
    diverge(
        ada,
        bob,
        "plan",
        "First part.\n\nSecond part.",
        "First part, by Ada.\n\nSecond part.",
        "First part.\n\nSecond part, by Bob.",
    )
    assert any("merged" in note for note in bob.pushes().notes)
    assert bob.pushes().conflicts == []
    ada.pulls()
    assert ada.holds() == bob.holds() == {"plan": "First part, by Ada.\n\nSecond part, by Bob."}


def test_a_conflict_keeps_and_shows_both_sides(ada: Desk, bob: Desk) -> None:
    diverge(ada, bob, "port", "It is 8080.", "It is 9090.", "It is 7070.")
    (path,) = bob.pushes().conflicts
    shown = Path(path).read_text(encoding="utf-8")
    assert all(text in shown for text in ("<<<<<<<", "It is 7070.", "=======", "It is 9090.", ">>>>>>>"))
    assert bob.holds() == {"port": "It is 7070."}
    assert ada.hub.memories(["port"])[0].file == (ada.hub.history("port")[0].file)
    assert bob.outbox.conflicts() == [path]
    assert bob.pushes().sent == 0  # nobody decided yet
    assert "It is 9090." in str(bob.hub.memories(["port"])[0].file)
    bob.says("port", "It is 9091.")  # resolved: pushed knowing what the hub has
    assert bob.pushes().sent == 1
    ada.pulls()
    assert ada.holds() == {"port": "It is 9091."}


def test_a_conflict_is_decided_by_deleting_what_shows_it(ada: Desk, bob: Desk) -> None:
    diverge(ada, bob, "port", "It is 8080.", "It is 9090.", None)
    (path,) = bob.pushes().conflicts
    assert bob.pushes().sent == 0
    ada.says("port", "It is 9091.")
    ada.pushes()
    assert "in conflict" in bob.pulls().notes[0]
    assert bob.holds() == {}
    ada.says("port", "It is 9090.")
    Path(path).unlink()
    (path,) = bob.pushes().conflicts  # it is another version by now
    Path(path).unlink()
    assert bob.pushes().sent == 1
    assert ada.hub.memories(["port"])[0].file is None


def test_a_file_that_cannot_be_read_was_not_taken_away(ada: Desk) -> None:
    ada.says("cache", "It holds 40.")
    ada.pushes()
    (file,) = (ada.folder / "user" / ".autology" / "memory").rglob("*.md")
    broken = b"<<<<<<< HEAD\n" + file.read_bytes()
    file.write_bytes(broken)
    assert ada.pushes().sent == 0
    (held,) = ada.hub.memories(["cache"])
    assert held.file is not None
    ada.hub.store(Offer(ada.memories.new_id(), ada.hub.space, "cache", 1, held.kind, None, f"{held.file}More.\n"), None)
    assert "cannot be written here" in ada.pulls().notes[0]
    assert file.read_bytes() == broken


def test_a_pull_leaves_local_memories_of_other_scopes_alone(ada: Desk, bob: Desk) -> None:
    ada.says("plan", "Ada's plan.")
    ada.pushes()
    remembered.write(bob.folder / "user", remembered.a_memory("plan", None, content="My own.", scope=Scope()))
    assert "has the id of a memory of yours" in bob.pulls().notes[0]
    assert bob.holds() == {"plan": "My own."}
    ada.removes("plan")
    ada.pushes()
    bob.pulls()
    assert bob.holds() == {"plan": "My own."}


def test_memories_with_a_foreign_scope_are_not_pulled(ada: Desk, bob: Desk) -> None:
    astray = write_memory(remembered.a_memory("astray", None, scope=Scope(org="another")))
    ada.hub.store(Offer(ada.memories.new_id(), ada.hub.space, "astray", 0, "observation", None, astray), None)
    assert "cannot be written here" in bob.pulls().notes[0]
    assert bob.holds() == {}


def test_a_branch_writer_stores_and_deletes_only_memories_of_that_branch(server: Server, ada: Desk) -> None:
    def offer(id: str, base: int, file: str | None, branch: str | None = None) -> Offer:
        return Offer(ada.memories.new_id(), ada.hub.space, id, base, "observation", branch, file)

    ada.hub.store(offer("all", 0, "for all"), None)
    ada.hub.store(offer("other", 0, "for another", "release"), None)
    grace = fixtures.a_hub(server, ada.hub.space, "grace", WRITER, "main")
    for refused in (
        offer("new", 0, "for all"),
        offer("new", 0, None),
        offer("all", 1, "changed"),
        offer("all", 1, "changed", "main"),
        offer("all", 1, None),
        offer("other", 1, None),
    ):
        with pytest.raises(HubRefusedError, match="of other branches"):
            grace.store(refused, None)
    assert grace.store(offer("mine", 0, "for main", "main"), None).outcome == KEPT
    assert grace.store(offer("mine", 1, None), None).outcome == REMOVED
    assert [(one.branch, one.file) for one in grace.memories(["mine"])] == [("main", None)]
    grace.close()


def test_deleting_and_editing_the_same_memory_is_a_conflict(ada: Desk, bob: Desk) -> None:
    diverge(ada, bob, "port", "It is 8080.", None, "It is 7070.")
    (path,) = bob.pushes().conflicts
    assert "It is 7070." in Path(path).read_text(encoding="utf-8")
    assert bob.holds() == {"port": "It is 7070."}


def test_offline_everything_waits_and_goes_in_order(server: Server, space: Space, tmp_path: Path) -> None:
    proxy = Proxy(server.port)
    with a_desk(tmp_path / "eve", server, space, "eve", proxy.port, deadline=1.5) as eve:
        proxy.mode = "swallow"
        for number in range(5):
            eve.says(f"m{number}", f"Number {number}.")
            push_memories.queue_changes(eve.memories, eve.outbox, space.org)
        waiting = eve.pushes()
        assert (waiting.sent, waiting.waiting) == (0, 5)
        assert "did not answer within 1.5 seconds" in waiting.notes[0]
        eve.says("m0", "Number 0, changed meanwhile.")
        assert [offer.id for offer in Outbox(str(tmp_path / "eve" / "outbox")).waiting()] == [
            f"m{number}" for number in range(5)
        ]
        proxy.mode = "pass"
        eve.hub.pool.deadline = fixtures.PATIENCE
        assert eve.pushes().sent == 5
        order = eve.hub.pool.query("SELECT id FROM autology.history ORDER BY at, id")
        assert [id for (id,) in order] == ["m1", "m2", "m3", "m4", "m0"]
        assert eve.hub.memories(["m0"])[0].version == 1
    proxy.close()


def test_an_answer_that_is_lost_is_no_second_version(server: Server, space: Space, tmp_path: Path) -> None:
    proxy = Proxy(server.port)
    with a_desk(tmp_path / "eve", server, space, "eve", proxy.port) as eve:
        eve.says("cache", "It holds 40.")
        push_memories.queue_changes(eve.memories, eve.outbox, space.org)
        (offer,) = eve.outbox.waiting()
        direct = fixtures.a_hub(server, space, "eve")
        direct.store(offer, None)  # taken in; eve never heard of it
        direct.close()
        assert eve.pushes().sent == 1
        assert len(eve.hub.history("cache")) == 1
    proxy.close()


def test_a_stale_base_with_the_same_text_is_no_conflict(ada: Desk, bob: Desk) -> None:
    ada.says("cache", "It holds 40.")
    ada.pushes()
    offer = ada.outbox.version(ada.hub.space, "cache")
    assert offer[0] == 1
    bob.pulls()
    push_memories.queue_changes(bob.memories, bob.outbox, bob.hub.space.org)
    held = bob.hub.memories(["cache"])[0]
    same = Offer(bob.memories.new_id(), bob.hub.space, "cache", 0, held.kind, None, held.file)
    assert bob.hub.store(same, None).outcome == "same"
    other = replace(same, op=bob.memories.new_id(), file="something else")
    assert bob.hub.store(other, None).outcome == CONFLICT


def called(project: ServedProject, given: memory_store.Store, done: Callable[[], bool]) -> None:
    """Have the server store what is given, as a client's call does, and serve until that is *done*."""

    async def call() -> None:
        async with calls.calls(project) as made:
            await made.run(memory_store.TOOL, given)
            until = anyio.current_time() + 30
            while not done() and anyio.current_time() < until:
                await anyio.sleep(0.05)

    anyio.run(call)


def test_a_server_sends_what_it_stored_without_being_asked(
    server: Server, space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = fixtures.a_hub(server, space)
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", server.dsn())
    monkeypatch.setenv("CORTEX_ORG", space.org)
    monkeypatch.setattr(background_retry, "PAUSE", 0.05)
    project = ServedProject(str(tmp_path))
    values = memory_store.Store(items=[{"kind": "observation", "content": "It is sent.", "scope": {"org": space.org}}])
    called(project, values, lambda: bool(hub.versions()) and not project.team.sender.pending)
    assert list(hub.versions().values()) == [1]
    hub.close()


def test_without_a_hub_nothing_is_started(tmp_path: Path) -> None:
    project = ServedProject(str(tmp_path))
    values = memory_store.Store(items=[{"kind": "observation", "content": "It stays.", "scope": {"org": "acme"}}])
    called(project, values, lambda: True)
    assert "_sending" not in vars(project)


def test_a_refused_offer_stays_queued_and_does_not_block_others(ada: Desk) -> None:
    made = remembered.a_memory("astray", None, scope=Scope(org=ada.hub.space.org, project="nowhere"))
    remembered.write(ada.folder / "user", made)
    ada.says("cache", "It holds 40.")
    result = ada.pushes()
    assert (result.sent, result.waiting) == (1, 1)
    assert "not open to ada" in result.notes[0]
    assert ada.hub.versions() == {"cache": 1}


def test_deleted_memories_are_not_found_and_pushed_files_leave_stored_memories_alone(ada: Desk) -> None:
    def visible_ids() -> set[str]:
        hits = ada.hub.index.lexical_candidates(Terms((("number",),)), Filter(kind="memory"), False, 9)
        return {hit.source.id for hit in hits}

    for number in (1, 2):
        ada.says(f"m{number}", f"Number {number}.")
    ada.pushes()
    assert visible_ids() == {"m1", "m2"}
    ada.removes("m1")
    ada.pushes()
    assert visible_ids() == {"m2"}
    assert project_files.share_files(ada.hub, {"memory": {}}, {}) == project_files.ShareResult(0, 0, 0)
    assert visible_ids() == {"m2"}


# ---- what is local stays ---------------------------------------------------------------------------


class Meddled(PostgresHub):
    """The hub, while somebody edits a file at the very moment at which it is asked."""

    meddle: Callable[[], object] = staticmethod(lambda: None)

    def store(self, offer: Offer, put: Put | None) -> OfferResult:
        answer = super().store(offer, put)
        self.meddle()
        return answer

    def memories(self, ids: Sequence[str]) -> list[StoredMemory]:
        result = super().memories(ids)
        self.meddle()
        return result

    def in_space(self, space: Space) -> PostgresHub:
        return self


@pytest.fixture
def meddled(bob: Desk) -> Desk:
    """Bob's desk, whose hub can be meddled with."""
    bob.hub = Meddled(bob.hub._servers, bob.hub.space, replace(bob.hub._access, deadline=30.0))
    return bob


def test_an_edit_while_a_conflict_is_resolved_is_kept_and_queued_next(ada: Desk, meddled: Desk) -> None:
    diverge(
        ada,
        meddled,
        "plan",
        "First part.\n\nSecond part.",
        "First part, by Ada.\n\nSecond part.",
        "First part.\n\nSecond part, by Bob.",
    )
    assert isinstance(meddled.hub, Meddled)
    meddled.hub.meddle = lambda: meddled.says("plan", "First part.\n\nSecond part, by Bob, later.")
    result = meddled.pushes()
    assert any("changed while it was sent" in note for note in result.notes)
    assert meddled.holds() == {"plan": "First part.\n\nSecond part, by Bob, later."}
    meddled.hub.meddle = lambda: None
    assert meddled.pushes().conflicts == []
    assert meddled.holds() == {"plan": "First part, by Ada.\n\nSecond part, by Bob, later."}


@pytest.mark.parametrize("removed", [False, True])
def test_an_edit_during_a_pull_is_kept(ada: Desk, meddled: Desk, removed: bool) -> None:
    diverge(ada, meddled, "port", "It is 8080.", None if removed else "It is 9090.", "It is 8080.")
    assert isinstance(meddled.hub, Meddled)
    meddled.hub.meddle = lambda: meddled.says("port", "It is 7070.")
    result = meddled.pulls()
    assert "was changed here meanwhile" in result.notes[0]
    assert meddled.holds() == {"port": "It is 7070."}
    meddled.hub.meddle = lambda: None
    assert len(meddled.pushes().conflicts) == 1  # both sides are shown
    assert meddled.holds() == {"port": "It is 7070."}


def test_a_secret_that_stayed_behind_is_not_lost_by_a_pull(ada: Desk, bob: Desk) -> None:
    key = "The key is AKIAIOSFODNN7EXAMPLE, says the wiki."
    ada.says("key", f"{key}\n\nIt is rotated in May.")
    ada.pushes()
    bob.pulls()
    bob.says("key", bob.holds()["key"].replace("May", "June"))
    bob.pushes()
    ada.pulls()
    assert ada.holds() == {"key": f"{key}\n\nIt is rotated in June."}
    assert ada.pushes().sent == 0
    bob.says("key", "The wiki says no key any more.")
    bob.pushes()
    ada.pulls()
    assert ada.holds() == {"key": "The wiki says no key any more."}
    assert key in remembered.trashed(ada.folder / "user")["key"].decode()


def test_the_last_memory_of_another_projects_space_is_taken_away_too(server: Server, space: Space, ada: Desk) -> None:
    there = Space(space.org, "other")
    fixtures.a_hub(server, there, "ada", WRITER).close()
    scope = Scope(org=space.org, project="other")
    file = remembered.write(ada.folder / "user", remembered.a_memory("only", None, scope=scope))
    assert ada.pushes().sent == 1
    file.unlink()
    assert ada.pushes().sent == 1
    assert ada.hub.in_space(there).memories(["only"])[0].file is None


def test_a_resolved_conflict_is_no_longer_reported(ada: Desk, bob: Desk) -> None:
    diverge(ada, bob, "port", "It is 8080.", "It is 9090.", "It is 7070.")
    (path,) = bob.pushes().conflicts
    bob.says("port", "It is 9091.")
    bob.pushes()
    assert bob.outbox.conflicts() == []
    (kept,) = Path(path).parent.rglob("*.md")  # what was said lies aside
    assert "It is 7070." in kept.read_text(encoding="utf-8")


def test_memories_that_a_restored_hub_lost_are_sent_again(server: Server, space: Space, ada: Desk) -> None:
    for number in (1, 2):
        ada.says(f"m{number}", f"Number {number}.")
    ada.pushes()
    ada.says("m2", "Number 2, changed.")
    ada.pushes()
    owner = ConnectionPool(parse_dsn(server.dsn()))  # restored from a backup that was made before
    id = str(space_id(space.org, space.project))
    older = "(SELECT h.file FROM autology.history h WHERE (h.space, h.id, h.version) = (k.space, k.id, 1))"
    for lost in (
        "DELETE FROM autology.kept WHERE space = $1 AND id = 'm1'",
        f"UPDATE autology.kept k SET version = 1, file = {older} WHERE k.space = $1 AND k.id = 'm2'",
        "DELETE FROM autology.history WHERE space = $1 AND (id = 'm1' OR version = 2)",
    ):
        owner.execute(lost, id)
    owner.close()
    assert ada.pushes().sent == 0  # nothing changed here
    assert pull_memories.requeue_lost(ada.outbox, ada.hub, [space]) == 2
    assert ada.pushes().sent == 2
    assert ada.hub.versions() == {"m1": 1, "m2": 2}
    assert "changed" in str(ada.hub.memories(["m2"])[0].file)
    assert pull_memories.requeue_lost(ada.outbox, ada.hub, [space]) == 0


# ---- a project's files -----------------------------------------------------------------------------


def a_file(name: str, at: int = 1) -> tuple[str, Stamp]:
    return f".autology/memory/observation/{name}.md", Stamp(at, at)


def test_automatic_sharing_sends_only_local_changes(server: Server, space: Space, tmp_path: Path) -> None:
    hub = fixtures.a_hub(server, space)
    shares = ShareLog(str(tmp_path), str(tmp_path), space)
    says = {"one": "first", "two": "second"}

    def reader(path: str) -> Put:
        name = Path(path).stem
        memory = remembered.a_memory(name, None, content=says[name])
        return Put(path, Stamp(1, 1), entry_of(memory), (Passage(0, 9, "", says[name]),))

    def known(**files: int) -> dict[str, dict[str, Stamp]]:
        return {"memory": dict(a_file(name, at) for name, at in files.items())}

    readers = {"memory": reader}

    def there() -> set[str]:
        return {Path(path).stem for path in hub.index.stamps("memory")}

    def share(branch: str = "main", **files: int) -> project_files.ShareResult | None:
        return project_files.share_changes(hub, known(**files), readers, shares, branch)

    assert share(one=1) is None  # nobody shared it yet
    first = project_files.share_all(hub, known(one=1, two=1), readers, shares, "main", None)
    assert first == project_files.ShareResult(2, 0, 0)
    put = reader(a_file("one")[0])
    hub.index.apply([replace(put, path=a_file("theirs")[0], entry=replace(put.entry, id="theirs"))])
    says["one"] = "first, changed"
    says["new"] = "third"
    assert share("release", one=2, new=1) is None
    assert share(one=2, new=1) == project_files.ShareResult(2, 1, 0)
    assert there() == {"one", "new", "theirs"}
    assert share(one=2, new=1) == project_files.ShareResult(0, 0, 2)
    hub.close()


def test_of_several_concurrent_processes_one_sends(tmp_path: Path) -> None:
    one, other = Outbox(str(tmp_path)), Outbox(str(tmp_path))
    assert one.schedule("a")
    assert not other.schedule("a")
    assert other.schedule("b")
    one.unschedule("a")
    assert other.schedule("a")
    with one.sending(), pytest.raises(BusyError), other.sending():
        pass


# ---- what grows ------------------------------------------------------------------------------------


def test_only_an_admin_can_prune_and_the_last_version_is_kept(server: Server, ada: Desk) -> None:
    for number in range(1, 5):
        ada.says("cache", f"It holds {number}.")
        ada.pushes()
    with pytest.raises(HubRefusedError, match="no admin"):
        ada.hub.prune(None, 1, True)
    boss = fixtures.a_hub(server, ada.hub.space, "boss", ADMIN)
    what = {"versions of memories": 2, "lines of the audit": 0}
    assert boss.prune(30, 2, False) == what
    assert len(boss.history("cache")) == 4  # it was only asked
    assert boss.prune(30, 2, True) == what
    assert [one.version for one in boss.history("cache")] == [4, 3]
    assert "It holds 4." in str(boss.memories(["cache"])[0].file)
    result = boss.pool.query("SELECT outcome FROM autology.audit WHERE action = 'prune'")
    assert result == [["2 versions and 0 lines removed"]]
    with pytest.raises(HubError, match="at least one"):
        boss.prune(0, 0, True)
    ada.says("cache", "It holds 5.")
    assert ada.pushes().sent == 1
    boss.close()


def test_old_operation_ids_are_forgotten(server: Server, ada: Desk) -> None:
    ada.says("cache", "It holds 40.")
    push_memories.queue_changes(ada.memories, ada.outbox, ada.hub.space.org)
    (offer,) = ada.outbox.waiting()
    assert ada.hub.store(offer, None).outcome == KEPT
    owner = ConnectionPool(parse_dsn(server.dsn()))
    id = str(space_id(ada.hub.space.org, ""))
    owner.execute("UPDATE autology.op SET at = now() - interval '91 days' WHERE space = $1", id)
    ada.says("other", "Something else.")
    ada.pushes()
    ask = "SELECT count(*) FROM autology.op WHERE space = $1 AND op = $2"
    assert owner.query(ask, id, offer.op) == [[0]]
    owner.close()
    assert ada.hub.store(offer, None).outcome == "same"  # the memory's version says what the operation would
    assert len(ada.hub.history("cache")) == 1
