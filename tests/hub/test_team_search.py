"""What is asked of a wider scope is asked of the team too: each hit with whose it is, who is away named."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autology import places
from autology.core.content.files import Stamp
from autology.core.index.changes import Put
from autology.core.memory.find import Request
from autology.core.memory.index_entry import entry_of
from autology.core.memory.with_team import find_with_team
from autology.hub.model import READER, WRITER, Space
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.space_servers import Access
from autology.hub.search.server import HubServer
from autology.hub.search.team import HubTeamSearch
from autology.hub.sync import push_memories
from autology.hub.sync.outbox import Outbox
from autology.model.memory import Scope
from autology.model.passage import Passage
from autology.tools import memory_find, search_documents
from autology.tools.project import ServedProject
from tests.fakes import remembered
from tests.hub import fixtures
from tests.hub.proxy import Proxy
from tests.hub.servers import Server, free_port


@pytest.fixture
def whole() -> Space:
    return fixtures.a_space()


def shared(hub: PostgresHub, id: str, content: str, scope: Scope) -> None:
    """Share a memory that is one of a project's files."""
    memory = remembered.a_memory(id, None, content=content, scope=scope)
    path = f".autology/memory/observation/{id}.md"
    hub.index.apply([Put(path, Stamp(1, 1), entry_of(memory), (Passage(0, len(content), "", content),))])


def keeps(server: Server, space: Space, folder: Path, id: str, content: str) -> None:
    """Keep a memory for a whole organisation, as ada."""
    fixtures.a_hub(server, space, "ada", WRITER).close()
    hub = PostgresHub([("*", parse_dsn(server.dsn("ada")))], space)
    for name in ("project", "user"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    remembered.write(folder / "user", remembered.a_memory(id, None, content=content, scope=Scope(org=space.org)))
    own = remembered.memories(folder / "project", folder / "user")
    own.refresh(walk=True)
    outbox = Outbox(str(folder / "outbox"))
    push_memories.queue_changes(own, outbox, space.org)
    assert push_memories.send_queued(own, outbox, hub).sent == 1
    hub.close()


@pytest.fixture
def bob(server: Server, whole: Space, tmp_path: Path) -> Iterator[ServedProject]:
    """Bob's server in a project of that organisation, whose hub he may read."""
    fixtures.a_hub(server, whole, "bob", READER).close()
    root = tmp_path / "bob"
    root.mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("AUTOLOGY_HUB_DSN", server.dsn("bob"))
        patched.setenv("AUTOLOGY_HUB_DEADLINE", "30")
        patched.setenv("AUTOLOGY_MEMORY_ORG", whole.org)
        project = ServedProject(str(root))
        yield project
        assert project.team.search is not None
        project.team.search.close()


def search_json(project: ServedProject, query: str, **given: object) -> dict[str, object]:
    result = memory_find.act(project, memory_find.Find.model_validate({"query": query, **given}))
    assert isinstance(result, dict)
    return {item["id"]: item.get("source") for item in result["items"]} | {"notes": result.get("degraded", [])}


def test_a_find_in_a_wider_scope_asks_the_team_and_says_whose_each_is(
    server: Server, whole: Space, bob: ServedProject, tmp_path: Path
) -> None:
    keeps(server, whole, tmp_path / "ada", "cache", "The cache holds 40 entries.")
    other = Space(whole.org, "shop")
    owner = fixtures.a_hub(server, other, "bob", READER)
    writer = fixtures.a_hub(server, other)
    shared(writer, "till", "The till has a cache of entries.", Scope(org=whole.org, project="shop"))
    owner.close()
    writer.close()
    assert search_json(bob, "cache entries")["notes"] == []
    assert "cache" not in search_json(bob, "cache entries")  # nobody asked for more than this project
    result = search_json(bob, "cache entries", scope={"org": whole.org})
    assert result == {"cache": f"{whole.org}, by ada", "till": f"{other}, by owner", "notes": []}
    assert search_json(bob, "cache entries", include_peers=True).keys() == {"cache", "till", "notes"}
    assert search_json(bob, "cache entries", scope={"project": "shop"}).keys() == {"till", "notes"}
    assert search_json(bob, "cache entries", scope={"org": whole.org}, include_peers=False).keys() == {"notes"}
    paged = search_json(bob, "cache entries", scope={"org": whole.org}, limit=1, offset=1)
    assert len(paged) == 2


def test_memories_that_claim_another_space_are_not_found(server: Server, whole: Space, bob: ServedProject) -> None:
    evil = fixtures.a_space("p")
    fixtures.a_hub(server, evil, "bob", READER).close()
    mallory = fixtures.a_hub(server, evil, "mallory", WRITER)
    shared(mallory, "lie", "The cache holds 99 entries.", Scope(org=whole.org))
    mallory.close()
    assert search_json(bob, "cache entries", scope={"org": whole.org}) == {"notes": []}
    assert "lie" not in search_json(bob, "cache entries", include_peers=True)
    assert search_json(bob, "cache entries", scope={"org": evil.org}) == {"notes": []}


def test_memories_stored_locally_are_found_in_their_local_version(
    server: Server, whole: Space, bob: ServedProject, tmp_path: Path
) -> None:
    keeps(server, whole, tmp_path / "ada", "cache", "The cache holds 40 entries.")
    own = remembered.a_memory("cache", None, content="The cache holds 80 entries.", scope=Scope(org=whole.org))
    remembered.write(Path(places.data_dir()), own)
    assert search_json(bob, "cache entries", scope={"org": whole.org}) == {"cache": None, "notes": []}


def test_a_hanging_hub_costs_its_deadline_and_local_results_are_returned(
    server: Server, whole: Space, tmp_path: Path
) -> None:
    fixtures.a_hub(server, whole, "bob", READER).close()
    proxy = Proxy(server.port)
    proxy.mode = "swallow"
    away = PostgresHub([("*", parse_dsn(server.dsn("bob", port=proxy.port)))], whole, Access(deadline=2.0))
    down = PostgresHub([("*", parse_dsn(f"postgresql://bob@127.0.0.1:{free_port()}/x"))], whole, Access(deadline=2.0))
    team = HubTeamSearch(lambda: [HubServer(away, away.spaces), HubServer(down, down.spaces)], 1.0, lambda: whole)
    (tmp_path / "project").mkdir()
    (tmp_path / "user").mkdir()
    remembered.write(
        tmp_path / "user", remembered.a_memory("own", None, content="A cache.", scope=Scope(org=whole.org))
    )
    own = remembered.memories(tmp_path / "project", tmp_path / "user")
    own.refresh(walk=True)
    begun = time.monotonic()
    result = find_with_team(own, Request("cache", scope=Scope(org=whole.org), include_peers=True), team)
    assert time.monotonic() - begun < 30  # the network itself gives up after minutes
    assert [item.id for item in result.items] == ["own"]
    assert any("did not answer within 1 seconds" in note and str(proxy.port) in note for note in result.notes)
    assert any("cannot be reached" in note for note in result.notes)
    alone = find_with_team(own, Request("cache", include_peers=True), None)
    assert "no team index is set up" in alone.notes[-1]
    fixtures.wait_for_askers()
    for hub in (away, down):
        hub.close()
    proxy.close()


def test_documents_of_other_projects_are_found_with_whose_they_are(
    server: Server, whole: Space, bob: ServedProject
) -> None:
    other = Space(whole.org, "shop")
    fixtures.a_hub(server, other, "bob", READER).close()
    writer = fixtures.a_hub(server, other)
    entry = entry_of(remembered.a_memory("x", None))
    entry = replace(entry, id="readme", kind="document", type="document", title="How we retry")
    writer.index.apply([Put("readme.md", Stamp(1, 1), entry, (Passage(0, 9, "", "Payments are retried."),))])
    writer.close()
    (Path(bob.root) / "readme.md").write_text("# Ours\n\nPayments are made.\n", encoding="utf-8")
    requests = {"query": "payments retried"}
    own = search_documents.act(bob, search_documents.SearchDocuments.model_validate(requests))
    assert [hit["id"] for hit in own.items] == ["readme.md"]
    both = search_documents.act(
        bob, search_documents.SearchDocuments.model_validate({**requests, "include_peers": True})
    )
    assert {(hit["id"], hit.get("whose")) for hit in both.items} == {
        ("readme.md", None),
        ("readme", f"{other}, by owner"),
    }
