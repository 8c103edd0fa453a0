"""The graph written for other tools: everything is in it, the same each time, and other readers read it back."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx
import pytest

from autology.core.nodes.export import FORMATS
from tests.unit.cli_kit import autology, process, run_json

HARD = 'Say "no" <to> & [all] #1; `x` \\ é \u0007'
SEEN = HARD.replace("\u0007", "")
"""What is left of it: a control character is nothing that another tool is to be shown."""
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    first = run_json(
        capsys, "capture", "--title", HARD[:-2], "--content", f"One.\n\n{HARD}\r\nkey: x", project=tmp_path
    )
    second = run_json(capsys, "capture", "--title", "Other", "--content", "Two", "--type", "issue", project=tmp_path)
    autology("update", second["id"], "--tags", "a,b", project=tmp_path)
    autology("relate", first["id"], "uses", second["id"], "--description", 'for "it" <&>', project=tmp_path)
    autology("relate", first["id"], "affects", second["id"], project=tmp_path)
    path = tmp_path / second["path"]
    lost = "relations:\n  - type: uses\n    target: no-such-node\nowner: [Ada, 'Bo']\n---\n"
    path.write_text(path.read_text(encoding="utf-8").replace("---\n\n#", f"{lost}\n#"), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text("# Guide\n\nSee [[other]].\n", encoding="utf-8")
    (tmp_path / "docs" / "other.md").write_text("# Other guide\n", encoding="utf-8")
    capsys.readouterr()
    return tmp_path


def exported(project: Path, capsys: pytest.CaptureFixture[str], form: str, *options: str) -> str:
    answer: Any = run_json(capsys, "export", "--format", form, *options, project=project)
    return str(answer["text"])


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_graph_is_the_same_text_and_goes_to_a_file(
    project: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    text = exported(project, capsys, form)
    assert text == exported(project, capsys, form)
    assert autology("export", "--format", form, "--out", str(project / "out"), project=project) == 0
    assert (project / "out").read_bytes().decode() == text
    assert "3 relations" in capsys.readouterr().out


def test_json_holds_every_field_and_what_relations_lead_to(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told_ = json.loads(exported(project, capsys, "json"))
    by_title = {node["title"]: node for node in told_["nodes"]}
    assert set(by_title) == {HARD[:-2], "Other", "no-such-node"}
    assert by_title["no-such-node"]["type"] == "missing"
    assert by_title["Other"]["extra"]["owner"] == ["Ada", "Bo"]
    assert by_title["Other"]["tags"] == ["a", "b"]
    assert SEEN in by_title[HARD[:-2]]["content"]
    assert len(told_["relations"]) == 3


def test_networkx_reads_graphml_back_with_nothing_lost(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(exported(project, capsys, "json"))
    graph = networkx.parse_graphml(exported(project, capsys, "graphml"), force_multigraph=True)
    assert set(graph.nodes) == {node["id"] for node in whole["nodes"]}
    for node in whole["nodes"]:
        assert graph.nodes[node["id"]]["title"] == node["title"]
        if "content" in node:
            assert graph.nodes[node["id"]]["content"] == node["content"].replace("\u0007", "\ufffd")
            assert graph.nodes[node["id"]]["confidence"] == node["confidence"]
    edges = {(a, b, d["type"], d.get("description", ""), d["confidence"]) for a, b, d in graph.edges(data=True)}
    keys = ("source", "target", "type", "description", "confidence")
    assert edges == {tuple(edge[key] for key in keys) for edge in whole["relations"]}


def test_networkx_reads_cytoscapes_json_back_with_nothing_lost(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = json.loads(exported(project, capsys, "json"))
    graph = networkx.cytoscape_graph(json.loads(exported(project, capsys, "cytoscape")))
    assert graph.is_directed()
    for node in whole["nodes"]:
        read = graph.nodes[node["id"]]
        assert {key: read[key] for key in node if key in read} == {key: node[key] for key in node if key in read}
        assert all(not node[key] for key in node if key not in read)
    edges = {(a, b, d["type"], d["confidence"]) for a, b, d in graph.edges(data=True)}
    assert edges == {(e["source"], e["target"], e["type"], e["confidence"]) for e in whole["relations"]}


def test_csv_is_one_table_of_nodes_and_relations(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(project, capsys, "csv"), newline="")))
    assert [row["kind"] for row in rows].count("node") == 3
    relations = [row for row in rows if row["kind"] == "relation"]
    assert {(row["type"], row["description"]) for row in relations} >= {("uses", 'for "it" <&>'), ("affects", "")}
    assert SEEN in next(row["content"] for row in rows if row["title"] == HARD[:-2])


def test_dot_and_mermaid_quote_whatever_a_title_holds(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dot = exported(project, capsys, "dot")
    assert 'label="Say \\"no\\" <to> & [all] #1; `x` \\\\ é' in dot
    mermaid = exported(project, capsys, "mermaid").splitlines()
    assert mermaid[0] == "flowchart LR"
    assert any("Say #quot;no#quot; #lt;to#gt; & [all] #35;1; #96;x#96; #92; é" in line for line in mermaid)
    assert sum("-->|" in line for line in mermaid) == 3


def test_documents_and_their_links_come_along_when_asked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(exported(project, capsys, "json"))
    every = json.loads(exported(project, capsys, "json", "--all"))
    documents = [node for node in every["nodes"] if node["type"] == "document"]
    assert {node["title"] for node in documents} == {"Guide", "Other guide"}
    assert not [node for node in plain["nodes"] if node["type"] == "document"]
    ids = {node["title"]: node["id"] for node in documents}
    assert (ids["Guide"], ids["Other guide"]) in {(e["source"], e["target"]) for e in every["relations"]}


@pytest.mark.parametrize("form", FORMATS)
def test_secrets_are_left_out_and_said(project: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    (file,) = (project / ".autology/nodes/issues").glob("*.md")
    file.write_text(file.read_text(encoding="utf-8").replace("Two", f"Two {SECRET}"), encoding="utf-8")
    answer = run_json(capsys, "export", "--format", form, project=project)
    assert SECRET not in answer["text"]
    assert answer["secrets"]


def test_an_empty_project_is_an_empty_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form in FORMATS:
        text = exported(tmp_path, capsys, form)
        if form == "graphml":
            assert ElementTree.fromstring(text).find("{*}graph") is not None
    assert not (tmp_path / ".autology").exists()


def test_an_output_file_that_exists_is_left_alone_unless_it_is_forced(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = project / "out"
    for command in (("export", "--format", "json", "--out"), ("graph", "--html")):
        out.write_bytes(b"mine")
        assert autology(*command, str(out), project=project) == 1
        assert "exists. Give another file, or pass --force to overwrite it." in capsys.readouterr().err
        assert out.read_bytes() == b"mine"
        assert autology(*command, str(out), "--force", project=project) == 0
        assert out.read_bytes() != b"mine"
        lost = project / "lost"
        lost.unlink(missing_ok=True)
        lost.symlink_to(project / "elsewhere")
        assert autology(*command, str(lost), project=project) == 1
        assert not (project / "elsewhere").exists()
        assert autology(*command, os.devnull, project=project) == 0


def test_a_dash_is_standard_output(project: Path) -> None:
    for command in (("export", "--format", "csv", "--out"), ("graph", "--html")):
        done = process(*command, "-", project=project)
        assert done.returncode == 0
        assert done.stdout.startswith((b"kind,", b"<!"))
    assert not (project / "-").exists()


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_no_cell_of_a_table_is_calculated(tmp_path: Path, capsys: pytest.CaptureFixture[str], sign: str) -> None:
    requests = ("capture", "--type", "concept", f"--title={sign}1+1|cmd", f"--content={sign}HYPERLINK()")
    one = run_json(capsys, *requests, project=tmp_path)["id"]
    two = run_json(capsys, "capture", "--type", "concept", "--title", "Two", "--content", "x", project=tmp_path)["id"]
    requests = ("relate", one, "affects", two, f"--description={sign}SUM(A1)")
    assert autology(*requests, project=tmp_path) == 0
    capsys.readouterr()
    rows = list(csv.reader(io.StringIO(exported(tmp_path, capsys, "csv"), newline="")))
    assert len(rows) == 4
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n＝＋－＠")]
    assert any("HYPERLINK" in cell for cell in cells)
    assert any("SUM(A1)" in cell for cell in cells)


@pytest.mark.parametrize("form", FORMATS)
def test_invisible_characters_are_left_out_of_exports(
    project: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    run_json(capsys, "capture", "--title", "Third\u202e", "--content", f"Three{tags} \x1b[31mred", project=project)
    (project / "docs" / f"odd{tags}.md").write_text(f"# Odd{tags}\u202e\n\n[[No{tags}where\u202e]]\n", encoding="utf-8")
    text = exported(project, capsys, form, "--all")
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\\u001b" not in text
    assert not any(0xE0000 <= ord(letter) <= 0xE0FFF for letter in text)
