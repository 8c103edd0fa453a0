"""Secrets and hidden characters of a document stay out of what a model is shown, and in the file that it changes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import mcp_types as types
import pytest
from mcp.client import Client

from autology.tools.project import ServedProject
from autology.tools.server import server

pytestmark = pytest.mark.anyio
FIRST, SECOND = "ghp_" + "1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX", "ghp_" + "9zY8xW7vU6tS5rQ4pO3nM2lK1jI0hG9fE8dC"
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
TEXT = (
    f"# Quokka guide\n\nThe old token is {FIRST}, the new one {SECOND}.{TAGS}\n\n"
    "## Rest\n\nred \x1b[31mquokka\u202e end\n"
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "docs" / "guide.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(TEXT.encode())
    return path


@pytest.fixture
async def client(document: Path) -> AsyncIterator[Client]:
    async with Client(server(ServedProject(str(document.parents[1])))) as connected:
        yield connected


async def blocks(client: Client, tool: str, **arguments: object) -> list[str]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return [block.text for block in result.content if isinstance(block, types.TextContent)]


async def test_a_document_is_read_with_markers_and_the_answer_says_so(client: Client) -> None:
    text, note = await blocks(client, "read_node_content", id="guide")
    assert (
        "old token is [redacted:github-token], the new one [redacted:github-token 2].[hidden:U+E006F and 6 more]"
        in text
    )
    assert "red [hidden:U+001B and 4 more]quokka[hidden:U+202E] end" in text
    assert note.startswith("Note: 2 secrets and 3 runs of hidden characters of the file are shown as markers")


async def test_a_resource_shows_the_same_markers(client: Client) -> None:
    [content] = (await client.read_resource("autology://document/guide")).contents
    assert isinstance(content, types.TextResourceContents)
    assert FIRST not in content.text
    assert "[redacted:github-token 2]" in content.text
    assert "\x1b" not in content.text


async def test_an_update_with_markers_keeps_what_they_stand_for(client: Client, document: Path) -> None:
    text, _ = await blocks(client, "read_node_content", id="guide")
    await blocks(client, "update_document", id="guide", content=text.replace("Quokka guide", "Wombat guide"))
    assert document.read_bytes() == TEXT.replace("Quokka guide", "Wombat guide").encode()
    swapped = "The new one is [redacted:github-token 2]. Password: Tr0ub4dor&3x\n"
    [answer] = await blocks(client, "update_document", id="guide", section="Wombat guide", content=swapped)
    assert json.loads(answer)["redacted"] == ["password"]
    written = document.read_text(encoding="utf-8")
    assert f"The new one is {SECOND}. Password: [redacted:password]" in written
    assert FIRST not in written


async def test_an_update_with_a_marker_that_stands_for_nothing_is_refused(client: Client, document: Path) -> None:
    result = await client.call_tool("update_document", {"id": "guide", "content": "It is [redacted:github-token 7].\n"})
    assert result.is_error
    [block] = result.content
    assert isinstance(block, types.TextContent)
    assert "does not match anything in the file" in block.text
    assert "Read the file again" in block.text
    assert document.read_bytes() == TEXT.encode()


async def test_a_node_keeps_a_person_s_secret_when_its_text_comes_back_with_the_marker(
    client: Client, document: Path
) -> None:
    made = (
        await client.call_tool("autology_capture", {"title": "Quokka", "content": "Plain.", "type": "concept"})
    ).structured_content
    assert made is not None
    file = document.parents[1] / made["path"]
    file.write_text(
        file.read_text(encoding="utf-8").replace("Plain.", f"The token is {FIRST}, or {SECOND}."), encoding="utf-8"
    )
    shown = (await client.call_tool("autology_query", {"query": made["id"], "detail": "full"})).structured_content
    assert shown is not None
    content = shown["results"][0]["node"]["content"]
    assert content == "The token is [redacted:github-token], or [redacted:github-token 2]."
    await client.call_tool("autology_update", {"id": made["id"], "content": content.replace("or", "and")})
    assert f"The token is {FIRST}, and {SECOND}." in file.read_text(encoding="utf-8")


async def test_previews_and_links_contain_no_invisible_characters(client: Client, document: Path) -> None:
    (document.parent / f"odd{TAGS}\u202ename.md").write_text(
        f"# Wombat{TAGS} notes\n\n[[Nowhere{TAGS}\u202e]] wombat\u202e\n"
    )
    for tool, arguments in (
        ("search_documents", {"query": "quokka"}),
        ("search_documents", {"query": "wombat notes", "preview": "start"}),
        ("explore_links", {"id": "guide"}),
        ("list_directory_structure", {}),
        ("autology_status", {}),
    ):
        for text in await blocks(client, tool, **arguments):
            assert not any(0xE0000 <= ord(letter) <= 0xE0FFF for letter in text), (tool, text)
            assert "\u202e" not in text
            assert "\\u001b" not in text
            assert "ghp_" not in text
