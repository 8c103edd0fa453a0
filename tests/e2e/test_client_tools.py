"""The tools through the client: what the model is shown, and which session is remembered."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping

import pytest

from tests.e2e.driving import SERVER, Block, Claude, Session, Step, frontmatter, node_file, tool
from tests.plugin.test_server_schemas import SNAPSHOTS

DECISION = "## Context\nOne user.\n## Decision\nSQLite.\n## Alternatives\nPostgres.\n## Consequences\nOne file.\n"
BATCHED = "The indexer reads 500 notes at once."
MISSING = "3f2a91c0-1111-4222-8333-444455556666"
SESSION = str(uuid.uuid4())


def later(name: str, **arguments: object) -> Step:
    """A call whose arguments may be ids of what earlier steps captured."""

    def made(results: Mapping[str, str]) -> Block:
        known = {
            step: json.loads(result)["id"]
            for step, result in results.items()
            if step.startswith("capture ") and result.startswith("{")
        }
        return tool(name, **{key: known.get(str(value), value) for key, value in arguments.items()})

    return made


STEPS: dict[str, Step] = {
    "capture a decision": tool(
        "autology_capture",
        title="Use SQLite for the index",
        content=DECISION,
        type="decision",
        tags=["Storage"],
        references=["seed.txt"],
    ),
    "capture a component": tool(
        "autology_capture", title="Indexer", content="Fills the index from the notes.", type="component"
    ),
    "query": tool("autology_query", query="sqlite index", type="decision"),
    "context": tool("autology_context", current_file="seed.txt", task="index the notes"),
    "analyze": tool("autology_analyze", focus="orphans"),
    "status": tool("autology_status"),
    "update": later("autology_update", id="capture a decision", tags=["sqlite"]),
    "update what was accepted": later("autology_update", id="capture a decision", title="Use SQLite"),
    "relate": later("autology_relate", source="capture a decision", target="capture a component", type="affects"),
    "status with a relation": tool("autology_status"),
    "unrelate": later("autology_unrelate", source="capture a decision", target="capture a component", type="affects"),
    "delete": later("autology_delete", id="capture a component"),
    "update what is not there": tool("autology_update", id=MISSING, title="x"),
    "capture without a title": tool("autology_capture", content="x"),
    "query again": tool("autology_query"),
    "store memories": tool(
        "memory_store",
        items=[
            {"kind": "observation", "content": BATCHED, "tags": ["Indexer"]},
            {"kind": "todo", "content": "Measure it.", "data": {"title": "Measure", "status": "pending"}},
            {"kind": "observation"},
        ],
    ),
    "store one again": tool("memory_store", items=[{"kind": "observation", "content": BATCHED}]),
    "find a memory": tool("memory_find", query="how many notes are read at once", types=["observation"]),
    "find in a mode that is none": tool("memory_find", query="notes", mode="slow"),
    "status of memories": tool("system_status"),
}


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    made = start()
    made.autology("status")  # What is unpacked once is there: the client does not wait for that.
    return made


@pytest.fixture(scope="module")
def session(claude: Claude) -> Session:
    """One session in which every tool is called."""
    return claude.session(STEPS, "--session-id", SESSION)


def test_capture_query_and_status_answer_with_data(session: Session) -> None:
    made = session.after["capture a decision"].data
    assert (made["type"], made["title"]) == ("decision", "Use SQLite for the index")
    [hit] = session.after["query"].data["results"]
    assert hit["node"]["id"] == made["id"]
    assert (hit["node"]["tags"], hit["node"]["references"]) == (["storage"], ["seed.txt"])
    context = session.after["context"].data
    entries = [entry for level in ("high", "medium", "low") for entry in context.get(level, ())]
    factors = {entry["title"]: {factor["factor"] for factor in entry["factors"]} for entry in entries}
    assert "current_file" in factors["Use SQLite for the index"]
    assert "task" in factors["Indexer"]
    assert {finding["check"] for finding in session.after["analyze"].data["findings"]} == {"orphans"}
    counted = session.after["status"].data
    assert (counted["totalNodes"], counted["totalRelations"]) == (2, 0)
    assert counted["nodesByType"]["decision"] == 1
    assert session.after["status with a relation"].data["relationsByType"]["affects"] == 1


def test_tools_that_write_answer_in_plain_text(session: Session) -> None:
    message = {name: result.result for name, result in session.after.items()}
    assert message["update"] == "✓ Updated: Use SQLite for the index (decision)\nFields changed: tags"
    assert message["relate"] == "✓ Related: Use SQLite for the index —[affects]→ Indexer"
    assert message["unrelate"] == "✓ Removed relation: Use SQLite for the index —[affects]→ Indexer"
    assert message["delete"] == "✓ Deleted: Indexer (component)\nRelations removed: 0"
    assert [hit["node"]["title"] for hit in session.after["query again"].data["results"]] == [
        "Use SQLite for the index"
    ]


def test_memories_are_stored_once_found_and_counted(session: Session) -> None:
    stored = session.after["store memories"].data
    assert (stored["stored"], stored["total"]) == (2, 3)
    assert [(each["index"], each["error_code"]) for each in stored["errors"]] == [(2, "VALIDATION_ERROR")]
    first, _ = stored["stored_items"]
    [again] = session.after["store one again"].data["stored_items"]
    assert (again["status"], again["existing_id"]) == ("skipped_dedupe", first["id"])
    [result] = session.after["find a memory"].data["items"]
    assert (result["id"], result["content"], result["kind"]) == (first["id"], BATCHED, "observation")
    health = session.after["status of memories"].data
    assert health["success"] is True


def test_an_error_comes_back_as_an_error_that_says_what_to_do(session: Session) -> None:
    wrong = {name for name, result in session.after.items() if result.failed}
    assert wrong == {
        "update what was accepted",
        "update what is not there",
        "capture without a title",
        "find in a mode that is none",
    }
    refusal = session.after["update what was accepted"].result
    assert 'Capture what replaces it: autology_capture {"supersedes": [' in refusal
    assert "Invalid search mode: slow" in session.after["find in a mode that is none"].result
    missing = session.after["update what is not there"].result
    assert missing.startswith("node not found")
    assert MISSING in missing
    assert "autology_query" in missing
    assert "title" in session.after["capture without a title"].result


def test_the_everyday_tools_are_there_at_once_and_the_rest_can_be_found(session: Session) -> None:
    request = session.requests[0]
    ready = {name.rpartition("__")[2] for name in request.tools if "autology" in name}
    assert ready == {"autology_capture", "autology_query", "unified_memory_search"}
    others = {file.stem for file in SNAPSHOTS.iterdir()} - ready
    assert len(others) > 15
    for name in others:
        assert f"\n{SERVER}__{name}\n" in request.any_text


def test_a_node_remembers_the_session_that_captured_it(claude: Claude, session: Session) -> None:
    made = session.after["capture a decision"].data["id"]
    assert frontmatter(node_file(claude.project, made))["session"] == SESSION


def test_a_session_that_is_resumed_or_forked_is_remembered_as_what_it_is(claude: Claude, session: Session) -> None:
    again: dict[str, Step] = {
        "capture": tool("autology_capture", title="Retry three times", content="c", type="convention")
    }
    resumed = claude.session(again, "--resume", SESSION)
    assert frontmatter(node_file(claude.project, resumed.after["capture"].data["id"]))["session"] == SESSION
    forked = claude.session(again, "--resume", SESSION, "--fork-session")
    own = forked.run.init["session_id"]
    assert own != SESSION
    assert frontmatter(node_file(claude.project, forked.after["capture"].data["id"]))["session"] == own
