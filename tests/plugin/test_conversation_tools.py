"""The tools that recall conversations, called as a client calls them, over transcripts as the client writes them."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from autology import client_session, search_log
from autology.text.language.calendar_spans import Clock
from autology.tools.project import ServedProject
from autology.tools.server import TOOLS, server
from autology.tools.tool import CONVERSATIONS
from autology.wire import user
from tests.fakes import parsers
from tests.fakes.sources import program
from tests.fakes.talk import Edit, Said, turns, write
from tests.unit.cli_kit import autology

pytestmark = pytest.mark.anyio
PATIENCE = 120.0
"""Seconds for what takes a moment, on a machine where much else runs."""
NOW = datetime(2026, 3, 18, 10, 30, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
CODE = "def retry(call, most=5):\n    for attempt in range(most):\n        try:\n            return call()\n"
SHOP = [
    Said("2026-03-17T09:00:00.000Z", "how should the checkout retry a failed payment?",
         "We decided to retry payments with exponential backoff, at most five times.", (Edit("src/retry.py", CODE),)),
    Said("2026-03-17T09:20:00.000Z", "and what about the mail queue?", "The mail queue stays as it is: one worker."),
    Said("2026-03-12T15:00:00.000Z", "the tests fail with ConnectionResetError in test_gateway",
         "The fixture closed the socket too early. Let's go with a session-wide fixture.",
         (Edit("tests/conftest.py", "def gateway():\n    yield open_gateway()\n"),), "E ConnectionResetError: [104]"),
]  # fmt: skip
BLOG = [
    Said("2026-01-05T12:00:00.000Z", "how do we deploy the blog?", "With a static build that a worker pushes."),
    Said("2026-03-17T22:58:00.000Z", "draft the release announcement", "Here is a draft of the announcement."),
    Said("2026-03-17T23:02:00.000Z", "shorten the release announcement", "Shortened to two lines."),
]
NAMES = [
    "unified_memory_search",
    "recall_previous_discussions",
    "search_memory",
    "find_past_conversations",
    "find_similar_problems",
    "search_code_history",
    "retrieve_memory_chunk",
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two projects that were talked about, the first of them the present one."""
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(tmp_path / name))
    for name, session, message in (("shop", "a" * 8, SHOP), ("blog", "b" * 8, BLOG)):
        folder = tmp_path / name
        folder.mkdir()
        ordered = sorted(message, key=lambda each: each.at)
        write(tmp_path / "claude", str(folder), f"{session}-0000-4000-8000-000000000000", ordered)
    return tmp_path / "shop"


@pytest.fixture
async def client(shop: Path) -> AsyncIterator[Client]:
    project = ServedProject(str(shop))
    project.conversation_search.now = lambda: Clock(NOW, BERLIN)
    async with Client(server(project)) as connected:
        connected.project = project  # type: ignore[attr-defined]
        yield connected


async def ask(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    results: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == results  # type: ignore[union-attr]
    return results


def texts(told: dict[str, Any]) -> list[str]:
    return [result["content"] for result in told["results"]]


def stamps(told: dict[str, Any]) -> list[str]:
    return sorted(result["context"]["timestamp"] for result in told["results"])


# ---- what was amended ----------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["recall_previous_discussions", "unified_memory_search"])
async def test_what_holds_now_comes_before_what_it_amended_which_says_so(tool: str, shop: Path) -> None:
    later = [
        Said("2026-03-18T08:00:00.000Z", "the bank blocks merchants who repeat a failed payment that often",
             "We changed the retry of a failed payment at the checkout from five times to twice."),
        Said("2026-03-18T09:00:00.000Z", "the checkout is slow while it retries a failed payment five times",
             "That is the backoff; nothing to do."),
    ]  # fmt: skip
    for at, said in enumerate(later):
        write(shop.parent / "claude", str(shop), f"{'cd'[at] * 8}-0000-4000-8000-000000000000", [said])
    project = ServedProject(str(shop))
    project.conversation_search.now = lambda: Clock(NOW, BERLIN)
    async with Client(server(project)) as connected:
        results = (await ask(connected, tool, query="how often does the checkout retry a failed payment"))["results"]
    by_session = {result["context"]["session_id"][:1]: result for result in reversed(results)}
    assert next(result["context"]["session_id"][:1] for result in results if result is not by_session["d"]) == "c"
    (amended,) = (result for result in results if "amended" in result)
    assert amended["context"]["session_id"].startswith("a")
    assert amended["amended"] == {
        "timestamp": by_session["c"]["context"]["timestamp"],
        "by": by_session["c"]["id"],
        "now": "We changed the retry of a failed payment at the checkout from five times to twice.",
    }


@pytest.mark.parametrize("tool", ["recall_previous_discussions", "unified_memory_search"])
async def test_what_was_decided_at_first_comes_first_where_that_is_asked(tool: str, shop: Path) -> None:
    later = Said("2026-03-18T08:00:00.000Z", "the bank blocks merchants who repeat a failed payment that often",
                 "We changed the retry of a failed payment at the checkout from five times to twice.")  # fmt: skip
    write(shop.parent / "claude", str(shop), "c" * 8 + "-0000-4000-8000-000000000000", [later])
    project = ServedProject(str(shop))
    project.conversation_search.now = lambda: Clock(NOW, BERLIN)
    async with Client(server(project)) as connected:
        query = "how often did the checkout originally retry a failed payment"
        results = (await ask(connected, tool, query=query))["results"]
    assert results[0]["context"]["session_id"].startswith("a")
    assert any("amended" in result for result in results)


BASELINES = [
    Said("2026-02-03T09:00:00.000Z", "We need a place to keep the coverage baseline. What do you suggest?",
         "Two options: keep baselines as JSON files in a git branch, or upload them to S3. I would go with S3 because"
         " the branch grows without bound."),
    Said("2026-02-03T09:05:00.000Z", "ok, S3 it is. Bucket name coverage-baselines.",
         "Done: the uploader writes to the bucket coverage-baselines in eu-central-1. Decision: baselines live in S3."),
]  # fmt: skip
ARTIFACTS = [
    Said("2026-03-05T09:00:00.000Z", "S3 costs us too much trouble with credentials in forks. Let's store the baseline"
         " as a GitHub Actions artifact instead.",
         "Agreed: pull requests from forks have no credentials for S3. I replaced the S3 uploader by an artifact"
         " upload; retention is 90 days."),
    Said("2026-03-05T09:05:00.000Z", "good, drop the S3 code completely",
         "Removed crates/uploader/src/s3.rs; baselines are GitHub Actions artifacts now."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "first"),
    [("where do we keep the coverage baseline", "d"), ("where did we keep the coverage baseline at first", "c")],
)
async def test_what_amends_a_shown_passage_is_shown_with_it(query: str, first: str, shop: Path) -> None:
    for name, talk in (("c", BASELINES), ("d", ARTIFACTS)):
        write(shop.parent / "claude", str(shop), f"{name * 8}-0000-4000-8000-000000000000", talk)
    project = ServedProject(str(shop))
    project.conversation_search.now = lambda: Clock(NOW, BERLIN)
    async with Client(server(project)) as connected:
        answer = await ask(connected, "recall_previous_discussions", query=query)
    sessions = [result["context"]["session_id"][:1] for result in answer["results"]]
    assert sessions[0] == first
    assert set(sessions) == {"c", "d"}
    assert [("amended" in result) for result in answer["results"]] == [session == "c" for session in sessions]


async def test_a_much_less_likely_passage_never_comes_before_the_likeliest(shop: Path) -> None:
    little_words = Said("2026-03-16T09:00:00.000Z", "Wie lange behalten wir die Dead-Letter-Nachrichten?",
                        "Die Aufbewahrung der Dead-Letter-Queue ist auf 14 Tage gesetzt, wie wir wollten.")  # fmt: skip
    blog = str(shop.parent / "blog")
    write(shop.parent / "claude", blog, f"{'e' * 8}-0000-4000-8000-000000000000", [little_words])
    write(shop.parent / "claude", str(shop), f"{'d' * 8}-0000-4000-8000-000000000000", ARTIFACTS)
    project = ServedProject(str(shop))
    project.conversation_search.now = lambda: Clock(NOW, BERLIN)
    async with Client(server(project)) as connected:
        answer = await ask(connected, "recall_previous_discussions", query="wo speichern wir die Baseline")
    assert answer["results"][0]["context"]["session_id"].startswith("d")


# ---- whose past is asked for ----------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["recall_previous_discussions", "unified_memory_search"])
async def test_the_past_of_the_project_asked_in_comes_first_unless_another_is_named(
    tool: str, tmp_path: Path, shop: Path
) -> None:
    question = "which port does the preview server listen on?"
    own = Said("2026-02-05T09:00:00.000Z", question, "We settled on port 4100 for the preview server.")
    others = Said("2026-03-16T09:00:00.000Z", question, "We settled on port 8080 for the preview server.")
    write(tmp_path / "claude", str(shop), "c" * 8 + "-0000-4000-8000-000000000000", [own])
    write(tmp_path / "claude", str(tmp_path / "blog"), "d" * 8 + "-0000-4000-8000-000000000000", [others])
    project = ServedProject(str(shop))
    project.conversation_search.now = lambda: Clock(NOW, BERLIN)
    async with Client(server(project)) as connected:
        here, there = [
            (await ask(connected, tool, query=query))["results"][0]["content"]
            for query in (question, f"in blog, {question}")
        ]
    assert "4100" in here
    assert "8080" in there


async def test_a_project_without_a_past_is_answered_from_all_others_alike(tmp_path: Path, shop: Path) -> None:
    query = "how should the checkout retry a failed voucher"  # a passage that holds every word counts whole
    answers = []
    for folder in (tmp_path / "blog", tmp_path / "fresh"):
        folder.mkdir(exist_ok=True)
        project = ServedProject(str(folder))
        project.conversation_search.now = lambda: Clock(NOW, BERLIN)
        async with Client(server(project)) as connected:
            answers.append((await ask(connected, "recall_previous_discussions", query=query))["results"][0])
    from_another, from_nowhere = answers
    assert from_another["content"] == from_nowhere["content"]
    assert from_another["relevance_score"] < from_nowhere["relevance_score"]


# ---- what is offered -----------------------------------------------------------------------------


async def test_one_conversation_tool_is_always_loaded_and_the_others_on_demand(client: Client) -> None:
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert [name for name in listed if name in NAMES] == NAMES
    always = [name for name, tool in listed.items() if (tool.meta or {}).get("anthropic/alwaysLoad")]
    assert "unified_memory_search" in always
    assert "recall_previous_discussions" not in always
    assert all(listed[name].annotations.read_only_hint for name in NAMES)  # type: ignore[union-attr]


async def test_a_setting_removes_the_conversation_tools(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_TOOLS_CONVERSATIONS", "false")
    async with Client(server(ServedProject(str(shop)))) as connected:
        assert not set(NAMES) & {tool.name for tool in (await connected.list_tools()).tools}
        with pytest.raises(MCPError, match="not found"):
            await connected.call_tool("recall_previous_discussions", {"query": "x"})


async def test_invalid_arguments_get_an_error_in_plain_words(client: Client) -> None:
    for tool in NAMES:
        with pytest.raises(MCPError):
            await client.call_tool(tool, {"nonsense": 1})
    wrong: list[tuple[dict[str, object], str]] = [
        ({"query": " "}, "is empty"),
        ({"query": "x", "type": "poem"}, "Use one of: all, conversation, code, decision"),
        ({"query": "x", "time_range": "year"}, "Use one of: all, today, week, month"),
        ({"query": "x", "limit": 51}, "1-50"),
        ({"query": "x", "format": "html"}, "Use one of: data, text"),
        ({"query": "x" * 10_001}, "characters"),
    ]
    for arguments, problem in wrong:
        result = await client.call_tool("recall_previous_discussions", arguments)
        assert result.is_error
        assert problem in result.content[0].text  # type: ignore[union-attr]


# ---- recalling -----------------------------------------------------------------------------------


async def test_a_discussion_is_recalled_with_its_surrounding_turns(client: Client) -> None:
    results = await ask(client, "recall_previous_discussions", query="retry failed payment checkout")
    first = results["results"][0]
    assert "exponential backoff" in first["content"]
    assert first["type"] in ("conversation", "decision")
    assert first["context"]["session_id"] == "aaaaaaaa-0000-4000-8000-000000000000"
    assert first["context"]["project_path"].endswith("/shop")
    assert first["context"]["timestamp"] == "2026-03-17T09:00:00Z"
    assert first["source"] == "local"
    assert 0 < first["relevance_score"] <= 1
    assert first["highlights"]
    assert all(part.strip("…") in " ".join(first["content"].split()) for part in first["highlights"])
    talk = next(result for result in results["results"] if result["type"] == "conversation")
    assert talk["context"]["participants"][:2] == ["user", "assistant"]
    assert "mail queue" in talk["context"]["after"]
    assert results["summary"].startswith(
        f'I found {results["stats"]["total_results"]} relevant discussions about "retry'
    )
    assert results["stats"]["sources"] == {"local": len(results["results"])}
    assert results["stats"]["time_range"]["oldest"] <= results["stats"]["time_range"]["newest"]


async def test_a_discussion_ranks_above_the_commit_that_reports_its_outcome(client: Client, tmp_path: Path) -> None:
    message = [
        Said("2026-03-10T09:00:00Z", "what should the results of a search be sorted by?",
             "By relevance alone, with the age of each beside it: people search for what they half remember."),
        Said("2026-03-10T10:00:00Z", "commit it", "Committed.", (),
             "[main 1a2b3c4] Sort the search results by relevance alone\n 2 files changed, 10 insertions(+)"),
    ]  # fmt: skip
    write(tmp_path / "claude", str(tmp_path / "shop"), "dddddddd-0000-4000-8000-000000000000", message)
    for tool in ("recall_previous_discussions", "unified_memory_search"):
        result = await ask(client, tool, query="sort the search results by relevance alone")
        contents = [each["content"] for each in result["results"]]
        assert "people search" in contents[0]
        assert any("2 files changed" in each for each in contents)
    result = await ask(client, "recall_previous_discussions", query="1a2b3c4 files changed insertions")
    assert "2 files changed" in result["results"][0]["content"]


async def test_aliases_answer_the_same(client: Client) -> None:
    first, *others = [
        await ask(client, name, query="mail queue worker")
        for name in ("recall_previous_discussions", "search_memory", "find_past_conversations")
    ]
    assert others == [first, first]


async def test_an_empty_result_is_reported_in_the_fixed_words(client: Client) -> None:
    result = await ask(client, "recall_previous_discussions", query="zzyzzx qwrtp")
    assert result["results"] == []
    assert result["summary"] == (
        'I couldn\'t find any previous discussions about "zzyzzx qwrtp". '
        "This might be a new topic we haven't explored together yet."
    )
    assert result["stats"] == {"total_results": 0, "sources": {}, "time_range": {"oldest": None, "newest": None}}


@pytest.mark.parametrize("kind", ["conversation", "code", "decision"])
async def test_a_type_filter_applies_before_the_limit(client: Client, kind: str) -> None:
    results = await ask(
        client, "recall_previous_discussions", query="retry payment gateway fixture", type=kind, limit=1
    )
    assert [result["type"] for result in results["results"]] == [kind]


async def test_a_project_filter_accepts_a_path_a_folder_name_or_the_current_project(client: Client, shop: Path) -> None:
    for values, results in ((str(shop), "shop"), ("shop", "shop"), (".", "shop"), (str(shop.parent / "blog"), "blog")):
        answer = await ask(client, "recall_previous_discussions", query="announcement payment", project_filter=values)
        assert {Path(result["context"]["project_path"]).name for result in answer["results"]} == {results}, values
    answer = await ask(client, "recall_previous_discussions", query="payment", project_filter="/nowhere")
    assert answer["results"] == []
    assert "no conversations are indexed for a project" in answer["degraded"][0]
    assert str(shop) in answer["degraded"][0]


async def test_worktrees_of_one_repository_are_one_project(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(shop)]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["worktree", "add", "-q", "../tree"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    message = [Said("2026-03-16T09:00:00Z", "rename the parcel tracker", "Renamed the parcel tracker.")]
    write(tmp_path / "claude", str(tmp_path / "tree"), "cccccccc-0000-4000-8000-000000000000", message)
    async with Client(server(ServedProject(str(shop)))) as client:
        result = await ask(client, "recall_previous_discussions", query="parcel tracker", project_filter=".")
        assert "parcel tracker" in result["results"][0]["content"]


async def test_asking_for_peers_without_a_team_reports_that_there_is_none(client: Client) -> None:
    result = await ask(client, "recall_previous_discussions", query="payment", include_peers=True)
    assert result["results"]
    assert "no team index is set up" in " ".join(result["degraded"])


async def test_without_an_encoder_search_is_lexical_and_says_so(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(user, "encoder", lambda: None)
    async with Client(server(ServedProject(str(shop)))) as client:
        for tool in ("recall_previous_discussions", "search_code_history", "unified_memory_search"):
            result = await ask(client, tool, query="retry")
            assert result["results"]
            assert "only lexical search" in " ".join(result["degraded"])


# ---- times ---------------------------------------------------------------------------------------


async def test_a_time_in_the_question_becomes_a_reported_filter(client: Client) -> None:
    result = await ask(client, "recall_previous_discussions", query="what did we say last week about the fixture")
    assert set(stamps(result)) == {"2026-03-12T15:00:00Z"}
    assert "“last week” was read as a time: from 2026-03-09 until just before 2026-03-16" in result["degraded"][0]
    result = await ask(client, "recall_previous_discussions", query="the last time we fixed the fixture")
    assert "degraded" not in result


async def test_a_question_with_only_a_time_lists_the_messages_of_that_time(client: Client) -> None:
    result = await ask(client, "recall_previous_discussions", query="what did we discuss in January?")
    assert set(stamps(result)) == {"2026-01-05T12:00:00Z"}
    assert "static build" in " ".join(texts(result))


@pytest.mark.parametrize("tool", ["recall_previous_discussions", "unified_memory_search", "find_similar_problems"])
async def test_a_time_from_which_nothing_is_left_is_dropped_and_the_answer_says_so(client: Client, tool: str) -> None:
    argument = "problem_description" if tool == "find_similar_problems" else "query"
    result = await ask(client, tool, **{argument: "last month mail queue"})
    assert any("mail queue" in str(each) for each in result["results"])
    assert "nothing about it is from then, so the time was not used as a filter" in " ".join(result["degraded"])


async def test_a_time_of_the_event_asked_about_is_no_filter(client: Client) -> None:
    result = await ask(
        client, "recall_previous_discussions", query="the mail queue was stuck last month, what did we do"
    )
    assert any("mail queue" in text for text in texts(result))
    assert "“last month” was not used as a filter" in " ".join(result["degraded"])


async def test_an_empty_filtered_recall_suggests_a_search_without_the_filter(client: Client) -> None:
    result = await ask(client, "recall_previous_discussions", query="mail queue", time_range="today")
    assert result["results"] == []
    [offer] = result["suggestions"]
    again = await ask(client, offer["tool"], **offer["arguments"])
    assert any("mail queue" in text for text in texts(again))


@pytest.mark.parametrize(
    ("time_range", "expected"),
    [
        ("today", {"2026-03-17T22:58:00Z"}),  # began before midnight in Berlin and went on after it
        ("week", {"2026-03-12T15:00:00Z", "2026-03-17T09:00:00Z", "2026-03-17T22:58:00Z"}),
    ],
)
async def test_a_time_range_begins_at_local_midnight_or_days_back(
    client: Client, time_range: str, expected: set[str]
) -> None:
    query = "announcement draft shorten fixture payment deploy"
    result = await ask(client, "recall_previous_discussions", query=query, time_range=time_range, limit=50)
    assert set(stamps(result)) == expected


async def test_today_depends_on_the_users_time_zone(client: Client) -> None:
    project: ServedProject = client.project  # type: ignore[attr-defined]
    project.conversation_search.now = lambda: Clock(NOW, ZoneInfo("America/Los_Angeles"))
    result = await ask(client, "recall_previous_discussions", query="release announcement", time_range="today")
    assert result["results"] == []
    result = await ask(client, "recall_previous_discussions", query="release announcement yesterday")
    assert "announcement" in texts(result)[0]


# ---- like problems, and code ---------------------------------------------------------------------


async def test_a_similar_problem_comes_with_its_solution(client: Client) -> None:
    text = await ask(
        client,
        "find_similar_problems",
        problem_description="ConnectionResetError",
        code_context="def test_gateway(): ...",
    )
    first = text["results"][0]
    assert "ConnectionResetError" in first["content"]
    assert first["solution"]["type"] in ("code", "decision")
    assert "gateway" in first["solution"]["content"] or "session-wide" in first["solution"]["content"]


async def test_code_search_filters_by_language_with_or_without_context(client: Client) -> None:
    result = await ask(client, "search_code_history", query="retry attempt", language="py")
    first = result["results"][0]
    assert first["type"] == "code"
    assert "for attempt in range" in first["content"]
    assert first["context"]["language"] == "python"
    assert first["context"]["path"].endswith("src/retry.py")
    bare = await ask(client, "search_code_history", query="retry attempt", include_context=False)
    assert not {"before", "after"} & bare["results"][0]["context"].keys()
    assert (await ask(client, "search_code_history", query="retry attempt", language="rust"))["results"] == []


async def test_a_passage_is_read_in_full_with_its_neighbours(client: Client) -> None:
    results = await ask(client, "recall_previous_discussions", query="mail queue", type="conversation", limit=1)
    [result] = results["results"]
    whole = await ask(client, "retrieve_memory_chunk", chunk_id=result["id"][:10], include_adjacent=True)
    assert whole["id"] == result["id"]
    assert "one worker" in whole["content"]
    assert any("exponential backoff" in each["content"] for each in whole["before"])
    alone = await ask(client, "retrieve_memory_chunk", chunk_id=result["id"])
    assert not {"before", "after"} & alone.keys()


@pytest.mark.parametrize(
    ("id", "problem"),
    [
        ("f" * 24, "passage not found"),
        ("xyz", "is not a passage id"),
        ("3f2a91c0-1111-4222-8333-444444444444", 'autology_query {"query": '),
    ],
)
async def test_an_unknown_passage_id_gets_an_error_that_names_valid_ids(client: Client, id: str, problem: str) -> None:
    result = await client.call_tool("retrieve_memory_chunk", {"chunk_id": id})
    assert result.is_error
    assert problem in result.content[0].text  # type: ignore[union-attr]


# ---- everything together -------------------------------------------------------------------------


async def knowledge(client: Client, shop: Path) -> str:
    """Fill the project with a node that is related to another and a document; return the first one's id."""
    (shop / "docs").mkdir()
    (shop / "docs" / "payments.md").write_text("# Payments\n\nThe gateway and its limits.\n", encoding="utf-8")
    other = await client.call_tool(
        "autology_capture", {"title": "Payment gateway", "content": "Takes cards.", "type": "component"}
    )
    node = await client.call_tool(
        "autology_capture",
        {
            "title": "Retry payments with backoff",
            "content": "## Context\nFail.\n## Decision\nRetry.\n## Alternatives\nNone.\n## Consequences\nSlow.",
            "type": "decision",
            "relations": [{"type": "affects", "target": other.structured_content["id"]}],
        },
    )
    id: str = node.structured_content["id"]
    return id


async def test_results_of_all_sources_are_ranked_in_one_list(client: Client, shop: Path) -> None:
    id = await knowledge(client, shop)
    results = await ask(client, "unified_memory_search", query="retry payment backoff", options={"limit": 20})
    assert {"conversations", "knowledge"} <= {result["source"] for result in results["results"]}
    scores = [result["relevance_score"] for result in results["results"]]
    assert scores == sorted(scores, reverse=True)
    assert results["results"][0]["source"] in ("knowledge", "conversations")
    node = next(result for result in results["results"] if result["id"] == id)
    assert [(each["type"], each["target_title"]) for each in node["relations"]] == [("affects", "Payment gateway")]
    assert results["intent"]["primary_intent"] == "recall_discussion"
    assert results["intent"]["search_types"] == ["semantic"]
    assert results["explanation"].startswith("Taken as recall_discussion")
    await ask(client, "unified_memory_search", query="payments gateway limits")


async def test_every_suggestion_is_a_call_that_works(client: Client, shop: Path) -> None:
    await knowledge(client, shop)
    for query in (
        "how does the payment gateway work",
        "show me the function that retries",
        "payments limits documents",
    ):
        results = await ask(client, "unified_memory_search", query=query)
        assert results["suggestions"], query
        for call in results["suggestions"]:
            result = await client.call_tool(call["tool"], call["arguments"])
            assert not result.is_error, call


async def test_relations_lead_to_nodes_that_contain_no_word_of_the_query(client: Client, shop: Path) -> None:
    await client.call_tool("autology_capture", {"title": "Ledger", "content": "Books.", "type": "component"})
    id = await knowledge(client, shop)
    ledger = (await ask(client, "autology_query", query="Ledger"))["results"][0]["node"]["id"]
    await client.call_tool("autology_relate", {"source": id, "target": ledger, "type": "depends_on"})
    answer = await ask(
        client, "unified_memory_search", query="how does retrying with backoff work", options={"limit": 50}
    )
    results = next(result for result in answer["results"] if result["id"] == ledger)
    assert results["via"] == "Retry payments with backoff —[depends_on]→ it"
    without = await ask(
        client,
        "unified_memory_search",
        query="how does retrying with backoff work",
        options={"include_graph": False, "limit": 50},
    )
    assert ledger not in {result["id"] for result in without["results"]}
    assert not any("relations" in result for result in without["results"])


async def test_a_question_about_callers_is_answered_from_code_notes_and_conversations(
    client: Client, shop: Path
) -> None:
    (shop / "src").mkdir()
    (shop / "src" / "retry.py").write_text("def retry(call):\n    return call()\n", encoding="utf-8")
    caller = "from retry import retry\n\n\ndef checkout():\n    retry(print)\n"
    (shop / "src" / "checkout.py").write_text(caller, encoding="utf-8")
    material = {"title": "Retries", "content": "Five.", "type": "concept", "references": ["src/retry.py"]}
    await client.call_tool("autology_capture", material)
    answer = await ask(client, "unified_memory_search", query="what calls retry?")
    results = answer["code_relationships"]
    assert (results["asked"], results["about"]) == (
        "callers",
        [{"name": "src/retry.py:retry", "type": "function", "line": 1}],
    )
    assert [(link["source"], link["type"], link["line"]) for link in results["links"]] == [
        ("src/checkout.py:checkout", "CALLS", 5)
    ]
    assert [node["title"] for node in results["knowledge"]] == ["Retries"]
    assert [chunk["path"] for chunk in results["conversations"]] == ["src/retry.py"]
    assert "the code graph of 2 files holds 1 links that answer" in answer["explanation"]
    (shop / "src" / "checkout.py").write_text("def checkout(): ...\n", encoding="utf-8")
    again = await ask(client, "unified_memory_search", query="what calls retry?")
    assert again["code_relationships"]["links"] == []
    options = {"include_graph": False}
    without = await ask(client, "unified_memory_search", query="what calls retry?", options=options)
    assert "code_relationships" not in without
    assert "code_relationships" not in await ask(client, "unified_memory_search", query="retry payment")
    (shop / "src" / "checkout.py").write_text(caller, encoding="utf-8")
    result = await client.call_tool("unified_memory_search", {"query": "what calls retry?", "format": "text"})
    text = result.content[0].text  # type: ignore[union-attr]
    assert "### Code Relationships" in text
    assert "- src/checkout.py:checkout —[CALLS]→ src/retry.py:retry (line 5, by imports)" in text
    assert "- knowledge about it: Retries" in text


async def test_unmerged_results_are_grouped_by_source(client: Client, shop: Path) -> None:
    await knowledge(client, shop)
    result = await ask(
        client, "unified_memory_search", query="retry payment", options={"merge_results": False, "limit": 50}
    )
    kinds = [r["type"] if r["source"] == "conversations" else r["source"] for r in result["results"]]
    order = ["conversation", "code", "decision", "knowledge", "documents"]
    assert kinds == sorted(kinds, key=order.index)
    assert list(result["lists"]) == list(dict.fromkeys(kinds))
    few = await ask(
        client, "unified_memory_search", query="retry payment", options={"merge_results": False, "limit": 1}
    )
    assert list(few["lists"].values()) == [ids[:1] for ids in result["lists"].values()]


RECORD = """# 1. Parcel labels are printed by Zebra

Status: Accepted

## Context

Labels fade in the heat of the vans, and the carriers cannot scan them. Every packing desk prints hundreds a day.

## Decision

We print labels of parcels on Zebra printers with thermal transfer, one at each packing desk, driven by ZPL from the
browser. Laser printers were rejected, as their labels come off in the cold.
"""


async def test_an_imported_decision_and_its_record_are_one_result(client: Client, shop: Path) -> None:
    record = shop / "docs" / "adr" / "0001-parcel-labels.md"
    record.parent.mkdir(parents=True)
    record.write_text(RECORD, encoding="utf-8")
    await ask(client, "autology_capture", title="Carriers", content="Two of them.", type="concept")
    assert autology("import", "adr", str(record.parent), project=shop) == 0
    for query in ("zebra labels of parcels", "why are labels not printed by laser", "ZPL printers at the packing desk"):
        results = await ask(client, "unified_memory_search", query=query)
        own = [each for each in results["results"] if "arcel labels" in each.get("title", "")]
        assert [each["source"] for each in own] == ["knowledge"]
        assert [each["path"] for each in own[0]["also"]] == ["docs/adr/0001-parcel-labels.md"]
        result = await client.call_tool("unified_memory_search", {"query": query, "format": "text"})
        assert "the same as docs/adr/0001-parcel-labels.md" in result.content[0].text  # type: ignore[union-attr]


async def test_prose_format_has_sections_and_no_structured_content(client: Client, shop: Path) -> None:
    await knowledge(client, shop)
    result = await client.call_tool("unified_memory_search", {"query": "retry payment", "format": "text"})
    assert result.structured_content is None
    text = result.content[0].text  # type: ignore[union-attr]
    parts = ["### Previous Discussions", "### Related Code", "### Code Relationships", "### Knowledge"]
    places = [text.index(part) for part in (*parts, "**How I searched:**", "**Next:**", "Sources: ")]
    assert places == sorted(places)
    result = await client.call_tool("recall_previous_discussions", {"query": "retry payment", "format": "text"})
    text = result.content[0].text  # type: ignore[union-attr]
    assert text.startswith("I found ")
    assert "yesterday" not in text
    assert " ago in " in text
    assert max(len(line) for line in text.splitlines() if not line.startswith(("Sources", "I found", "-"))) <= 260


# ---- provenance ----------------------------------------------------------------------------------


async def test_a_captured_node_and_its_conversation_turn_refer_to_each_other(
    client: Client, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    session = "aaaaaaaa-0000-4000-8000-000000000000"
    monkeypatch.setattr(client_session, "current", lambda: session)
    [transcript] = (shop.parent / "claude").rglob(f"{session}.jsonl")
    captured = await ask(client, "autology_capture", title="One mail worker", content="Enough.", type="convention")
    node = (await ask(client, "autology_query", query=captured["id"], detail="full"))["results"][0]["node"]
    assert (node["session"], node["turn"]) == (session, turns(transcript)[-1])
    monkeypatch.setattr(client_session, "current", lambda: None)  # what is in sight is not recalled
    hits = await ask(client, "recall_previous_discussions", query="mail queue worker", type="conversation", limit=1)
    opened = await ask(client, "retrieve_memory_chunk", chunk_id=hits["results"][0]["id"])
    assert [each["id"] for each in opened["captured_from_it"]] == [captured["id"]]
    other = await ask(client, "recall_previous_discussions", query="ConnectionResetError", type="conversation", limit=1)
    opened = await ask(client, "retrieve_memory_chunk", chunk_id=other["results"][0]["id"])
    assert [each["id"] for each in opened["captured_in_session"]] == [captured["id"]]


# ---- the log, and what is remembered ---------------------------------------------------------------


async def test_every_search_is_logged_without_its_secrets(client: Client) -> None:
    await ask(client, "recall_previous_discussions", query="token ghp_" + "a1B2" * 9, type="code")
    await ask(client, "unified_memory_search", query="payments with spruce7781", options={"limit": 5})
    lines = [json.loads(line) for line in Path(search_log.path()).read_text(encoding="utf-8").splitlines()]
    assert [line["tool"] for line in lines] == ["recall_previous_discussions", "unified_memory_search"]
    assert "ghp_" not in Path(search_log.path()).read_text(encoding="utf-8")
    assert lines[1]["query"] == "payments with [redacted:word]"
    assert lines[0]["filters"]["type"] == "code"
    assert lines[1]["results"] > 0
    assert all(line["ms"] >= 0 and line["at"].endswith("Z") for line in lines)


async def test_an_answer_is_cached_until_the_conversation_grows(
    client: Client, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autology.core.recall import discussions

    received: list[str] = []
    recall: Callable[..., object] = discussions._recall
    monkeypatch.setattr(discussions, "_recall", lambda *args: (received.append(args[1].query), recall(*args))[1])
    for query in ("mail queue", " Mail  QUEUE ", "mail queue"):
        await ask(client, "recall_previous_discussions", query=query)
    assert len(received) == 1
    await ask(client, "recall_previous_discussions", query="mail queue", type="code")
    await ask(client, "recall_previous_discussions", query="mail queue", project_filter="shop")
    assert len(received) == 3
    message = [Said("2026-03-18T09:00:00Z", "the mail queue again", "Now two workers.")]
    write(shop.parent / "claude", str(shop), "dddddddd-0000-4000-8000-000000000000", message)
    # It looks again only after some twenty times what a look cost: on a busy machine that may be a while.
    until = time.monotonic() + PATIENCE
    while "Now two workers." not in " ".join(
        texts(await ask(client, "recall_previous_discussions", query="mail queue"))
    ):
        assert time.monotonic() < until
        await anyio.sleep(0.05)


def test_the_recorded_answers_cover_every_conversation_tool() -> None:
    assert [tool.name for tool in TOOLS if tool.group == CONVERSATIONS] == NAMES


async def test_a_question_about_go_callers_is_answered_once_the_parser_is_installed(client: Client, shop: Path) -> None:
    for path, text in program("Go").items():
        (shop / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / path).write_text(text, encoding="utf-8")
    before = await ask(client, "unified_memory_search", query="what calls Store.Save?")
    assert "code_relationships" not in before
    unread = "4 source files are not read, 4 of Go: `autology languages install` has them read"
    assert unread in before["degraded"]
    parsers.installed(shop.parent / "data")
    results = await ask(client, "unified_memory_search", query="what calls Store.Save?")
    result = results["code_relationships"]
    assert [each["name"] for each in result["about"]] == ["store/store.go:Store.Save"]
    assert {link["source"] for link in result["links"]} == {"app/app.go:Run", "app/app.go:Start"}
    assert unread not in results.get("degraded", [])
    affected = await ask(client, "unified_memory_search", query="what is affected by changes to Db.Open?")
    assert ("app/app.go:Start", 2) in {
        (link["source"], link.get("distance", 1)) for link in affected["code_relationships"]["links"]
    }


async def test_unused_code_overrides_and_unknown_names_are_answered(client: Client, shop: Path) -> None:
    top, low = "class Top:\n    def go(self): ...\n", "class Low(Top):\n    def go(self): ...\n"
    text = f"{top}\n\n{low}\n\ndef left(): ...\n\n\nLow().go()\nTop().go()\n"
    (shop / "levels.py").write_text(text, encoding="utf-8")
    answer = await ask(client, "unified_memory_search", query="what is unused?")
    results = answer["code_relationships"]
    why = "nothing in the project names it; code outside of it could, as it is public"
    assert results["unused"] == [{"name": "levels.py:left", "type": "function", "line": 9, "why": why}]
    assert results["links"] == []
    assert "knowledge" not in results
    assert "the code graph of 1 files holds 1 piece of code that nothing refers to" in answer["explanation"]
    result = await client.call_tool("unified_memory_search", {"query": "what is unused?", "format": "text"})
    assert f"- levels.py:left (function, line 9): {why}" in result.content[0].text  # type: ignore[union-attr]
    overridden = await ask(client, "unified_memory_search", query="what overrides Top.go?")
    [link] = overridden["code_relationships"]["links"]
    assert (link["source"], link["type"], link["target"]) == ("levels.py:Low.go", "OVERRIDES", "levels.py:Top.go")
    missing = await ask(client, "unified_memory_search", query="what calls Top.og?")
    assert "code_relationships" not in missing
    assert "the code graph has nothing called 'Top.og'. Did you mean levels.py:Top.go?" in missing["degraded"]
