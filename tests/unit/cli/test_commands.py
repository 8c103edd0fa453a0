"""Each command does its one thing, in words for people and in JSON for programs."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from autology.cli import query
from autology.render import nodes
from autology.text.markdown import snippets
from tests.unit.cli_kit import MADR, NYGARD, autology, process, records, run_json

COMPLETE = "## Context\n\nA.\n\n## Decision\n\nUse SQLite.\n\n## Alternatives\n\nC.\n\n## Consequences\n\nD."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path


def captured(project: Path, capsys: pytest.CaptureFixture[str], title: str, *arguments: str) -> str:
    content = () if "--content" in arguments or "--file" in arguments else ("--content", "Some text.")
    answer = run_json(capsys, "capture", "--title", title, *content, *arguments, project=project)
    return str(answer["id"])


# ---- capture -------------------------------------------------------------------------------------


def test_capture_makes_a_node_of_what_it_is_given(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = autology(
        *("capture", "--title", "Use SQLite", "--type", "decision", "--content", COMPLETE),
        *("--tags", "storage", "Data Base", "--references", "src/a.py"),
        project=project,
    )
    output = capsys.readouterr().out
    assert code == 0
    assert "✓ Captured: Use SQLite (decision)" in output
    assert "File does not exist: src/a.py" in output
    (file,) = (project / ".autology/nodes/decisions").glob("*.md")
    text = file.read_text(encoding="utf-8")
    assert "  - data-base\n" in text
    assert COMPLETE in text


def test_capture_reads_standard_input_and_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    piped = process("capture", "--title", "Piped", "--json", project=project, stdin="\ufeffvon außen\r\n".encode())
    id = json.loads(piped.stdout)["id"]
    assert run_json(capsys, "show", id, project=project)["node"]["content"] == "von außen\n"
    (project / "note.md").write_bytes(b"from a file")
    id = captured(project, capsys, "Filed", "--file", str(project / "note.md"))
    assert run_json(capsys, "show", id, project=project)["node"]["content"] == "from a file"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--content", "a", "--file", "b"], "is given twice"),
        (["--file", "no-such-file"], "Give a readable text file"),
        (["--content", " "], "content: is empty"),
        (["--content", "x", "--tags", "?!"], "tags: '?!' is not valid"),
    ],
)
def test_capture_says_what_does_not_fit(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert autology("capture", "--title", "T", *arguments, project=project) in (1, 2)
    assert said in capsys.readouterr().err
    assert not (project / ".autology").exists()


def test_without_any_content_capture_asks_for_it(project: Path) -> None:
    done = process("capture", "--title", "T", project=project)
    assert (done.returncode, b"content: is missing" in done.stderr) == (2, True)


@pytest.mark.skipif(os.name == "nt", reason="the editor is a shell script")
def test_an_editor_writes_and_changes_content(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = project / "editor of mine"
    editor.write_text('#!/bin/sh\necho "$1: edited ✓" >> "$2"\n', encoding="utf-8")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("EDITOR", f"'{editor}' by-hand")
    monkeypatch.delenv("VISUAL", raising=False)
    assert autology("capture", "--title", "T", "--type", "decision", "-e", project=project) == 0
    (file,) = (project / ".autology/nodes/decisions").glob("*.md")
    node = run_json(capsys, "show", file.stem, project=project)["node"]
    assert node["content"].startswith("## Context")
    assert node["content"].endswith("by-hand: edited ✓\n")
    assert autology("update", file.stem, "-e", project=project) == 0
    after = run_json(capsys, "show", file.stem, project=project)["node"]["content"]
    assert after == node["content"] + "by-hand: edited ✓\n"
    monkeypatch.setenv("EDITOR", "false")
    assert autology("update", file.stem, "-e", project=project) == 1
    assert run_json(capsys, "show", file.stem, project=project)["node"]["content"] == after


def test_a_draft_that_is_left_as_it_is_is_not_kept(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    assert autology("capture", "--title", "T", "--type", "decision", "-e", project=project) == 1
    assert "the draft is unchanged. Nothing was saved" in capsys.readouterr().err
    assert not list(project.glob(".autology/nodes/*/*.md"))


# ---- query and show ------------------------------------------------------------------------------


def test_query_shows_title_place_marked_words_and_why(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Filler first. " * 60 + "The writer holds the lock while it renames. " + "Filler last. " * 60
    id = captured(project, capsys, "Write path", "--content", text, "--type", "component")
    captured(project, capsys, "Unrelated", "--content", "Nothing here.")
    assert autology("query", "lock", "renaming", project=project) == 0
    output = capsys.readouterr().out
    assert "1. Write path  component · " + id[:8] in output
    assert f".autology/nodes/components/{id}.md" in output
    assert "*lock* while it *renames*" in output
    assert "why: lock, renaming in the text" in output
    assert "Unrelated" not in output


def test_query_names_what_replaced_a_node(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = captured(project, capsys, "Mail at once", "--type", "concept")
    new = captured(project, capsys, "Mail through a queue", "--type", "concept", "--supersedes", old)
    autology("query", "mail", project=project)
    assert f"replaced by: Mail through a queue ({new[:8]})" in capsys.readouterr().out
    result = run_json(capsys, "query", "mail", project=project)["results"]
    assert [hit["node"]["id"] for hit in result] == [new, old]


def test_query_filters_and_pages(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        captured(project, capsys, f"Note {number}", "--type", "concept", "--tags", "a", "b")
    captured(project, capsys, "Other", "--type", "issue")
    result = run_json(capsys, "query", "--tags", "a,b", "--limit", "2", project=project)
    assert (len(result["results"]), "more" in result) == (2, True)
    assert len(run_json(capsys, "query", "--type", "issue", project=project)["results"]) == 1
    autology("query", "--limit", "2", project=project)
    assert "More results: --offset 2" in capsys.readouterr().out


def test_finding_nothing_is_a_result(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("query", "anything", project=project) == 0
    assert "Nothing found. This project has no .autology folder yet" in capsys.readouterr().out
    assert not (project / ".autology").exists()


def test_show_prints_a_node_readable_or_as_its_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = captured(project, capsys, "A", "--type", "concept", "--content", "# Heading\n\nText.", "--tags", "x")
    b = captured(project, capsys, "B", "--type", "concept")
    autology("relate", a, "uses", b, "--description", "every day", project=project)
    capsys.readouterr()
    assert autology("show", a[:8], project=project) == 0
    output = capsys.readouterr().out
    assert output.startswith("A\nconcept · active · confidence 0.9\n")
    assert f"—[uses]→ B ({b[:8]})\n      every day" in output
    raw = process("show", a, "--raw", project=project)
    assert raw.stdout == (project / f".autology/nodes/concepts/{a}.md").read_bytes()
    incoming = run_json(capsys, "show", b, project=project)["incoming"]
    assert incoming == [{"source": a, "type": "uses"}]


# ---- changing ------------------------------------------------------------------------------------


def test_update_changes_the_given_fields_only(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = captured(project, capsys, "A", "--type", "concept", "--tags", "x", "y")
    assert autology("update", id, "--title", "B", "--tags", project=project) == 0
    assert capsys.readouterr().out == "✓ Updated: B (concept)\nFields changed: title, tags\n"
    answer = run_json(capsys, "update", id, "--status", "needs_review", project=project)
    assert (answer["fields"], answer["node"]["tags"], answer["node"]["title"]) == (["status"], [], "B")
    assert autology("update", id, project=project) == 2
    assert "no fields to update" in capsys.readouterr().err


def test_deleted_notes_can_be_listed_and_restored(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = (captured(project, capsys, name, "--type", "concept") for name in "AB")
    autology("relate", a, "uses", b, project=project)
    capsys.readouterr()
    assert autology("delete", b, "--yes", project=project) == 0
    assert "Deleted: B (concept)\nRelations removed: 1" in capsys.readouterr().out
    assert [item["id"] for item in run_json(capsys, "restore", project=project)["trash"]] == [b]
    autology("restore", project=project)
    assert f"{b[:8]}  " in capsys.readouterr().out
    answer = run_json(capsys, "restore", b[:8], project=project)
    assert (answer["restored"]["id"], answer["relations_restored"]) == (b, 1)
    autology("restore", project=project)
    assert "The trash is empty" in capsys.readouterr().out


def test_a_title_restores_the_one_deleted_note_that_has_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = captured(project, capsys, "Retry payments", "--type", "concept")
    assert autology("delete", one, "--yes", project=project) == 0
    capsys.readouterr()
    assert run_json(capsys, "restore", " retry PAYMENTS", project=project)["restored"]["id"] == one
    assert autology("delete", one, "--yes", project=project) == 0
    capsys.readouterr()
    other = captured(project, capsys, "Retry payments", "--type", "component")
    assert autology("delete", other, "--yes", project=project) == 0
    capsys.readouterr()
    assert autology("restore", "Retry payments", project=project) == 1
    error = capsys.readouterr().err
    assert "matches 2 deleted nodes" in error
    assert one in error
    assert other in error


def test_relating_takes_the_type_in_the_middle_or_last(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = (captured(project, capsys, name, "--type", "concept") for name in "AB")
    assert run_json(capsys, "relate", a, "uses", b, project=project)["changed"] is True
    assert run_json(capsys, "relate", a, b, "uses", project=project)["changed"] is False
    assert autology("relate", a, "loves", b, project=project) == 2
    assert "unknown relation type 'loves'" in capsys.readouterr().err
    assert autology("relate", a, "depends-on", b, project=project) == 2
    assert "Did you mean depends_on?" in capsys.readouterr().err
    assert run_json(capsys, "unrelate", a, "uses", b, project=project)["changed"] is True
    assert run_json(capsys, "unrelate", a, "uses", b, project=project)["changed"] is False


# ---- looking after it ----------------------------------------------------------------------------


def test_status_counts_and_names_troubles(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    captured(project, capsys, "A", "--type", "concept")
    (project / ".autology/nodes/issues/broken.md").write_text("no node", encoding="utf-8")
    assert autology("status", project=project) == 0
    output = capsys.readouterr().out
    assert "1 note\n" in output
    assert ".autology/nodes/issues/broken.md: has no frontmatter" in output
    answer = run_json(capsys, "status", project=project)
    assert (answer["total_nodes"], answer["nodes_by_type"]["concept"], len(answer["unreadable"])) == (1, 1, 1)


def test_sync_reads_what_changed_and_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = captured(project, capsys, "A", "--type", "concept")
    file = project / f".autology/nodes/concepts/{id}.md"
    file.write_text(file.read_text(encoding="utf-8").replace("Some text.", "Other text, longer."), encoding="utf-8")
    os.utime(file, (1_600_000_000, 1_600_000_000))
    assert run_json(capsys, "sync", project=project) == {
        "read": 1,
        "nodes": 1,
        "relations": 0,
        "documents": 0,
        "memories": 0,
        "unreadable": 0,
        "conversations": {"read": 0, "chunks": 0, "unread": []},
    }
    autology("sync", project=project)
    assert "up to date" in capsys.readouterr().out
    assert (project / ".autology/graph/index.json").exists()


def test_reading_commands_make_nothing(project: Path) -> None:
    for command in (["status"], ["query", "x"], ["restore"], ["sync"], ["doctor"]):
        autology(*command, project=project)
    assert list(project.iterdir()) == []


def test_a_list_without_a_question_scores_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = captured(project, capsys, "Kept")
    for words, ending in (((), id[:8]), (("kept",), "1.00")):
        assert autology("query", *words, project=project) == 0
        assert capsys.readouterr().out.split("\n")[0].endswith(ending)


def test_as_many_decisions_wait_for_review_as_the_import_said(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, status in enumerate(("Accepted", "Superseded", "Rejected", "Deprecated", "Proposed")):
        text = f"# {number}. Decision {number}\n\n## Status\n\n{status}\n\n## Decision\n\nUse {number}.\n"
        records(project / "adr", {f"000{number}-decision-{number}.md": text})
    autology("import", "adr", str(project / "adr"), project=project)
    output = capsys.readouterr().out
    waiting = run_json(capsys, "status", project=project)["nodes_by_status"]["needs_review"]
    assert waiting > 1
    assert f"{waiting} of them lack a section and need review" in output


def test_records_in_utf_16_are_brought_in(project: Path) -> None:
    text = "# 1. Café\n\n## Status\n\nAccepted\n\n## Decision\n\nDrink coffee.\n"
    (project / "adr").mkdir()
    (project / "adr" / "0001-cafe.md").write_bytes(text.encode("utf-16"))
    assert autology("import", "adr", str(project / "adr"), project=project) == 0
    (node,) = (project / ".autology/nodes/decisions").glob("*.md")
    assert "Drink coffee." in node.read_text(encoding="utf-8")
    assert "title: Café" in node.read_text(encoding="utf-8")
    assert autology("import", "adr", str(project / "adr"), project=project) == 0
    assert len(list((project / ".autology/nodes/decisions").glob("*.md"))) == 1


def test_import_says_what_it_does_and_what_it_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = records(project / "adr")
    (folder / "0009-latin.md").write_bytes(b"# caf\xe9\n")
    assert autology("import", "adr", str(folder), "--dry-run", project=project) == 1
    output = capsys.readouterr().out
    assert "4 files become notes" in output
    assert "adr/0009-latin.md: is not UTF-8" in output
    assert "adr/0002-send-mail-through-a-queue.md: 文書" in output
    assert "Dry run: nothing was written" in output
    assert not (project / ".autology").exists()
    (folder / "0009-latin.md").unlink()
    assert autology("import", "adr", str(folder), project=project) == 0
    assert "✓ 4 notes added." in capsys.readouterr().out
    answer = run_json(capsys, "import", "adr", str(folder), project=project)
    assert answer["done"] == {"added": 0, "edited": 0, "older_relations": 0}


def test_a_folder_without_records_is_no_import(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "empty").mkdir()
    for name in ("empty", "nowhere"):
        assert autology("import", "adr", str(project / name), project=project) == 1
    assert not (project / ".autology").exists()


def test_details_are_those_that_can_be_rendered() -> None:
    assert tuple(nodes.CONTENT) == query.DETAILS


# ---- excerpts ------------------------------------------------------------------------------------


def test_an_excerpt_is_where_most_words_stand_together() -> None:
    text = "alpha " + "x " * 300 + "alpha beta gamma " + "y " * 300 + "beta"
    assert "alpha beta gamma" in snippets.excerpt(text, "alpha beta gamma", 80)
    assert len(snippets.excerpt(text, "alpha beta gamma", 80)) <= 82
    assert snippets.excerpt("short", "x", 80) == "short"
    assert snippets.excerpt("a" * 500, "x", 80) == "a" * 80 + "…"


def test_words_are_marked_in_their_forms_and_without_accents() -> None:
    def mark(word: str) -> str:
        return f"<{word}>"

    assert snippets.marked("Caching caches cached cat", "cache", mark) == "<Caching> <caches> <cached> cat"
    assert snippets.marked("Über the getUserName", "uber username", mark) == "<Über> the getUserName"
    assert snippets.marked("getUserName", "user", mark) == "<getUserName>"


# ---- what people are told ------------------------------------------------------------------------


def test_deleting_without_a_terminal_needs_yes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = captured(project, capsys, "A", "--type", "concept")
    done = process("delete", id, project=project)
    assert (done.returncode, b"--yes" in done.stderr) == (1, True)
    assert run_json(capsys, "show", id, project=project)["node"]["id"] == id


def test_capture_says_what_it_replaced(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = captured(project, capsys, "Mail at once", "--type", "concept")
    autology("capture", "--title", "New", "--content", "x", "--type", "concept", "--supersedes", old, project=project)
    assert f"Superseded: Mail at once ({old[:8]})" in capsys.readouterr().out


def test_a_text_that_tells_no_type_is_said_to_tell_none(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    autology("capture", "--title", "Zzz", "--content", "Qqq.", project=project)
    output = capsys.readouterr().out
    assert "The text does not indicate a type: saved as concept" in output
    assert "0.00" not in output


def test_what_init_adopts_is_not_imported_as_well(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(project / "docs" / "adr")
    (project / "docs/adr/0009-odd.md").write_bytes(b"caf\xe9")
    assert autology("init", "--yes", project=project) == 0
    assert "4 records adopted" in capsys.readouterr().out
    assert autology("import", "adr", str(project / "docs/adr"), project=project) == 1
    output = capsys.readouterr().out
    assert "is adopted where it lies" in output
    assert "Nothing was imported" in output


def test_counts_of_one_are_singular(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(project / "adr", {"0001-x.md": "# 1. X\n\n## Decision\n\nYes.\n"})
    assert autology("import", "adr", str(project / "adr"), project=project) == 0
    output = capsys.readouterr().out
    assert "1 file becomes a note:" in output
    assert "✓ 1 note added." in output


def test_a_note_is_found_by_its_path_too_and_a_short_id_is_said_to_be_short(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = captured(project, capsys, "A", "--type", "concept")
    for path in (f".autology/nodes/concepts/{id}.md", str(project / f".autology/nodes/concepts/{id}.md")):
        assert run_json(capsys, "show", path, project=project)["node"]["id"] == id
    assert autology("show", id[:6], project=project) == 1
    assert "Give at least 8 characters" in capsys.readouterr().err


def test_a_note_in_the_trash_is_said_to_be_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = captured(project, capsys, "A", "--type", "concept")
    autology("delete", id, "--yes", project=project)
    for command in (["show", id[:8]], ["update", id, "--title", "B"]):
        assert autology(*command, project=project) == 1
        assert f"`autology restore {id}`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--tags", "nowhere"], "No note has the tag nowhere. Existing tags: storage."),
        (["--references", "index.py"], "Paths are relative to the project's root"),
        (["zzzz"], "Try a different word."),
        (["zzzz", "yyyy"], "Try fewer or different words."),
    ],
)
def test_a_query_without_results_suggests_what_may_find_some(
    project: Path, capsys: pytest.CaptureFixture[str], asked: list[str], said: str
) -> None:
    captured(project, capsys, "A", "--type", "concept", "--tags", "storage", "--references", "src/index.py")
    assert autology("query", *asked, project=project) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", ["relate x uses y", "unrelate x uses y", "update x --title t", "restore 0123456789"]
)
def test_a_failing_command_creates_no_project_folder(project: Path, command: str) -> None:
    assert autology(*command.split(), project=project) == 1
    assert not (project / ".autology").exists()


def test_the_path_of_a_node_in_another_clone_names_no_node_of_this_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, clone = tmp_path / "here", tmp_path / "clone"
    here.mkdir()
    id = captured(here, capsys, "Use SQLite", "--type", "concept")
    shutil.copytree(here, clone)
    path = f".autology/nodes/concepts/{id}.md"
    for command in ("delete", "show"):
        code, _, problem = run(capsys, command, str(clone / path), project=here)
        assert code == 1
        assert "found" in problem
    assert (here / path).exists()
    (here / "src").mkdir()
    monkeypatch.chdir(here / "src")
    for own in (path, f"./{path}", str(here / path), f"../{path}"):
        assert run(capsys, "show", own, project=here)[0] == 0


def run(capsys: pytest.CaptureFixture[str], *arguments: str, project: Path) -> tuple[int, str, str]:
    """How a command ended, and what it wrote."""
    code = autology(*arguments, project=project)
    output = capsys.readouterr()
    return code, output.out, output.err


def test_a_folder_to_import_is_one_where_the_user_stands_and_not_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    records(project / "docs", {"0001-keep-orders-in-postgresql.md": NYGARD})
    records(tmp_path / "here" / "adr", {"0002-send-mail-through-a-queue.md": MADR})
    monkeypatch.chdir(tmp_path / "here")
    assert autology("import", "adr", "adr", project=project) == 0
    assert "1 note added" in capsys.readouterr().out
    assert autology("import", "adr", "docs", project=project) == 1
    output = capsys.readouterr().err
    assert f"no such folder in {tmp_path / 'here'}" in output
    assert f"Did you mean {project / 'docs'}?" in output
