"""memory_find, called as a client calls it, over memories as files of a project and its user."""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from autology.model.memory import Kind, Memory, Scope
from autology.ranking import deep_rerank
from autology.text.language.timestamps import stamp
from autology.text.notes.node_file import write_node
from autology.tools.project import ServedProject
from autology.tools.server import server
from tests.fakes.project import a_node
from tests.fakes.remembered import NOW, a_memory, write

pytestmark = pytest.mark.anyio

ITEM = {"id", "kind", "content", "scope", "metadata", "created_at", "updated_at", "_searchScore", "_isReassembled"}
QUERY = {
    "mode", "total_found", "search_time", "query_processed", "semantic_threshold", "filters_applied",
    "chunks_reassembled", "graph_expansion", "expansion_stats",
}  # fmt: skip
KEY = "AKIA" + "IOSFODNN7" + "Q2WXERT"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("data", "cache"):
        monkeypatch.setenv(f"AUTOLOGY_{name.upper()}_DIR", str(tmp_path / name))
    for name in ("ORG", "PROJECT", "BRANCH"):
        monkeypatch.delenv(f"CORTEX_{name}", raising=False)
    monkeypatch.setenv("CORTEX_PROJECT", "here")
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


@pytest.fixture
def user(root: Path) -> Path:
    """The folder of what is kept for the user, whatever the project."""
    return root.parent / "data"


@pytest.fixture
async def client(root: Path) -> AsyncIterator[Client]:
    project = ServedProject(str(root))
    project.graph.now = lambda: NOW
    async with Client(server(project)) as connected:
        yield connected


async def find(client: Client, query: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool("memory_find", {"query": query, **arguments})
    assert not result.is_error, result.content
    results: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == results  # type: ignore[union-attr]
    return results


async def refused(client: Client, **arguments: object) -> str:
    result = await client.call_tool("memory_find", arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


def ids(told: dict[str, Any]) -> list[str]:
    return [item["id"] for item in told["items"]]


def keep(root: Path, *memories: Memory) -> None:
    for memory in memories:
        write(root, memory)


def relation(id: str, source: str, type: str, target: str, **fields: object) -> Memory:
    data = {"source_id": source, "target_id": target, "relation_type": type}
    return a_memory(id, kind=Kind.RELATION, content=f"Tie number {id}.", data=data, **fields)


def long_text(paragraphs: int = 14) -> str:
    message = "The gateway forwards requests to the workers, and a queue holds what they cannot take yet. "
    return "\n\n".join(
        f"## Part {n}\n\nChapter {n} of the guide to zeppelins. {message * 5}" for n in range(paragraphs)
    )


# ---- what is offered, and what is refused --------------------------------------------------------


async def test_the_tool_is_offered_for_reading(client: Client) -> None:
    (tool,) = [tool for tool in (await client.list_tools()).tools if tool.name == "memory_find"]
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint
    assert list(tool.input_schema["properties"]) == [
        "query", "types", "scope", "mode", "limit", "expand", "offset", "include_expired", "include_peers",
    ]  # fmt: skip
    assert tool.input_schema["properties"]["types"]["items"]["enum"] == [str(kind) for kind in Kind]


async def test_a_setting_removes_memory_find(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_TOOLS_MEMORY", "false")
    async with Client(server(ServedProject(str(root)))) as connected:
        with pytest.raises(MCPError, match="not found"):
            await connected.call_tool("memory_find", {"query": "x"})


async def test_an_unknown_mode_is_refused_by_its_name(client: Client) -> None:
    assert (await refused(client, query="x", mode="turbo")).startswith("Invalid search mode: turbo")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"query": "   "}, "query: is empty"),
        ({"query": "x" * 10_001}, "query: has 10,001 characters"),
        ({"query": "x", "types": ["entity", "novel"]}, "kind: 'novel' is not a kind"),
        ({"query": "x", "limit": 0}, "limit: 0 is outside 1-100"),
        ({"query": "x", "limit": 101}, "limit: 101 is outside 1-100"),
        ({"query": "x", "offset": -1}, "offset: -1 is below 0"),
        ({"query": "x", "scope": {"org": "a b"}}, "scope.org: 'a b' is not valid"),
        ({"query": "x", "expand": "sideways", "mode": "deep"}, "expand: 'sideways' is no way to go"),
        ({"query": "x", "expand": "relations"}, "expand: does not go with mode auto. Ask with mode deep."),
        (
            {"query": "x", "expand": "parents", "mode": "fast"},
            "expand: does not go with mode fast. Ask with mode deep.",
        ),
    ],
)
async def test_invalid_arguments_of_memory_find_are_refused_with_the_next_step(
    client: Client, given: dict[str, object], told: str
) -> None:
    assert told in await refused(client, **given)


async def test_unknown_parts_of_a_scope_are_refused(client: Client) -> None:
    with pytest.raises(MCPError, match=r"scope\.team is unknown"):
        await client.call_tool("memory_find", {"query": "x", "scope": {"team": "a"}})


# ---- the answer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["fast", "auto", "deep"])
async def test_an_answer_has_every_field_that_is_promised(client: Client, root: Path, mode: str) -> None:
    keep(root, a_memory("m1", content="Zeppelins land on the roof.", metadata={"weight": 3, "by": ["ada"]}))
    result = await find(client, "  zeppelins ", mode=mode)
    assert set(result) == {"success", "items", "total", "query_metadata", "audit_metadata"}
    assert (result["success"], result["total"]) == (True, 1)
    (item,) = result["items"]
    assert set(item) == ITEM
    assert (item["id"], item["kind"], item["content"]) == ("m1", "observation", "Zeppelins land on the roof.")
    assert (item["scope"], item["metadata"]) == ({"project": "here"}, {"weight": 3, "by": ["ada"]})
    assert item["created_at"] == item["updated_at"] == stamp(NOW)
    assert 0 < item["_searchScore"] <= 1
    assert item["_isReassembled"] is False
    query = result["query_metadata"]
    assert set(query) == QUERY
    assert (query["mode"], query["total_found"], query["query_processed"]) == (mode, 1, "zeppelins")
    assert query["semantic_threshold"] == {"fast": None, "auto": 0.6, "deep": 0.5}[mode]
    assert query["filters_applied"] == {"types": [], "scope": {}}
    assert (query["chunks_reassembled"], query["graph_expansion"], query["expansion_stats"]) == (0, None, None)
    assert query["search_time"] > 0
    audit = result["audit_metadata"]
    assert set(audit) == {"query_id", "duration_ms", "audit_logged"}
    assert re.fullmatch(r"query_\d{13}_[0-9a-z]{6,}", audit["query_id"])
    assert audit["duration_ms"] > 0
    assert isinstance(audit["audit_logged"], bool)


async def test_a_kind_s_own_fields_and_tags_come_with_an_item_that_has_them(client: Client, root: Path) -> None:
    data = {"title": "Land on the roof", "status": "pending", "dependencies": ["t2"]}
    keep(root, a_memory("t1", kind=Kind.TODO, data=data, tags=("air",), content="Land the zeppelin on the roof."))
    (item,) = (await find(client, "zeppelin"))["items"]
    assert set(item) == ITEM | {"data", "tags"}
    assert (item["data"], item["tags"]) == (data, ["air"])


async def test_nothing_found_is_a_success(client: Client) -> None:
    result = await find(client, "zeppelins")
    assert (result["success"], result["items"], result["total"]) == (True, [], 0)
    assert result["query_metadata"]["total_found"] == 0


@pytest.mark.parametrize(("mode", "many"), [("fast", 20), ("auto", 10), ("deep", 10)])
async def test_each_search_mode_has_its_default_limit(client: Client, root: Path, mode: str, many: int) -> None:
    keep(root, *(a_memory(f"m{n}", content=f"Zeppelin number {n} over the harbour.") for n in range(30)))
    result = await find(client, "zeppelin harbour", mode=mode)
    assert (result["total"], result["query_metadata"]["total_found"]) == (many, 30)
    assert len((await find(client, "zeppelin harbour", mode=mode, limit=3))["items"]) == 3


@pytest.mark.parametrize("mode", ["fast", "auto", "deep"])
async def test_pages_follow_each_other_without_gap_or_repeat(client: Client, root: Path, mode: str) -> None:
    keep(root, *(a_memory(f"m{n}", content=f"Zeppelin {n} " + "harbour " * (n % 7)) for n in range(25)))
    whole = ids(await find(client, "zeppelin harbour", mode=mode, limit=24))
    pages = [ids(await find(client, "zeppelin harbour", mode=mode, limit=8, offset=at)) for at in (0, 8, 16)]
    assert [id for page in pages for id in page] == whole
    assert len(set(whole)) == 24


# ---- modes ---------------------------------------------------------------------------------------


async def test_fast_finds_words_alone_and_auto_what_means_the_same(client: Client, root: Path) -> None:
    keep(root, a_memory("m1", content="The physician prescribed medicine for the patient."))
    assert ids(await find(client, "doctor hospital treatment", mode="fast")) == []
    assert ids(await find(client, "doctor hospital treatment", mode="auto")) == ["m1"]


async def test_deep_finds_what_is_less_near_than_auto_asks_for(client: Client, root: Path) -> None:
    near = {
        "near": "Receipts and payments of the accounting department.",
        "less": "The customer transfers money to our bank account.",
    }
    keep(root, *(a_memory(id, content=content) for id, content in near.items()))
    keep(root, a_memory("far", content="Rockets burn hydrogen."))
    requests = "who pays the invoice"
    auto, deep = [ids(await find(client, requests, mode=mode)) for mode in ("auto", "deep")]
    assert (auto, set(deep)) == (["near"], {"near", "less"})


async def test_an_item_is_found_by_its_id(client: Client, root: Path) -> None:
    keep(root, a_memory("blimp-7", content="Nothing of the sort."), a_memory("x", content="blimp 7 and more blimps"))
    for mode in ("fast", "auto"):
        assert ids(await find(client, "blimp-7", mode=mode))[0] == "blimp-7"


async def test_without_word_vectors_words_alone_find_and_it_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autology.wire.user.encoder", lambda: None)
    keep(root, a_memory("m1", content="Zeppelins land on the roof."))
    for mode in ("auto", "deep"):
        project = ServedProject(str(root))
        project.graph.now = lambda: NOW
        async with Client(server(project)) as connected:
            result = await find(connected, "zeppelins", mode=mode)
        assert ids(result) == ["m1"]
        assert result["query_metadata"]["semantic_threshold"] is None
        assert any("only lexical search" in note for note in result["degraded"])


async def test_deep_puts_in_order_by_meaning_words_age_and_kind(client: Client, root: Path) -> None:
    content = "Zeppelins land on the roof."
    young, old = stamp(NOW), stamp(NOW - timedelta(days=60))
    keep(
        root,
        a_memory("old-note", content=content, created_at=old),
        a_memory("new-note", content=content, created_at=young),
        a_memory("new-decision", content=content, created_at=young, kind=Kind.DECISION),
        a_memory("undated", content=content, created_at="1970-01-01T00:00:00Z"),
    )
    result = await find(client, "zeppelins roof", mode="deep")
    assert ids(result) == ["new-decision", "new-note", "undated", "old-note"]
    scores = {item["id"]: item["_searchScore"] for item in result["items"]}
    assert scores["new-decision"] - scores["new-note"] == pytest.approx(0.1 * 0.5, abs=2e-4)
    assert scores["new-note"] - scores["old-note"] == pytest.approx(0.2 * (1 - math.exp(-2)), abs=2e-4)
    assert scores["new-note"] - scores["undated"] == pytest.approx(0.2 * 0.5, abs=2e-4)


async def test_deep_counts_words_of_content_and_metadata(client: Client, root: Path) -> None:
    content = "Zeppelins land on the roof."
    keep(
        root,
        a_memory("with", content=content, metadata={"where": {"town": "harbour"}}),
        a_memory("without", content=content),
    )
    scores = {
        item["id"]: item["_searchScore"] for item in (await find(client, "zeppelins harbour", mode="deep"))["items"]
    }
    assert scores["with"] - scores["without"] == pytest.approx(0.3 * 0.5, abs=2e-4)


def test_every_kind_has_its_weight() -> None:
    assert set(deep_rerank.WEIGHTS) == set(Kind)
    assert all(0 < weight <= 1 for weight in deep_rerank.WEIGHTS.values())
    parts = (deep_rerank.MEANING, deep_rerank.KEYWORDS, deep_rerank.RECENCY, deep_rerank.KIND)
    assert sum(parts) == pytest.approx(1.0)


# ---- scopes, kinds, lifetimes --------------------------------------------------------------------

SCOPES = {
    "a1": Scope("acme", "one", "main"),
    "a2": Scope("acme", "one", "dev"),
    "a3": Scope("acme", "two"),
    "b1": Scope("bolt", "one", "main"),
    "h1": Scope(project="here"),
}


@pytest.mark.parametrize("mode", ["fast", "auto", "deep"])
@pytest.mark.parametrize(
    ("scope", "there"),
    [
        ({}, {"a1", "a2", "a3", "b1", "h1"}),
        ({"org": "acme"}, {"a1", "a2", "a3"}),
        ({"project": "one"}, {"a1", "a2", "b1"}),
        ({"org": "acme", "project": "one"}, {"a1", "a2"}),
        ({"org": "acme", "branch": "main"}, {"a1"}),
        ({"branch": "main"}, {"a1", "b1"}),
        ({"project": "here"}, {"h1"}),
        ({"org": "here"}, set()),
    ],
)
async def test_every_part_of_a_scope_must_be_an_item_s_own(
    client: Client, root: Path, user: Path, scope: dict[str, str], there: set[str], mode: str
) -> None:
    for id, own in SCOPES.items():
        keep(root if own.project == "here" else user, a_memory(id, content=f"A zeppelin of {id}.", scope=own))
    result = await find(client, "zeppelin", scope=scope, mode=mode)
    assert set(ids(result)) == there
    assert result["query_metadata"]["filters_applied"]["scope"] == scope


async def test_the_organisation_comes_from_the_environment_where_none_is_named(
    client: Client, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for id, own in SCOPES.items():
        keep(user, a_memory(id, content=f"A zeppelin of {id}.", scope=own))
    monkeypatch.setenv("CORTEX_ORG", "acme")
    result = await find(client, "zeppelin")
    assert set(ids(result)) == {"a1", "a2", "a3"}
    assert result["query_metadata"]["filters_applied"]["scope"] == {"org": "acme"}
    assert ids(await find(client, "zeppelin", scope={"project": "two"})) == ["a3"]
    assert ids(await find(client, "zeppelin", scope={"org": "bolt"})) == ["b1"]


async def test_only_requested_kinds_of_memories_are_found(client: Client, root: Path) -> None:
    for kind in (Kind.ENTITY, Kind.TODO, Kind.RISK):
        keep(root, a_memory(f"{kind}-1", kind=kind, content="A zeppelin."))
    assert set(ids(await find(client, "zeppelin", types=["entity", "risk"]))) == {"entity-1", "risk-1"}
    result = await find(client, "zeppelin", types=["todo"], mode="fast")
    assert ids(result) == ["todo-1"]
    assert result["query_metadata"]["filters_applied"]["types"] == ["todo"]


@pytest.mark.parametrize("mode", ["fast", "auto", "deep"])
async def test_expired_memories_are_found_only_on_request(client: Client, root: Path, mode: str) -> None:
    keep(
        root,
        a_memory("over", days=-1, content="A zeppelin."),
        a_memory("now", days=0, content="A zeppelin."),
        a_memory("left", days=1, content="A zeppelin."),
        a_memory("ever", days=None, content="A zeppelin."),
    )
    assert set(ids(await find(client, "zeppelin", mode=mode))) == {"left", "ever"}
    result = await find(client, "zeppelin", mode=mode, include_expired=True)
    assert set(ids(result)) == {"over", "now", "left", "ever"}
    assert result["query_metadata"]["filters_applied"]["include_expired"] is True
    assert ids(await find(client, "over", mode=mode)) == []


async def test_a_memory_that_expires_while_the_server_runs_is_no_longer_found(root: Path) -> None:
    keep(root, a_memory("m1", days=2, content="A zeppelin."))
    project = ServedProject(str(root))
    days = [0]
    project.graph.now = lambda: NOW + timedelta(days=days[0])
    async with Client(server(project)) as connected:
        assert ids(await find(connected, "zeppelin")) == ["m1"]
        days[0] = 2
        assert ids(await find(connected, "zeppelin")) == []


async def test_a_file_that_was_moved_to_another_scope_by_hand_is_judged_by_what_it_says(
    client: Client, root: Path
) -> None:
    keep(root, a_memory("m1", content="A zeppelin."))
    assert ids(await find(client, "zeppelin", scope={"project": "here"})) == ["m1"]
    keep(root, a_memory("m1", content="A zeppelin.", scope=Scope(project="elsewhere")))
    assert ids(await find(client, "zeppelin", scope={"project": "here"})) == []


# ---- chunks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Kind.SECTION, Kind.RUNBOOK, Kind.INCIDENT])
async def test_chunks_of_one_item_come_back_as_one_item_whole(client: Client, root: Path, kind: Kind) -> None:
    text = long_text()
    keep(root, a_memory("guide", kind=kind, content=text), a_memory("short", content="A zeppelin."))
    result = await find(client, "zeppelins gateway workers queue")
    assert ids(result).count("guide") == 1
    (item,) = [item for item in result["items"] if item["id"] == "guide"]
    assert set(item) == ITEM | {"original_chunks", "chunk_ids"}
    assert item["content"] == text
    assert item["_isReassembled"] is True
    assert item["original_chunks"] == len(set(item["chunk_ids"])) > 3
    assert result["query_metadata"]["chunks_reassembled"] == item["original_chunks"]


async def test_an_item_counts_by_its_best_chunk(client: Client, root: Path) -> None:
    text = long_text() + "\n\n## End\n\nThe quokka sleeps in the hangar.\n"
    keep(root, a_memory("guide", kind=Kind.SECTION, content=text), a_memory("other", content="The hangar is cold."))
    assert ids(await find(client, "where does the quokka sleep"))[0] == "guide"


async def test_line_ends_and_white_space_come_back_as_they_were(client: Client, root: Path) -> None:
    text = "A zeppelin.\r\n\r\n  indented\ttext  \r\n```\n  code\n```\r\nüñí 漢字 🎈"
    keep(root, a_memory("m1", content=text))
    (item,) = (await find(client, "zeppelin"))["items"]
    assert item["content"] == text


async def test_a_huge_item_comes_back_whole_and_what_is_past_the_budget_says_that_it_is_cut(
    client: Client, root: Path
) -> None:
    huge = "The zeppelin flies over the harbour. " * 12_000
    keep(root, *(a_memory(f"m{n}", content=huge + str(n)) for n in range(3)))
    first, *others = (await find(client, "zeppelin harbour", mode="fast"))["items"]
    assert len(first["content"]) == len(huge) + 1
    assert [each["content_truncated"] for each in others] == [True, True]


# ---- relations -----------------------------------------------------------------------------------


@pytest.fixture
def fleet(root: Path) -> None:
    keep(
        root,
        a_memory("fleet", kind=Kind.ENTITY, content="The fleet of airships."),
        a_memory("hull", kind=Kind.ENTITY, content="Duralumin girders."),
        a_memory("fin", kind=Kind.ENTITY, content="Cruciform stabilisers."),
        a_memory(
            "seen", content="At noon it was listing to port.", data={"entity_id": "hull", "observation": "listing"}
        ),
        relation("r1", "fleet", "contains", "hull"),
        relation("r2", "fin", "part_of", "hull"),
    )


@pytest.mark.usefixtures("fleet")
@pytest.mark.parametrize(
    ("asked", "expand", "found"),
    [
        ("airships", None, {"fleet"}),
        ("airships", "relations", {"fleet", "hull", "fin", "seen"}),
        ("duralumin", "relations", {"hull", "fleet", "fin", "seen"}),
        ("airships", "children", {"fleet", "hull", "fin", "seen"}),
        ("duralumin", "children", {"hull", "fin", "seen"}),
        ("duralumin", "parents", {"hull", "fleet"}),
        ("cruciform", "parents", {"fin", "hull", "fleet"}),
        ("noon", "parents", {"seen", "hull", "fleet"}),
        ("airships", "parents", {"fleet"}),
    ],
)
async def test_expansion_follows_relations_in_both_directions(
    client: Client, asked: str, expand: str | None, found: set[str]
) -> None:
    values = {"expand": expand} if expand else {}
    result = await find(client, asked, mode="deep", types=["entity", "observation"], **values)
    assert sorted(ids(result)) == sorted(found)
    query = result["query_metadata"]
    assert query["graph_expansion"] == expand
    if expand:
        stats = query["expansion_stats"]
        assert set(stats) == {"items_before", "items_added", "relations_followed"}
        assert stats["items_before"] + stats["items_added"] == query["total_found"]


async def test_relations_that_are_found_lead_to_their_ends(client: Client, root: Path) -> None:
    keep(
        root,
        a_memory("a", content="Rhubarb."),
        a_memory("b", content="Custard."),
        relation("r9", "a", "goes with", "b"),
    )
    result = await find(client, "tie number r9", mode="deep", types=["relation"], expand="relations")
    assert set(ids(result)) == {"r9", "a", "b"}
    assert result["query_metadata"]["expansion_stats"]["items_added"] == 2


async def test_an_item_that_many_ways_lead_to_comes_once(client: Client, root: Path) -> None:
    keep(root, a_memory("a", content="Rhubarb."), a_memory("b", content="Custard."))
    keep(root, *(relation(f"r{n}", "a", "goes with", "b") for n in range(5)), relation("back", "b", "follows", "a"))
    result = await find(client, "rhubarb", mode="deep", types=["observation"], expand="relations")
    assert sorted(ids(result)) == ["a", "b"]


async def test_an_expansion_ends_at_fifty_items_and_twenty_relations_of_each(client: Client, root: Path) -> None:
    keep(root, a_memory("hub", content="Rhubarb."), *(a_memory(f"leaf{n}", content=f"{n}.") for n in range(60)))
    keep(root, *(relation(f"r{n}", "hub", "goes with", f"leaf{n}") for n in range(60)))
    result = await find(client, "rhubarb", mode="deep", types=["observation"], expand="relations", limit=100)
    assert len(ids(result)) == 21
    keep(root, *(relation(f"s{n}", f"leaf{n % 20}", "goes with", f"leaf{n}") for n in range(20, 60)))
    keep(root, *(relation(f"t{n}", f"leaf{n}", "goes with", f"leaf{n + 1}") for n in range(59)))
    result = await find(client, "rhubarb", mode="deep", types=["observation"], expand="relations", limit=100)
    assert len(ids(result)) <= 50


async def test_expansion_crosses_neither_scope_nor_lifetime(client: Client, root: Path, user: Path) -> None:
    here = {"project": "here"}
    keep(
        root,
        a_memory("a", content="Rhubarb."),
        a_memory("over", content="Custard.", days=-1),
        a_memory("c", content="Cream."),
        relation("r1", "a", "goes with", "over"),
        relation("r2", "over", "goes with", "c"),
        relation("r3", "a", "goes with", "c", days=-1),
        relation("r4", "a", "goes with", "far"),
    )
    keep(
        user, a_memory("far", content="Ice.", scope=Scope("acme")), relation("r5", "a", "of", "c", scope=Scope("acme"))
    )
    for scope in (here, {"org": "acme"}):
        result = await find(client, "rhubarb", mode="deep", expand="relations", scope=scope, types=["observation"])
        assert set(ids(result)) == ({"a"} if scope is here else set())
    result = await find(client, "rhubarb", mode="deep", expand="relations", types=["observation"])
    assert set(ids(result)) == {"a", "far", "c"}


async def test_a_relation_may_lead_to_a_node_of_the_project(client: Client, root: Path) -> None:
    node = a_node(1, title="Steer by gyroscope", content="The helm follows a gyroscope.")
    file = root / node.path
    file.parent.mkdir(parents=True)
    file.write_text(write_node(node, {}), encoding="utf-8", newline="\n")
    keep(root, a_memory("a", content="Rhubarb."), relation("r1", "a", "decided by", node.id))
    result = await find(client, "rhubarb", mode="deep", expand="relations", types=["observation"])
    assert set(ids(result)) == {"a", node.id}
    (item,) = [item for item in result["items"] if item["id"] == node.id]
    assert (item["kind"], item["scope"]) == (node.type.value, {"project": "here"})
    assert item["metadata"]["title"] == "Steer by gyroscope"
    near = await find(client, "rhubarb", mode="deep", expand="relations", scope={"project": "here"})
    assert node.id in ids(near)
    away = await find(client, "rhubarb", mode="deep", expand="relations", scope={"project": "there"})
    assert ids(away) == []


# ---- what is never shown -------------------------------------------------------------------------


async def test_secrets_that_a_file_holds_stay_out_of_every_part_of_an_answer(client: Client, root: Path) -> None:
    keep(
        root,
        a_memory(
            "m1", content=f"The zeppelin key is {KEY}.", metadata={"nested": [{"key": KEY}]}, data={"x": KEY},
            tags=(f"key:{KEY}",),
        ),
    )  # fmt: skip
    for mode in ("fast", "auto", "deep"):
        result = await find(client, "zeppelin key", mode=mode)
        assert ids(result) == ["m1"]
        assert KEY not in json.dumps(result)
        assert "[redacted:" in result["items"][0]["content"]
    assert KEY not in json.dumps(await find(client, KEY))


async def test_invisible_characters_are_left_out_of_found_memories(client: Client, root: Path) -> None:
    hidden = "\u202e\u200b\x1b[31m" + "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    keep(root, a_memory("m1", content=f"A zeppelin{hidden} lands.", metadata={f"k{hidden}": f"v{hidden}"}))
    (item,) = (await find(client, "zeppelin"))["items"]
    assert item["content"] == "A zeppelin lands."
    assert item["metadata"] == {"k": "v"}


async def test_a_file_that_cannot_be_read_is_named_and_hides_no_other(client: Client, root: Path) -> None:
    keep(root, a_memory("m1", content="A zeppelin."))
    (root / ".autology" / "memory" / "observation" / "broken.md").write_bytes(b"no memory at all")
    result = await find(client, "zeppelin")
    assert ids(result) == ["m1"]
    assert any("broken.md" in note for note in result["degraded"])


# ---- with everything else that is known ----------------------------------------------------------


async def everything(client: Client, query: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool("unified_memory_search", {"query": query, **arguments})
    assert not result.is_error, result.content
    results: dict[str, Any] = result.structured_content
    return results


@pytest.fixture
def claude(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root.parent / "claude"))


@pytest.mark.usefixtures("claude")
async def test_memories_are_ranked_with_nodes_and_documents(client: Client, root: Path) -> None:
    node = a_node(1, title="Moor zeppelins at the mast", content="The zeppelin is moored at the mast in the harbour.")
    file = root / node.path
    file.parent.mkdir(parents=True)
    file.write_text(write_node(node, {}), encoding="utf-8", newline="\n")
    (root / "harbour.md").write_text("# Harbour\n\nEvery zeppelin pays in the harbour.\n", encoding="utf-8")
    keep(root, a_memory("m1", kind=Kind.DECISION, content=f"The zeppelin leaves the harbour at noon. {KEY}"))
    answer = await everything(client, "zeppelin harbour")
    results = {result["source"]: result for result in answer["results"]}
    assert set(results) == {"knowledge", "documents", "memory"}
    assert (results["memory"]["id"], results["memory"]["type"]) == ("m1", "decision")
    assert "leaves the harbour at noon" in results["memory"]["content"]
    assert KEY not in json.dumps(answer)
    assert "1 in memory" in answer["explanation"]
    assert {"tool": "memory_find", "arguments": {"query": "m1", "mode": "fast"}} in [
        {name: call[name] for name in ("tool", "arguments")} for call in answer["suggestions"]
    ]
    documents = await client.call_tool("search_documents", {"query": "zeppelin harbour"})
    assert "m1" not in documents.content[0].text  # type: ignore[union-attr]


@pytest.mark.usefixtures("claude")
async def test_memories_of_others_and_expired_ones_are_not_among_them(
    root: Path, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(
        root,
        a_memory("mine", content="A zeppelin of acme.", scope=Scope("acme", "here"), days=2),
        a_memory("over", content="A zeppelin of old.", scope=Scope("acme", "here"), days=-1),
    )
    keep(
        user,
        a_memory("wide", content="A zeppelin for all.", scope=Scope("acme")),
        a_memory("bolts", content="A zeppelin of bolt.", scope=Scope("bolt")),
        a_memory("there", content="A zeppelin of there.", scope=Scope("acme", "there")),
    )
    project = ServedProject(str(root))
    days = [0]
    project.graph.now = lambda: NOW + timedelta(days=days[0])
    async with Client(server(project)) as connected:
        results = [result["id"] for result in (await everything(connected, "zeppelin"))["results"]]
        assert set(results) == {"mine", "wide", "bolts"}
        monkeypatch.setenv("CORTEX_ORG", "acme")
        assert {result["id"] for result in (await everything(connected, "zeppelin"))["results"]} == {"mine", "wide"}
        days[0] = 2  # what was answered a moment ago may have expired since
        assert [result["id"] for result in (await everything(connected, "zeppelin"))["results"]] == ["wide"]
        monkeypatch.setenv("AUTOLOGY_TOOLS_MEMORY", "false")
        project._groups_read_at = 0.0  # a second later
        assert (await everything(connected, "zeppelin"))["results"] == []
