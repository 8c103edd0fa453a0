"""What was said in past sessions is kept and found without the secrets in it; tests look at every byte."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from autology.core.conversations.conversations import Conversations
from autology.wire.project import Project
from tests.fakes.transcripts import Session, client_folder
from tests.hostile.test_leaks import planted, spoken, survivors
from tests.unit.hooks_kit import project, run


def conversations_with(secrets: dict[str, str], home: Path, folder: str = "/home/dev/app") -> Conversations:
    """A session in which secrets were typed, said, run, written and printed."""
    session = Session(home, folder=folder)
    session.user(spoken(secrets))
    session.assistant(f"Understood: {secrets['jwt']} it is.\n```sh\nexport TOKEN={secrets['slack bot token']}\n```")
    session.tool(
        "Bash", f"TOKEN is {secrets['github token']}\n" * 40 + secrets["key"], command=f"echo {secrets['jwt']}"
    )
    session.tool("Bash", "padding " * 55 + secrets["openai project key"] + " end", command="printenv")
    session.tool("Edit", "ok", file_path="/x.py", old_string="a", new_string=f"KEY = '{secrets['stripe live key']}'")
    session.tool("Read", "ok", file_path=f"/tmp/{secrets['stripe live key']}.txt")
    session.tool("Write", "ok", file_path="/.env", content=spoken(secrets))
    session.user([{"type": "text", "text": f"use {secrets['aws access key']} then"}])
    session.assistant("<private>the merger is on friday</private> as you say")
    opened = Project(str(home)).conversations
    opened.refresh()
    opened.keep()
    return opened


def test_no_secret_of_a_session_is_in_the_archive_the_index_or_any_file_of_ours(home: Path) -> None:
    secrets = planted("past")
    conversations_with(secrets, home)
    ours = [path for path in home.rglob("*") if path.is_file() and client_folder(home) not in path.parents]
    assert any(path.name.startswith("conversations.sqlite") for path in ours)
    packed = [path for path in ours if path.read_bytes()[:2] == b"\x1f\x8b"]
    assert packed
    for path in ours:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path in packed else data).decode("utf-8", "replace")
        assert survivors(secrets, text) == [], path.name
        assert "merger" not in text, path.name


def test_recalled_text_contains_no_secrets(home: Path, tmp_path: Path) -> None:
    here = project(tmp_path / "here")
    secrets = planted("brought")
    session = Session(home, folder=str(here))
    session.user(f"how should deleting a customer work, with {secrets['github token']} and other tables at it")
    session.assistant(f"We decided on soft deletes of customers, by the key {secrets['aws access key']}, in May.")
    conversations_with(secrets, home, str(here))
    message = run("prompt-submit", here, prompt="what did we decide about soft deletes of customers?")
    assert "autology-recalled" in json.dumps(message)
    assert survivors(secrets, json.dumps(message)) == []
