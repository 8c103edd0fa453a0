"""A running server takes up the model that the user chose, between the calls that it answers."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.fakes.models import installed
from tests.fakes.transcripts import Session
from tests.plugin.served import PATIENCE, Served, served
from tests.unit.cli_kit import autology, records

NOTES = 40


def query_by_words(server: Served, query: str = "database") -> dict[str, Any]:
    answer: dict[str, Any] = server.call("autology_query", query=query)["structuredContent"]
    return answer


def encoded_by(server: Served, name: str) -> list[dict[str, Any]]:
    """Ask until *name* answers and nothing waits for it; return every answer."""
    answers, end = [query_by_words(server)], time.monotonic() + PATIENCE
    while (answers[-1].get("encoder") != name or "degraded" in answers[-1]) and time.monotonic() < end:
        time.sleep(0.2)
        answers.append(query_by_words(server))
    assert answers[-1]["encoder"] == name, answers[-1]
    return answers


def test_the_server_takes_up_a_model_and_answers_every_question_meanwhile(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "project"
    records(project / "docs" / "adr")
    assert autology("init", "--yes", project=project) == 0
    installed(home / "data")
    with served(project, os.environ) as server:
        server.greet()
        for number in range(NOTES):
            server.call("autology_capture", title=f"Note {number}", content="of words", type="concept")
        assert query_by_words(server)["encoder"].startswith("static")
        assert autology("models", "use", "minilm", project=project) == 0
        answers = encoded_by(server, "minilm-l6-int8-v1")
        assert all(answer["results"] for answer in answers)
        notes = [note for answer in answers for note in answer.get("degraded", ())]
        assert all(note.startswith("semantic search: ") for note in notes)

        server.call("autology_capture", title="Written later", content="a new one", type="concept")
        encoded_by(server, "minilm-l6-int8-v1")
        assert autology("models", "remove", "minilm", project=project) == 0
        assert query_by_words(server)["encoder"].startswith("static")
        assert server.end() == 0


def test_the_server_takes_up_past_sessions_too_and_says_so_meanwhile(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "project"
    records(project / "docs" / "adr")
    assert autology("init", "--yes", project=project) == 0
    installed(home / "data")
    session = Session(home, folder=str(project))
    for number in range(NOTES):
        session.later(minutes=10).user(f"which database for part {number}?")
        session.assistant(f"Postgres for part {number}.")
    assert autology("sync", project=project) == 0
    assert autology("models", "use", "minilm", project=project) == 0
    with served(project, os.environ) as server:
        server.greet()

        def query_by_words() -> dict[str, Any]:
            answer: dict[str, Any] = server.call("recall_previous_discussions", query="database part 7")
            return dict(answer["structuredContent"])

        answers, end = [query_by_words()], time.monotonic() + PATIENCE
        while "degraded" in answers[-1] and time.monotonic() < end:
            time.sleep(0.2)
            answers.append(query_by_words())
        assert all(answer["results"] for answer in answers)
        notes = [note for answer in answers for note in answer.get("degraded", ())]
        assert "degraded" not in answers[-1]
        assert all(note.startswith(("semantic search: ", f"{NOTES} passages")) for note in notes)
        assert server.end() == 0
    with closing(sqlite3.connect(home / "data" / "conversations.sqlite")) as db:
        result, chunks, waiting = (
            db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("model", "chunk", "due")
        )
    assert (result, waiting) == (chunks, 0)
    assert chunks >= NOTES
