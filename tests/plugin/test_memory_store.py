"""memory_store, called as a client calls it: every field of its answer, and what is on disk behind it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from autology.model.memory import Kind
from autology.tools.project import ServedProject
from autology.tools.server import server

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 18, 10, 30, tzinfo=UTC)
AT = "2026-03-18T10:30:00Z"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
Json = dict[str, Any]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    made.mkdir()
    return made


class Caller:
    """A client with the project that it works in."""

    def __init__(self, client: Client, project: ServedProject, root: Path, home: Path) -> None:
        self.client, self.project, self.root, self.home = client, project, root, home

    async def call(self, **arguments: object) -> Any:
        return await self.client.call_tool("memory_store", arguments)

    async def answer(self, *items: object, **arguments: object) -> Json:
        result = await self.call(items=list(items), **arguments)
        assert not result.is_error, result.content
        results: Json = json.loads(result.content[0].text)
        assert result.structured_content in (None, results)
        return results

    async def one(self, item: object, **arguments: object) -> Json:
        """Store one item and return its outcome."""
        result = await self.answer(item, **arguments)
        assert result["errors"] == []
        [outcome] = result["stored_items"]
        return dict(outcome)

    async def refused(self, item: object) -> Json:
        """Store one item that must not be stored and return its error."""
        result = await self.answer(item)
        assert result["success"] is False
        [error] = result["errors"]
        return dict(error)

    def later(self, **much: float) -> None:
        """Let time go on."""
        before = self.project.graph.now()
        self.project.graph.now = lambda: before + timedelta(**much)

    def files(self) -> dict[str, str]:
        """Every memory's file, the project's and the user's, by where it lies."""
        result = {}
        for name, folder in (("", self.root), ("user:", self.home / "data")):
            for path in sorted((folder / ".autology" / "memory").rglob("*.md")):
                result[name + path.relative_to(folder).as_posix()] = path.read_text(encoding="utf-8")
        return result

    def text(self, id: str) -> str:
        """The file of the item with that id."""
        [text] = [text for path, text in self.files().items() if path.endswith(f"/{id}.md")]
        return text


@pytest.fixture
async def shop(root: Path, home: Path) -> AsyncIterator[Caller]:
    project = ServedProject(str(root))
    project.graph.now = lambda: NOW
    async with Client(server(project)) as client:
        yield Caller(client, project, root, home)


def note(content: str, **fields: object) -> Json:
    return {"kind": "observation", "content": content, **fields}


DATA: dict[str, Json] = {
    "entity": {"entity_type": "service", "name": "Checkout"},
    "relation": {"source_id": "a", "target_id": "b", "relation_type": "owns"},
    "observation": {"entity_id": "a", "observation": "slow on Mondays"},
    "section": {"title": "Retries"},
    "runbook": {"service": "db", "title": "Failover", "steps": [{"step_number": 1, "description": "promote"}]},
    "change": {"change_type": "bugfix", "subject_ref": "src/a.py", "summary": "closes the socket"},
    "issue": {"title": "Leak", "status": "open"},
    "decision": {"title": "Use SQLite", "rationale": "one file", "status": "proposed"},
    "todo": {"title": "Write it down", "status": "pending"},
    "release_note": {"version": "1.2.0", "release_date": "2026-03-01", "summary": "faster"},
    "ddl": {"sql": "CREATE TABLE a(b TEXT)", "database": "shop"},
    "pr_context": {"pr_number": 12, "title": "Retries", "status": "open"},
    "incident": {"title": "Down", "severity": "high", "resolution_status": "open"},
    "release": {"version": "1.2.0", "release_type": "minor", "status": "planned"},
    "risk": {"title": "One writer", "impact": "high", "status": "active"},
    "assumption": {"title": "Few users", "validation_status": "assumed", "impact_if_invalid": "slow"},
}
DAYS = {"pr_context": 30} | dict.fromkeys(("entity", "relation", "observation", "decision", "section", "release"), 365)


# ---- the answer --------------------------------------------------------------------------------------


async def test_the_answer_has_every_field(shop: Caller) -> None:
    result = await shop.answer(note("The cache holds 500 entries."), note(""), note("The cache holds 500 entries."))
    assert list(result) == [
        "success", "stored", "stored_items", "errors", "summary", "autonomous_context", "total", "audit_metadata",
    ]  # fmt: skip
    first, second = result["stored_items"]
    id = first["id"]
    assert UUID.match(id)
    assert first == {"input_index": 0, "status": "stored", "kind": "observation", "id": id, "created_at": AT}
    assert second == {
        "input_index": 2, "status": "skipped_dedupe", "kind": "observation", "id": id, "created_at": AT,
        "reason": f"Duplicate content detected (hash: {content_hash(shop, id)[:8]}...)", "existing_id": id,
    }  # fmt: skip
    assert result["errors"] == [
        {
            "index": 1,
            "error_code": "VALIDATION_ERROR",
            "message": "content: is empty. Give a non-empty string.",
            "details": {"item_kind": "observation", "item_id": None},
        }
    ]
    assert (result["success"], result["stored"], result["total"]) == (False, 1, 3)
    assert result["summary"] == {
        "stored": 1, "updated": 0, "deleted": 0, "skipped_dedupe": 1, "business_rule_blocked": 0,
        "validation_error": 1, "total": 3,
    }  # fmt: skip
    context = result["autonomous_context"]
    assert context["operations_summary"] == {
        "total_items": 3, "successful_stores": 1, "duplicates_skipped": 1, "validation_errors": 1,
        "business_rule_blocks": 0,
    }  # fmt: skip
    assert context["duplicate_detection_stats"] == {
        "contentHashMatches": 1, "semanticSimilarityMatches": 0, "totalChecks": 2,
    }  # fmt: skip
    assert context["knowledge_graph_changes"]["observations_added"] == 1
    metrics = context["performance_metrics"]
    assert list(metrics) == ["total_duration", "average_item_duration", "chunking_efficiency"]
    assert 0 < metrics["average_item_duration"] * 2.9 < metrics["total_duration"]
    audit = result["audit_metadata"]
    assert list(audit) == ["batch_id", "duration_ms", "audit_logged"]
    assert re.fullmatch(r"batch_\d{13}_[0-9a-f]+", audit["batch_id"])


def content_hash(shop: Caller, id: str) -> str:
    [line] = [line for line in shop.text(id).splitlines() if line.startswith("content_hash: ")]
    return line.removeprefix("content_hash: ")


async def test_a_stored_memory_is_a_markdown_file_that_reads_back(shop: Caller) -> None:
    item = note(
        "The cache holds 500 entries.\n",
        id="cache-1",
        data=DATA["observation"],
        metadata={"seen": 3, "ok": True, "at": "1.10", "parts": ["a", {"b": None}]},
        tags=["Cache", "speed up"],
        scope={"org": "acme", "project": "shop", "branch": "main"},
    )
    assert (await shop.one(item))["id"] == "cache-1"
    text = shop.text("cache-1")
    assert text.endswith("---\n\nThe cache holds 500 entries.\n\n")
    for line in ("id: cache-1", "kind: observation", f"created_at: {AT}", "  seen: 3", "  ok: true", '  at: "1.10"'):
        assert line in text.splitlines()
    memory = shop.project.memories.by_id("cache-1")
    assert memory is not None
    assert (memory.content, memory.tags) == (item["content"], ("cache", "speed-up"))
    assert memory.metadata == item["metadata"]
    assert memory.scope.set_parts() == item["scope"]


async def test_the_tool_is_described_with_its_kinds(shop: Caller) -> None:
    tools = {tool.name: tool for tool in (await shop.client.list_tools()).tools}
    schema = tools["memory_store"].input_schema
    assert schema["required"] == ["items"]
    items = schema["properties"]["items"]
    assert items["type"] == "array"
    assert items["items"]["properties"]["kind"]["enum"] == [kind.value for kind in Kind]


# ---- calls that are unusable, and items that are -------------------------------------------------------


@pytest.mark.parametrize("items", [None, "text", {"kind": "todo"}, 3])
async def test_items_must_be_an_array(shop: Caller, items: object) -> None:
    result = await (shop.call() if items is None else shop.call(items=items))
    assert result.is_error
    assert result.content[0].text == "Invalid MCP input format: items must be an array"


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ([], "items holds 0; give 1 to 100"),
        ([note(f"n{number}") for number in range(101)], "items holds 101; give 1 to 100"),
        (["text", 3], "items[0] must be an object: {kind, content}"),
    ],
)
async def test_a_call_that_is_unusable_is_refused_as_a_whole(shop: Caller, items: object, told: str) -> None:
    result = await shop.call(items=items)
    assert result.is_error
    assert result.content[0].text == f"Invalid MCP input format: {told}"
    assert not (shop.root / ".autology").exists()


HOSTILE_IDS = [
    "",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    ".hidden",
    "con",
    "NUL.txt",
    "a\0b",
    "x" * 101,
    "a:b",
    "é",
    "a.",
    7,
]


@pytest.mark.parametrize("id", HOSTILE_IDS)
async def test_an_id_that_can_name_no_file_is_refused(shop: Caller, id: object) -> None:
    error = await shop.refused(note("text", id=id))
    assert error["error_code"] == "VALIDATION_ERROR"
    assert error["message"].startswith("id")
    assert shop.files() == {}


@pytest.mark.parametrize("part", ["", "a b", "../x y", "x" * 101, "é", "a\0", "a:b", 5, ["a"]])
async def test_a_scope_that_does_not_fit_is_refused(shop: Caller, part: object) -> None:
    error = await shop.refused(note("text", scope={"org": part}))
    assert error["error_code"] == "VALIDATION_ERROR"
    assert error["message"].startswith("scope.org")


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ("text", "item: is no object"),
        ({"content": "text"}, "kind: is missing"),
        ({"kind": "thing", "content": "text"}, "kind: 'thing' is not a kind"),
        ({"kind": 3, "content": "text"}, "kind: '3' is not a kind"),
        ({"kind": "todo"}, "content: is missing"),
        ({"kind": "todo", "content": 3}, "content: is a int, not text"),
        ({"kind": "todo", "content": " \n"}, "content: is empty"),
        (note("a\0b"), "content: contains U+0000 at character 1"),
        (note("a", scope="acme"), "scope: is no object"),
        (note("a", scope={"team": "x"}), "scope: has no part 'team'"),
        (note("a", metadata=[1]), "metadata: is no object"),
        (note("a", data={"x": "\0"}), "data.x: holds U+0000"),
        (note("a", data={" ": 1}), "data: has a field without a name"),
        (note("a", metadata={"x": "y" * 90_000}), "metadata: has 90,0"),
        (note("a", tags="one"), "tags: is no list of words"),
        (note("a", tags=["#?"]), "tags: '#?' is not valid"),
        (note("a", ttl_policy="ever"), "ttl_policy: 'ever' does not fit"),
        (note("a", dedupe="maybe"), "dedupe: 'maybe' does not fit"),
        (note("a", merge="newest"), "merge: 'newest' does not fit"),
        (note("a", idempotency_key=""), "idempotency_key: does not fit"),
        (note("a", delete="yes"), "delete: is neither true nor false"),
        (note("a", contents="b"), "contents: is no field of an item. Did you mean content?"),
        (note("a", data={"entity_id": "x"}), "data.observation: is missing"),
        ({"kind": "todo", "content": "a", "data": {"title": "x", "status": "maybe"}}, "data.status: 'maybe' does not"),
        ({"delete": True}, "id: is missing"),
        ({"id": "nowhere", "delete": True}, "id: names no stored item"),
    ],
)
async def test_one_invalid_item_is_explained_and_stops_no_other(shop: Caller, item: object, told: str) -> None:
    answer = await shop.answer(note("good before"), item, note("good behind"))
    [error] = answer["errors"]
    assert error["message"].startswith(told)
    assert (error["index"], error["error_code"]) == (1, "VALIDATION_ERROR")
    assert [outcome["input_index"] for outcome in answer["stored_items"]] == [0, 2]
    assert len(shop.files()) == 2


async def test_deep_nesting_is_refused(shop: Caller) -> None:
    deep: Json = {}
    for _ in range(30):
        deep = {"a": deep}
    assert "nests deeper than" in (await shop.refused(note("text", metadata=deep)))["message"]


async def test_half_characters_are_refused(shop: Caller) -> None:
    # A client cannot send them as they are; what escapes them in JSON can.
    from autology.core.memory.store import store

    done = store(shop.project.memories, [note("a\ud800b"), note("b", data={"\udfff": 1}), note("c", tags=["\ud800"])])
    assert [problem.error_code for problem in done.problems] == ["VALIDATION_ERROR"] * 3
    assert "U+D800 at character 1" in done.problems[0].message


async def test_content_of_a_megabyte_is_stored_and_one_byte_more_is_not(shop: Caller) -> None:
    content = ("é" * 99 + "\n") * 5_269
    content += "x" * (1_048_576 - len(content.encode()))
    assert (await shop.one(note(content, id="large")))["status"] == "stored"
    memory = shop.project.memories.by_id("large")
    assert memory is not None
    assert memory.content == content
    error = await shop.refused(note(f"{content}x"))
    assert error["message"].startswith("content: has 1,048,577 bytes")


@pytest.mark.parametrize(
    "content", ["a\r\nb\r\n", "\n\n a", "---\nid: other\n---\n", "a\u2028b\ufeff", "\tx\x1b[0m\x0c"]
)
async def test_content_is_kept_byte_for_byte(shop: Caller, content: str) -> None:
    outcome = await shop.one(note(content))
    memory = shop.project.memories.by_id(outcome["id"])
    assert memory is not None
    assert memory.content == content


async def test_of_a_hundred_items_the_thirty_invalid_ones_are_explained_and_the_others_stored(shop: Caller) -> None:
    bad: list[object] = [note(""), {"kind": "x", "content": "y"}, note("y", id="../x")]
    subjects = "cache parser queue mailer checkout basket search login export import".split()
    verbs = "writes reads drops rejects retries signs sorts".split()
    good = [note(f"The {subject} {verb} its records in batches of {at}.") for at, (subject, verb) in
            enumerate((subject, verb) for subject in subjects for verb in verbs)]  # fmt: skip
    mixed = [item for at in range(30) for item in (bad[at % 3], *good[at * 2 : at * 2 + 2])] + good[60:]
    result = await shop.answer(*mixed)
    assert (result["stored"], len(result["errors"]), result["total"]) == (70, 30, 100)
    assert [error["index"] for error in result["errors"]] == [at for at, item in enumerate(mixed) if item in bad]
    assert all(error["message"] and error["error_code"] == "VALIDATION_ERROR" for error in result["errors"])
    assert len(shop.files()) == 70


# ---- kinds, lifetimes, scopes --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
async def test_every_kind_is_stored_with_its_fields_and_its_lifetime(shop: Caller, kind: str) -> None:
    outcome = await shop.one({"kind": kind, "content": f"about a {kind}", "data": DATA[kind]})
    assert (outcome["status"], outcome["kind"]) == ("stored", kind)
    memory = shop.project.memories.by_id(outcome["id"])
    assert memory is not None
    assert memory.data == DATA[kind]
    expiry = (NOW + timedelta(days=DAYS.get(kind, 90))).isoformat().replace("+00:00", "Z")
    assert memory.expires_at == expiry
    assert f"expires_at: {expiry}" in shop.text(outcome["id"]).splitlines()
    assert f".autology/memory/{kind}/{outcome['id']}.md" in shop.files()


@pytest.mark.parametrize(("policy", "days"), [("short", 30), ("default", 90), ("long", 365), ("permanent", None)])
async def test_a_lifetime_that_is_asked_for_overrides_the_kind_s(shop: Caller, policy: str, days: int | None) -> None:
    outcome = await shop.one(note("text", ttl_policy=policy))
    expected = None if days is None else (NOW + timedelta(days=days)).isoformat().replace("+00:00", "Z")
    memory = shop.project.memories.by_id(outcome["id"])
    assert memory is not None
    assert (memory.expires_at, memory.ttl_policy) == (expected, policy)


async def test_a_merged_pull_request_is_kept_from_its_merge(shop: Caller) -> None:
    data = {**DATA["pr_context"], "status": "merged", "merged_at": "2026-03-10T08:00:00Z"}
    outcome = await shop.one({"kind": "pr_context", "content": "retries", "data": data})
    memory = shop.project.memories.by_id(outcome["id"])
    assert memory is not None
    assert memory.expires_at == "2026-04-09T08:00:00Z"


async def test_a_missing_scope_is_filled_in_from_git(shop: Caller, root: Path) -> None:
    for line in ("init -q -b topic/retries", "remote add origin git@example.org:acme/shop.git"):
        subprocess.run(["git", *line.split()], cwd=root, check=True)
    memory = shop.project.memories.by_id((await shop.one(note("text")))["id"])
    assert memory is not None
    assert memory.scope.set_parts() == {"project": "example.org/acme/shop", "branch": "topic/retries"}
    assert (memory.created_at, memory.updated_at) == (AT, AT)


async def test_the_environment_names_the_scope_before_the_settings_and_git(
    shop: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_MEMORY_ORG", "told")
    monkeypatch.setenv("AUTOLOGY_MEMORY_PROJECT", "named")
    memory = shop.project.memories.by_id((await shop.one(note("one")))["id"])
    assert memory is not None
    assert memory.scope.set_parts() == {"org": "told", "project": "named"}
    for name in ("ORG", "PROJECT", "BRANCH"):
        monkeypatch.setenv(f"CORTEX_{name}", f"env-{name.lower()}")
    memory = shop.project.memories.by_id((await shop.one(note("two")))["id"])
    assert memory is not None
    assert memory.scope.set_parts() == {"org": "env-org", "project": "env-project", "branch": "env-branch"}


async def test_a_scope_that_the_environment_misspells_is_named(shop: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_ORG", "a b")
    result = await shop.answer(note("one"), note("two", scope={"org": "acme"}))
    assert result["errors"][0]["message"].startswith("scope.org: CORTEX_ORG 'a b' is not valid")
    assert result["stored"] == 1


async def test_a_scope_given_in_part_is_kept_with_the_caller_s_organisation(
    shop: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEX_ORG", "acme")
    memory = shop.project.memories.by_id((await shop.one(note("one", scope={"branch": "main"})))["id"])
    assert memory is not None
    project = shop.project.memories.default_scope().project
    assert memory.scope.set_parts() == {"org": "acme", "project": project, "branch": "main"}


async def test_wider_memories_lie_with_the_user_and_the_project_s_in_the_project(shop: Caller) -> None:
    await shop.answer(
        note("ours", id="ours"), note("all", id="all", scope={"org": "acme"}),
        note("theirs", id="theirs", scope={"org": "acme", "project": "other"}),
    )  # fmt: skip
    assert set(shop.files()) == {
        ".autology/memory/observation/ours.md",
        "user:.autology/memory/observation/all.md",
        "user:.autology/memory/observation/theirs.md",
    }


async def test_another_project_knows_the_user_s_memories(shop: Caller, tmp_path: Path) -> None:
    other = ServedProject(str(tmp_path))
    assert other.memories.refresh() == 0
    await shop.one(note("all", id="all", scope={"org": "acme"}))
    assert other.memories.read_current(lambda: other.memories.by_id("all")) is not None
    from autology.core.memory.store import store

    done = store(other.memories, [note("all", scope={"org": "acme"})])
    assert [outcome.existing_id for outcome in done.outcomes] == ["all"]


# ---- rules ---------------------------------------------------------------------------------------------

ACCEPTED = {"title": "Use SQLite", "rationale": "one file", "status": "accepted", "component": "index"}


async def blocked(shop: Caller, item: Json) -> tuple[str, str]:
    """Store an item that a rule forbids; return the error's code and the reason."""
    before = shop.files()
    result = await shop.answer(item)
    [outcome], [error] = result["stored_items"], result["errors"]
    assert outcome["status"] == "business_rule_blocked"
    assert outcome["reason"] == error["message"]
    assert result["summary"]["business_rule_blocked"] == 1
    assert result["summary"]["validation_error"] == 0
    assert result["autonomous_context"]["operations_summary"]["business_rule_blocks"] == 1
    assert shop.files() == before
    return error["error_code"], outcome["reason"]


@pytest.mark.parametrize("field", ["title", "rationale", "component", "alternatives_considered", "consequences"])
async def test_an_accepted_decision_is_superseded_and_not_changed(shop: Caller, field: str) -> None:
    await shop.one({"id": "d1", "kind": "decision", "content": "We use SQLite.", "data": ACCEPTED})
    code, reason = await blocked(shop, {"id": "d1", "data": {field: "another"}})
    assert code == "IMMUTABILITY_VIOLATION"
    assert reason.startswith("decision_immutable: An accepted decision's")
    assert "data.supersedes 'd1'" in reason
    assert (await shop.one({"id": "d1", "data": {"status": "superseded"}}))["status"] == "updated"


async def test_a_schema_change_is_written_once(shop: Caller) -> None:
    item = {"kind": "ddl", "content": "adds a", "data": {**DATA["ddl"], "migration_id": "0001"}}
    await shop.one({**item, "id": "m1"})
    code, reason = await blocked(shop, {"id": "m1", "content": "adds b"})
    assert (code, reason.partition(":")[0]) == ("IMMUTABILITY_VIOLATION", "ddl_write_once")
    code, reason = await blocked(shop, {**item, "content": "something else"})
    assert (code, reason.partition(":")[0]) == ("BUSINESS_RULE_VIOLATION", "migration_id_unique")


async def test_a_migration_repeats_not_even_within_a_batch(shop: Caller) -> None:
    data = {**DATA["ddl"], "migration_id": "0002"}
    content = await shop.answer(*({"kind": "ddl", "content": text, "data": data} for text in ("one way", "another")))
    assert [outcome["status"] for outcome in content["stored_items"]] == ["stored", "business_rule_blocked"]


async def test_a_schema_change_that_destroys_without_a_way_back_is_stored_with_a_warning(shop: Caller) -> None:
    outcome = await shop.one({"kind": "ddl", "content": "x", "data": {"sql": "DROP TABLE a", "database": "shop"}})
    assert outcome["reason"] == "It destroys data and has no data.rollback_sql"


async def test_an_approved_section_is_locked(shop: Caller) -> None:
    data = {"title": "Retries", "approved": True, "document_id": "guide"}
    await shop.one({"id": "s1", "kind": "section", "content": "At most five.", "data": data})
    code, reason = await blocked(shop, {"id": "s1", "content": "At most six."})
    assert (code, reason.partition(":")[0]) == ("IMMUTABILITY_VIOLATION", "section_locked")
    assert (await shop.one({"id": "s1", "data": {"document_id": "other"}}))["status"] == "updated"


async def test_todos_do_not_wait_for_themselves_or_in_a_circle(shop: Caller) -> None:
    def todo(id: str, *dependencies: str) -> Json:
        data = {"title": id, "status": "pending", "dependencies": list(dependencies)}
        return {"id": id, "kind": "todo", "content": f"do {id}", "data": data}

    assert (await blocked(shop, todo("t0", "t0")))[1].startswith("todo_circle: A todo cannot wait for itself")
    await shop.answer(todo("t1"), todo("t2", "t1"), todo("t3", "t2"))
    code, reason = await blocked(shop, {"id": "t1", "data": {"dependencies": ["t3"]}})
    assert (code, reason.partition(":")[0]) == ("BUSINESS_RULE_VIOLATION", "todo_circle")
    result = await shop.answer(todo("t5", "t6"), todo("t6", "t5"))
    assert [outcome["status"] for outcome in result["stored_items"]] == ["stored", "business_rule_blocked"]


async def test_a_todo_that_is_done_says_when(shop: Caller) -> None:
    await shop.one({"id": "t1", "kind": "todo", "content": "do it", "data": DATA["todo"]})
    shop.later(hours=1)
    await shop.one({"id": "t1", "data": {"status": "done"}})
    memory = shop.project.memories.by_id("t1")
    assert memory is not None
    assert memory.data["completed_at"] == "2026-03-18T11:30:00Z"


async def test_critical_incidents_and_risks_need_a_responsible_person(shop: Caller) -> None:
    incident = {**DATA["incident"], "severity": "critical"}
    assert "data.commander" in (await blocked(shop, {"kind": "incident", "content": "down", "data": incident}))[1]
    risk = {**DATA["risk"], "impact": "critical"}
    assert "data.mitigations" in (await blocked(shop, {"kind": "risk", "content": "fire", "data": risk}))[1]
    risk = {**DATA["risk"], "status": "accepted"}
    assert "data.owner" in (await blocked(shop, {"kind": "risk", "content": "fire", "data": risk}))[1]
    named = {**incident, "commander": {"name": "Ada", "role": "on call", "contact": "ada@example.org"}}
    assert (await shop.one({"kind": "incident", "content": "down", "data": named}))["status"] == "stored"


# ---- changing and deleting -----------------------------------------------------------------------------


async def test_an_item_with_the_id_of_a_stored_one_changes_it(shop: Caller) -> None:
    await shop.one(note("before", id="n1", metadata={"a": 1, "b": 2}, tags=["x"]))
    shop.later(days=2)
    result = await shop.answer({"id": "n1", "content": "behind", "metadata": {"b": 3}})
    [outcome] = result["stored_items"]
    assert outcome == {"input_index": 0, "status": "updated", "kind": "observation", "id": "n1", "created_at": AT}
    assert (result["stored"], result["summary"]["updated"], result["summary"]["stored"]) == (0, 1, 0)
    memory = shop.project.memories.by_id("n1")
    assert memory is not None
    assert (memory.content, memory.created_at, memory.updated_at) == ("behind", AT, "2026-03-20T10:30:00Z")
    assert (memory.metadata, memory.tags) == ({"a": 1, "b": 3}, ("x",))
    assert memory.expires_at == "2027-03-18T10:30:00Z"


@pytest.mark.parametrize(
    ("merge", "content", "metadata", "status"),
    [
        ("prefer_newer", "new", {"a": 2, "b": 1, "l": [2]}, "updated"),
        ("prefer_existing", "old", {"a": 1, "b": 1, "l": [1]}, "updated"),
        ("combine", "old\n\nnew", {"a": 2, "b": 1, "l": [1, 2]}, "updated"),
        ("skip", "old", {"a": 1, "l": [1]}, "skipped_dedupe"),
    ],
)
async def test_a_change_meets_what_is_stored_as_it_is_asked_to(
    shop: Caller, merge: str, content: str, metadata: Json, status: str
) -> None:
    await shop.one(note("old", id="n1", metadata={"a": 1, "l": [1]}))
    outcome = await shop.one({"id": "n1", "content": "new", "metadata": {"a": 2, "b": 1, "l": [2]}, "merge": merge})
    assert outcome["status"] == status
    memory = shop.project.memories.by_id("n1")
    assert memory is not None
    assert (memory.content, memory.metadata) == (content, metadata)


async def test_a_change_that_changes_nothing_is_left_out(shop: Caller) -> None:
    await shop.one(note("old", id="n1"))
    before = shop.files()
    outcome = await shop.one(note("old", id="n1"))
    assert (outcome["status"], outcome["existing_id"]) == ("skipped_dedupe", "n1")
    assert shop.files() == before


async def test_a_new_lifetime_counts_from_now(shop: Caller) -> None:
    await shop.one(note("old", id="n1"))
    shop.later(days=10)
    await shop.one({"id": "n1", "ttl_policy": "short"})
    memory = shop.project.memories.by_id("n1")
    assert memory is not None
    assert memory.expires_at == "2026-04-27T10:30:00Z"


async def test_an_item_keeps_its_kind_and_its_scope(shop: Caller) -> None:
    await shop.one(note("old", id="n1", scope={"org": "acme", "branch": "main"}))
    error = await shop.refused({"id": "n1", "kind": "todo", "content": "x"})
    assert error["message"].startswith("kind: 'n1' is an observation, which a todo cannot replace")
    error = await shop.refused(note("x", id="n1", scope={"org": "other"}))
    assert error["message"].startswith("id: 'n1' is an item of another scope")
    assert (await shop.one(note("x", id="n1", scope={"org": "acme"})))["status"] == "updated"


async def test_manual_edits_of_a_memory_file_survive_an_update(shop: Caller) -> None:
    await shop.one(note("old", id="n1"))
    path = shop.root / ".autology/memory/observation/n1.md"
    text = path.read_text(encoding="utf-8").replace("kind: observation\n", "kind: observation # mine\nmood: good\n")
    path.write_text(text, encoding="utf-8")
    await shop.one({"id": "n1", "tags": ["x"]})
    changed = path.read_text(encoding="utf-8")
    assert "kind: observation # mine\nmood: good\n" in changed
    assert "tags:\n  - x\n" in changed


async def test_a_deleted_item_goes_to_the_trash_and_comes_back_as_it_was(shop: Caller) -> None:
    await shop.one(note("precious", id="n1"))
    before = shop.files()
    result = await shop.answer({"id": "n1", "delete": True})
    assert result["stored_items"][0]["status"] == "deleted"
    assert result["summary"]["deleted"] == 1
    assert shop.files() == {}
    assert shop.project.memories.by_id("n1") is None
    from autology.core.memory.trash import restore

    assert restore(shop.project.memories, "n1").content == "precious"
    assert shop.files() == before
    assert shop.project.memories.by_id("n1") is not None


async def test_a_stored_item_is_read_as_the_file_that_it_is(shop: Caller) -> None:
    await shop.answer(note("ours", id="ours"), note("all", id="all", scope={"org": "acme"}))
    for id in ("ours", "all"):
        result = await shop.client.call_tool("read_node_content", {"id": id})
        assert not result.is_error
        assert result.content[0].text == shop.text(id)  # type: ignore[union-attr]
    result = await shop.client.call_tool("read_node_content", {"id": "neither"})
    assert result.is_error


async def test_a_batch_sees_what_it_did_itself(shop: Caller) -> None:
    result = await shop.answer(
        note("one", id="n1"), {"id": "n1", "content": "two"}, note("one", id="n2"), {"id": "n1", "delete": True},
        note("two", id="n3"), note("two", id="n1"),
    )  # fmt: skip
    assert [(outcome["status"], outcome["id"]) for outcome in result["stored_items"]] == [
        ("stored", "n1"), ("updated", "n1"), ("stored", "n2"), ("deleted", "n1"), ("stored", "n3"),
        ("skipped_dedupe", "n3"),
    ]  # fmt: skip
    assert set(shop.files()) == {f".autology/memory/observation/{id}.md" for id in ("n2", "n3")}


# ---- duplicates ----------------------------------------------------------------------------------------

FACT = "The parser's cache keeps 500 entries and drops the oldest one when it is full."
AGAIN = "The parser's cache holds 500 entries and removes the oldest one when it is full."
APART = "The parser's cache keeps 600 entries and drops the oldest one when it is full."


@pytest.mark.parametrize("again", [FACT, f"  {FACT}\n", FACT.replace(" ", "\n"), FACT.replace(" ", "\u00a0")])
async def test_the_same_text_is_left_out_whenever_it_was_stored(shop: Caller, again: str) -> None:
    id = (await shop.one(note(FACT)))["id"]
    shop.later(days=300)
    outcome = await shop.one(note(again))
    assert outcome["status"] == "skipped_dedupe"
    assert (outcome["existing_id"], outcome["reason"]) == (
        id,
        f"Duplicate content detected (hash: {content_hash(shop, id)[:8]}...)",
    )


async def test_unicode_forms_of_one_text_are_one(shop: Caller) -> None:
    await shop.one(note("Das Café öffnet früh."))
    assert (await shop.one(note("Das Cafe\u0301 o\u0308ffnet fru\u0308h.")))["status"] == "skipped_dedupe"


async def test_a_paraphrase_is_a_duplicate_for_seven_days(shop: Caller) -> None:
    id = (await shop.one(note(FACT)))["id"]
    shop.later(days=6)
    results = await shop.answer(note(AGAIN))
    [outcome] = results["stored_items"]
    assert (outcome["status"], outcome["existing_id"]) == ("skipped_dedupe", id)
    result = re.fullmatch(r"Semantic similarity (\d\d\.\d)% exceeds threshold 85\.0%", outcome["reason"])
    assert result
    assert 85 <= float(result[1]) < 100
    assert results["autonomous_context"]["duplicate_detection_stats"] == {
        "contentHashMatches": 0, "semanticSimilarityMatches": 1, "totalChecks": 1,
    }  # fmt: skip
    shop.later(days=2)
    assert (await shop.one(note(AGAIN)))["status"] == "stored"


async def test_a_near_duplicate_with_another_number_is_stored_and_linked(shop: Caller) -> None:
    id = (await shop.one(note(FACT)))["id"]
    result = await shop.answer(note(APART))
    [outcome] = result["stored_items"]
    assert (outcome["status"], outcome["existing_id"]) == ("stored", id)
    assert outcome["reason"].startswith(f"Near-duplicate of {id} (")
    assert "numbers differ" in outcome["reason"]
    memory = shop.project.memories.by_id(outcome["id"])
    assert memory is not None
    assert memory.near_duplicate_of == (id,)
    assert result["autonomous_context"]["knowledge_graph_changes"]["near_duplicates_linked"] == 1


@pytest.mark.parametrize("other", [{"kind": "risk"}, {"scope": {"org": "acme"}}, {"scope": {"branch": "main"}}])
async def test_duplicates_are_only_searched_within_one_kind_and_scope(shop: Caller, other: Json) -> None:
    await shop.one(note(FACT))
    result = await shop.answer(note(FACT) | other, note(AGAIN) | other)
    assert [outcome["status"] for outcome in result["stored_items"]] == ["stored", "skipped_dedupe"]


async def test_duplicates_are_found_within_a_batch(shop: Caller) -> None:
    result = await shop.answer(note(FACT), note(FACT), note(AGAIN), note(APART))
    assert [outcome["status"] for outcome in result["stored_items"]] == [
        "stored", "skipped_dedupe", "skipped_dedupe", "stored",
    ]  # fmt: skip


async def test_duplicates_can_be_suggested_or_let_pass(shop: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    id = (await shop.one(note(FACT)))["id"]
    outcome = await shop.one(note(FACT), dedupe="suggest")
    assert (outcome["status"], outcome["existing_id"]) == ("stored", id)
    assert outcome["reason"].startswith("Duplicate content detected")
    outcome = await shop.one(note(FACT), dedupe="off")
    assert (outcome["status"], outcome.get("reason")) == ("stored", None)
    assert (await shop.one(note(FACT, dedupe="off")))["status"] == "stored"
    assert (await shop.one(note(FACT, dedupe="skip"), dedupe="off"))["status"] == "skipped_dedupe"
    monkeypatch.setenv("AUTOLOGY_MEMORY_DEDUPE", "off")
    assert (await shop.one(note(FACT)))["status"] == "stored"
    result = await shop.call(items=[note(FACT)], dedupe="maybe")
    assert result.is_error


async def test_storing_an_expired_memory_again_revives_it_under_its_id(shop: Caller) -> None:
    id = (await shop.one(note(FACT, ttl_policy="short", tags=["cache"])))["id"]
    shop.later(days=31)
    result = await shop.answer(note(FACT, metadata={"seen": "again"}), note(FACT))
    first, second = result["stored_items"]
    assert (first["status"], first["id"], first["existing_id"]) == ("updated", id, id)
    assert first["reason"] == "Its time was over: it lives again"
    assert (second["status"], second["existing_id"]) == ("skipped_dedupe", id)
    assert len(shop.files()) == 1
    assert "cache" in shop.text(id)
    assert "again" in shop.text(id)
    shop.later(days=29)
    assert (await shop.one(note(FACT)))["status"] == "skipped_dedupe"


async def test_an_immutable_expired_memory_is_stored_again_as_a_new_one(shop: Caller) -> None:
    result = {"title": "One cache", "rationale": "simple", "status": "accepted"}
    id = (await shop.one(note(FACT, kind="decision", data=result, ttl_policy="short")))["id"]
    shop.later(days=31)
    outcome = await shop.one(note(FACT, kind="decision", data={**result, "rationale": "fast"}))
    assert outcome["status"] == "stored"
    assert outcome["id"] != id


async def test_an_expired_item_does_not_live_again_where_duplicates_may_stay(shop: Caller) -> None:
    await shop.one(note(FACT, ttl_policy="short"))
    shop.later(days=31)
    assert (await shop.one(note(FACT, dedupe="suggest")))["status"] == "stored"
    shop.later(days=400)
    assert (await shop.one(note(FACT, dedupe="off")))["status"] == "stored"


async def test_a_key_stores_an_item_once(shop: Caller) -> None:
    id = (await shop.one(note("one", idempotency_key="k1")))["id"]
    outcome = await shop.one(note("one", idempotency_key="k1", dedupe="off"))
    assert (outcome["status"], outcome["existing_id"]) == ("skipped_dedupe", id)
    assert outcome["reason"] == "This idempotency_key was used for it before"
    error = await shop.refused(note("another", idempotency_key="k1"))
    assert error["error_code"] == "DUPLICATE_ITEM"
    assert (await shop.one(note("another", idempotency_key="k1", scope={"org": "acme"})))["status"] == "stored"


# ---- secrets -------------------------------------------------------------------------------------------


async def test_secrets_are_taken_out_and_the_answer_says_so(shop: Caller) -> None:
    item = note(
        f"The token is {SECRET}.",
        data={"entity_id": "a", "observation": f"use {SECRET}"},
        metadata={"password": "correct-horse-7-battery", "deep": [{"token": SECRET}]},
    )
    outcome = await shop.one(item)
    assert outcome["reason"].startswith("Redacted before storing: ")
    everything = "".join(shop.files().values()) + json.dumps(outcome)
    assert SECRET not in everything
    assert "correct-horse" not in everything
    assert "[redacted:" in shop.text(outcome["id"])


async def test_private_sections_are_never_stored(shop: Caller) -> None:
    outcome = await shop.one(note("Ship on Friday. <private>Bob is leaving.</private>"))
    assert "Bob" not in shop.text(outcome["id"])
    assert "Ship on Friday." in shop.text(outcome["id"])
    error = await shop.refused(note("<private>Bob is leaving.</private>"))
    assert error["message"].startswith("content: holds nothing but secrets or what is private")


async def test_no_message_repeats_a_secret(shop: Caller) -> None:
    result = await shop.answer(note("x", id=SECRET), note("x", **{SECRET: 1}), {"kind": SECRET, "content": "x"},
                             note("x", idempotency_key=SECRET))  # fmt: skip
    assert len(result["errors"]) == 4
    assert SECRET not in json.dumps(result)


# ---- long items ----------------------------------------------------------------------------------------


async def test_long_sections_are_cut_for_the_index_and_kept_whole(shop: Caller) -> None:
    parts = [f"## Part {at}\n\n" + f"This part speaks of subject {at} and its detail. " * 12 for at in range(12)]
    content = "\n\n".join(parts)
    result = await shop.answer({"kind": "section", "content": content, "id": "long"}, note(content, id="plain"))
    efficiency = result["autonomous_context"]["performance_metrics"]["chunking_efficiency"]
    assert list(efficiency) == ["items_chunked", "chunks", "average_chunk_characters", "topic_shifts", "coherence"]
    assert efficiency["items_chunked"] == 1
    memory = shop.project.memories.by_id("long")
    assert memory is not None
    assert memory.content == content
    passages = shop.project.memories.chunks.passages(memory)
    assert len(passages) == efficiency["chunks"] > 4
    assert "".join(content[each.start : each.stop] for each in passages) == content
    assert passages[-1].heading == "Part 11"
