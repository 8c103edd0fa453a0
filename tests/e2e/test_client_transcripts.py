"""What the client wrote of real sessions: all that was said is found once, by the executable, and nothing else."""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.driving import Block, Claude, bash, saying, tool

PATIENCE = 300
"""Seconds for a session that ended to be read, by a process that outlives it; a busy machine starts it late."""
FIRST, SECOND = str(uuid.uuid4()), str(uuid.uuid4())
ALL = ("recall", "in the last 3 days", "--limit", "50", "--json")
"""Asks for a time and nothing else: all that there is."""

HUMAN = (
    "Parcels to islands come back, why is that?",
    "And which carrier takes the ferry to Juist?",
    "what did we decide about parcels to islands?",
    "/autology:explore the carrier of bicycles",
    "Try a drone for the parcels instead.",
)
ASSISTANT = (
    "First I look where labels are printed.",
    "That folder is missing, so I look at what is known.",
    "I ask somebody who reads the postcodes.",
    "The postcodes say it: islands need a surcharge label.",
    "Postcodes 26465 to 26579 are islands.",
    "Now I write the surcharge down and commit it.",
    "With the label printed, parcels arrive on every island.",
    "The Norden carrier takes the morning ferry.",
    "Labels for islands are what came out of it.",
    "Bicycles go by train, not by any carrier.",
    "Drones do not fly beyond the mudflats.",
)
TASK = "Read the list of postcodes and tell which are islands."
COMMIT = 'echo 450 > surcharge.txt && git add surcharge.txt && git commit -q -m "Charge for islands"'
ERROR = "ls: cannot access 'labels-nowhere': No such file or directory"
DONE = (
    *("$ Bash: ls labels-nowhere", "Exit code 2", ERROR),
    *("$ Bash: echo 26465 26579", "26465 26579"),
    f"$ Bash: {COMMIT}",
    *("$ Bash: echo on", "on"),
)
"""What tools were called with, and put out."""
NOTE = "Write surcharges in cents"
INJECTED = (
    "E2E-SUMMARY-MARK",
    "This session is being continued",
    "survives only in this summary",
    "suggest /autology:capture",
    NOTE,
    "<autology-recalled",
    "system-reminder",
    "local-command",
    "Base directory for this skill",
    "toolu_",
    "hook_additional_context",
    "past discussion",
    "completed with no output",
)
"""Stands in transcripts, and nobody said it."""
REASON = "A thought that nobody hears: ferries are late in winter."


@dataclass(frozen=True, slots=True)
class Past:
    """What the sessions left: the lines of their transcripts, and what the session's ends made of them."""

    claude: Claude
    written: str
    coverage: dict[str, Any]
    recalled: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        return [result["content"] for result in self.recalled["results"]]


def settled(claude: Claude, sessions: int) -> dict[str, Any]:
    """Return what there is, once what outlives the sessions has read and kept them; nothing is read by asking."""
    until = time.monotonic() + PATIENCE
    while True:
        result: dict[str, Any] = json.loads(claude.autology("archive", "--status", "--json"))
        answer = result["sessions"]
        if (answer["kept"], answer["unkept"], answer["behind"]) == (sessions, 0, 0):
            return result
        assert time.monotonic() < until, f"{result}\n{claude.log()}"
        time.sleep(0.5)


@pytest.fixture(scope="module")
def past(start: Callable[[], Claude]) -> Past:
    """Four sessions: with errors, an agent and compactions, resumed twice; one that asks; one of a skill; a fork."""
    claude = start()
    claude.autology("init", "--yes")
    claude.capture(NOTE, "Not in euros.", "--type", "convention", "--references", "surcharge.txt")
    task = {"description": "Islands", "prompt": TASK, "subagent_type": "general-purpose", "run_in_background": False}
    steps: dict[str, Any] = {
        "fail": saying(ASSISTANT[0], bash("ls labels-nowhere")),
        "query": saying(ASSISTANT[1], tool("autology_query", query="surcharge")),
        "agent": saying(ASSISTANT[2], {"tool": "Agent", "input": task}),
        "commit": saying(ASSISTANT[5], bash(COMMIT)),
        "think": bash("echo on"),
    }
    agent: list[list[Block]] = [
        [{"thinking": REASON}, {"text": ASSISTANT[3]}, bash("echo 26465 26579")],
        [{"text": ASSISTANT[4]}],
    ]
    first = claude.session(
        steps, "--session-id", FIRST, prompt=HUMAN[0], end=ASSISTANT[6], agent=agent, full_after="commit"
    )
    assert first.compactions
    assert first.after["fail"].failed
    claude.session({}, "--resume", FIRST, prompt=HUMAN[1], end=ASSISTANT[7])
    claude.session({}, "--resume", FIRST, prompt="/compact keep the ferries")
    settled(claude, 1)
    requests = claude.session({}, "--session-id", SECOND, prompt=HUMAN[2], end=ASSISTANT[8])
    assert "past discussion" in requests.first.said
    claude.session({}, prompt=HUMAN[3], end=ASSISTANT[9])
    claude.session({}, "--resume", FIRST, "--fork-session", prompt=HUMAN[4], end=ASSISTANT[10])
    coverage = settled(claude, 4)
    files = sorted((claude.harness.config / "projects").rglob("*.jsonl"))
    written = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return Past(claude, written, coverage, json.loads(claude.autology(*ALL)))


def test_a_session_that_ended_is_read_and_kept_by_what_outlives_it(past: Past) -> None:
    result = past.coverage["sessions"]
    assert (result["all"], result["live"], result["lost"], result["agents"]) == (4, 4, 0, 1)
    assert past.coverage["broken"] == 0
    assert sum(past.coverage["chunks"].values()) == len(past.texts)


def test_recall_returns_every_passage_of_the_real_sessions(past: Past) -> None:
    assert past.recalled["stats"]["total_results"] == len(past.texts) > 6
    assert not [result for result in past.recalled["results"] if "content_truncated" in result]
    sessions = {result["context"]["session_id"] for result in past.recalled["results"]}
    assert len(sessions) == 4
    assert {FIRST, SECOND} < sessions


@pytest.mark.parametrize("turn", [*HUMAN, *ASSISTANT, TASK])
def test_every_turn_of_a_human_an_assistant_or_an_agent_is_found_once(past: Past, turn: str) -> None:
    assert turn.removeprefix("/autology:explore ") in past.written
    assert sum(text.count(turn) for text in past.texts) == 1


def test_an_error_of_a_tool_is_found_once_with_the_call_that_failed(past: Past) -> None:
    assert sum(text.count(ERROR) for text in past.texts) == 1
    assert [text for text in past.texts if f"$ Bash: ls labels-nowhere\nExit code 2\n{ERROR}" in text]


@pytest.mark.parametrize("mark", [*INJECTED, REASON])
def test_recall_finds_no_text_that_was_not_said(past: Past, mark: str) -> None:
    assert json.dumps(mark)[1:-1] in past.written
    assert not [text for text in past.texts if mark in text]


def test_nothing_but_what_was_said_and_done_is_found(past: Past) -> None:
    lines = sorted(line for text in past.texts for line in text.splitlines() if line)
    message = (*(f"❯ {turn}" for turn in (*HUMAN, TASK)), *(f"● {turn}" for turn in ASSISTANT))
    assert lines == sorted((*message, *DONE))


@pytest.mark.parametrize("words", ["postcodes islands", "Norden carrier ferry", "drones mudflats"])
def test_words_of_a_turn_find_its_passage_first(past: Past, words: str) -> None:
    best = json.loads(past.claude.autology("recall", words, "--json"))["results"][0]["content"].lower()
    assert all(word.lower() in best for word in words.split())


def test_bringing_it_up_to_date_adds_nothing_however_often(past: Past) -> None:
    for _ in range(2):
        result = json.loads(past.claude.autology("sync", "--json"))["conversations"]
        assert result == {"read": 0, "chunks": len(past.texts), "unread": []}
    assert results(past) == past.recalled["results"]


def test_the_archive_alone_rebuilds_the_same_passages(past: Past) -> None:
    projects = past.claude.harness.config / "projects"
    shutil.move(projects, projects.with_name("elsewhere"))
    [index] = past.claude.home.rglob("conversations.sqlite")
    try:
        assert results(past) == past.recalled["results"]
        for file in index.parent.glob("conversations.sqlite*"):
            file.unlink()
        assert results(past) == past.recalled["results"]
    finally:
        shutil.move(projects.with_name("elsewhere"), projects)


def results(past: Past) -> list[dict[str, Any]]:
    """Return everything that there is, asked for anew."""
    result: list[dict[str, Any]] = json.loads(past.claude.autology(*ALL))["results"]
    return result
