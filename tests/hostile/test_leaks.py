"""`autology doctor --secrets` says where secrets stand in files, and never what they are; nothing of them goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from autology import log
from autology.core.documents.create import create_document
from autology.core.documents.search import search as search_documents
from autology.core.documents.tagging import inject_tags
from autology.core.documents.update import DocumentEdit, update_document
from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.relate import relate
from autology.core.nodes.search import NodeQuery, search
from autology.core.nodes.update import Fields, update
from autology.model.errors import ValidationError
from autology.render.nodes import answer, captured
from autology.wire.project import Project
from tests.labelled.secret_forms.kinds import ARMOURED, SHAPED
from tests.labelled.secret_forms.scoring import survives
from tests.unit.cli_kit import autology, told
from tests.unit.hooks_kit import run

KINDS = ("aws access key", "github token", "slack bot token", "openai project key", "stripe live key", "jwt")


def planted(at: str) -> dict[str, str]:
    """Secrets that are nowhere else: what survives tells where it was put in."""
    made = {kind: SHAPED[kind](Random(f"{kind} {at}")) for kind in KINDS}
    return {
        **made,
        "key": ARMOURED["large rsa private key"](Random(at)),
        "password": f"Tr0ub4dor-{Random(at).random()}",
    }


def spoken(secrets: dict[str, str]) -> str:
    """A text that holds them all, the long key across passages."""
    shaped = "\n\n".join(f"For {kind} we use {secrets[kind]} everywhere." for kind in KINDS)
    url = f"postgres://app:{secrets['password']}@db.example.com/app"
    return f"# Setting up {secrets['github token']}\n\n{shaped}\n\n{url}\n\n{secrets['key']}\n\nThe end of it.\n"


def stored(*roots: Path) -> Iterator[tuple[Path, str]]:
    for root in roots:
        for path in root.rglob("*"):
            if path.is_file():
                yield path, path.read_bytes().decode("utf-8", "replace")


def survivors(secrets: dict[str, str], text: str) -> list[str]:
    return [kind for kind, secret in secrets.items() if survives(secret, text)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    return tmp_path


def test_files_written_by_tools_contain_no_secrets(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = Project(str(project))
    graph, library = opened.graph, opened.library
    secrets = planted("tools")
    text, token = spoken(secrets), secrets["github token"]
    references = (f"src/{token}.py",)
    first = capture(graph, Material(f"Use {token}", text, "decision", (), references, session=f"s {token}"))
    with pytest.raises(ValidationError, match="redacted:github-token"):
        capture(graph, Material("Tagged", text, "decision", (token,)))
    assert "github-token" in first.redacted
    assert "private-key" in captured(first)["redacted"]
    second = capture(
        graph,
        Material("Other", "text", "concept", relations=(RequestedRelation("affects", first.node.id, text[:1500]),)),
    )
    relate(graph, second.node.id, first.node.id, "relates_to", f"because of {token}")
    done = update(graph, first.node.id, Fields(title=f"Now {token}", content=text, references=references))
    assert "private-key" in done.redacted
    created = create_document(library, "docs/made.md", text)
    assert "github-token" in created.redacted
    edited = update_document(library, created.id, DocumentEdit(content=text))
    assert "github-token" in edited.redacted
    with pytest.raises(ValidationError, match="secret") as refused:
        inject_tags(library, "docs/made.md", [f"KEY {token}"])
    log.write("here", ValueError(text), whole=True)
    found = json.dumps(answer(search(graph, NodeQuery("everywhere")), "full"))
    shown = found + str(refused.value) + repr(capsys.readouterr())
    assert survivors(secrets, shown) == []
    files = list(stored(project, home))
    assert any(path.suffix == ".db" or "index" in path.name for path, _ in files)
    assert [(path.name, kinds) for path, data in files if (kinds := survivors(secrets, data))] == []


def test_files_of_a_person_stay_as_they_are_and_their_secrets_out_of_everything_else(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = planted("hand")
    written = project / "docs" / "own.md"
    title, token = secrets["slack bot token"], secrets["jwt"]
    data = (
        f"---\ntitle: About {title}\naliases: [{token}]\ntags: [x]\n---\n{spoken(secrets)}\n[a]({token}.md)\n"
    ).encode()
    written.write_bytes(data)
    opened = Project(str(project))
    graph, library = opened.graph, opened.library
    note = capture(graph, Material("Note", "text", "concept")).node
    file = project / note.path
    by_hand = (
        file.read_text(encoding="utf-8")
        .replace("text", spoken(secrets))
        .replace("Note", f"Note {secrets['aws access key']}")
    )
    file.write_text(by_hand, encoding="utf-8", newline="")
    library.refresh(walk=True)
    graph.refresh(walk=True)
    found = search_documents(library, "everywhere we use")
    assert {hit.source.type for hit in found.hits} >= {"document"}
    shown = repr(found.hits) + json.dumps(answer(search(graph, NodeQuery("everywhere we use")), "full"))
    assert "redacted" in shown
    autology("sync", project=project)
    autology("status", project=project)
    assert written.read_bytes() == data
    assert file.read_text(encoding="utf-8") == by_hand
    own = {str(written), str(file)}
    assert survivors(secrets, shown + repr(capsys.readouterr())) == []
    others = [(path.name, data) for path, data in stored(project, home) if str(path) not in own]
    assert others
    assert [(name, kinds) for name, data in others if (kinds := survivors(secrets, data))] == []


def test_the_index_holds_nothing_of_a_secret_in_its_rows(project: Path) -> None:
    secrets = planted("rows")
    (project / "docs" / "own.md").write_text(spoken(secrets), encoding="utf-8")
    opened = Project(str(project))
    opened.graph.files.create()
    opened.library.refresh(walk=True)
    databases = [path for path, _ in stored(project) if path.read_bytes()[:15] == b"SQLite format 3"]
    assert databases
    for path in databases:
        with sqlite3.connect(path) as connection:
            dump = "\n".join(connection.iterdump())
        assert "own.md" in dump
        assert survivors(secrets, dump) == []


def test_hooks_say_nothing_of_the_secrets_in_notes_and_commits(project: Path, home: Path) -> None:
    secrets = planted("hooks")
    graph = Project(str(project)).graph
    note = capture(graph, Material("A note on pooling", "text", "decision")).node
    file = project / note.path
    by_hand = file.read_text(encoding="utf-8").replace("A note", f"A note {secrets['aws access key']}")
    file.write_text(by_hand.replace("text", spoken(secrets)), encoding="utf-8", newline="")
    graph.refresh(walk=True)
    prompts = [f"how did we set up {secrets['github token']} before?", "what did we decide about pooling?"]
    said = [run("session-start", project), *(run("prompt-submit", project, prompt=prompt) for prompt in prompts)]
    assert "A note [redacted:aws-access-key]" in json.dumps(said)
    assert survivors(secrets, json.dumps(said)) == []


def test_doctor_lists_the_secrets_of_files_by_line_and_kind(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secrets = planted("doctor")
    autology("capture", "--title", "A", "--content", "text", "--type", "concept", project=project)
    assert told(capsys, "doctor", "--secrets", project=project)["findings"] == []
    (project / "docs" / "own.md").write_text(f"one\n\nkey {secrets['aws access key']}\n", encoding="utf-8")
    answered = told(capsys, "doctor", "--secrets", project=project)
    assert [finding["problem"] for finding in answered["findings"]] == ["docs/own.md:3: aws-access-key"]
    assert "Revoke" in answered["findings"][0]["fix"]
    assert survivors(secrets, json.dumps(answered)) == []
    assert autology("doctor", "--secrets", project=project) == 1
    out, _ = capsys.readouterr()
    assert "docs/own.md:3" in out
    assert survivors(secrets, out) == []
