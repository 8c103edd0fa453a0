"""What the tools recall leaves out the conversation that asks, as far as it still has that before its eyes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client

from autology import places
from autology.tools.project import ServedProject
from autology.tools.server import server
from tests.fakes.talk import Said, write
from tests.unit.cli_kit import run_json
from tests.unit.hooks_kit import run

pytestmark = pytest.mark.anyio
QUESTION = "why did we choose Redis for the session store?"
DECISION = "We decided to keep the session store in Redis, because of its expiry. Postgres was too slow for it."
EARLIER, PRESENT = "a" * 8 + "-0000-4000-8000-000000000000", "c" * 8 + "-0000-4000-8000-000000000000"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose decision an earlier session took, and a session that asks for it at the moment."""
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", PRESENT)
    shop = tmp_path / "shop"
    (shop / ".autology" / "nodes").mkdir(parents=True)
    write(
        tmp_path / "claude",
        str(shop),
        EARLIER,
        [Said("2026-03-01T09:00:00.000Z", "where do sessions live?", DECISION)],
    )
    write(tmp_path / "claude", str(shop), PRESENT, [Said("2026-03-18T09:00:00.000Z", QUESTION, "Let me look.")])
    return shop


@pytest.fixture
async def client(shop: Path) -> AsyncIterator[Client]:
    async with Client(server(ServedProject(str(shop)))) as connected:
        yield connected


async def sessions(client: Client, tool: str, **arguments: object) -> list[str]:
    """Return the sessions of what *tool* found, best first."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    return [each["context"]["session_id"] for each in answer["results"]]


@pytest.mark.parametrize(
    ("tool", "field"),
    [
        ("recall_previous_discussions", "query"),
        ("unified_memory_search", "query"),
        ("find_similar_problems", "problem_description"),
    ],
)
async def test_the_question_just_asked_is_not_its_own_answer(client: Client, tool: str, field: str) -> None:
    result = await sessions(client, tool, **{field: QUESTION})
    assert result[0] == EARLIER
    assert PRESENT not in result


async def test_recall_includes_the_own_session_only_before_its_last_compaction(
    client: Client, shop: Path, tmp_path: Path
) -> None:
    assert PRESENT not in await sessions(client, "recall_previous_discussions", query="choose Redis")
    await anyio.to_thread.run_sync(lambda: run("session-start", shop, session_id=PRESENT, source="compact"))
    assert PRESENT in await sessions(client, "recall_previous_discussions", query="choose Redis")
    later = [
        Said("2026-03-18T09:00:00.000Z", QUESTION, "Let me look."),
        Said("2999-01-01T09:00:00.000Z", "Redis Redis"),
    ]
    write(tmp_path / "claude", str(shop), PRESENT, later)
    result = await client.call_tool("recall_previous_discussions", {"query": "Redis Redis"})
    assert not any("Redis Redis" in each["content"] for each in result.structured_content["results"])


async def test_a_session_s_name_leads_to_no_other_file(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(places.cache_dir()) / "sessions"
    folder.mkdir(parents=True)
    (folder.parent / "x.compacted").write_text("2999-01-01T00:00:00Z", encoding="ascii")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "../x")
    async with Client(server(ServedProject(str(shop)))) as connected:
        assert await sessions(connected, "recall_previous_discussions", query="Redis")


def test_a_command_run_in_a_session_leaves_that_out_and_one_in_a_terminal_does_not(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hit_ids() -> set[str]:
        answer = run_json(capsys, "recall", "choose Redis", project=shop)
        return {each["context"]["session_id"] for each in answer["results"]}

    assert hit_ids() == {EARLIER}
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    assert hit_ids() == {EARLIER, PRESENT}


async def test_tool_output_that_matches_only_by_its_question_ranks_last(
    client: Client, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "")
    requests = [Said("2026-03-18T09:00:00.000Z", QUESTION, "", (), "waited")]
    write(tmp_path / "claude", str(shop), PRESENT, requests)
    for tool in ("recall_previous_discussions", "unified_memory_search"):
        result = await client.call_tool(tool, {"query": QUESTION})
        trust = [each["context"]["trust"] for each in result.structured_content["results"]]  # type: ignore[index]
        assert "tool" not in trust[:2]
