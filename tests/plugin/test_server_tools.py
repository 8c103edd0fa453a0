"""Every tool does what it says, and says what is wrong with a call, in both eras of the protocol."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from autology.tools.project import ServedProject
from autology.tools.server import TOOLS, server
from autology.tools.tool import KNOWLEDGE

pytestmark = pytest.mark.anyio
MISSING = "3f2a91c0-1111-4222-8333-444455556666"
WHOLE = "## Context\nc\n## Decision\nd\n## Alternatives\na\n## Consequences\nq\n"
REQUIRED = {
    "autology_capture": {"title": "A title", "content": "Some content."},
    "autology_query": {},
    "autology_context": {},
    "autology_analyze": {},
    "autology_status": {},
    "autology_update": {"id": MISSING},
    "autology_delete": {"id": MISSING},
    "autology_relate": {"source": MISSING, "target": MISSING, "type": "uses"},
    "autology_unrelate": {"source": MISSING, "target": MISSING, "type": "uses"},
}
WRONG: dict[str, tuple[object, ...]] = {
    "string": (None, 3, True, ["x"], {"x": 1}),
    "array": (None, 3, {"x": 1}, [None], [["x"]]),
    "integer": (None, "3", True, 1.5, [3], 10**400),
    "number": (None, "0.9", True, [1], 10**400),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Literal["auto", "legacy"]:
    return "auto" if request.param == "auto" else "legacy"


@pytest.fixture
async def client(tmp_path: Path, mode: Literal["auto", "legacy"]) -> AsyncIterator[Client]:
    async with Client(server(ServedProject(str(tmp_path))), mode=mode) as connected:
        yield connected


def text(result: CallToolResult) -> str:
    """The only text of a result, which nobody may have trouble printing."""
    [block] = result.content
    assert isinstance(block, TextContent)
    assert "Traceback" not in block.text
    assert "pydantic" not in block.text
    return block.text


async def data(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """The data that a call returns, the same as its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    assert json.loads(text(result)) == result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def prose(client: Client, tool: str, **arguments: object) -> str:
    """The prose that a call returns, with no data that a client would show instead."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    assert result.structured_content is None
    return text(result)


async def failure(client: Client, tool: str, **arguments: object) -> str:
    """What a call that fails says, within what one cares to read."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    content = text(result)
    assert "internal error" not in content
    assert len(content) <= 4_000
    assert content.isprintable()
    assert content.endswith((".", "?"))
    return content


async def refusal(client: Client, tool: str, **arguments: object) -> tuple[str, dict[str, str]]:
    """The message and the arguments named in the protocol's refusal of a call."""
    with pytest.raises(MCPError) as caught:
        await client.call_tool(tool, arguments)
    error = caught.value.error
    assert error.code == -32602
    assert len(error.message) <= 2_000
    assert error.message.isprintable()
    assert "pydantic" not in error.message
    named: dict[str, str] = error.data["arguments"]
    return error.message, named


async def captured(client: Client, title: str, **more: object) -> str:
    """The id of a new node."""
    values = {"title": title, "content": f"About {title}.", "type": "concept", **more}
    return str((await data(client, "autology_capture", **values))["id"])


# ---- what the tools do ------------------------------------------------------------------------------


async def test_a_captured_note_is_found(client: Client, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "index.py").write_text("", encoding="utf-8")
    made = await data(
        client,
        "autology_capture",
        title="Use SQLite for the index",
        content=WHOLE,
        type="decision",
        tags=["Storage Engine"],
        references=["src/index.py"],
        source="hook_commit",
    )
    assert (made["type"], made["confidence"]) == ("decision", 0.95)
    assert "missing_sections" not in made
    hits = await data(client, "autology_query", query="sqlite", detail="full")
    [hit] = hits["results"]
    assert 0 < hit["score"] <= 1
    node = hit["node"]
    assert (node["id"], node["status"], node["content"]) == (made["id"], "active", WHOLE)
    assert (node["tags"], node["references"], node["confidence"]) == (["storage-engine"], ["src/index.py"], 0.85)
    assert (tmp_path / made["path"]).exists()


async def test_an_incomplete_decision_is_kept_and_the_answer_names_what_it_lacks(client: Client) -> None:
    made = await data(client, "autology_capture", title="Use SQLite", content="## Context\nc", type="decision")
    assert (made["status"], made["missing_sections"]) == ("needs_review", ["Decision", "Alternatives", "Consequences"])


async def test_a_type_that_is_not_given_is_guessed(client: Client) -> None:
    made = await data(client, "autology_capture", title="Naming rule", content="A convention: a guideline of style.")
    assert made["type"] == "convention"


async def test_relations_and_supersession_are_part_of_a_capture(client: Client) -> None:
    old, part = await captured(client, "Old way"), await captured(client, "Some part", type="component")
    wish = {"type": "affects", "target": part[:8], "description": "It must change."}
    new = await captured(client, "New way", relations=[wish], supersedes=old[:8])
    newer = await captured(client, "Newest way", supersedes=[new])
    hits = await data(client, "autology_query", query=new, detail="full")
    [hit] = hits["results"]
    assert hit["superseded_by"] == [{"id": newer, "title": "Newest way"}]
    relations = {(r["type"], r["target"]): r for r in hit["node"]["relations"]}
    assert relations[("affects", part)]["description"] == "It must change."
    assert ("supersedes", old) in relations
    gone = await data(client, "autology_query", status="superseded", detail="brief")
    assert {hit["node"]["id"] for hit in gone["results"]} == {old, new}


async def test_queries_are_narrowed_by_every_filter(client: Client) -> None:
    one = await captured(client, "One thing", tags=["a", "b"], confidence=0.6, references=["src/one.py"])
    two = await captured(client, "Two things", tags=["a"], type="pattern", relations=[{"type": "uses", "target": one}])
    narrowed: dict[str, dict[str, object]] = {
        one: {"tags": ["b", "a"]},
        two: {"type": "pattern"},
    }
    for id, arguments in narrowed.items():
        hits = await data(client, "autology_query", **arguments)
        assert [hit["node"]["id"] for hit in hits["results"]] == [id]
    for arguments, ids in (
        ({"min_confidence": 0.7}, [two]),
        ({"references": ["src"]}, [one]),
        ({"related_to": one}, [two]),
        ({"status": "superseded"}, []),
        ({"query": "thing", "mode": "exact", "type": "concept"}, [one]),
        ({"limit": 1, "offset": 2}, []),
    ):
        hits = await data(client, "autology_query", **arguments)
        assert [hit["node"]["id"] for hit in hits["results"]] == ids
    assert "more" in await data(client, "autology_query", limit=1)


async def test_status_counts_every_type(client: Client) -> None:
    one, two = await captured(client, "One thing"), await captured(client, "Another")
    await prose(client, "autology_relate", source=one, target=two, type="relates_to")
    result = await data(client, "autology_status")
    assert (result["totalNodes"], result["totalRelations"]) == (2, 1)
    assert result["nodesByType"] == {
        "decision": 0,
        "component": 0,
        "convention": 0,
        "concept": 2,
        "pattern": 0,
        "issue": 0,
        "session": 0,
    }
    assert set(result["relationsByType"].values()) == {0, 1}


async def test_an_update_changes_what_is_given_and_says_so(client: Client) -> None:
    id = await captured(client, "A thing", tags=["kept"])
    result = await prose(client, "autology_update", id=id[:8], title="A better thing", confidence=1, references=[])
    assert result == "✓ Updated: A better thing (concept)\nFields changed: title, confidence, references"
    [hit] = (await data(client, "autology_query", query=id))["results"]
    assert (hit["node"]["tags"], hit["node"]["confidence"]) == (["kept"], 1.0)


async def test_relations_come_and_go_and_a_deletion_takes_the_rest(client: Client) -> None:
    one, two = await captured(client, "One thing"), await captured(client, "Another")
    ends = {"source": one, "target": two}
    result = await prose(client, "autology_relate", **ends, type="uses", description="Why", confidence=0.5)
    assert result == "✓ Related: One thing —[uses]→ Another"
    assert await prose(client, "autology_relate", **ends, type="affects") == "✓ Related: One thing —[affects]→ Another"
    removed = "✓ Removed relation: One thing —[uses]→ Another"
    assert await prose(client, "autology_unrelate", **ends, type="uses") == removed
    again = await prose(client, "autology_unrelate", **ends, type="uses")
    assert again == "No such relation: One thing —[uses]→ Another\nNothing changed"
    again = await prose(client, "autology_relate", **ends, type="affects")
    assert again == "Already related: One thing —[affects]→ Another\nNothing changed"
    result = await prose(client, "autology_delete", id=two)
    assert result == "✓ Deleted: Another (concept)\nRelations removed: 1"
    assert "node not found" in await failure(client, "autology_delete", id=two)


# ---- what does not fit ------------------------------------------------------------------------------


async def test_an_unknown_tool_is_refused_by_name(client: Client) -> None:
    for name, shown in (("autology_forget", "autology_forget"), ("a\x1b[31m\nb", "a b"), ("x" * 999, "x" * 59 + "…")):
        with pytest.raises(MCPError) as caught:
            await client.call_tool(name, {})
        assert (caught.value.error.code, caught.value.error.message) == (-32602, f"Tool {shown} not found")


async def test_a_missing_or_empty_argument_is_refused_by_name(client: Client) -> None:
    checked = 0
    for tool, arguments in REQUIRED.items():
        for name in arguments:
            rest = {key: value for key, value in arguments.items() if key != name}
            assert (await refusal(client, tool, **rest))[1] == {name: "is missing"}
            message, named = await refusal(client, tool, **{**arguments, name: ""})
            assert named == {name: "is empty"}
            assert message == f"{tool}: {name} is empty."
            checked += 1
    assert checked == 10


async def test_an_unknown_argument_is_refused_with_the_known_ones(client: Client) -> None:
    for tool, arguments in REQUIRED.items():
        message, named = await refusal(client, tool, **arguments, hue="red")
        assert named == {"hue": "is unknown"}
        assert f"{tool} takes" in message
    message, named = await refusal(client, "autology_query", limt=3)
    assert named == {"limt": "is unknown (did you mean limit?)"}
    wish = {"type": "uses", "target": MISSING, "to": MISSING}
    _, named = await refusal(client, "autology_capture", title="t", content="c", relations=[wish])
    assert named == {"relations[0].to": "is unknown there"}


async def test_every_argument_of_a_wrong_type_is_refused_by_name(client: Client) -> None:
    checked = 0
    for tool in (tool for tool in TOOLS if tool.group == KNOWLEDGE):
        for name, schema in tool.described().input_schema["properties"].items():
            for wrong in WRONG[schema.get("type", "array")]:
                message, named = await refusal(client, tool.name, **{**REQUIRED[tool.name], name: wrong})
                assert [re.split(r"[\[.]", key)[0] for key in named] == [name], (tool.name, name, wrong)
                assert all(re.match(r"must be an? .* not |is too large", result) for result in named.values())
                assert message.startswith(f"{tool.name}: {name}")
                checked += 1
    assert checked > 150


async def test_several_wrong_arguments_are_all_named(client: Client) -> None:
    message, named = await refusal(client, "autology_query", query=None, tags="x", limit="3", type=7)
    assert named == {
        "query": "must be a string, not null",
        "tags": "must be an array, not a string",
        "limit": "must be a whole number, not a string",
        "type": "must be a string, not a number",
    }
    assert all(name in message for name in named)


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("autology_capture", {"type": "opinion"}, "type: 'opinion' is not a node type. Use one of: decision, "),
        ("autology_capture", {"title": "x" * 101}, "title: has 101 characters"),
        ("autology_capture", {"title": "a\nb"}, "title: contains the control character U+000A"),
        ("autology_capture", {"title": " "}, "title: is empty"),
        ("autology_capture", {"content": "\n \n"}, "content: is empty"),
        ("autology_capture", {"content": "a\x00b"}, "content: contains U+0000 at character 1"),
        ("autology_capture", {"tags": ["ok", "/?"]}, "tags: '/?' is not valid"),
        ("autology_capture", {"tags": ["\x1b[31m"]}, "tags: "),
        ("autology_capture", {"confidence": 1.5}, "confidence: 1.5 is outside 0-1"),
        ("autology_capture", {"confidence": 0.4}, "confidence: 0.4 is too low to be stored"),
        ("autology_capture", {"source": "nowhere"}, "source: 'nowhere' is not valid"),
        ("autology_capture", {"references": ["../../etc/passwd"]}, "references: '../../etc/passwd' lies outside"),
        ("autology_capture", {"references": ["/etc/passwd"]}, "references: '/etc/passwd' is absolute"),
        ("autology_capture", {"references": ["a\x1bb"]}, "references: "),
        ("autology_capture", {"references": ["x"] * 201}, "references: 201 paths"),
        ("autology_capture", {"supersedes": "../../etc/passwd"}, "node not found: ../../etc/passwd"),
        ("autology_capture", {"supersedes": [MISSING] * 201}, "supersedes: 201 relations"),
        ("autology_capture", {"relations": [{"type": "eats", "target": MISSING}]}, "'eats' is not a relation type"),
        ("autology_capture", {"relations": [{"type": "uses", "target": MISSING}]}, f"target node not found: {MISSING}"),
        ("autology_query", {"type": "opinion"}, "type: 'opinion' is not a node type"),
        ("autology_query", {"status": "done"}, "status: 'done' is not a status"),
        ("autology_query", {"mode": "magic"}, "mode: 'magic' is not a mode. Use one of: hybrid, words, exact."),
        ("autology_query", {"detail": "huge"}, "detail: unknown detail 'huge'. Use one of: brief, normal, full."),
        ("autology_query", {"limit": 0}, "limit: 0 is outside 1-100"),
        ("autology_query", {"limit": 101}, "limit: 101 is outside 1-100"),
        ("autology_query", {"offset": -1}, "offset: -1 is below 0"),
        ("autology_query", {"min_confidence": -0.1}, "min_confidence: -0.1 is outside 0-1"),
        ("autology_query", {"related_to": MISSING}, f"node not found: {MISSING}"),
        ("autology_query", {"references": ["../x"]}, "references: '../x' lies outside"),
        ("autology_query", {"references": ["x"] * 201}, "references: 201 paths"),
        ("autology_query", {"tags": [f"t{n}" for n in range(101)]}, "tags: more than 100 tags"),
        ("autology_query", {"query": "x" * 10_001}, "query: has 10,001 characters"),
        ("autology_update", {}, "no fields to update"),
        ("autology_update", {"title": ""}, "title: is empty"),
        ("autology_update", {"title": "x"}, f"node not found: {MISSING}"),
        ("autology_update", {"id": "../../etc/passwd", "title": "x"}, "node not found: ../../etc/passwd"),
        ("autology_update", {"id": "\x1b]0;x\x07" * 50, "title": "x"}, "node not found: "),
        ("autology_delete", {"id": "../../etc/passwd"}, "node not found: ../../etc/passwd"),
        ("autology_delete", {"id": "x" * 100_000}, "node not found: xxx"),
        ("autology_relate", {}, f"source node not found: {MISSING}"),
        ("autology_relate", {"type": "eats"}, "type: 'eats' is not a relation type. Use one of: affects, "),
        ("autology_relate", {"confidence": 2}, "confidence: 2"),
        ("autology_unrelate", {}, f"source node not found: {MISSING}"),
        ("autology_unrelate", {"source": "..\\..\\x"}, "source node not found: "),
    ],
)
async def test_a_value_that_does_not_fit_is_a_result_that_says_what_would(
    tmp_path: Path, tool: str, arguments: dict[str, object], named: str
) -> None:
    async with Client(server(ServedProject(str(tmp_path)))) as client:
        result = await failure(client, tool, **{**REQUIRED[tool], **arguments})
        assert named in result
        assert (await data(client, "autology_status"))["totalNodes"] == 0


async def test_an_ambiguous_id_names_the_candidates(client: Client, tmp_path: Path) -> None:
    first = await captured(client, "The first")
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{first}.md"
    second = first[:9] + ("0000" if first[9:13] != "0000" else "1111") + first[13:]
    copy = path.read_text(encoding="utf-8").replace(first, second)
    path.with_name(f"{second}.md").write_text(copy, encoding="utf-8")
    result = await failure(client, "autology_delete", id=first[:8])
    assert first in result
    assert second in result


async def test_huge_input_is_refused_within_a_second(client: Client) -> None:
    id = await captured(client, "There before")
    huge = "x" * 10_000_000
    many = 100_000
    calls: list[tuple[str, dict[str, object]]] = [
        ("autology_capture", {"title": "t", "content": huge}),
        ("autology_capture", {"title": huge, "content": "c"}),
        ("autology_capture", {"title": "t", "content": "c", "tags": [f"t{n}" for n in range(many)]}),
        ("autology_capture", {"title": "t", "content": "c", "tags": ["t"] * many}),
        ("autology_capture", {"title": "t", "content": "c", "tags": list(range(many))}),
        ("autology_capture", {"title": "t", "content": "c", "references": ["a"] * many}),
        ("autology_capture", {"title": "t", "content": "c", "supersedes": [id] * 10_000}),
        ("autology_capture", {"title": "t", "content": "c", "relations": [{"type": "uses", "target": id}] * many}),
        ("autology_capture", {"title": "t", "content": "c", "relations": [{"kind": 1}] * many}),
        ("autology_capture", {f"a{n}": n for n in range(many)}),
        ("autology_query", {"query": huge}),
        ("autology_query", {"tags": ["t"] * many}),
        ("autology_query", {"references": [f"a{n}" for n in range(many)]}),
        ("autology_query", {"related_to": huge}),
        ("autology_query", {"offset": 10**400}),
        ("autology_update", {"id": id, "content": huge}),
        ("autology_update", {"id": huge, "title": "t"}),
        ("autology_delete", {"id": huge}),
        ("autology_relate", {"source": id, "target": id, "type": huge}),
        ("autology_relate", {"source": id, "target": MISSING, "type": "uses", "description": huge}),
    ]
    for tool, arguments in calls:
        begun = time.process_time()
        try:
            content = text(await client.call_tool(tool, arguments))
        except MCPError as error:
            content = error.error.message
        spent = time.process_time() - begun
        assert len(content) < 2_000, content
        assert "internal error" not in content, content
        assert spent < 5, (tool, spent)  # a second where nothing else runs
    assert (await data(client, "autology_status"))["totalNodes"] == 1


async def test_a_title_from_outside_cannot_steer_a_terminal(client: Client, tmp_path: Path) -> None:
    id = await captured(client, "A plain title")
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{id}.md"
    written = path.read_text(encoding="utf-8")
    path.write_text(written.replace("title: A plain title", 'title: "A \\e[31mred\\u202E title"'), encoding="utf-8")
    result = await prose(client, "autology_delete", id=id)
    assert result.startswith("✓ Deleted: A ")
    assert all(ch.isprintable() or ch == "\n" for ch in result)


async def test_two_clients_of_one_project_see_each_others_changes(tmp_path: Path) -> None:
    async with (
        Client(server(ServedProject(str(tmp_path))), mode="auto") as one,
        Client(server(ServedProject(str(tmp_path))), mode="legacy") as two,
    ):
        id = await captured(one, "From the first")
        assert (await data(two, "autology_query", query="first"))["results"][0]["node"]["id"] == id
        await prose(two, "autology_update", id=id, title="Changed by the second")
        hits = await data(one, "autology_query", query="changed")
        assert hits["results"][0]["node"]["title"] == "Changed by the second"
        await prose(two, "autology_delete", id=id)
        assert (await data(one, "autology_query", query="changed"))["results"] == []
