"""The server answers a client's first words at once, in either era of the protocol, whatever they are."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from autology import __version__
from tests.plugin.served import DISCOVER, ENVELOPE, INITIALIZE, PATIENCE, served, text

KNOWLEDGE = [
    f"autology_{name}"
    for name in ("capture", "query", "context", "analyze", "status", "update", "delete", "relate", "unrelate")
]
DOCUMENTS = ["search_documents", "read_node_content", "explore_links", "list_directory_structure", "inject_tags"]
DOCUMENTS += ["create_document", "update_document", "delete_document", "graph_stats", "find_path", "cluster_analysis"]
CONVERSATIONS = ["unified_memory_search", "recall_previous_discussions", "search_memory", "find_past_conversations"]
CONVERSATIONS += ["find_similar_problems", "search_code_history", "retrieve_memory_chunk"]
MEMORY = ["memory_store", "memory_find", "system_status"]
NAMES = KNOWLEDGE + DOCUMENTS + CONVERSATIONS + MEMORY
CAPABILITIES = {
    "tools": {"listChanged": False},
    "prompts": {"listChanged": False},
    "resources": {"subscribe": True, "listChanged": False},
    "completions": {},
}


def test_the_probe_is_answered_and_the_connection_goes_on_without_a_handshake(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.send(DISCOVER)
        result = server.answer("probe-1")["result"]
        assert result["supportedVersions"] == ["2026-07-28"]
        assert result["instructions"].startswith("Autology is this project's memory")
        assert result["capabilities"] == CAPABILITIES
        listed = server.ask("tools/list", {"_meta": ENVELOPE})["result"]
        assert [tool["name"] for tool in listed["tools"]] == NAMES
        assert server.ask("prompts/list", {"_meta": ENVELOPE})["result"]["prompts"] == []
        call = {"name": "autology_status", "arguments": {}, "_meta": ENVELOPE}
        assert server.ask("tools/call", call)["result"]["structuredContent"]["totalNodes"] == 0


def test_a_handshake_after_the_probe_is_refused_at_once_and_says_which_versions_there_are(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.send(DISCOVER)
        server.answer("probe-1")
        server.send(INITIALIZE)
        refused = server.answer(0)["error"]
        assert refused["data"]["supported"] == ["2026-07-28"]
        assert "result" in server.ask("tools/list", {"_meta": ENVELOPE})


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25", "1999-01-01"])
def test_a_handshake_alone_is_answered_whatever_version_it_asks_for(tmp_path: Path, version: str) -> None:
    with served(tmp_path) as server:
        server.send({**INITIALIZE, "params": {**INITIALIZE["params"], "protocolVersion": version}})
        result = server.answer(0)["result"]
        assert result["protocolVersion"] == (version if version.startswith("20") else "2025-11-25")
        assert result["serverInfo"] == {"name": "autology", "title": "Autology", "version": __version__}
        assert result["capabilities"] == CAPABILITIES
        assert len(result["instructions"]) < 1_000
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]] == NAMES
        assert server.ask("prompts/list")["result"] == {"prompts": []}
        assert server.ask("prompts/get", {"name": "x"})["error"]["message"] == "Prompt x not found"
        assert server.ask("ping")["result"] == {}


def test_an_unknown_method_is_an_error_at_once_before_and_after_the_handshake(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert server.ask("server/guess")["error"]["code"] == -32601
        server.greet()
        assert server.ask("server/guess")["error"]["code"] == -32601


NO_MESSAGES = (
    ("garbage", None, -32700),
    ("[]", None, -32600),
    ("{}", None, -32600),
    ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"half an emoji": "\\ud83d"}}', 7, -32700),
    ('{"jsonrpc": "2.0", "id": "x", "method": "ping", "params": ' + "[" * 5_000 + "]" * 5_000 + "}", None, -32700),
    ('{"jsonrpc": "2.0", "id": 7', None, -32700),
    ("\x00\x1b[31m", None, -32700),
)


def test_a_line_that_is_no_message_is_answered_and_the_server_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for line, id, code in NO_MESSAGES:
            server.send(line)
            assert server.answer(id)["error"]["code"] == code
        server.greet()
        for line, id, code in NO_MESSAGES:
            server.send(line)
            assert server.answer(id)["error"]["code"] == code
        assert server.ask("ping")["result"] == {}


def test_nothing_is_opened_or_written_before_the_handshake(tmp_path: Path, home: Path) -> None:
    (tmp_path / ".autology" / "nodes").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*")), sorted(home.rglob("*"))
    with served(tmp_path) as server:
        server.send(INITIALIZE)
        server.answer(0)
        assert (sorted(tmp_path.rglob("*")), sorted(home.rglob("*"))) == before


def test_the_project_is_indexed_after_the_handshake_without_being_asked(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.greet()
        server.call("autology_capture", title="Use SQLite", content="For the index.", type="decision")
    index = tmp_path / ".autology" / "cache" / "index.sqlite"
    for path in index.parent.glob("index.sqlite*"):
        path.unlink()
    with served(tmp_path) as server:
        server.greet()
        server.ask("tools/list")
        until = time.monotonic() + PATIENCE
        while not index.exists():
            assert time.monotonic() < until, "it was never opened"
            time.sleep(0.02)


def test_reading_makes_no_folder_in_a_project_that_has_none(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.greet()
        server.ask("tools/list")
        assert server.call("autology_query", query="anything")["structuredContent"]["results"] == []
        assert "no .autology yet" in server.call("autology_status")["structuredContent"]["next"]
        time.sleep(0.3)
    assert list(tmp_path.iterdir()) == []


def test_nothing_but_the_protocol_is_written_to_standard_output(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.greet()
        server.ask("tools/list")
        server.call("autology_capture", title="Ünïcode 漢字 🎉", content="a\u2028b\x1b[31mc\x9b", type="concept")
        answer = server.call("autology_query", query="漢字")
        assert answer["structuredContent"]["results"][0]["node"]["content"] == "a\nbc"
        assert json.loads(text(answer)) == answer["structuredContent"]
        assert server.end() == 0
        assert [json.loads(line)["jsonrpc"] for line in server.lines] == ["2.0"] * len(server.lines)
        assert not any("\x1b" in line for line in server.lines)
        assert server.errors == ""


@pytest.mark.parametrize("how", ["environment", "project"])
def test_the_knowledge_tools_can_be_switched_off(tmp_path: Path, how: str) -> None:
    environment = dict(os.environ)
    if how == "environment":
        environment["AUTOLOGY_TOOLS_KNOWLEDGE"] = "false"
    else:
        (tmp_path / ".autology").mkdir()
        (tmp_path / ".autology" / "config.yaml").write_text("tools:\n  knowledge: false\n", encoding="utf-8")
    with served(tmp_path, environment) as server:
        server.greet()
        assert [
            tool["name"] for tool in server.ask("tools/list")["result"]["tools"]
        ] == DOCUMENTS + CONVERSATIONS + MEMORY
        refused = server.answer(server.begin_call("autology_query", query="x"))["error"]
        assert (refused["code"], refused["message"]) == (-32602, "Tool autology_query not found")


@pytest.mark.parametrize("how", ["environment", "project"])
def test_the_document_tools_can_be_switched_off_and_their_resources_with_them(tmp_path: Path, how: str) -> None:
    environment = dict(os.environ)
    if how == "environment":
        environment["AUTOLOGY_TOOLS_DOCUMENTS"] = "false"
    else:
        (tmp_path / ".autology").mkdir()
        (tmp_path / ".autology" / "config.yaml").write_text("tools:\n  documents: false\n", encoding="utf-8")
    with served(tmp_path, environment) as server:
        server.send(INITIALIZE)
        assert server.answer(0)["result"]["capabilities"] == {
            "tools": {"listChanged": False},
            "prompts": {"listChanged": False},
        }
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert [
            tool["name"] for tool in server.ask("tools/list")["result"]["tools"]
        ] == KNOWLEDGE + CONVERSATIONS + MEMORY
        assert server.ask("resources/list")["result"] == {"resources": []}
        assert server.ask("resources/templates/list")["result"] == {"resourceTemplates": []}
        refused = server.answer(server.begin_call("search_documents", query="x"))["error"]
        assert (refused["code"], refused["message"]) == (-32602, "Tool search_documents not found")


def test_the_client_tells_where_the_project_is(tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    project.mkdir()
    elsewhere.mkdir()
    with served(elsewhere, {**os.environ, "CLAUDE_PROJECT_DIR": str(project)}) as server:
        server.greet()
        server.call("autology_capture", title="Here", content="And nowhere else.", type="concept")
    assert len(list(project.glob(".autology/nodes/concepts/*.md"))) == 1
    assert list(elsewhere.iterdir()) == []


def test_the_clients_session_is_kept_with_what_is_captured(tmp_path: Path) -> None:
    with served(tmp_path, {**os.environ, "CLAUDE_CODE_SESSION_ID": "session-of-the-client"}) as server:
        server.greet()
        for values in ({}, {"session": "another"}):
            server.call("autology_capture", title="What it is", content="x", type="concept", **values)
        answer = server.call("autology_query")["structuredContent"]["results"]
    assert {hit["node"]["session"] for hit in answer} == {"session-of-the-client", "another"}


def test_a_server_option_names_the_project(tmp_path: Path) -> None:
    project = tmp_path / "elsewhere"
    (project / ".autology").mkdir(parents=True)
    for options in (["--project", str(project)], [f"--project={project}"]):
        with served(tmp_path, options=options) as server:
            server.send(INITIALIZE)
            server.answer(0)
            material = {"title": f"Told {len(options)}", "content": "by an option"}
            assert "result" in server.ask("tools/call", {"name": "autology_capture", "arguments": material})
    assert len(list((project / ".autology" / "nodes").glob("*/*.md"))) == 2
