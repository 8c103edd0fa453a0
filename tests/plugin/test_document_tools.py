"""The document tools do what they say, and say what is wrong with a call, in both eras of the protocol."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from autology.core.documents.lookup import find
from autology.tools.project import ServedProject
from autology.tools.server import TOOLS, server
from autology.tools.tool import DOCUMENTS

pytestmark = pytest.mark.anyio
NETWORKS = """\
# Neural Networks

Neural networks are computing systems inspired by biology.

## Architecture

[[Deep Learning]] consists of layers, see [the introduction](ml/intro.md#layers).

<!-- tags: [FIELD: machine-learning] -->
"""
LEARNING = "# Deep Learning\n\nA family of methods. [[neural-networks|Networks]], [[Nowhere]] #methods\n"
INTRO = "---\naliases: [Beginning]\n---\n# Introduction\n\nBack to [it](../deep-learning.md).\n"
REQUIRED: dict[str, dict[str, object]] = {
    "search_documents": {"query": "networks"},
    "read_node_content": {"id": "neural-networks"},
    "explore_links": {"id": "neural-networks"},
    "list_directory_structure": {},
    "inject_tags": {"file_path": "docs/neural-networks.md", "tags": ["a"]},
    "create_document": {"path": "docs/new.md", "content": "x"},
    "update_document": {"id": "neural-networks", "content": "x"},
    "delete_document": {"id": "neural-networks"},
    "graph_stats": {},
    "find_path": {"source": "neural-networks", "target": "readme"},
    "cluster_analysis": {},
}
WRONG: dict[str, tuple[object, ...]] = {
    "string": (None, 3, True, ["x"], {"x": 1}),
    "array": (None, 3, {"x": 1}, [None], [["x"]]),
    "integer": (None, "3", True, 1.5, [3], 10**400),
    "number": (None, "1", True, [1.0], {"x": 1}),
    "boolean": (None, "true", 1, [True]),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Literal["auto", "legacy"]:
    return "auto" if request.param == "auto" else "legacy"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A project with four documents."""
    root = tmp_path / "project"
    for path, text in (
        ("docs/neural-networks.md", NETWORKS),
        ("docs/deep-learning.md", LEARNING),
        ("docs/ml/intro.md", INTRO),
        ("README.md", "Read [the docs](docs/neural-networks.md).\n"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root


@pytest.fixture
async def client(vault: Path, mode: Literal["auto", "legacy"]) -> AsyncIterator[Client]:
    async with Client(server(ServedProject(str(vault))), mode=mode) as connected:
        yield connected


async def call_text(client: Client, tool: str, **arguments: object) -> str:
    """The only text of a call that succeeds."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    block = result.content[0]
    assert isinstance(block, types.TextContent)
    return block.text


async def listed(client: Client, tool: str, **arguments: object) -> list[Any]:
    result = json.loads(await call_text(client, tool, **arguments))
    assert isinstance(result, list)
    return result


async def data(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def failure(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    [block] = result.content
    assert isinstance(block, types.TextContent)
    assert block.text.startswith("Error: ")
    assert "internal error" not in block.text
    assert len(block.text) <= 4_000
    return block.text


async def links(client: Client, id: str, **more: object) -> set[tuple[str, ...]]:
    return {
        tuple(entry[key] for key in ("source", "target", "type") if key in entry)
        for entry in await listed(client, "explore_links", id=id, **more)
    }


# ---- what the tools do ------------------------------------------------------------------------------


async def test_a_search_finds_documents_and_nodes_together(client: Client) -> None:
    made = await data(client, "autology_capture", title="Networks of choice", content="Why networks.", type="concept")
    hits = await listed(client, "search_documents", query="networks")
    assert {"docs/neural-networks.md", "docs/deep-learning.md", made["id"]} <= {hit["id"] for hit in hits}
    for hit in hits:
        assert hit.keys() == {"id", "score", "preview", "source"}
        assert re.fullmatch(r"0\.\d{3}|1\.000", hit["score"])
        assert 0 < len(hit["preview"]) <= 200
        assert hit["source"] in ("text", "vector", "both")
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    [passage] = await listed(client, "search_documents", query="layers", limit=1)
    assert passage["preview"].startswith("## Architecture")
    [start] = await listed(client, "search_documents", query="layers", limit=1, preview="start")
    assert start["preview"] == NETWORKS[:200].strip()
    assert await listed(client, "search_documents", query="zebra") == []


async def test_a_search_says_whether_words_meaning_or_both_found_a_document(client: Client, vault: Path) -> None:
    (vault / "docs" / "signin.md").write_bytes(b"# Users\n\nA person signs in with a password.\n")
    harbour = "Boats leave the harbour at noon, and whoever missed them walks home along the beach. "
    text = f"# Summer\n\n{4 * harbour}The orders lie under `zq_kx`. {harbour}"
    (vault / "docs" / "orders.md").write_text(text, encoding="utf-8")
    for query, id, source in (
        ("a person signs in with a password", "docs/signin.md", "both"),
        ("authenticate accounts", "docs/signin.md", "vector"),
        ("zq_kx", "docs/orders.md", "text"),
    ):
        best = (await listed(client, "search_documents", query=query))[0]
        assert (best["id"], best["source"]) == (id, source)


async def test_a_document_is_read_as_it_is_on_disk(client: Client, vault: Path) -> None:
    for name in ("neural-networks", "Neural Networks", "docs/neural-networks.md", "./docs/neural-networks.md"):
        assert await call_text(client, "read_node_content", id=name) == NETWORKS
    for name in ("ml/intro", "intro", "Introduction", "beginning", str(vault / "docs" / "ml" / "intro.md")):
        assert await call_text(client, "read_node_content", id=name) == INTRO
    (vault / "docs" / "neural-networks.md").write_bytes(b"new \xe2\x82\xac\r\n")
    assert await call_text(client, "read_node_content", id="neural-networks") == "new €\r\n"
    made = await data(client, "autology_capture", title="A node", content="Its text.", type="concept")
    raw = (vault / made["path"]).read_text(encoding="utf-8")
    assert await call_text(client, "read_node_content", id=made["id"][:8]) == raw
    assert await call_text(client, "read_node_content", id="a node") == raw


async def test_links_are_followed_both_ways_and_further(client: Client) -> None:
    assert await links(client, "neural-networks") == {
        ("docs/deep-learning.md", "CITES"),
        ("docs/ml/intro.md", "CITES"),
        ("machine-learning", "FIELD"),
    }
    assert await links(client, "neural-networks", relation="FIELD") == {("machine-learning", "FIELD")}
    assert await links(client, "deep-learning") == {
        ("docs/neural-networks.md", "CITES"),
        ("Nowhere", "CITES"),
        ("methods", "TAGGED_AS"),
    }
    assert await links(client, "neural-networks", direction="in") == {
        ("docs/deep-learning.md", "docs/neural-networks.md", "CITES"),
        ("README.md", "docs/neural-networks.md", "CITES"),
    }
    further = await links(client, "readme", relation="CITES", depth=2)
    assert ("docs/neural-networks.md", "CITES") in further
    assert ("docs/neural-networks.md", "docs/ml/intro.md", "CITES") in further
    both = await links(client, "ml/intro", direction="both")
    assert {("docs/deep-learning.md", "CITES"), ("docs/neural-networks.md", "docs/ml/intro.md", "CITES")} <= both


async def test_knowledge_relations_appear_with_their_own_types(client: Client) -> None:
    ids = [
        (await data(client, "autology_capture", title=title, content="x", type="concept"))["id"]
        for title in ("One", "Two")
    ]
    await call_text(client, "autology_relate", source=ids[0], target=ids[1], type="affects")
    assert await links(client, ids[0][:8]) == {(ids[1], "affects")}


async def test_find_path_follows_links_of_every_kind_or_says_why_there_is_none(client: Client) -> None:
    ids = [
        (await data(client, "autology_capture", title=title, content=text, type="concept", tags=tags))["id"]
        for title, text, tags in (("One", "See [[Introduction]].", []), ("Two", "x", ["methods"]), ("Three", "x", []))
    ]
    hits = await data(client, "find_path", source=ids[0][:8], target="Two")
    assert (hits["found"], hits["length"]) == (True, 4)
    assert [place["id"] for place in hits["path"]] == [
        *(ids[0], "docs/ml/intro.md", "docs/deep-learning.md"),
        *("#methods", ids[1]),
    ]
    assert [step["type"] for step in hits["steps"]] == ["CITES", "CITES", "TAGGED_AS", "TAGGED_AS"]
    assert hits["steps"][3] == {"source": ids[1], "type": "TAGGED_AS", "target": "#methods"}
    none = await data(client, "find_path", source="readme", target=ids[2])
    assert none["reason"] == "no path: they are not connected; the second has no links"
    short = await data(client, "find_path", source=ids[0], target="#methods", max_depth=2)
    assert short["reason"] == "no path: the shortest path has 3 steps, more than 2"
    narrow = await data(client, "find_path", source=ids[0], target="Two", relations=["cites"])
    assert "do not connect them; over all links it has 4 steps" in narrow["reason"]
    assert (await data(client, "find_path", source="readme", target="readme"))["length"] == 0
    assert "There are: CITES" in await failure(
        client, "find_path", source="readme", target="#methods", relations=["likes"]
    )
    assert "Node not found: nobody" in await failure(client, "find_path", source="nobody", target="readme")
    await call_text(client, "autology_relate", source=ids[2], target=ids[1], type="affects")
    assert (await data(client, "find_path", source=ids[2], target="Two"))["steps"][0]["type"] == "affects"


async def test_the_graph_is_measured_and_divided_the_same_each_time(client: Client) -> None:
    await data(client, "autology_capture", title="Alone", content="x", type="concept")
    measured = await data(client, "graph_stats")
    assert measured["nodes_by_type"] == {"document": 4, "tag": 2, "concept": 1}
    assert measured["edges_by_type"] == {"CITES": 6, "FIELD": 1, "TAGGED_AS": 1}
    assert measured["components"] == {"count": 2, "largest": [6, 1]}
    assert [node["title"] for node in measured["orphans"]["nodes"]] == ["Alone"]
    assert measured["dangling"] == {
        "count": 1,
        "links": [{"source": "docs/deep-learning.md", "type": "CITES", "target": "Nowhere"}],
    }
    assert measured["pagerank"][0]["id"] in ("docs/ml/intro.md", "docs/deep-learning.md", "docs/neural-networks.md")
    assert measured["betweenness"]["exact"]
    divided = await data(client, "cluster_analysis")
    assert divided["total"] >= 1
    assert divided["alone"] == 1
    assert "networks" in {word for cluster in divided["clusters"] for word in cluster["label"]}
    assert await data(client, "graph_stats") == measured
    assert await data(client, "cluster_analysis") == divided
    finer = await data(client, "cluster_analysis", resolution=3)
    assert finer["total"] + finer["alone"] >= divided["total"] + divided["alone"]
    assert "Give a number from 0.1 to 10" in await failure(client, "cluster_analysis", resolution=0)


async def test_the_directory_listing_shows_the_real_folders(client: Client, vault: Path) -> None:
    assert await listed(client, "list_directory_structure") == ["docs/", "./"]
    assert await listed(client, "list_directory_structure", depth=2, counts=True) == [
        {"path": "docs/", "documents": 3},
        {"path": "docs/ml/", "documents": 1},
        {"path": "./", "documents": 1},
    ]
    (vault / "notes").mkdir()
    (vault / "notes" / "x.md").write_text("x", encoding="utf-8")
    (vault / "README.md").unlink()
    assert await listed(client, "list_directory_structure") == ["docs/", "notes/"]


async def test_tags_are_added_once_and_nothing_else_changes(client: Client, vault: Path) -> None:
    path = vault / "docs" / "deep-learning.md"
    path.write_bytes(b"\xef\xbb\xbf# Deep\r\n\r\ntext \r\n")
    tags = ["DOMAIN: machine-learning", "COMPLEXITY: advanced"]
    values = "./docs/deep-learning.md"
    assert await call_text(client, "inject_tags", file_path=values, tags=tags) == f"Injected 2 tags into {values}"
    whole = b"\xef\xbb\xbf# Deep\r\n\r\ntext \r\n\r\n<!-- tags: DOMAIN: machine-learning, COMPLEXITY: advanced -->\r\n"
    assert path.read_bytes() == whole
    assert await call_text(client, "inject_tags", file_path=values, tags=tags) == f"Injected 0 tags into {values}"
    assert path.read_bytes() == whole
    assert await call_text(client, "inject_tags", file_path=values, tags=["new"]) == f"Injected 1 tag into {values}"
    assert path.read_bytes() == whole.replace(b"advanced -->", b"advanced, new -->")
    assert await links(client, "deep-learning") == {
        ("machine-learning", "DOMAIN"),
        ("advanced", "COMPLEXITY"),
        ("new", "TAGGED_AS"),
    }
    await call_text(client, "inject_tags", file_path="docs/neural-networks.md", tags=["LEVEL: 2"])
    assert (vault / "docs" / "neural-networks.md").read_text(encoding="utf-8") == NETWORKS.replace(
        "learning] -->", "learning], [LEVEL: 2] -->"
    )


async def test_a_document_is_created_changed_moved_and_deleted(client: Client, vault: Path) -> None:
    made = await data(client, "create_document", path="docs/new/page", content="# Page\n\n[[intro]]\n", tags=["a"])
    path = vault / "docs" / "new" / "page.md"
    assert (made["id"], made["path"]) == ("docs/new/page.md", "docs/new/page.md")
    assert made["hash"] == sha256(path.read_bytes()).hexdigest()
    assert await links(client, "new/page") == {("docs/ml/intro.md", "CITES"), ("a", "TAGGED_AS")}
    assert "exists" in await failure(client, "create_document", path="docs/new/page.md", content="x")

    content = "# Page\n\n## A\n\none\n\n## B\n\ntwo\n"
    changed = await data(client, "update_document", id="new/page", content=content, base_hash=made["hash"])
    assert changed["size_before"] == made["size"]
    assert "is not what you had read" in await failure(
        client, "update_document", id="new/page", content="x", base_hash=made["hash"]
    )
    await data(client, "update_document", id="new/page", section="Page > A", content="three")
    assert path.read_text(encoding="utf-8") == "# Page\n\n## A\n\nthree\n\n## B\n\ntwo\n"
    assert "There are: Page; Page > A; Page > B" in await failure(
        client, "update_document", id="new/page", section="C", content="x"
    )

    moved = await data(client, "update_document", id="deep-learning", rename_to="docs/ml/dl.md")
    assert (moved["id"], moved["renamed_from"]) == ("docs/ml/dl.md", "docs/deep-learning.md")
    assert moved["links_rewritten_in"] == ["docs/ml/intro.md", "docs/neural-networks.md"]
    assert (vault / "docs" / "ml" / "intro.md").read_text(encoding="utf-8") == INTRO.replace("../deep-learning", "dl")
    assert (vault / "docs" / "neural-networks.md").read_text(encoding="utf-8") == NETWORKS.replace(
        "[[Deep Learning]]", "[[dl]]"
    )
    assert ("docs/ml/dl.md", "CITES") in await links(client, "neural-networks")

    gone = await data(client, "delete_document", id="ml/dl")
    assert {(link["source"], link["type"]) for link in gone["dangling"]} == {
        ("docs/ml/intro.md", "CITES"),
        ("docs/neural-networks.md", "CITES"),
    }
    assert (vault / gone["trash"]).read_bytes() == LEARNING.encode()
    assert "Node not found: ml/dl" in await failure(client, "read_node_content", id="ml/dl")


async def test_a_second_server_sees_what_the_first_and_an_editor_did(vault: Path) -> None:
    async with Client(server(ServedProject(str(vault)))) as one, Client(server(ServedProject(str(vault)))) as two:
        assert await links(two, "readme") == {("docs/neural-networks.md", "CITES")}
        await data(one, "create_document", path="notes/new.md", content="[[readme]] zebra")
        assert (await listed(two, "search_documents", query="zebra"))[0]["id"] == "notes/new.md"
        (vault / "notes" / "nowhere.md").write_text("# Here now\n", encoding="utf-8")
        assert ("notes/nowhere.md", "CITES") in await links(two, "deep-learning")
        assert ("notes/nowhere.md", "CITES") in await links(one, "deep-learning")
        (vault / "notes" / "nowhere.md").rename(vault / "notes" / "elsewhere.md")
        assert ("Nowhere", "CITES") in await links(one, "deep-learning")
        assert "Here now" in await call_text(two, "read_node_content", id="elsewhere")


# ---- resources ----------------------------------------------------------------------------------------


async def test_resources_are_listed_read_and_completed(client: Client, vault: Path) -> None:
    made = await data(client, "autology_capture", title="A node", content="Its text.", type="concept")
    uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert uris == ["amalfa://stats/summary", "autology://stats/summary"]
    for uri in uris:
        [content] = (await client.read_resource(uri)).contents
        assert isinstance(content, types.TextResourceContents)
        counts = json.loads(content.text)
        assert (counts["nodes"], counts["knowledge_nodes"], counts["documents"]) == (5, 1, 4)
        assert (counts["edges"], counts["embeddings"]) == (8, 6)
        assert counts["database_size"] > 0
    templates = [t.uri_template for t in (await client.list_resource_templates()).resource_templates]
    assert templates == ["autology://node/{id}", "autology://document/{+id}"]
    for uri, text in (
        ("autology://document/ml/intro", INTRO),
        (f"autology://node/{made['id']}", (vault / made["path"]).read_text(encoding="utf-8")),
    ):
        [content] = (await client.read_resource(uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert (content.text, content.mime_type) == (text, "text/markdown")
    for uri in ("autology://document/none", "autology://node/ml/intro", "autology://other", "file:///etc/passwd"):
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource(uri)
    for template, typed, ids in (
        (templates[1], "ml", ["docs/ml/intro.md"]),
        (templates[1], "learn", ["docs/deep-learning.md"]),
        (templates[0], made["id"][:3], [made["id"]]),
        (templates[0], "zz", []),
    ):
        reference = types.ResourceTemplateReference(type="ref/resource", uri=template)
        result = await client.complete(reference, {"name": "id", "value": typed})
        assert result.completion.values == ids


# ---- what does not fit ------------------------------------------------------------------------------


async def test_an_argument_that_is_missing_unknown_or_of_a_wrong_type_is_refused_by_name(client: Client) -> None:
    checked = 0
    for tool in (tool for tool in TOOLS if tool.group == DOCUMENTS):
        whole = REQUIRED[tool.name]
        schema = tool.described().input_schema
        calls: list[tuple[str, dict[str, object]]] = [("hue", {**whole, "hue": 1})]
        calls += [(name, {k: v for k, v in whole.items() if k != name}) for name in schema.get("required", [])]
        calls += [
            (name, {**whole, name: wrong})
            for name, described in schema["properties"].items()
            for wrong in WRONG[described.get("type", "array")]
        ]
        for name, arguments in calls:
            with pytest.raises(MCPError) as caught:
                await client.call_tool(tool.name, arguments)
            assert caught.value.error.code == -32602
            assert [re.split(r"[\[.]", key)[0] for key in caught.value.error.data["arguments"]] == [name]
            checked += 1
    assert checked > 90


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("search_documents", {"query": " "}, "query: is empty"),
        ("search_documents", {"query": "x" * 10_001}, "query: has 10,001 characters"),
        ("search_documents", {"limit": 0}, "limit: 0 is outside 1-100"),
        ("search_documents", {"preview": "end"}, "preview: 'end' is none"),
        ("read_node_content", {"id": "networks"}, "Node not found: networks. Did you mean: "),
        ("read_node_content", {"id": "../../etc/passwd"}, "Node not found: ../../etc/passwd"),
        ("read_node_content", {"id": "x" * 100_000}, "Node not found: xxx"),
        ("explore_links", {"id": "none"}, "Node not found: none"),
        ("explore_links", {"direction": "up"}, "direction: 'up' is no direction"),
        ("explore_links", {"depth": 6}, "depth: 6 is outside 1-5"),
        ("list_directory_structure", {"depth": 0}, "depth: 0 is outside 1-20"),
        ("inject_tags", {"tags": []}, "tags: is empty"),
        ("inject_tags", {"tags": ["a -->"]}, "tags: 'a -->' does not fit"),
        ("inject_tags", {"tags": ["a, b"]}, "tags: 'a, b' does not fit"),
        ("inject_tags", {"tags": ["K:"]}, "tags: 'K:' does not fit"),
        ("inject_tags", {"tags": ["a\nb"]}, "tags: 'a?b' does not fit"),
        ("inject_tags", {"tags": ["a"] * 101}, "tags: more than 100 tags"),
        ("inject_tags", {"file_path": "docs/none.md"}, "File not found: docs/none.md"),
        ("inject_tags", {"file_path": "../outside.md"}, "'../outside.md' is not a path in the project"),
        ("inject_tags", {"file_path": "docs/../../outside.md"}, "is not a path in the project"),
        ("inject_tags", {"file_path": "/etc/hosts"}, "is not a path in the project"),
        ("inject_tags", {"file_path": "vendor/code.md"}, "lies in no source"),
        ("inject_tags", {"file_path": "docs/x.py"}, "is not a markdown file"),
        ("create_document", {"path": "vendor/new.md"}, "lies in no source"),
        ("create_document", {"path": ".autology/nodes/concepts/x.md"}, "lies in no source"),
        ("create_document", {"path": "docs/.git/x.md"}, "lies in no source"),
        ("create_document", {"path": "docs/x.exe"}, "is not a markdown file"),
        ("create_document", {"content": "a\x00b"}, "content: holds U+0000"),
        ("create_document", {"content": "x" * 1_000_001}, "content: has 1,000,001 characters"),
        ("update_document", {"rename_to": "vendor/intro.md"}, "rename_to: "),
        ("update_document", {"rename_to": "docs/deep-learning.md"}, "docs/deep-learning.md exists"),
        ("update_document", {"section": "None"}, "there is no section 'None'"),
        ("update_document", {"base_hash": "0"}, "base_hash: "),
        ("delete_document", {"id": "none"}, "Node not found: none"),
    ],
)
async def test_a_value_that_does_not_fit_is_an_error_that_says_what_would(
    vault: Path, tool: str, arguments: dict[str, object], named: str
) -> None:
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    async with Client(server(ServedProject(str(vault)))) as client:
        assert named in await failure(client, tool, **{**REQUIRED[tool], **arguments})
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


async def test_links_out_of_the_project_are_not_followed(vault: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("zebra", encoding="utf-8")
    (vault / "docs" / "away").symlink_to(outside)
    (vault / "docs" / "one.md").symlink_to(outside / "secret.md")
    (vault / "docs" / "loop").symlink_to(vault / "docs")
    async with Client(server(ServedProject(str(vault)))) as client:
        assert await listed(client, "search_documents", query="zebra") == []
        for path in ("docs/away/secret.md", "docs/one.md"):
            assert "out of the project" in await failure(client, "inject_tags", file_path=path, tags=["a"])
        await failure(client, "create_document", path="docs/away/new.md", content="x")
        await failure(client, "update_document", id="deep-learning", rename_to="docs/away/dl.md")
    assert (outside / "secret.md").read_text(encoding="utf-8") == "zebra"
    assert [path.name for path in outside.iterdir()] == ["secret.md"]


async def test_a_name_that_several_answer_to_lists_them(client: Client, vault: Path) -> None:
    (vault / "notes" / "ml").mkdir(parents=True)
    (vault / "notes" / "ml" / "intro.md").write_text("# Other\n", encoding="utf-8")
    result = await failure(client, "read_node_content", id="intro")
    assert "docs/ml/intro.md (Introduction)" in result
    assert "notes/ml/intro.md (Other)" in result


async def test_a_node_is_not_changed_as_a_document(client: Client) -> None:
    made = await data(client, "autology_capture", title="A node", content="Its text.", type="concept")
    assert "Use autology_update" in await failure(client, "update_document", id=made["id"], content="x")
    assert "Use autology_delete" in await failure(client, "delete_document", id="A node")


async def test_a_file_that_is_gone_is_not_found(client: Client, vault: Path) -> None:
    project = ServedProject(str(vault))
    project.library.refresh()
    project.library.freshness.cost = 60.0  # as in a very large project: it does not look at every file again yet
    source = find(project.library, "neural-networks")
    (vault / source.path).unlink()
    with pytest.raises(Exception, match=r"^File not found: docs/neural-networks\.md\."):
        project.library.stored(source)


@pytest.mark.parametrize(
    ("within", "ids"),
    [
        ({"path": "docs/ml"}, ["docs/ml/intro.md"]),
        ({"path": "./docs/ml/intro.md"}, ["docs/ml/intro.md"]),
        ({"path": "docs"}, ["docs/deep-learning.md", "docs/ml/intro.md", "docs/neural-networks.md"]),
        ({"path": "."}, ["README.md", "docs/deep-learning.md", "docs/ml/intro.md", "docs/neural-networks.md"]),
        ({"tags": ["#Methods"]}, ["docs/deep-learning.md"]),
        ({"type": "decision"}, []),
        ({"type": "document", "tags": ["methods"]}, ["docs/deep-learning.md"]),
        ({"author": "ada lovelace"}, ["docs/ml/intro.md"]),
        ({"since": "2020-01-01", "until": "2020-12-31"}, ["docs/ml/intro.md"]),
        ({"until": "2019", "path": "docs"}, []),
    ],
)
async def test_a_search_is_narrowed_before_it_is_cut(
    client: Client, vault: Path, within: dict[str, object], ids: list[str]
) -> None:
    intro = vault / "docs" / "ml" / "intro.md"
    intro.write_text("---\nauthors: [Alan, Ada Lovelace]\n---\n# Introduction\n\nOn networks.\n", encoding="utf-8")
    then = datetime(2020, 5, 1, tzinfo=UTC).timestamp()
    os.utime(intro, (then, then))
    query = "networks learning methods docs"
    result = json.loads(await call_text(client, "search_documents", query=query, **within))
    assert sorted(hit["id"] for hit in result) == sorted(ids, key=str)


async def test_invalid_search_filters_are_named(client: Client) -> None:
    for wrong, message in (
        ({"path": "../elsewhere"}, "lies outside the project"),
        ({"path": "/etc"}, "lies outside the project"),
        ({"type": "poem"}, "Use one of: document, "),
        ({"since": "when it rained"}, "is not a time"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "ends before since begins"),
    ):
        result = await client.call_tool("search_documents", {"query": "networks", **wrong})
        assert result.is_error
        assert isinstance(block := result.content[0], types.TextContent)
        assert message in block.text


@pytest.mark.parametrize(
    "path", ["vendor/api/README.md", "src/fixtures/README.md", "../other/README.md", ".obsidian/README.md"]
)
async def test_a_document_tool_never_takes_another_file_for_the_one_whose_path_it_got(
    client: Client, vault: Path, path: str
) -> None:
    outside = vault / path
    outside.parent.mkdir(parents=True, exist_ok=True)
    outside.write_bytes(b"outside")
    root = (vault / "README.md").read_bytes()
    for tool, arguments in (
        ("read_node_content", {}),
        ("update_document", {"content": "overwritten"}),
        ("update_document", {"rename_to": "docs/away.md"}),
        ("delete_document", {}),
        ("explore_links", {}),
    ):
        assert "Node not found" in await failure(client, tool, id=path, **arguments)
    await failure(client, "inject_tags", file_path=path, tags=["a: b"])
    await failure(client, "find_path", source=path, target="neural-networks")
    assert (vault / "README.md").read_bytes() == root
    assert outside.read_bytes() == b"outside"
    assert await call_text(client, "read_node_content", id="README.md") == root.decode()


@pytest.mark.parametrize("how", ["excludes: [docs/ml]", "excludes: ['*intro.md']", "sources: [notes]"])
async def test_documents_excluded_while_a_server_runs_are_forgotten_at_once(
    client: Client, vault: Path, how: str
) -> None:
    assert await listed(client, "search_documents", query="introduction") != []
    assert await call_text(client, "read_node_content", id="ml/intro") == INTRO
    config = vault / ".autology" / "config.yaml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(f"documents:\n  {how}\n", encoding="utf-8")
    assert "docs/ml/intro.md" not in {
        hit["id"] for hit in await listed(client, "search_documents", query="introduction")
    }
    assert "Node not found" in await failure(client, "read_node_content", id="ml/intro")
    assert "Node not found" in await failure(client, "update_document", id="docs/ml/intro.md", content="x")
    config.unlink()
    assert await call_text(client, "read_node_content", id="ml/intro") == INTRO
    assert "docs/ml/intro.md" in {hit["id"] for hit in await listed(client, "search_documents", query="introduction")}
