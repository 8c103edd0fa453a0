"""What a session is told as it begins, is compacted, goes on and ends."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

import pytest

from tests.e2e.driving import SUGGESTED, Claude, Session, Told, bash, frontmatter, tool
from tests.e2e.terminal import terminal

TOKENS = 400
LETTERS = 3.5
"""Letters of a token, fewer than in prose: ids, names and marks take more tokens."""
SESSION = str(uuid.uuid4())
LONG = "Let every one of the services write what it has done to a log of its own, kept for {} days"


def known(told: Told) -> list[str]:
    """What the hook said at a session's start, each time; always fenced, and never more than is allowed."""
    content = [text for event, text in told.hooks if event == "SessionStart"]
    for text in content:
        assert len(text) / LETTERS <= TOKENS
        before, opened, rest = text.partition('<autology-recalled source="')
        fenced, closed, after = rest.partition("\n</autology-recalled>\n")
        assert opened
        assert closed
        assert "service" not in before + after
        assert all(line.startswith("| ") for line in fenced.splitlines()[2:])
    return content


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    """A project with more decisions, longer ones, than a session is told of."""
    made = start()
    for number in range(8):
        if number == 7:
            time.sleep(1.1)  # the newest by its stamp, which has whole seconds
        made.capture(LONG.format(10 + number), "c", "--type", "decision", "--references", "log.txt")
    return made


@pytest.fixture(scope="module")
def session(claude: Claude) -> Session:
    """A session that commits, is compacted, and goes on."""
    steps = {
        "commit": bash('echo 1 > log.txt && git add log.txt && git commit -q -m "Log apart because one was full"'),
        "go on": bash("echo on"),
    }
    time.sleep(1.1)  # stamps have whole seconds: what was captured before the session must not look like part of it
    return claude.session(steps, "--session-id", SESSION, full_after="commit")


@pytest.fixture(scope="module")
def resumed(claude: Claude, session: Session) -> Session:
    """The same session, gone on with by nobody who could read a message."""
    return claude.session({}, "--resume", SESSION)


def test_a_session_begins_with_what_the_project_knows(session: Session) -> None:
    [message] = known(session.first)
    assert "8 decisions" in message
    assert LONG.format(17) in message
    assert "autology_query" in message


def test_session_start_in_an_empty_project_is_silent_and_creates_nothing(
    start: Callable[[], Claude],
) -> None:
    bare = start()
    session = bare.session({"status": tool("autology_status")})
    assert session.first.hooks == ()
    assert session.after["status"].data["totalNodes"] == 0
    assert session.answers("SessionStart") == []
    assert not (bare.project / ".autology").exists()
    assert bare.sh("git status --porcelain") == ""


def test_the_compaction_prompt_lists_what_must_survive(session: Session) -> None:
    [result] = session.compactions
    instructions = result.partition("Additional Instructions:\n")[2]
    assert "survives only in this summary" in instructions
    assert "|   Log apart because one was full" in instructions
    assert "systemMessage" not in instructions


def test_after_a_compaction_the_model_knows_what_was_done_and_suggests_to_capture_it(session: Session) -> None:
    after = session.requests[1]
    assert "E2E-SUMMARY-MARK" in after.any_text
    [message] = known(session.after["commit"])
    assert SUGGESTED in message
    assert "Log apart because one was full" in message
    compacted = session.answers("SessionStart")[-1]
    assert "/autology:capture" in compacted["systemMessage"]


def test_a_resumed_session_gets_the_project_overview_again(resumed: Session) -> None:
    assert "8 decisions" in known(resumed.first)[-1]


def test_a_session_with_uncaptured_changes_is_named_once_to_the_next_attended_one(
    claude: Claude, resumed: Session
) -> None:
    assert all("systemMessage" not in answer for answer in resumed.answers("SessionStart"))
    with terminal(claude, {}) as first:
        first.wait(f"`claude -r {SESSION}` reopens it; then /autology:capture")
        assert "Logapartbecauseonewasfull" in first.text
        first.leave()
    with terminal(claude, {}) as second:
        second.ask("Hello.")
        assert SESSION not in second.text
        second.leave()


def test_notes_captured_after_a_clear_belong_to_the_new_session(claude: Claude, session: Session) -> None:
    call = tool("autology_capture", title="Clear between tasks", content="c", type="convention")
    for left in claude.harness.spy_dir.iterdir():
        left.unlink()
    with terminal(claude, {"Keep this": call}) as running:
        running.ask("Hello.")
        running.enter("/clear")
        running.rest(2.0)
        running.ask("Keep this")
        running.leave()
    starts = claude.fired("SessionStart")
    assert [start["source"] for start in starts] == ["startup", "clear"]
    [file] = (claude.project / ".autology" / "nodes" / "conventions").iterdir()
    assert frontmatter(file)["session"] == starts[1]["session_id"] != starts[0]["session_id"]
