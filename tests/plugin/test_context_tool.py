"""autology_context as a client calls it: the current file, the task, and this conversation's own end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.talk import Edit, Said, write
from tests.plugin.served import Json, Served, served

SESSION = "5e551000-1111-4222-8333-444455556666"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".autology").mkdir(parents=True)
    return root


def kept(server: Served, title: str, content: str, *files: str) -> None:
    done = server.call("autology_capture", title=title, content=content, type="convention", references=list(files))
    assert not done["isError"], done


def matter(server: Served, **given: object) -> Json:
    result = server.call("autology_context", **given)
    assert not result["isError"], result
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    results: Json = result["structuredContent"]
    return results


def test_nodes_are_grouped_and_say_which_factors_counted(project: Path) -> None:
    with served(project) as server:
        server.greet()
        kept(server, "Tokens expire", "A session token lives an hour.", "src/token.py")
        kept(server, "Money in cents", "Prices are whole cents.", "src/price.py")
        result = matter(
            server, current_file="src/token.py", task="how long does a token live", recent_files=["src/price.py"]
        )
        (first,) = result["high"]
        assert first.keys() == {"id", "type", "title", "status", "score", "factors", "excerpt", "path"}
        assert {factor["factor"] for factor in first["factors"]} == {
            "current_file", "task", "type", "confidence", "recency",
        }  # fmt: skip
        assert first["score"] == pytest.approx(sum(factor["points"] for factor in first["factors"]))
        assert [node["title"] for node in result["medium"] + result["low"]] == ["Money in cents"]


def test_without_arguments_the_end_of_the_conversation_determines_the_context(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "claude"
    looked = Edit(str(project / "src" / "price.py"), "CENTS = 100\n")
    message = Said("2026-05-01T10:00:00Z", "Let us look at prices and their cents", edits=(looked,))
    write(config, str(project), SESSION, [message])
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    with served(project) as server:
        server.greet()
        kept(server, "Tokens expire", "A session token lives an hour.", "src/token.py")
        kept(server, "Money in cents", "Prices are whole cents.", "src/price.py")
        result = matter(server)
        (node,) = result["high"] + result["medium"]
        assert node["title"] == "Money in cents"
        assert {"recent_file", "task"} <= {factor["factor"] for factor in node["factors"]}
        assert matter(server, conversation="")["next"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"current_file": "/etc/passwd"}, "outside the project"),
        ({"max_nodes": 0}, "max_nodes"),
        ({"max_tokens": 99}, "max_tokens"),
        ({"current_file": 3}, "current_file"),
        ({"files": []}, "files"),
    ],
)
def test_invalid_context_arguments_are_named(project: Path, given: dict[str, object], said: str) -> None:
    with served(project) as server:
        server.greet()
        result = server.ask("tools/call", {"name": "autology_context", "arguments": given})
        assert said in json.dumps(result)
