"""Drift: what a note speaks of was removed or rewritten; moves, form and comments are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.nodes import drift_cache
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.drift import drifts
from autology.core.nodes.review import keep
from autology.core.nodes.update import Fields, update
from autology.wire.project import Project
from tests.unit.cli_kit import git, repository

QUEUE = '''"""Jobs."""

import time

LIMIT = 5


def delay(attempt):
    # Twice as long each time.
    return min(2 ** attempt, 600)


def run(job):
    for attempt in range(LIMIT):
        try:
            return job()
        except OSError:
            time.sleep(delay(attempt))
    return None
'''
SNIPPET = "```python\nfor attempt in range(LIMIT):\n    try:\n        return job()\n```\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "queue.py").write_text(QUEUE, encoding="utf-8")
    (root / "src" / "other.py").write_text("x = 1\n", encoding="utf-8")
    return repository(root)


def note(project: Path, content: str, *references: str) -> str:
    material = Material("How jobs run", content, "concept", references=references or ("src/queue.py",))
    return capture(Project(str(project)).graph, material).node.id


def change(project: Path, text: str | None, path: str = "src/queue.py", at: str = "2035-01-01T00:00:00Z") -> None:
    if text is None:
        (project / path).unlink()
    else:
        (project / path).write_text(text, encoding="utf-8")
    git(project, "add", "-A")
    git(project, "commit", "-qm", f"Change {path}", at=at)


def drift_of(project: Path, id: str) -> list[tuple[str, str, bool]]:
    graph = Project(str(project)).graph
    graph.refresh()
    node = graph.stored(graph.source(id)).entry
    result = drifts([node], Project(str(project)).history).get(id, ())
    return [(drift.what, drift.how, drift.matters) for drift in result]


FORMATTED = QUEUE.replace("min(2 ** attempt, 600)", "min(\n        2**attempt,\n        600,\n    )").replace("'", '"')
MOVED = QUEUE.replace("LIMIT = 5\n", "LIMIT = 5\n" + QUEUE[QUEUE.index("\n\ndef run") :].rstrip() + "\n").replace(
    QUEUE[QUEUE.index("\n\ndef run(job)") :].rstrip(), "", 1
)


@pytest.mark.parametrize("content", ["How it works.", "It waits by `delay()`.", SNIPPET])
@pytest.mark.parametrize(
    "text",
    [
        QUEUE.replace("# Twice as long each time.", "# Doubling."),
        QUEUE.replace('"""Jobs."""', '"""Jobs, and how they are tried again."""'),
        FORMATTED,
        QUEUE.replace("\n\n\n", "\n\n"),
    ],
)
def test_form_and_comments_are_no_drift(project: Path, content: str, text: str) -> None:
    id = note(project, content)
    change(project, text)
    assert drift_of(project, id) == []


def test_moving_a_definition_is_not_drift(project: Path) -> None:
    id = note(project, "It waits by `delay()`.")
    start, stop = QUEUE.index("def delay"), QUEUE.index("def run")
    change(project, QUEUE[:start] + QUEUE[stop:] + "\n\n" + QUEUE[start:stop])
    assert drift_of(project, id) == []
    change(project, QUEUE[:start] + QUEUE[stop:], at="2035-01-02T00:00:00Z")
    change(project, QUEUE[start:stop], "src/waiting.py", at="2035-01-03T00:00:00Z")
    assert drift_of(project, id) == []


@pytest.mark.parametrize("content", ["How it works.", "It waits by `delay()`.", SNIPPET])
def test_renaming_a_file_is_not_drift(project: Path, content: str) -> None:
    id = note(project, content)
    git(project, "mv", "src/queue.py", "src/jobs.py")
    git(project, "commit", "-qm", "Rename", at="2035-01-01T00:00:00Z")
    assert drift_of(project, id) == []


@pytest.mark.parametrize(
    ("content", "text", "wanted"),
    [
        ("It waits by `delay()`.", QUEUE.replace("2 ** attempt", "10"), ("`delay`", "rewritten", True)),
        ("It tries `LIMIT` times.", QUEUE.replace("LIMIT = 5", "LIMIT = 9"), ("`LIMIT`", "rewritten", True)),
        ("It waits by `delay()`.", QUEUE.replace("delay", "pause"), ("`delay`", "removed", True)),
        ("How it works.", None, ("", "removed", True)),
        ("How it works.", "def run(job):\n    return job()\n", ("", "rewritten", True)),
        ("How it works.", QUEUE.replace("600", "900"), ("", "changed", False)),
        (
            SNIPPET,
            QUEUE.replace("return job()", "job()"),
            ("the code `for attempt in range(LIMIT):`", "rewritten", True),
        ),
    ],
)
def test_removed_and_rewritten_code_is_reported_as_drift(
    project: Path, content: str, text: str | None, wanted: tuple[str, str, bool]
) -> None:
    id = note(project, content)
    change(project, text)
    assert wanted in drift_of(project, id)


def test_another_part_of_the_file_is_no_matter_to_a_note_that_names_its_own(project: Path) -> None:
    id = note(project, "It waits by `delay()`.")
    change(project, QUEUE.replace("return None", "raise TimeoutError"))
    assert drift_of(project, id) == []


def test_uncommitted_files_are_pinned_to_their_first_commit(project: Path) -> None:
    (project / "src" / "new.py").write_text("def a():\n    return 1\n", encoding="utf-8")
    id = note(project, "See `a()`.", "src/new.py")
    change(project, "def a():\n    return 1\n", "src/new.py")
    assert drift_of(project, id) == []
    change(project, "def a():\n    return 2\n", "src/new.py", at="2035-01-02T00:00:00Z")
    assert drift_of(project, id) == [("`a`", "rewritten", True)]


def test_changing_its_tags_does_not_make_a_note_newer_than_what_it_refers_to(project: Path) -> None:
    id = note(project, "It waits by `delay()`.")
    change(project, QUEUE.replace("2 ** attempt", "10"), at="2026-12-30T00:00:00Z")
    graph = Project(str(project)).graph
    node = update(graph, id, Fields(tags=("jobs",))).node
    assert node.extra["written"] == node.created
    assert "written" not in update(graph, id, Fields(content="It waits by `delay()` now.")).node.extra


def test_keeping_a_note_in_review_pins_it_to_the_present_code(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    id = note(project, "It waits by `delay()`.")
    change(project, QUEUE.replace("2 ** attempt", "10"))
    graph = Project(str(project)).graph
    monkeypatch.setattr(graph, "stamp", lambda: "2036-01-01T00:00:00Z")
    keep(graph, id)
    assert drift_of(project, id) == []


def test_more_references_than_a_command_line_holds_are_all_looked_at(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autology.vcs.git_queries.MAX_LINE", 1)
    change(project, "def other():\n    return 1\n", "src/other.py", "2034-12-01T00:00:00Z")
    id = note(project, "How they work.", "src/queue.py", "src/other.py")
    change(project, None)
    change(project, None, "src/other.py")
    assert [became for _, became, _ in drift_of(project, id)] == ["removed", "removed"]


# ---- what the note saw ------------------------------------------------------------------------------


EDITED = QUEUE.replace("2 ** attempt", "3 ** attempt")
AGAIN = QUEUE.replace("2 ** attempt", "4 ** attempt")


def moment(project: Path, id: str) -> str:
    graph = Project(str(project)).graph
    return graph.stored(graph.source(id)).entry.modified


def in_a_clone(project: Path, id: str) -> list[tuple[str, str, bool]]:
    git(project, "add", "-A")
    git(project, "commit", "-qm", "Notes", "--allow-empty", at="2036-01-01T00:00:00Z")
    clone = project.parent / "clone"
    git(project.parent, "clone", "-q", str(project), str(clone))
    return drift_of(clone, id)


@pytest.mark.parametrize("content", ["How it works.", "It waits by `delay()`.", SNIPPET])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_committing_the_code_a_note_saw_is_not_drift_but_later_changes_are(
    project: Path, content: str, newline: str
) -> None:
    git(project, "config", "core.autocrlf", "false")
    change(project, "x = 1\n" * 50, at="2020-01-01T00:00:00Z")
    text = EDITED.replace("\n", newline)
    (project / "src" / "queue.py").write_bytes(text.encode())
    id = note(project, content)
    git(project, "commit", "-qam", "What the note saw", at="2035-01-01T00:00:00Z")
    assert drift_of(project, id) == []
    assert in_a_clone(project, id) == []
    (project / "src" / "queue.py").write_bytes(f"y = 1{newline}".encode())
    git(project, "commit", "-qam", "Later", at="2037-01-01T00:00:00Z")
    assert all(drift[2] for drift in drift_of(project, id))
    assert drift_of(project, id)


def test_line_ends_that_a_work_tree_has_are_no_drift(project: Path) -> None:
    git(project, "config", "core.autocrlf", "true")
    (project / "src" / "queue.py").write_bytes(EDITED.replace("\n", "\r\n").encode())
    id = note(project, "It waits by `delay()`.")
    git(project, "commit", "-qam", "What the note saw", at="2035-01-01T00:00:00Z")
    assert drift_of(project, id) == []
    change(project, AGAIN, at="2035-01-02T00:00:00Z")
    assert drift_of(project, id) == [("`delay`", "rewritten", True)]


@pytest.mark.parametrize("text", [None, AGAIN])
def test_a_change_in_the_second_of_the_capture_is_drift(project: Path, text: str | None) -> None:
    id = note(project, "It waits by `delay()`.")
    change(project, text, at=moment(project, id))
    how = "removed" if text is None else "rewritten"
    assert drift_of(project, id) == [("`delay`", how, True)] == in_a_clone(project, id)


def test_a_commit_in_the_second_of_the_capture_is_not_drift_if_the_note_saw_it(project: Path) -> None:
    (project / "src" / "queue.py").write_text(EDITED, encoding="utf-8")
    id = note(project, "It waits by `delay()`.")
    change(project, EDITED, at=moment(project, id))
    assert drift_of(project, id) == []
    change(project, AGAIN, at=moment(project, id))
    assert drift_of(project, id) == [("`delay`", "rewritten", True)] == in_a_clone(project, id)


def test_taking_back_what_a_note_saw_is_drift(project: Path) -> None:
    (project / "src" / "queue.py").write_text(EDITED, encoding="utf-8")
    id = note(project, "It waits by `delay()`.")
    change(project, EDITED)
    change(project, QUEUE, at="2035-01-02T00:00:00Z")
    assert drift_of(project, id) == [("`delay`", "rewritten", True)] == in_a_clone(project, id)
    change(project, EDITED, at="2036-01-02T00:00:00Z")
    assert drift_of(project, id) == []


def test_two_notes_of_one_second_are_each_compared_with_what_they_saw(project: Path) -> None:
    older = note(project, "It waits by `delay()`.")
    (project / "src" / "queue.py").write_text(EDITED, encoding="utf-8")
    newer = note(project, "It waits by `delay()`, longer.")
    change(project, EDITED)
    assert drift_of(project, older) == [("`delay`", "rewritten", True)]
    assert drift_of(project, newer) == []


def test_a_content_that_was_never_committed_is_pinned_to_the_first_commit_after_it(project: Path) -> None:
    (project / "src" / "queue.py").write_text(EDITED, encoding="utf-8")
    id = note(project, "It waits by `delay()`.")
    change(project, AGAIN)
    assert drift_of(project, id) == []
    change(project, QUEUE, at="2035-01-02T00:00:00Z")
    assert drift_of(project, id) == [("`delay`", "rewritten", True)]


def test_a_note_from_before_the_first_commit_is_pinned_to_what_it_saw(tmp_path: Path) -> None:
    root = tmp_path / "new"
    (root / "src").mkdir(parents=True)
    (root / "src" / "queue.py").write_text(QUEUE, encoding="utf-8")
    git(root, "init", "-q", ".")
    id = note(root, "It waits by `delay()`.")
    change(root, QUEUE)
    assert drift_of(root, id) == []
    change(root, AGAIN, at="2035-01-02T00:00:00Z")
    assert drift_of(root, id) == [("`delay`", "rewritten", True)]


def test_drift_of_files_with_clean_filters_is_detected_by_time(project: Path) -> None:
    (project / ".gitattributes").write_text("*.py filter=upper\n", encoding="utf-8")
    git(project, "config", "filter.upper.clean", "sed s/Jobs/JOBS/")
    change(project, QUEUE, at="2020-01-01T00:00:00Z")
    id = note(project, "It waits by `delay()`.")
    change(project, AGAIN)
    assert drift_of(project, id) == [("`delay`", "rewritten", True)]


def test_a_branch_brings_what_a_note_saw_along_when_it_is_merged(project: Path) -> None:
    git(project, "checkout", "-qb", "work")
    change(project, EDITED, at="2026-01-01T00:00:00Z")
    id = note(project, "It waits by `delay()`.")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "Note", at="2034-01-01T00:00:00Z")
    git(project, "checkout", "-q", "-")
    git(project, "merge", "-q", "--no-ff", "-m", "Merge", "work", at="2034-01-02T00:00:00Z")
    assert drift_of(project, id) == []
    change(project, AGAIN)
    assert drift_of(project, id) == [("`delay`", "rewritten", True)]


def test_the_code_a_note_saw_is_recorded_and_renewed_with_its_text(project: Path) -> None:
    id = note(project, "It waits by `delay()`.")
    graph = Project(str(project)).graph
    graph.refresh()
    first = graph.stored(graph.source(id)).entry.extra["seen"]
    assert update(graph, id, Fields(tags=("jobs",))).node.extra["seen"] == first
    (project / "src" / "queue.py").write_text(EDITED, encoding="utf-8")
    assert update(graph, id, Fields(confidence=0.5)).node.extra["seen"] == first
    renewed = update(graph, id, Fields(content="It waits by `delay()`, longer.")).node.extra["seen"]
    assert str(renewed).split(" ")[1:] != str(first).split(" ")[1:]
    (project / "src" / "queue.py").write_text(AGAIN, encoding="utf-8")
    assert str(keep(graph, id).extra["seen"]).split(" ")[1] not in f"{first} {renewed}"
    assert "seen" not in update(graph, id, Fields(references=())).node.extra


def test_drift_is_detected_in_a_project_below_the_top_of_its_repository(tmp_path: Path) -> None:
    root = tmp_path / "top" / "part [one]"
    (root / "src").mkdir(parents=True)
    (root / "src" / "queue.py").write_text(QUEUE, encoding="utf-8")
    (root / ".autology").mkdir()
    repository(tmp_path / "top")
    (root / "src" / "queue.py").write_text(EDITED, encoding="utf-8")
    id = note(root, "It waits by `delay()`.")
    change(root, EDITED)
    assert drift_of(root, id) == []
    change(root, None, at="2035-01-02T00:00:00Z")
    assert drift_of(root, id) == [("`delay`", "removed", True)]


# ---- a check of every note reads those that changed ----------------------------------------------


def drifted(project: Path) -> set[str]:
    """Return the ids that a new process finds among all notes."""
    opened = Project(str(project))
    opened.graph.refresh(walk=True)
    return {*opened.watch.all()}


def file_of(project: Path, id: str) -> Path:
    return next((project / ".autology").rglob(f"*{id}.md"))


def test_a_note_that_was_checked_is_not_read_again_until_it_or_the_commit_changes(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed, holding = note(project, "`delay()` doubles.", "src/queue.py"), note(project, "It holds x.", "src/other.py")
    change(project, QUEUE.replace("delay", "pause"))
    assert drifted(project) == {removed}
    opened = Project(str(project))
    opened.graph.refresh(walk=True)
    read: list[str] = []
    monkeypatch.setattr(opened.graph, "readable", lambda sources: read.extend(sources) or [])
    assert {*opened.watch.all()} == {removed}
    assert not read
    change(project, None, "src/other.py")
    assert drifted(project) == {removed, holding}


def test_a_checked_note_that_is_edited_by_hand_is_checked_again(project: Path) -> None:
    id = note(project, "`LIMIT` is five.")
    change(project, QUEUE.replace("delay", "pause"))
    assert drifted(project) == set()
    file = file_of(project, id)
    text = file.read_text(encoding="utf-8").replace("`LIMIT` is five.", "`delay()` doubles.")
    file.write_text(text, encoding="utf-8")
    assert drifted(project) == {id}
    file.write_text(text.replace("status: active", "status: superseded"), encoding="utf-8")
    assert drifted(project) == set()
    assert drifted(project) == set()


def test_a_note_whose_drift_another_process_forgot_is_checked_again(project: Path) -> None:
    id = note(project, "`delay()` doubles.")
    change(project, QUEUE.replace("delay", "pause"))
    assert drifted(project) == {id}
    index = Project(str(project)).graph.index
    known = drift_cache.cached(index, drift_cache.CHECKED)
    drift_cache.keep(index, drift_cache.DRIFTED, known.head, {})
    drift_cache.keep(index, drift_cache.CHECKED, known.head, {})
    assert drifted(project) == {id}
