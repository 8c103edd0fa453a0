"""Sessions outlive their deletion by the client, without their secrets, within what the user allows."""

from __future__ import annotations

import gzip
import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autology import places
from autology.core.conversations.conversations import Conversations
from autology.core.conversations.sources import RULES_CACHED
from autology.core.recall.discussions import recall
from autology.core.recall.request import RecallRequest
from autology.wire.project import Project
from autology.wire.user import project_home as home_of
from tests.fakes.transcripts import Session, client_folder, resumed
from tests.unit.hooks_kit import git, repository
from tests.unit.transcripts.test_transcripts import everything, text

SECRETS = [
    "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "sk-ant-api03-" + "Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0Fe9Dc8Ba7",
    "q9Zr7Lk2Vw5XbT4n",
]


def opened(home: Path) -> Conversations:
    return Project(str(home)).conversations


def talked(home: Path, folder: str = "/home/dev/app", about: str = "the cache", days_ago: float = 0) -> Session:
    session = Session(home, folder=folder, begin=datetime.now(UTC) - timedelta(days=days_ago))
    session.user(f"how does {about} work")
    session.assistant(f"{about} works well")
    at = time.time() - days_ago * 86_400
    os.utime(session.file, (at, at))
    return session


def setting(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"AUTOLOGY_{name.upper()}", value)


def test_archived_sessions_are_found_without_transcripts_and_index(home: Path) -> None:
    session = talked(home)
    agent = Session(home, session=session.id, agent="a1")
    agent.user("look for it")
    message = opened(home)
    message.refresh()
    before = everything(message)
    assert message.keep().archived == 2
    session.file.unlink()
    agent.file.unlink()
    assert message.refresh() == 0
    assert everything(message) == before
    Path(places.conversation_index()).unlink()
    anew = opened(home)
    assert anew.refresh() == 2
    assert [(c.id, c.text, c.at, c.session) for c in everything(anew)] == [
        (c.id, c.text, c.at, c.session) for c in before
    ]
    assert anew.refresh() == 0
    assert (anew.coverage().archived, anew.coverage().live, anew.coverage().lost) == (1, 0, 0)


@pytest.mark.parametrize("deleted", [("first",), ("first", "fork")])
def test_a_fork_leaves_what_it_copied_to_its_original_though_that_is_kept_alone(
    home: Path, deleted: tuple[str, ...]
) -> None:
    first = Session(home, session="99999999-0000-4000-8000-000000000000")
    first.user("why is the build slow")
    first.assistant("because of the linker")
    fork = resumed(home, first, session="11111111-0000-4000-8000-000000000000")  # its name comes first
    fork.user("and now")
    os.utime(first.file, (1_700_000_000, 1_700_000_000))
    os.utime(fork.file, (1_700_000_100, 1_700_000_100))
    message = opened(home)
    message.refresh()
    message.keep()
    before = everything(message)
    assert len(before) == 2
    for name in deleted:
        {"first": first, "fork": fork}[name].file.unlink()
    Path(places.conversation_index()).unlink()
    anew = opened(home)
    anew.refresh()
    assert [(c.id, c.text, c.session) for c in everything(anew)] == [(c.id, c.text, c.session) for c in before]


def test_only_continued_sessions_are_archived_again(home: Path) -> None:
    one, two = talked(home), talked(home, about="the queue")
    message = opened(home)
    assert message.keep().archived == 2
    assert message.keep().archived == 0
    one.user("and now")
    assert message.keep().archived == 1
    assert message.keep_session(two.id).archived == 1


def test_the_client_s_bookkeeping_is_not_kept(home: Path) -> None:
    session = talked(home)
    session.bookkeeping(100_000)
    opened(home).keep()
    (file,) = (home / "data" / "archive").rglob("*.gz")
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert [line["type"] for line in lines] == ["autology-archive", "user", "assistant"]
    assert file.stat().st_mtime_ns == session.file.stat().st_mtime_ns


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_in_any_byte_that_is_written(home: Path, secret: str) -> None:
    session = Session(home)
    session.user(f"use this: password = '{secret}' and <private>MY-PRIVATE-WORDS</private>")
    session.assistant(f"I put `API_KEY={secret}` into .env\n```sh\nexport A=1\nexport TOKEN={secret}\nrun\n```")
    session.tool("Bash", f"password: {secret}", command=f"deploy --token {secret}")
    session.tool("Write", "ok", file_path="/home/dev/app/.env", content=f"A=1\nB=2\nPASSWORD={secret}\n")
    session.tool("mcp__other__login", "fine", password=secret, user="me")
    session.queued(f"secret = {secret}")
    message = opened(home)
    message.refresh()
    message.encode()
    assert message.keep().archived == 1
    written = [file for file in (home / "data").rglob("*") if file.is_file()]
    assert len(written) > 1
    for file in written:
        data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        assert secret.encode() not in data, file
        assert b"MY-PRIVATE-WORDS" not in data, file
    assert "[redacted:" in text(message)


def test_sessions_past_the_age_limit_are_dropped_and_not_archived_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting(monkeypatch, archive_days="30")
    old, new = talked(home, days_ago=40), talked(home, about="the queue", days_ago=5)
    message = opened(home)
    assert message.keep().archived == 1
    assert list(message.archive.scan()) == [new.name]
    assert old.name in message.live.scan()


def test_sessions_only_in_the_archive_are_forgotten_when_dropped_from_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = talked(home, days_ago=40)
    message = opened(home)
    message.refresh()
    message.keep()
    old.file.unlink()
    assert "the cache" in text(message)
    setting(monkeypatch, archive_days="30")
    later = opened(home)
    assert later.keep().dropped == 1
    assert text(later) == ""


def test_the_oldest_sessions_are_dropped_when_the_archive_is_full(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = [talked(home, about=f"subject {number}", days_ago=number) for number in range(3)]
    setting(monkeypatch, archive_megabytes="0")
    assert opened(home).keep().archived >= 0
    assert opened(home).archive.scan() == {}
    setting(monkeypatch, archive_megabytes="1")
    assert opened(home).keep().archived == len(sessions)


def test_excluded_folders_are_neither_read_nor_archived(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setting(monkeypatch, conversations_excludes="/home/dev/private, */clients/*")
    for folder in ("/home/dev/private", "/home/dev/private/sub", "/srv/clients/acme", "/home/dev/app"):
        talked(home, folder, about=f"in {folder}")
    message = opened(home)
    message.refresh()
    assert message.keep().archived == 1
    assert {chunk.folder for chunk in everything(message)} == {"/home/dev/app"}


def test_a_folder_excluded_later_is_forgotten_with_the_next_update(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("/home/dev/private", "/home/dev/app"):
        talked(home, folder, about=f"in {folder}")
    opened(home).refresh()
    setting(monkeypatch, conversations_excludes="/home/dev/private")
    later = opened(home)
    later.refresh()
    assert {chunk.folder for chunk in everything(later)} == {"/home/dev/app"}
    assert "in /home/dev/private" not in text(later)
    talked(home, "/home/dev/app", about="something new")
    later.refresh()
    assert "something new" in text(later)


def test_a_server_forgets_a_folder_once_it_is_excluded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("/home/dev/private", "/home/dev/app"):
        talked(home, folder, about=f"the cache in {folder}")
    running = Project(str(home))
    request = RecallRequest("how does the cache work")
    assert len(recall(running.conversation_search, request, "recall").results) == 2
    for switched in ({}, {"conversations": "off"}):
        setting(monkeypatch, conversations_excludes="/home/dev/private", **switched)
        time.sleep(2 * RULES_CACHED)
        (shown,) = recall(running.conversation_search, request, "recall").results
        assert shown.chunk.folder == "/home/dev/app"


def test_with_conversations_and_archive_off_nothing_is_read_or_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting(monkeypatch, conversations="off", archive="off")
    session = talked(home)
    message = opened(home)
    assert (
        message.refresh(),
        message.keep().archived,
        message.read_session(session.id),
        message.keep_session(session.id).archived,
    ) == (
        0,
        0,
        0,
        0,
    )
    assert everything(message) == []


def test_a_session_that_only_the_client_remembers_is_lost(home: Path) -> None:
    talked(home, days_ago=1)
    line = {"display": "fix it", "timestamp": 1, "project": "/home/dev/app", "sessionId": "gone-1"}
    (client_folder(home) / "history.jsonl").write_text(json.dumps(line) + "\nnonsense\n", encoding="utf-8")
    result = opened(home).coverage()
    assert (result.sessions, result.live, result.archived, result.unarchived, result.lost) == (2, 1, 0, 1, 1)


def test_a_transcript_that_cannot_be_read_is_named_and_the_others_are_read(home: Path) -> None:
    bad = talked(home)
    talked(home, about="the queue")
    bad.file.unlink()
    bad.file.mkdir()
    message = opened(home)
    assert message.refresh() == 1
    assert "the queue" in text(message)


def test_a_damaged_copy_is_named_and_breaks_nothing(home: Path) -> None:
    session = talked(home)
    message = opened(home)
    message.keep()
    (file,) = (home / "data" / "archive").rglob("*.gz")
    file.write_bytes(file.read_bytes()[:60])
    session.file.unlink()
    assert message.refresh() == 1
    assert len(message.failed) == 1


# ---- projects ------------------------------------------------------------------------------------


def test_worktrees_and_clones_are_one_project_and_namesakes_are_not(tmp_path: Path) -> None:
    main = repository(tmp_path / "a" / "app")
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    other = repository(tmp_path / "b" / "app")
    (main / "sub").mkdir()
    assert (
        home_of(str(main)).identity == home_of(str(tmp_path / "tree")).identity == home_of(str(main / "sub")).identity
    )
    assert home_of(str(main / "sub")).root == str(main)
    assert home_of(str(main)).identity != home_of(str(other)).identity
    git(main, "remote", "add", "origin", "https://me:token@Example.com:8443/team/app.git")
    git(other, "remote", "add", "origin", "git@example.com:team/app.git")
    assert home_of(str(main)).identity == home_of(str(other)).identity == "example.com/team/app"


def test_a_folder_that_is_gone_is_its_own_project(tmp_path: Path) -> None:
    assert home_of(str(tmp_path / "gone")).identity == str(tmp_path / "gone")


def test_the_project_of_a_worktree_that_is_gone_is_known_from_the_archive(home: Path, tmp_path: Path) -> None:
    main = repository(tmp_path / "app")
    session = talked(home, str(main))
    message = opened(home)
    message.refresh()
    identity = everything(message)[0].project
    message.keep()
    session.file.unlink()
    main.rename(tmp_path / "moved")
    Path(places.conversation_index()).unlink()
    anew = opened(home)
    anew.refresh()
    assert everything(anew)[0].project == identity != str(main)
