"""A home that can only be read: a search of everything answers from what it can read, and says what it could not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import anyio
import pytest
from mcp.client import Client

from autology.tools.project import ServedProject
from autology.tools.server import server
from autology.wire.project import Project
from tests.durability.test_refused import NOBODY, in_a_child, posix
from tests.fakes.talk import Said, write

SAID = [Said("2026-03-17T09:00:00.000Z", "where do zeppelins land?", "We decided that they land on the roof.")]


@pytest.fixture
def root(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a document, and a session that was talked in it."""
    ask(made(quick_path / "warm", monkeypatch))  # loads what a child that may read little could not
    return made(quick_path / "real", monkeypatch)


def made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(folder / "home" / name))
    root = folder / "shop"
    (root / ".autology").mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "docs" / "zeppelin.md").write_text("# Zeppelins\n\nA zeppelin needs a mast.\n", encoding="utf-8")
    write(folder / "home" / "claude", str(root), "a" * 8 + "-0000-4000-8000-000000000000", SAID)
    return root


def ask(root: Path) -> str:
    """Search everything and return the answer."""

    async def answered() -> str:
        async with Client(server(ServedProject(str(root)))) as client:
            result = await client.call_tool("unified_memory_search", {"query": "zeppelin land"})
            return result.content[0].text  # type: ignore[union-attr]

    return anyio.run(answered)


def searched(root: Path) -> str:
    """Search everything as somebody who may read the home and write the project; return the answer."""
    for path in (root.parent.parent, root.parent, root, *root.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    home = root.parent / "home"
    for path in (home, *home.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    try:
        return in_a_child(lambda: ask(root), NOBODY)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@posix
def test_without_a_conversation_index_the_project_still_answers_and_says_so(root: Path) -> None:
    answer = json.loads(searched(root))
    assert [result["type"] for result in answer["results"]] == ["document"]
    assert any("past conversations could not be searched" in note for note in answer["degraded"])


@posix
def test_a_read_only_conversation_index_is_searched(root: Path) -> None:
    message = Project(str(root)).conversations
    message.refresh()
    message.encode()
    answer = json.loads(searched(root))
    assert {result["type"] for result in answer["results"]} >= {"document", "conversation"}
    assert any("land on the roof" in result["content"] for result in answer["results"])
