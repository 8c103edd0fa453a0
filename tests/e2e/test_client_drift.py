"""Drift in the client: a note whose code was rewritten is told of as such, and a review in the session settles it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.e2e.driving import Claude, Session, bash, node_file, tool

BEFORE = "def delay(attempt):\n    return min(2**attempt, 600)\n"
AFTER = "def delay(attempt):\n    return 5\n"
WHOLE = (
    "## Context\nServers fail.\n## Decision\nWait twice as long each time, by `delay()`.\n## Alternatives\nNone.\n"
    "## Consequences\nLong waits.\n"
)
PROMPT = "what did we decide about waiting twice as long when servers fail?"
TOLD = re.compile(r"`delay` of src/queue\.py was rewritten: [0-9a-f]{7,} 2023-01-01 Wait five seconds")


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    """A client in a project whose code was rewritten after a decision and a concept spoke of it."""
    made = start()
    file = made.project / "src" / "queue.py"
    file.parent.mkdir()
    file.write_text(BEFORE, encoding="utf-8")
    made.sh(
        "rm -rf .git && git init -q -b main && git add -A"
        " && git config user.name Ada && git config user.email ada@example.org"
    )
    made.sh("GIT_COMMITTER_DATE=2022-01-01T00:00:00Z git commit -q -m begin --date 2022-01-01T00:00:00Z")
    for kind, title in (
        ("decision", "Wait twice as long when servers fail"),
        ("concept", "How long a server may fail"),
    ):
        id = made.capture(title, WHOLE, "--type", kind, "--references", "src/queue.py")
        note = node_file(made.project, id)
        text = re.sub(r"(created|modified): .*", r"\1: 2022-06-01T00:00:00Z", note.read_text(encoding="utf-8"))
        note.write_text(text, encoding="utf-8")
    file.write_text(AFTER, encoding="utf-8")
    made.sh("git add -A && GIT_COMMITTER_DATE=2023-01-01T00:00:00Z git commit -q -m 'Wait five seconds'")
    return made


@pytest.fixture(scope="module")
def looked(claude: Claude) -> Session:
    """A session that asks for what is known."""
    steps = {
        "asked": tool("autology_query", query="waiting when servers fail"),
        "what matters": tool("autology_context", current_file="src/queue.py"),
        "counted": tool("autology_status"),
        "waiting": tool("autology_query", status="needs_review"),
    }
    return claude.session(steps)


def test_answers_say_that_a_note_drifted_and_by_which_commit(looked: Session, claude: Claude) -> None:
    requests = [hit["node"] for hit in looked.after["asked"].data["results"]]
    near = [each for group in ("high", "medium", "low") for each in looked.after["what matters"].data[group]]
    for nodes in (requests, near):
        assert len(nodes) == 2
        for node in nodes:
            assert node["status"] == "needs_review"
            assert TOLD.fullmatch(node["drifted"][0])
            assert f"autology review {node['id'][:8]} --keep" in node["settle"]
    assert looked.after["counted"].data["nodesByStatus"]["needs_review"] == 2
    assert len(looked.after["waiting"].data["results"]) == 2
    assert claude.sh("git status --porcelain .autology/nodes") == ""


def test_the_hooks_of_the_next_session_say_so_until_it_is_settled_there(looked: Session, claude: Claude) -> None:
    pyz = claude.plugin and claude.plugin / "dist" / "autology.pyz"
    decision = next(hit["node"] for hit in looked.after["asked"].data["results"] if hit["node"]["type"] == "decision")
    concept = next(hit["node"] for hit in looked.after["asked"].data["results"] if hit["node"]["type"] == "concept")
    edit = {"file_path": str(claude.project / "src/queue.py"), "old_string": "return 5", "new_string": "return 6"}
    session = claude.session(
        {
            "read": {"tool": "Read", "input": {"file_path": str(claude.project / "src/queue.py")}},
            "edit": {"tool": "Edit", "input": edit},
            "keep": bash(f"python3 -I -S {pyz} review {decision['id'][:8]} --keep --reason 'the rule is the same'"),
            "update": tool("autology_update", id=concept["id"], content="Five seconds at a time, by `delay()`."),
            "asked again": tool("autology_query", query="waiting when servers fail", limit=10),
        },
        "--permission-mode",
        "acceptEdits",
        prompt=PROMPT,
    )
    prompted = "\n".join(text for event, text in session.first.hooks if event == "UserPromptSubmit")
    assert TOLD.search(prompted)
    begun = "\n".join(text for event, text in session.first.hooks if event == "SessionStart")
    assert "2 nodes to review, because what they refer to changed" in begun
    warned = [answer["systemMessage"] for answer in session.answers("PreToolUse")]
    assert any("it needs review" in text and TOLD.search(text) for text in warned)
    assert {hit["node"]["status"] for hit in session.after["asked again"].data["results"]} == {"active"}
    later = claude.session(prompt=PROMPT)
    assert "was rewritten" not in later.first.text
    assert "kept: the rule is the same" in node_file(claude.project, decision["id"]).read_text(encoding="utf-8")
