"""Where an answer is cut, the call that it names reads what is left: followed, the pieces are the whole."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from autology.tools.project import ServedProject
from autology.tools.server import server

pytestmark = pytest.mark.anyio
LONG = " ".join(f"word{number}" for number in range(9_000))
CALL = re.compile(r"(\w+) (\{.*?\})(?:,|\Z)")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def client(tmp_path: Path, home: Path) -> AsyncIterator[Client]:
    async with Client(server(ServedProject(str(tmp_path)))) as connected:
        yield connected


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] = json.loads(result.content[0].text)  # type: ignore[union-attr]
    return answer


async def followed(client: Client, read_rest: str) -> dict[str, Any]:
    """Return the answer of the call that *read_rest* names."""
    result = CALL.match(read_rest)
    assert result, read_rest
    return await call(client, result[1], **json.loads(result[2]))


@pytest.mark.parametrize("detail", ["brief", "normal", "full"])
async def test_the_rest_of_a_long_node_is_read_piece_by_piece(client: Client, detail: str) -> None:
    made = await call(client, "autology_capture", title="A long one", content=LONG, type="concept")
    node = (await call(client, "autology_query", query=made["id"], detail=detail))["results"][0]["node"]
    pieces = [node["content"].removesuffix("…")]
    while "read_rest" in node:
        node = (await followed(client, node["read_rest"]))["results"][0]["node"]
        assert node["content"]
        pieces.append(node["content"].removesuffix("…"))
        assert len(pieces) < 10
    assert "".join(pieces) == LONG


async def test_an_invalid_start_of_a_part_names_the_tool_that_continues(client: Client) -> None:
    result = await client.call_tool("autology_query", {"query": "x", "content_from": -1})
    assert result.is_error
    assert "read_rest" in result.content[0].text  # type: ignore[union-attr]


async def test_the_rest_of_a_memory_that_an_answer_had_no_room_for_is_read(client: Client) -> None:
    items = [{"kind": "observation", "content": f"zeppelin {number} {LONG * 6}"} for number in range(3)]
    await call(client, "memory_store", items=items, dedupe="off")
    hits = (await call(client, "memory_find", query="zeppelin"))["items"]
    [*_, cut] = [item for item in hits if item.get("content_truncated")]
    whole = (await followed(client, cut["read_rest"]))["items"][0]
    assert whole["id"] == cut["id"]
    assert whole["content"].startswith(cut["content"])
    assert whole["content"] in [item["content"] for item in items]
