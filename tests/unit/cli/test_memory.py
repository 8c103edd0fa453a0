"""``autology memory`` and ``autology audit`` as people and programs use them: words, JSON, exit codes, completion."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from autology.cli import commands, main
from autology.model.memory import Kind
from autology.text.language.timestamps import stamp
from tests.fakes.remembered import NOW, a_memory, write
from tests.unit.cli_kit import autology, process, run_json

FACT = "The cache holds 40 entries."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".autology").mkdir(parents=True)
    return made


def stored(capsys: pytest.CaptureFixture[str], project: Path, *arguments: str) -> str:
    """Store one item and return its id."""
    answer = run_json(capsys, "memory", "store", *arguments, project=project)
    assert answer["success"], answer
    id: str = answer["stored_items"][0]["id"]
    return id


@pytest.mark.parametrize("part", commands.actions("memory"), ids=lambda part: str(part.name))
def test_every_part_has_help_with_an_example_and_its_json(
    part: commands.Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*part.name.split(), "--help"]) == 0
    output = capsys.readouterr().out
    assert f"autology {part.name}" in output.split("examples:")[1]
    assert "with --json:" in output
    assert "--project DIR" in output


def test_an_item_is_stored_found_shown_changed_deleted_and_brought_back(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (
        "--kind",
        "observation",
        "--tags",
        "cache",
        "size",
        "--data",
        '{"entity_id": "c", "observation": "40"}',
    )
    id = stored(capsys, project, FACT, *arguments, "--metadata", '{"by": "Ada"}', "--lifetime", "permanent")
    result = run_json(capsys, "memory", "find", "cache", project=project)
    assert [item["id"] for item in result["items"]] == [id]
    shown = run_json(capsys, "memory", "show", id[:8], project=project)["memory"]
    assert (shown["content"], shown["tags"], shown["metadata"]) == (FACT, ["cache", "size"], {"by": "Ada"})
    assert (shown["data"], shown["expires_at"]) == ({"entity_id": "c", "observation": "40"}, None)
    changed = run_json(capsys, "memory", "store", "--id", id, "The cache holds 50 entries.", project=project)
    assert changed["stored_items"][0]["status"] == "updated"
    capsys.readouterr()
    assert autology("memory", "show", id, project=project) == 0
    output = capsys.readouterr().out
    assert "The cache holds 50 entries." in output
    assert "expires   never" in output
    assert autology("memory", "show", id, "--raw", project=project) == 0
    assert capsys.readouterr().out.startswith("---\nid: ")
    assert autology("memory", "store", "--delete", id, project=project) == 0
    assert f"`autology restore {id}` restores it." in capsys.readouterr().out
    assert autology("memory", "show", id, project=project) == 1
    assert autology("restore", id, project=project) == 0
    assert autology("show", id, project=project) == 0


def test_many_items_come_from_a_file_or_a_pipe_and_one_bad_item_stops_no_other(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [{"kind": "todo", "content": "Rotate keys."}, {"kind": "wish", "content": "x"}]
    file = project / "items.json"
    file.write_text(json.dumps({"items": items}), encoding="utf-8")
    assert autology("memory", "store", "--items", str(file), project=project) == 1
    output = capsys.readouterr().out
    assert "✓ Stored: todo " in output
    assert "✗ item 1: VALIDATION_ERROR: kind: 'wish' is not a kind" in output
    assert "2 items: stored 1, validation_error 1." in output
    piped = process("memory", "store", "--items", "-", "--json", project=project, stdin=json.dumps(items[:1]).encode())
    assert piped.returncode == 0
    assert json.loads(piped.stdout)["summary"]["skipped_dedupe"] == 1


def test_a_text_is_piped_in_and_a_scope_and_a_key_are_given(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("memory", "store", "--kind", "runbook", "--scope", "org=acme", "--key", "k1", "--json")
    for status in ("stored", "skipped_dedupe"):
        piped = process(*command, project=project, stdin=b"Restart it.\n")
        assert json.loads(piped.stdout)["stored_items"][0]["status"] == status
    assert run_json(capsys, "memory", "find", "restart", "--scope", "org=other", project=project)["total"] == 0
    result = run_json(capsys, "memory", "find", "restart", "--scope", "org=acme", "--type", "runbook", project=project)
    assert result["items"][0]["scope"] == {"org": "acme"}


@pytest.mark.parametrize("content", ["[1, 2]", '{"kind": "observation", "content": "x"}', "[]", "7"])
def test_a_file_that_holds_no_items_is_met_with_how_they_are_written(
    content: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / "items.json"
    file.write_text(content, encoding="utf-8")
    assert autology("memory", "store", "--items", str(file), project=project) == 2
    output = capsys.readouterr().err
    assert "--items: invalid input: items" in output
    assert output.rstrip().endswith('Give an array, as [{"kind": "observation", "content": "…"}].')


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["forget"], ["find"], ["store", "--kind", "wish", "x"], ["store", "--data", "{", "--kind", "todo", "x"]),
        *(["store", "--data", "[1]", "--kind", "todo", "x"], ["store", "--items", "-", "--kind", "todo"]),
        *(["store", "--delete", "x", "--kind", "todo"], ["find", "x", "--scope", "team=a"], ["find", " "]),
        *(["find", "x", "--mode", "odd"], ["show"], ["purge", "now"], ["find", "x", "--limit", "1000"]),
        *(["find", "x", "--expand", "relations"], ["store", "x"]),
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert autology("memory", *arguments, project=project) == 2


def test_a_refusal_ends_with_1_and_what_to_do(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["show", "nothing-of-this"], "memory not found: nothing-of-this."),
        (["find", "x", "--project", "no/such"], "no such folder"),
        (["store", "--kind", "incident", "--data", '{"title": "t", "severity": "critical"}', "x"], "data."),
        (["store", "--delete", "nothing"], "names no stored item"),
    ):
        capsys.readouterr()
        assert autology("memory", *arguments, project=project) == 1, arguments
        output = capsys.readouterr()
        assert message in output.out + output.err
    capsys.readouterr()
    assert autology("memory", "show", "nothing-of-this", "--json", project=project) == 1
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "MemoryNotFoundError"


def test_options_may_stand_before_the_part(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "memory", "--project", str(project), "find", "x"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0


def test_memory_find_prints_kind_scope_matches_and_the_number_of_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(4):
        stored(capsys, project, f"The cache of shard {number}{number} holds entries.", "--kind", "observation")
    capsys.readouterr()
    assert autology("memory", "find", "cache", "--limit", "2", project=project) == 0
    output = capsys.readouterr().out
    assert "*cache*" in output
    assert "observation · " in output
    assert "More results: --offset 2" in output
    assert autology("memory", "find", "zebra", "--mode", "fast", project=project) == 0
    assert "Nothing found." in capsys.readouterr().out


def test_text_of_items_cannot_act_on_a_terminal(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "red \x1b[31mtext\x1b]0;title\x07 and \u202ereversed\u202c"
    write(project, a_memory("hostile", days=-1, content=hostile, tags=(hostile,), expires_at=stamp(NOW)))
    autology("memory", "store", "--kind", "observation", hostile, project=project)
    for command in (["memory", "find", "red", "--include-expired"], ["memory", "show", "hostile"], ["memory", "purge"]):
        autology(*command, project=project)
    autology("memory", "find", hostile, project=project)
    autology("audit", project=project)
    output = capsys.readouterr()
    assert "red" in output.out
    assert not {"\x1b", "\x07", "\u202e"} & set(output.out + output.err)


def test_an_empty_audit_is_a_result_and_one_that_is_off_says_so(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert autology("audit", project=project) == 0
    assert capsys.readouterr().out.startswith("The audit log is empty. The first `autology memory store`")
    assert autology("audit", "--summary", project=project) == 0
    monkeypatch.setenv("AUTOLOGY_AUDIT", "off")
    autology("audit", project=project)
    assert "Auditing is off" in capsys.readouterr().out
    monkeypatch.delenv("AUTOLOGY_AUDIT")
    autology("memory", "store", "--kind", "todo", "Rotate the keys.", project=project)
    capsys.readouterr()
    assert autology("audit", "--event", "purge", project=project) == 0
    assert capsys.readouterr().out.startswith("No entry matches --event; `autology audit --summary`")


def test_the_audit_tells_the_last_first_and_that_there_is_more(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for word in ("one", "two"):
        autology("memory", "find", word, project=project)
    capsys.readouterr()
    autology("audit", "--limit", "2", project=project)
    output = capsys.readouterr().out
    assert output.index("memory_find_complete") < output.index("memory_find_start")
    assert "query=two" in output
    assert "query=one" not in output
    assert "More entries: --limit 4" in output
    everything = run_json(capsys, "audit", "--limit", "0", project=project)
    assert (len(everything["entries"]), everything["more"]) == (4, False)
    assert run_json(capsys, "audit", "--id", everything["entries"][0]["query_id"], project=project)["entries"][1:] == [
        everything["entries"][1]
    ]


def test_memory_status_prints_each_view_and_exits_with_1_on_a_fault(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(capsys, project, FACT, "--kind", "observation", "--scope", "org=acme")
    assert autology("memory", "status", project=project) == 0
    assert "storage    ok    memories can be read and written" in capsys.readouterr().out
    assert autology("memory", "status", "stats", project=project) == 0
    assert "scope=org:acme items=1" in capsys.readouterr().out
    for operation in ("health", "stats", "purge_preview", "audit_summary"):
        view = run_json(capsys, "memory", "status", operation, project=project)
        assert (view["success"], view["operation"]) == (True, operation)
    assert run_json(capsys, "memory", "status", "audit_summary", project=project)["events"]["create"] == 1
    file = write(project, a_memory("broken"))
    file.write_bytes(b"no frontmatter")
    capsys.readouterr()
    assert autology("memory", "status", project=project) == 1
    assert "`autology doctor` names each" in capsys.readouterr().out
    assert autology("memory", "status", "odd", project=project) == 2


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_parts_their_options_and_values(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "bash"])
    script = capsys.readouterr().out

    def completed(*words: str) -> set[str]:
        line = f"{script}\nCOMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _autology\n"
        done = subprocess.run(
            ["bash", "-c", line + 'printf "%s\\n" "${COMPREPLY[@]}"'], cwd=project, capture_output=True, text=True
        )
        return set(done.stdout.split())

    assert {part.name.split()[1] for part in commands.actions("memory")} <= completed("autology", "memory", "''")
    assert {"--kind", "--scope", "--expand", "--yes"} <= completed("autology", "memory", "store", "--")
    assert completed("autology", "memory", "store", "--kind", "''") == set(Kind)
    assert {"fast", "hybrid"} <= completed("autology", "memory", "find", "--mode", "''")
    assert {"--since", "--summary"} <= completed("autology", "audit", "--")
