"""A memory for a branch is of a project: it gets the caller's, and one without is never found in another."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from autology.model.memory import Kind, Scope
from autology.text.notes.memory_file import edit_memory, read_memory
from autology.tools.project import ServedProject
from autology.tools.server import server
from autology.wire.project import Project
from tests.fakes.remembered import a_memory, write
from tests.fakes.talk import Said
from tests.fakes.talk import write as say
from tests.unit.cli_kit import run_json

pytestmark = pytest.mark.anyio
SESSION = "d" * 8 + "-0000-4000-8000-000000000000"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(tmp_path / name))
    return tmp_path


@pytest.fixture
def project(home: Path) -> Callable[[str], Path]:
    def made(name: str) -> Path:
        root = home / name
        (root / ".autology" / "nodes").mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
        remote = f"https://example.org/acme/{name}.git"
        subprocess.run(["git", "-C", str(root), "remote", "add", "origin", remote], check=True)
        return root

    return made


async def call(root: Path, tool: str, **arguments: object) -> dict[str, Any]:
    async with Client(server(ServedProject(str(root)))) as client:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        answer: dict[str, Any] = json.loads(result.content[0].text)  # type: ignore[union-attr]
        return answer


async def hit_ids(root: Path, **arguments: object) -> list[str]:
    answer = await call(root, "memory_find", query="zeppelin", **arguments)
    return [item["id"] for item in answer["items"]]


def stray(home: Path, id: str = "stray-1", org: str | None = None) -> Path:
    """Write a memory as earlier versions stored it; return its file."""
    scope = Scope(org=org, branch="topic")
    return write(home / "data", a_memory(id, None, Kind.OBSERVATION, content="The zeppelin lands.", scope=scope))


@pytest.mark.parametrize("org", [None, "acme"])
async def test_a_branch_alone_is_one_of_the_caller_s_project(project: Callable[[str], Path], org: str | None) -> None:
    shop, blog = project("shop"), project("blog")
    scope = {"branch": "topic", **({"org": org} if org else {})}
    item = {"kind": "observation", "content": "The zeppelin lands.", "scope": scope}
    [stored] = (await call(shop, "memory_store", items=[item]))["stored_items"]
    assert (shop / ".autology" / "memory" / "observation" / f"{stored['id']}.md").is_file()
    assert await hit_ids(shop, scope={"branch": "topic"}) == [stored["id"]]
    assert await hit_ids(blog) == []


async def test_a_branch_of_no_project_is_found_nowhere(home: Path, project: Callable[[str], Path]) -> None:
    file, shop = stray(home), project("shop")
    for mode in ("fast", "auto", "deep"):
        assert await hit_ids(shop, mode=mode) == []
    assert await hit_ids(shop, scope={"branch": "topic"}) == []
    unified = await call(shop, "unified_memory_search", query="zeppelin")
    assert unified["results"] == []
    assert file.is_file()


async def test_a_branch_memory_in_a_project_is_found_there(home: Path, project: Callable[[str], Path]) -> None:
    shop = project("shop")
    write(shop, a_memory("own-1", None, content="The zeppelin lands.", scope=Scope(branch="topic")))
    assert await hit_ids(shop) == ["own-1"]


def test_doctor_names_a_stray_memory_with_an_unknown_project(
    home: Path, project: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file, shop = stray(home), project("shop")
    held = file.read_bytes()
    report = run_json(capsys, "doctor", "--fix", project=shop)
    [finding] = [each for each in report["findings"] if "stray-1" in each["problem"]]
    assert "topic" in finding["problem"]
    assert "project: NAME" in finding["fix"]
    assert file.read_bytes() == held


@pytest.mark.parametrize("where", ["here", "elsewhere"])
async def test_a_stray_memory_of_a_known_session_moves_to_its_project(
    home: Path,
    project: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    where: str,
) -> None:
    shop, blog = project("shop"), project("blog")
    say(home / "claude", str(shop), SESSION, [Said("2026-03-17T09:00:00.000Z", "keep that", "Kept.")])
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    item = {"kind": "observation", "id": "stray-1", "content": "The zeppelin lands.", "scope": {"branch": "topic"}}
    await call(shop, "memory_store", items=[item])
    (shop / ".autology" / "memory" / "observation" / "stray-1.md").unlink()
    file = stray(home)
    Project(str(shop)).conversations.refresh()
    report = run_json(capsys, "doctor", "--fix", project=shop if where == "here" else blog)
    assert "1 item moved to the project of its branch" in report["fixed"]
    assert not [each for each in report["findings"] if "stray-1" in each["problem"]]
    assert file.is_file() is (where == "elsewhere")
    scope = {"project": "example.org/acme/shop"}
    assert await hit_ids(shop, scope=scope) == ["stray-1"]
    answer = await call(shop, "memory_find", query="zeppelin")
    assert answer["items"][0]["scope"] == {**scope, "branch": "topic"}


async def test_after_a_killed_move_one_copy_is_found_and_the_other_reported(
    home: Path, project: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    shop, file = project("shop"), stray(home)
    text = file.read_text(encoding="utf-8")
    whole = replace(read_memory(text), scope=Scope(project="example.org/acme/shop", branch="topic"))
    there = shop / ".autology" / "memory" / "observation" / "stray-1.md"
    there.parent.mkdir(parents=True)
    there.write_text(edit_memory(text, whole), encoding="utf-8")
    assert await hit_ids(shop) == ["stray-1"]
    report = run_json(capsys, "doctor", "--fix", project=shop)
    assert [each["area"] for each in report["findings"] if "stray-1" in each["problem"]] == ["duplicate id"]
    assert there.is_file()
    assert file.is_file()
