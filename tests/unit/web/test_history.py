"""The history of a note's file on the page: what changed in each commit, and since."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autology.model.errors import ValidationError
from autology.settings import adopt_records
from autology.web.calls import answer
from autology.web.project import PageProject
from tests.unit.adoption_kit import write

TEXT = "## Context\n\nMany orders.\n\n## Decision\n\nWe keep them in MySQL.\n"
SECRET = "ghp_9sKq2LmV7xTr4NwZ8bYc3HfJ6pDg1aEu5Rto"
IDENTITY = {"GIT_AUTHOR_NAME": f"Ada {SECRET}", "GIT_AUTHOR_EMAIL": "ada@example.org"}
IDENTITY |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, env={**os.environ, **IDENTITY})


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    return PageProject(str(tmp_path))


def commit(root: Path, subject: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", subject)


def text_of(reply: dict[str, Any]) -> dict[str, str]:
    """Return the changes by section: what is gone as ``-…-``, what is new as ``+…+``."""
    marks = {"same": "", "gone": "-", "new": "+"}
    return {
        one["section"]: "".join(f"{marks[kind]}{text}{marks[kind]}" for kind, text in one["parts"])
        for one in reply["changes"]
    }


def test_a_notes_commits_are_listed_and_compared(page: PageProject, tmp_path: Path) -> None:
    made = answer(page, "create", {"title": "Orders", "content": TEXT, "type": "convention"})
    id = made["id"]
    assert answer(page, "history", {"id": id})["state"] == "no git"
    git(tmp_path, "init", "-q")
    assert answer(page, "history", {"id": id})["state"] == "new"
    assert answer(page, "comparison", {"id": id, "commit": "uncommitted"})["changes"]
    commit(tmp_path, f"Write it with {SECRET}")
    answer(page, "update", {"id": id, "content": TEXT.replace("MySQL", "PostgreSQL")})
    commit(tmp_path, "Choose another database")
    answer(page, "update", {"id": id, "type": "decision"})
    commit(tmp_path, "It is a decision")
    history = answer(page, "history", {"id": id})
    assert history["state"] == "committed"
    assert [one["subject"] for one in history["commits"]] == [
        "It is a decision",
        "Choose another database",
        "Write it with [redacted:github-token]",
    ]
    assert SECRET not in str(history)
    assert not any("path" in one for one in history["commits"])  # the folder of a note is its type
    latest, middle, first = (one["id"] for one in history["commits"])
    assert text_of(answer(page, "comparison", {"id": id, "commit": middle})) == {
        "Decision": "We keep them in -MySQL-+PostgreSQL+."
    }
    assert "type: -convention-+decision+" in text_of(answer(page, "comparison", {"id": id, "commit": latest}))["Fields"]
    since = text_of(answer(page, "comparison", {"id": id, "commit": first, "base": "now"}))
    assert since["Decision"] == "We keep them in -MySQL-+PostgreSQL+."
    answer(page, "update", {"id": id, "content": TEXT.replace("MySQL", f"what {SECRET} opens")})
    assert answer(page, "history", {"id": id})["state"] == "changed"
    reply = answer(page, "comparison", {"id": id, "commit": "uncommitted"})
    assert "[redacted:" in str(reply)
    assert SECRET not in str(reply)


def test_relations_are_shown_by_title(page: PageProject, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    one = answer(page, "create", {"title": "Orders", "content": TEXT, "type": "convention"})["id"]
    other = answer(page, "create", {"title": "Worker", "content": "It works.", "type": "component"})["id"]
    commit(tmp_path, "Write both")
    answer(page, "relate", {"source": other, "target": one, "type": "uses"})
    (fields,) = text_of(answer(page, "comparison", {"id": other, "commit": "uncommitted"})).values()
    assert "target: “Orders”" in fields


def test_an_adopted_record_has_the_history_of_its_own_file(page: PageProject, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    paths = write(tmp_path, "madr")
    commit(tmp_path, "Five decisions")
    git(tmp_path, "mv", "docs/decisions", "docs/adr")
    commit(tmp_path, "Move them")
    adopt_records(str(tmp_path), ["docs/adr"])
    (opened,) = answer(page, "titles", {"beginning": "orders"})["titles"]
    history = answer(page, "history", {"id": opened["id"]})
    assert [one["subject"] for one in history["commits"]] == ["Move them", "Five decisions"]
    assert history["commits"][1]["path"] == paths[0]
    assert history["state"] == "committed"
    answer(page, "update", {"id": opened["id"], "tags": ["storage"]})
    assert answer(page, "history", {"id": opened["id"]})["state"] == "committed"  # the record itself is unchanged
    record = tmp_path / history["path"]
    record.write_text(record.read_text().replace("status: accepted", "status: rejected"))
    assert answer(page, "history", {"id": opened["id"]})["state"] == "changed"
    assert text_of(answer(page, "comparison", {"id": opened["id"], "commit": "uncommitted"})) == {
        "Fields": "status: -accepted-+rejected+  # as voted"
    }


def test_only_the_commits_of_the_file_itself_are_read(page: PageProject, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "other.md").write_text("# Other\n")
    commit(tmp_path, "Other")
    made = answer(page, "create", {"title": "Orders", "content": TEXT, "type": "convention"})["id"]
    commit(tmp_path, "Orders")
    other = subprocess.run(["git", "rev-parse", "HEAD^"], cwd=tmp_path, capture_output=True, text=True).stdout.strip()
    for name in (other, "HEAD", "--help", "../x", ""):
        with pytest.raises(ValidationError, match="did not change this file"):
            answer(page, "comparison", {"id": made, "commit": name})
    with pytest.raises(ValidationError, match="base"):
        answer(page, "comparison", {"id": made, "commit": "uncommitted", "base": "never"})
    assert answer(page, "history", {"id": "other.md"})["commits"]


def test_a_shallow_clone_says_so(page: PageProject, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    git(tmp_path, "init", "-q")
    id = answer(page, "create", {"title": "Orders", "content": TEXT, "type": "convention"})["id"]
    commit(tmp_path, "Write")
    answer(page, "update", {"id": id, "content": TEXT + "\nMore.\n"})
    commit(tmp_path, "Change")
    clone = tmp_path_factory.mktemp("clone") / "c"
    git(tmp_path, "clone", "-q", "--depth", "1", tmp_path.as_uri(), str(clone))
    shallow = PageProject(str(clone))
    history = answer(shallow, "history", {"id": id})
    assert (history["shallow"], [one["subject"] for one in history["commits"]]) == (True, ["Change"])
    reply = answer(shallow, "comparison", {"id": id, "commit": history["commits"][0]["id"]})
    assert reply == {"changes": [], "unknown": True}
