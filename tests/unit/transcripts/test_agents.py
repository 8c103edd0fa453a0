"""Sessions of other agents are found where these keep them, and every turn of them once."""

from __future__ import annotations

import json
import os
import pkgutil
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology import places
from autology.__main__ import main
from autology.core.conversations.conversations import Conversations
from autology.core.conversations.past_sessions import replay
from autology.core.conversations.session_facts import session_facts
from autology.core.recall.discussions import recall
from autology.core.recall.request import RecallRequest
from autology.model.agents import agent_of, name_of
from autology.render.recall_results import recalled_text
from autology.transcripts import agents
from autology.transcripts.agent import LARGEST, FileAgent, Surroundings
from autology.transcripts.agents.cline import Cline
from autology.transcripts.agents.codex import Codex
from autology.transcripts.agents.copilot import Copilot
from autology.transcripts.agents.gemini import Gemini
from autology.transcripts.agents.opencode import OpenCode
from autology.web import past_sessions
from autology.wire.project import Project
from tests.fakes.agents import PLACES, RECORDED, install, recorded
from tests.fakes.transcripts import Session
from tests.unit.transcripts.test_transcripts import everything, text

QUESTION, ANSWER, OUTPUT = (
    "which database do we use for the ledger?",
    "We decided to use SQLite for the ledger.",
    "hello",
)
LABELS = {
    "cline": "Cline",
    "codex": "Codex",
    "copilot": "Copilot CLI",
    "gemini": "Gemini CLI",
    "opencode": "OpenCode",
}
OLDEST_FIRST = {
    "cline": ["2.18.0", "3.0.57", "3.0.65"],
    "copilot": ["1.0.24", "1.0.102"],
    "codex": ["0.29.0", "0.53.0", "0.169.0"],
    "gemini": ["0.20.0", "0.61.0"],
    "opencode": ["1.0.0", "1.18.33"],
}


@pytest.fixture
def conversations(home: Path) -> Conversations:
    return Project(str(home)).conversations


# ---- what the clients wrote ---------------------------------------------------------------------


RESUMED = {
    ("cline", "2.18.0"): "",
    ("cline", "3.0.57"): "cline --id 1795792446701_tektk",
    ("cline", "3.0.65"): "cline --id 1795792182456_kqaq6",
    ("copilot", "1.0.24"): "copilot --resume 6e51e308-9f5a-41ad-bc1f-9e835be885b4",
    ("copilot", "1.0.102"): "copilot --resume a58d4ee1-edf5-471f-9771-5044d328e8ee",
    ("codex", "0.29.0"): "codex resume b1a78569-8e53-48ae-bf1f-6cf53e791139",
    ("codex", "0.53.0"): "codex resume 01a212b1-1b87-76a3-9b47-f3857416d911",
    ("codex", "0.169.0"): "codex resume 01a212ac-4869-7110-bbd4-75d9d25e6658",
    ("gemini", "0.20.0"): "gemini --resume 3cd70963-9471-4caa-bcb0-c477ae79bf80",
    ("gemini", "0.61.0"): "gemini --resume bdb19abe-dc3a-4f51-b418-2c53e6bcef1a",
    ("opencode", "1.0.0"): "opencode --session ses_ded48bbc9ffe4MoO2LcqM8v8rl",
    ("opencode", "1.18.33"): "opencode --session ses_ded53087fffeVXjz5S1QcFfde6",
}


@pytest.mark.parametrize(("agent", "version"), recorded())
def test_a_session_is_resumed_in_the_agent_that_recorded_it(
    home: Path, capsys: pytest.CaptureFixture[str], agent: str, version: str
) -> None:
    install(home, agent, version)
    project = Project(str(home))
    project.conversations.refresh()
    project.conversations.keep()
    (session,) = {chunk.session for chunk in everything(project.conversations)}
    facts = session_facts(project.conversations, session)
    assert facts is not None
    assert facts.agent == LABELS[agent]
    command = " ".join(facts.resume)
    assert command == RESUMED[agent, version]
    replayed = past_sessions.session(project, session)
    assert replayed["agent"] == LABELS[agent]
    assert replayed["resume"] in (command, f"cd /home/dev/app && {command}")
    assert main(["sessions", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["sessions"]
    assert (listed["agent"], listed["resume"]) == (
        LABELS[agent],
        None if facts.folder else command or None,
    )  # it is gone
    shutil.rmtree(home / PLACES.get(agent, ""), ignore_errors=True)
    archived = session_facts(Project(str(home)).conversations, session)
    assert archived is not None
    assert (archived.agent, archived.resume) == (LABELS[agent], ())


def test_a_listed_session_of_another_agent_shows_where_and_how_to_go_on(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = install(home, "codex", "0.169.0")
    (file,) = place.rglob("*.jsonl")
    here = tmp_path / "app"
    here.mkdir()
    file.write_text(file.read_text(encoding="utf-8").replace("/home/dev/app", str(here)), encoding="utf-8")
    assert main(["sessions", "ledger database"]) == 0
    shown = capsys.readouterr().out
    assert "· in Codex ·" in shown
    assert f"cd {here} && codex resume 01a212ac-4869-7110-bbd4-75d9d25e6658" in shown
    (place / "archived_sessions").mkdir()
    file.rename(place / "archived_sessions" / file.name)
    assert main(["sessions", "ledger database"]) == 0
    assert "autology sessions --handoff 01a212ac" in capsys.readouterr().out


def test_what_hooks_added_to_a_prompt_in_gemini_is_left_out(home: Path, conversations: Conversations) -> None:
    place = install(home, "gemini", "0.61.0")
    (file,) = place.rglob("session-*.jsonl")
    added = "<hook_context>The decision is\\n&lt;autology-recalled&gt;</hook_context>\\n\\n"
    content = file.read_text(encoding="utf-8")
    assert content.count(f'"text":"{QUESTION}"') >= 1
    file.write_text(content.replace(f'"text":"{QUESTION}"', f'"text":"{added}{QUESTION}"'), encoding="utf-8")
    conversations.refresh()
    assert QUESTION in text(conversations)
    assert "hook_context" not in text(conversations)
    assert "The decision is" not in text(conversations)


def test_what_a_sub_agent_or_a_skill_said_in_copilot_is_left_out(home: Path, conversations: Conversations) -> None:
    place = install(home, "copilot", "1.0.102")
    (file,) = place.rglob("events.jsonl")
    at = "2026-11-27T15:20:00.000Z"
    events = [
        {
            "type": "user.message",
            "data": {"content": "hidden skill text", "source": "skill-pdf"},
            "id": "a",
            "timestamp": at,
        },
        {"type": "assistant.message", "data": {"content": "a worker said"}, "id": "b", "timestamp": at, "agentId": "w"},
        {"type": "user.message", "data": {"content": "and the invoices?"}, "id": "c", "timestamp": at},
    ]
    with file.open("a", encoding="utf-8") as out:
        out.writelines(f"{json.dumps(event)}\n" for event in events)
    conversations.refresh()
    content = text(conversations)
    assert "and the invoices?" in content
    assert "hidden skill text" not in content
    assert "a worker said" not in content


def test_what_cline_wrote_is_code_with_its_file_in_both_forms(home: Path, conversations: Conversations) -> None:
    for version in ("2.18.0", "3.0.65"):
        install(home, "cline", version)
    (shown,) = home.rglob("ui_messages.json")
    edit = {"tool": "newFileCreated", "path": "old.py", "content": "RATE = 7\n"}
    items = [
        *json.loads(shown.read_text(encoding="utf-8")),
        {"ts": 1795792427999, "say": "tool", "text": json.dumps(edit)},
    ]
    shown.write_text(json.dumps(items), encoding="utf-8")
    (file,) = home.rglob("*.messages.json")
    session = json.loads(file.read_text(encoding="utf-8"))
    call = {"type": "tool_use", "id": "c9", "name": "editor", "input": {"path": "new.py", "new_text": "RATE = 8\n"}}
    session["messages"].append({"id": "m9", "role": "assistant", "ts": 1795792183999, "content": [call]})
    file.write_text(json.dumps(session), encoding="utf-8")
    conversations.refresh()
    code = {chunk.files[0]: chunk.text for chunk in everything(conversations) if chunk.kind == "code"}
    assert set(code) == {"old.py", "new.py"}
    assert "RATE = 8" in code["new.py"]


def test_the_subagents_of_cline_are_marked(home: Path) -> None:
    place = install(home, "cline", "3.0.65")
    (file,) = place.rglob("*.messages.json")
    session = json.loads(file.read_text(encoding="utf-8"))
    (file.parent / "worker_1.messages.json").write_text(json.dumps({**session, "agent": "subagent"}), encoding="utf-8")
    agent = Cline(Surroundings({}, str(home), list))
    assert len(agent.scan()) == 2
    turns = {name: list(agent.read(name, None)) for name in agent.scan()}
    assert {turn.agent for name, read in turns.items() if "worker" in name for turn in read} == {"subagent"}


def test_a_session_of_gemini_without_an_id_is_not_resumed(home: Path) -> None:
    place = install(home, "gemini", "0.61.0")
    (file,) = place.rglob("session-*.jsonl")
    name = file.relative_to(place / "tmp").as_posix()
    agent = Gemini(Surroundings({}, str(home), lambda: ()))
    assert agent.resume(name)
    for content in (b"", b"{", b"[]", b'{"sessionId": 7}\n', b'{"$set": {}}\n'):
        file.write_bytes(content)
        assert agent.resume(name) == ()
    file.unlink()
    assert agent.resume(name) == ()


@pytest.mark.parametrize(("agent", "version"), recorded())
def test_every_turn_of_a_recorded_session_is_found_once(home: Path, agent: str, version: str) -> None:
    place = install(home, agent, version)
    if (agent, version) == ("gemini", "0.20.0"):  # its folder's name is a hash of the project's path
        (place / "projects.json").write_text('{"projects": {"/home/dev/app": "app"}}', encoding="utf-8")
    conversations = Project(str(home)).conversations
    assert conversations.refresh() == 1
    talk = [chunk for chunk in everything(conversations) if chunk.kind == "conversation"]
    content = "\n".join(chunk.text for chunk in talk)
    assert content.count(QUESTION) == 1
    assert content.count(ANSWER) == 1
    assert {(chunk.folder, agent_of(chunk.transcript)) for chunk in talk} == {("/home/dev/app", LABELS[agent])}
    assert all(chunk.at.startswith(("2026-11-25T12:", "2026-11-27T15:")) for chunk in talk)
    assert conversations.coverage().broken == 0
    assert conversations.failed == []


@pytest.mark.parametrize(("agent", "version"), recorded())
def test_nothing_that_the_client_injected_is_found(home: Path, agent: str, version: str) -> None:
    install(home, agent, version)
    conversations = Project(str(home)).conversations
    conversations.refresh()
    found = text(conversations)
    assert QUESTION in found
    for injected in (
        "environment_",
        "session_context",
        "skills_instructions",
        "You are ",
        "sandbox",
        "user_input",
        "_datetime",
    ):
        assert injected not in found


def test_every_agent_has_recorded_sessions_of_two_versions_at_least() -> None:
    modules = {module.name for module in pkgutil.iter_modules(agents.__path__)}
    assert {folder.name for folder in RECORDED.iterdir() if folder.is_dir()} == modules
    assert all(len(list((RECORDED / module).iterdir())) >= 2 for module in modules)


@pytest.mark.parametrize("agent", sorted(LABELS))
def test_all_versions_of_an_agent_stand_side_by_side(home: Path, agent: str) -> None:
    for version in OLDEST_FIRST[agent]:
        install(home, agent, version)
    conversations = Project(str(home)).conversations
    assert conversations.refresh() == len(OLDEST_FIRST[agent])
    assert text(conversations).count(ANSWER) >= len(OLDEST_FIRST[agent])
    before = everything(conversations)
    assert conversations.refresh() == 0
    assert everything(conversations) == before


# ---- where they are ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "version", "variable", "below"),
    [
        ("cline", "3.0.65", "CLINE_DIR", ".cline"),
        ("cline", "2.18.0", "CLINE_DATA_DIR", ".cline/data"),
        ("codex", "0.53.0", "CODEX_HOME", ".codex"),
        ("copilot", "1.0.102", "COPILOT_HOME", ".copilot"),
        ("gemini", "0.61.0", "GEMINI_CLI_HOME", ""),
        ("opencode", "1.18.33", "XDG_DATA_HOME", ".local/share"),
    ],
)
def test_the_agents_own_variable_says_where_its_sessions_are(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, version: str, variable: str, below: str
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere" / below))
    install(tmp_path / "elsewhere", agent, version)
    conversations = Project(str(home)).conversations
    assert conversations.refresh() == 1


@pytest.mark.parametrize("agent", sorted(LABELS))
def test_a_setting_switches_an_agent_off(home: Path, monkeypatch: pytest.MonkeyPatch, agent: str) -> None:
    for each, versions in OLDEST_FIRST.items():
        install(home, each, versions[-1])
    monkeypatch.setenv("AUTOLOGY_AGENTS_EXCLUDES", agent)
    conversations = Project(str(home)).conversations
    conversations.refresh()
    conversations.keep()
    read = {agent_of(chunk.transcript) for chunk in everything(conversations)}
    assert read == {label for key, label in LABELS.items() if key != agent}
    assert not any(agent_of(name) == LABELS[agent] for name in conversations.archive.scan())


def test_archived_sessions_of_codex_are_read_and_compressed_ones_named(home: Path) -> None:
    place = install(home, "codex", "0.53.0")
    (file,) = place.rglob("*.jsonl")
    other = place / "archived_sessions" / file.name.replace("01a212b1", "01a212b2")
    other.parent.mkdir()
    shutil.copy(file, other)
    shutil.copy(file, f"{other.with_name(other.name.replace('01a212b2', '01a212b3'))}.zst")
    conversations = Project(str(home)).conversations
    assert conversations.refresh() == 2
    (sentence,) = conversations.coverage().unreadable
    assert "1 compressed" in sentence
    assert "zstd -d" in sentence


def test_a_project_that_gemini_names_by_a_hash_is_found_among_the_known_ones(tmp_path: Path) -> None:
    install(tmp_path, "gemini", "0.20.0")

    def folders(*roots: str) -> set[str]:
        agent = Gemini(Surroundings({}, str(tmp_path), lambda: roots))
        (name,) = agent.scan()
        return {turn.folder for turn in agent.read(name, None)}

    assert folders("/home/dev/other", "/home/dev/app") == {"/home/dev/app"}
    assert folders("/home/dev/other") == {""}
    (tmp_path / ".gemini" / "projects.json").write_text('{"projects": {"/home/dev/app": "app"}}', encoding="utf-8")
    assert folders() == {"/home/dev/app"}


def test_a_session_belongs_to_the_branch_that_codex_recorded(home: Path, conversations: Conversations) -> None:
    install(home, "codex", "0.53.0")
    conversations.refresh()
    assert {chunk.branch for chunk in everything(conversations)} == {"master"}


# ---- how they grow -------------------------------------------------------------------------------


def test_a_session_that_grew_is_read_on_without_doubling(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "codex", "0.53.0").rglob("*.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:6]), encoding="utf-8")
    conversations.refresh()
    assert ANSWER not in text(conversations)
    with file.open("a", encoding="utf-8") as out:
        out.writelines([*lines[6:], _codex("user", "and the queue?"), _codex("assistant", "Redis streams.")])
    assert conversations.refresh() == 1
    found = text(conversations)
    assert [found.count(part) for part in (QUESTION, "and the queue?", "Redis streams.")] == [1, 1, 1]
    assert conversations.refresh() == 0


def test_a_call_that_gemini_adds_to_a_message_later_replaces_it(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "gemini", "0.61.0").rglob("*.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for cut in (3, 5, 7, len(lines)):
        file.write_text("".join(lines[:cut]), encoding="utf-8")
        conversations.refresh()
    found = text(conversations)
    assert [found.count(part) for part in (QUESTION, "Directory listing")] == [1, 1]


def test_what_was_rewound_in_gemini_is_kept(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "gemini", "0.61.0").rglob("*.jsonl")
    conversations.refresh()
    with file.open("a", encoding="utf-8") as out:
        out.write('{"$rewindTo":"31f27456-3dae-4e77-ad94-afae43e296e8"}\n')
        out.write('{"id":"n1","timestamp":"2026-11-25T12:40:00Z","type":"user","content":"use Postgres instead"}\n')
    conversations.refresh()
    found = text(conversations)
    assert "use Postgres instead" in found
    assert found.count(QUESTION) <= 1


def test_a_session_that_gemini_resumed_in_its_newer_form_is_not_doubled(
    home: Path, conversations: Conversations
) -> None:
    place = install(home, "gemini", "0.20.0")
    (file,) = place.rglob("session-*.json")
    conversations.refresh()
    session = json.loads(file.read_text(encoding="utf-8"))
    more = {"id": "n1", "timestamp": "2026-11-25T12:40:00Z", "type": "user", "content": "and the queue?"}
    rows = [{**session, "messages": None}, *session["messages"], more]
    file.with_suffix(".jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    conversations.refresh()
    found = text(conversations)
    assert [found.count(part) for part in (QUESTION, "and the queue?")] == [1, 1]


def test_a_session_that_opencode_moved_into_its_database_is_not_doubled(home: Path) -> None:
    place = install(home, "opencode", "1.0.0")
    conversations = Project(str(home)).conversations
    conversations.refresh()
    before = text(conversations)
    _into_database(place / "opencode")
    conversations.refresh()
    assert text(conversations) == before


def test_a_session_of_opencode_is_read_while_the_client_writes(home: Path, conversations: Conversations) -> None:
    database = install(home, "opencode", "1.18.33") / "opencode" / "opencode.db"
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE part SET data = replace(data, 'SQLite', 'Postgres')")
        conversations.refresh()
        db.commit()
    assert ANSWER in text(conversations)
    before = database.read_bytes()
    conversations.refresh()
    assert database.read_bytes() == before


# ---- the archive, and what is shown ----------------------------------------------------------------


@pytest.mark.parametrize(("agent", "version"), recorded())
def test_the_archive_outlasts_the_agents_own_file(home: Path, agent: str, version: str) -> None:
    place = install(home, agent, version)
    conversations = Project(str(home)).conversations
    conversations.refresh()
    assert conversations.keep().archived == 1
    before = everything(conversations)
    shutil.rmtree(place / ("opencode" if agent == "opencode" else ""))
    conversations.refresh()
    assert everything(conversations) == before
    Path(places.conversation_index()).unlink()
    again = Project(str(home)).conversations
    again.refresh()
    assert [(chunk.id, chunk.text) for chunk in everything(again)] == [(chunk.id, chunk.text) for chunk in before]
    session = before[0].session
    assert QUESTION in "".join(turn.text for turn in replay(again, session, 0, 50).turns)


def test_a_result_names_the_agent(home: Path, conversations: Conversations, capsys: pytest.CaptureFixture[str]) -> None:
    install(home, "codex", "0.53.0")
    session = Session(home)
    session.user("where does the ledger of the shop live?")
    conversations.refresh()
    assert main(["recall", "ledger"]) == 0
    printed = capsys.readouterr().out
    assert " in Codex (2026-11-25)" in printed
    assert "(2026-03-01) · conversation by the user" in printed.replace("in Claude Code", "?")
    assert main(["recall", "ledger", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["context"].get("agent") for result in results if "SQLite" in result["content"]] == ["Codex"]
    assert [result["context"].get("agent") for result in results if "shop" in result["content"]] == [None]
    assert main(["recall", "--open", results[0]["id"]]) == 0
    answer = recall(Project(str(home)).conversation_search, RecallRequest("ledger"), "recall_previous_discussions")
    assert " in Codex in /home/dev/app** (" in recalled_text(answer, datetime.now(UTC))


def test_secrets_reach_neither_index_nor_archive(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "codex", "0.53.0").rglob("*.jsonl")
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    with file.open("a", encoding="utf-8") as out:
        out.write(_codex("user", f"use the token {secret} for it"))
    conversations.refresh()
    conversations.keep()
    assert "for it" in text(conversations)
    assert secret not in text(conversations)
    for name in conversations.archive.scan():
        assert all(secret not in turn.text for turn in conversations.archive.read(name))


def test_what_we_answered_in_another_agent_is_not_indexed(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "codex", "0.53.0").rglob("*.jsonl")
    call = {"type": "function_call", "name": "autology_recall", "call_id": "c9", "arguments": '{"query":"ledger"}'}
    output = {"type": "function_call_output", "call_id": "c9", "output": "RECALLED-TEXT"}
    with file.open("a", encoding="utf-8") as out:
        out.writelines([_codex_item(call), _codex_item(output), _codex("assistant", "So it is.")])
    conversations.refresh()
    assert "RECALLED-TEXT" not in text(conversations)
    assert "So it is." in text(conversations)


def test_what_a_patch_writes_is_code_with_its_file(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "codex", "0.53.0").rglob("*.jsonl")
    patch = "*** Begin Patch\n*** Update File: app/db.py\n@@\n-a = 1\n+def connect():\n+    return 2\n*** End Patch"
    with file.open("a", encoding="utf-8") as out:
        item = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c8", "input": patch}
        out.writelines([_codex("user", "add it"), _codex_item(item)])
    conversations.refresh()
    (chunk,) = (chunk for chunk in everything(conversations) if chunk.kind == "code")
    assert (chunk.path, chunk.language) == ("app/db.py", "python")
    assert "def connect" in chunk.text


def test_claude_codes_own_sessions_are_read_as_before(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("how do we deploy?")
    install(home, "codex", "0.53.0")
    assert conversations.refresh() == 2
    assert conversations.live.of_session(session.id) == [session.name]


# ---- hostile and torn files ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 5_000,
        b"{",
        b"null\n",
        b"[" * 100_000,
        b"\xff\xfe\n",
        b'{"type":1,"payload":[]}\n',
        b"x" * 3_000_000,
    ],
    ids=["empty", "zeros", "torn", "null", "deep", "not UTF-8", "wrong types", "long line"],
)
@pytest.mark.parametrize("agent", ["cline", "codex", "copilot", "gemini"])
def test_a_torn_file_breaks_nothing(home: Path, agent: str, content: bytes) -> None:
    for version in OLDEST_FIRST[agent]:
        install(home, agent, version)
    files = [path for path in home.rglob("*.json*") if path.name.startswith(("rollout-", "session-"))]
    files += [path for path in home.rglob("*.json*") if path.name.endswith(("events.jsonl", "messages.json"))]
    conversations = Project(str(home)).conversations
    for file in files[1:]:
        file.write_bytes(content)
    conversations.refresh()
    assert conversations.failed == []
    assert QUESTION in text(conversations)
    if agent != "cline":  # its files are one value, which nothing follows
        with files[0].open("ab") as out:
            out.write(content)
    conversations.refresh()
    assert conversations.failed == []


def test_an_incomplete_last_line_is_read_when_it_is_complete(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "codex", "0.53.0").rglob("*.jsonl")
    line = _codex("user", "the end of it")
    with file.open("a", encoding="utf-8") as out:
        out.write(line[:40])
    conversations.refresh()
    assert conversations.coverage().broken == 0
    with file.open("a", encoding="utf-8") as out:
        out.write(line[40:])
    conversations.refresh()
    assert "the end of it" in text(conversations)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize(
    ("agent", "version"),
    [
        ("cline", "2.18.0"),
        ("cline", "3.0.65"),
        ("codex", "0.53.0"),
        ("copilot", "1.0.102"),
        ("gemini", "0.61.0"),
        ("opencode", "1.18.33"),
    ],
)
def test_links_out_are_not_followed(home: Path, tmp_path: Path, agent: str, version: str) -> None:
    place = install(home, agent, version)
    endings = (".jsonl", ".db", "messages.json")
    (file,) = (path for path in place.rglob("*") if path.name.endswith(endings))
    outside = tmp_path / "outside"
    file.rename(outside)
    file.symlink_to(outside)
    conversations = Project(str(home)).conversations
    assert conversations.refresh() == 0


def test_a_file_that_became_a_link_since_the_scan_is_gone(tmp_path: Path) -> None:
    place = install(tmp_path, "codex", "0.53.0")
    agent = Codex(Surroundings({}, str(tmp_path), list))
    (name,) = agent.scan()
    (file,) = place.rglob("*.jsonl")
    outside = tmp_path / "outside"
    file.rename(outside)
    if os.name != "nt":
        file.symlink_to(outside)
    with pytest.raises(FileNotFoundError):
        agent.read(name, None)


def test_a_broken_database_is_named(home: Path, conversations: Conversations) -> None:
    database = install(home, "opencode", "1.18.33") / "opencode" / "opencode.db"
    database.write_bytes(b"not a database" * 1_000)
    assert conversations.refresh() == 0
    assert "OpenCode" in conversations.coverage().unreadable[0]


def test_a_session_past_the_limit_is_refused(home: Path, conversations: Conversations) -> None:
    (file,) = install(home, "codex", "0.53.0").rglob("*.jsonl")
    with file.open("r+b") as out:
        out.truncate(LARGEST + 1)
    conversations.refresh()
    assert "is not read" in conversations.failed[0]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
PART = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("type", "text", "state", "tool", "callID", "functionResponse", "time"), ANYTHING)
)
FIELDS = (
    "id",
    "ts",
    "say",
    "ask",
    "text",
    "data",
    "timestamp",
    "role",
    "call_id",
    "name",
    "arguments",
    "output",
    "input",
    "action",
    "cwd",
    "git",
    "$set",
)
KINDS = [
    "user.message",
    "tool.execution_start",
    "tool.execution_complete",
    "message",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "local_shell_call",
    "user",
    "gemini",
]
ITEM = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS)},
    optional={
        **dict.fromkeys(FIELDS, ANYTHING),
        **dict.fromkeys(("content", "toolCalls", "messages"), st.lists(PART, max_size=3) | ANYTHING),
        "role": st.sampled_from(["user", "assistant"]) | ANYTHING,
    },
)
ENVELOPES = ["session_meta", "response_item", "turn_context", "session.start", *KINDS[:3]]
ENVELOPE = st.fixed_dictionaries(
    {"type": st.sampled_from(ENVELOPES), "payload": ITEM | ANYTHING, "data": ITEM | ANYTHING},
    optional={"timestamp": ANYTHING},
)
CODEX_NAME = "sessions/2026/01/01/rollout-2026-01-01T00-00-00-01a212b1-1b87-76a3-9b47-f3857416d911.jsonl"


@settings(max_examples=60)
@given(st.lists(ENVELOPE | ITEM, max_size=5))
@pytest.mark.parametrize(
    ("made", "name"),
    [
        (Codex, CODEX_NAME),
        (Gemini, "p/chats/session-1-a.jsonl"),
        (Gemini, "p/chats/session-1-b.json"),
        (Copilot, "session-state/a/events.jsonl"),
        (Cline, "sessions/a/a.messages.json"),
        (Cline, "tasks/1/ui_messages.json"),
    ],
)
def test_no_record_breaks_the_reading_of_a_file(
    tmp_path_factory: pytest.TempPathFactory,
    made: Callable[[Surroundings], FileAgent],
    name: str,
    records: list[dict[str, Any]],
) -> None:
    agent = made(Surroundings({}, str(tmp_path_factory.mktemp("home")), list))
    path = Path(agent.folder, *name.split("/"))
    path.parent.mkdir(parents=True)
    whole = (
        json.dumps(records if "tasks/" in name else {"messages": records})
        if name.endswith("json")
        else "".join(f"{json.dumps(r)}\n" for r in records)
    )
    path.write_text(whole, encoding="utf-8")
    for turn in agent.read(name, None):
        assert isinstance(turn.text + turn.session + turn.folder + turn.at + turn.id + turn.tool, str)


@settings(max_examples=60)
@given(st.lists(st.tuples(ITEM, st.lists(PART, max_size=3)), max_size=3))
def test_no_record_breaks_the_reading_of_a_database(
    tmp_path_factory: pytest.TempPathFactory, messages: list[tuple[dict[str, Any], list[dict[str, Any]]]]
) -> None:
    home = tmp_path_factory.mktemp("home")
    place = install(home, "opencode", "1.18.33")
    with closing(sqlite3.connect(place / "opencode" / "opencode.db")) as db:
        (session,) = db.execute("SELECT id FROM session").fetchone()
        for number, (message, parts) in enumerate(messages):
            db.execute("INSERT INTO message VALUES (?, ?, 1, 1, ?)", (f"n{number}", session, json.dumps(message)))
            for place_of, part in enumerate(parts):
                row = (f"n{number}p{place_of}", f"n{number}", session, json.dumps(part))
                db.execute("INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)", row)
        db.commit()
    agent = OpenCode(Surroundings({}, str(home), list))
    turns = list(agent.read(session, None))
    assert any(ANSWER in turn.text for turn in turns)
    assert all(isinstance(turn.text + turn.at + turn.id + turn.tool, str) for turn in turns)


def test_a_hook_of_claude_code_never_searches_the_other_agents(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(home, "codex", "0.53.0")
    conversations = Project(str(home)).conversations
    monkeypatch.setattr(agents, "all_agents", None)
    assert conversations.live.of_session("01a212b1-1b87-76a3-9b47-f3857416d911") == []
    assert conversations.read_session("01a212b1-1b87-76a3-9b47-f3857416d911") == 0


def test_a_session_of_another_agent_is_replayed_whole(home: Path, conversations: Conversations) -> None:
    install(home, "codex", "0.53.0")
    turns = replay(conversations, "01a212b1-1b87-76a3-9b47-f3857416d911", 0, 50).turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]
    assert (turns[0].text, turns[-1].text) == (QUESTION, ANSWER)


def test_a_name_says_which_agent_a_transcript_is_of() -> None:
    assert agent_of(name_of("Gemini CLI", "p/chats/x.json")) == "Gemini CLI"
    assert agent_of("-home-dev-app/x.jsonl") == "Claude Code"


def _codex_item(payload: dict[str, Any]) -> str:
    return json.dumps({"timestamp": "2026-11-25T12:33:00.000Z", "type": "response_item", "payload": payload}) + "\n"


def _codex(role: str, words: str) -> str:
    kind = "input_text" if role == "user" else "output_text"
    return _codex_item({"type": "message", "role": role, "content": [{"type": kind, "text": words}]})


def _into_database(folder: Path) -> None:
    """Do what the client does once: copy the files' sessions into its database."""
    dump = (RECORDED / "opencode" / "1.18.33" / "opencode.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(folder / "opencode.db")) as db:
        db.executescript("\n".join(line for line in dump.splitlines() if line.startswith("CREATE")))
        for path in (folder / "storage" / "session").rglob("*.json"):
            session = json.loads(path.read_text(encoding="utf-8"))
            times = (session["time"]["created"], session["time"]["updated"])
            sql = "INSERT INTO session(id, project_id, slug, directory, title, version, time_created, time_updated)"
            row = (session["id"], "p", "s", session["directory"], "t", "1", *times)
            db.execute(f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        for path in (folder / "storage" / "message").rglob("*.json"):
            message = json.loads(path.read_text(encoding="utf-8"))
            at = message["time"]["created"]
            data = json.dumps({key: value for key, value in message.items() if key not in ("id", "sessionID")})
            db.execute(
                "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message["id"], message["sessionID"], at, at, data)
            )
        for path in (folder / "storage" / "part").rglob("*.json"):
            part = json.loads(path.read_text(encoding="utf-8"))
            row = (part["id"], part["messageID"], part["sessionID"], 1, 1, json.dumps(part))
            db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
        db.commit()
