"""The graph on the command line: drawn, walked, divided, measured."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.unit.cli_kit import autology, run_json

HOSTILE = 'Say "hi" <b> & ]--> end \\ `x`'


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    for name, text in {
        "retries": "# Retries\n\nSee [[limits]] and [[pauses]]. #calls\n",
        "limits": "# Limits\n\nSee [[pauses]].\n",
        "pauses": "# Pauses\n",
        "alone": f"# {HOSTILE}\n\n[[missing]] [[pauses]]\n",
    }.items():
        (root / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    return root


def test_the_neighbourhood_of_a_document_is_drawn_as_a_tree(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("graph", "limits", "--depth", "2", project=vault) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Limits (document, docs/limits.md)",
        "├─ —[CITES]→ Pauses (document, docs/pauses.md)",
        '│  └─ ←[CITES]— Say "hi" ‹b> & ]--> end \\ `x` (document, docs/alone.md)'.replace("‹b", "<b"),
        "└─ ←[CITES]— Retries (document, docs/retries.md)",
        "   └─ —[TAGGED_AS]→ #calls (tag)",
        "",
        "Also linked",
        "  Retries (document, docs/retries.md) —[CITES]→ Pauses (document, docs/pauses.md)",
    ]


def test_without_a_node_what_matters_most_is_drawn_and_what_is_left_out_is_said(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("graph", "--limit", "2", project=vault) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0].startswith("Pauses")
    assert "only 2 nodes are drawn" in shown.err
    whole = run_json(capsys, "graph", project=vault)
    assert whole["complete"]
    assert {node["id"] for node in whole["nodes"]} == {
        "#calls",
        *(f"docs/{name}.md" for name in ("retries", "limits", "pauses", "alone")),
    }
    assert {"source": "docs/retries.md", "type": "TAGGED_AS", "target": "#calls"} in whole["edges"]
    autology("graph", "--format", "json", project=vault)
    assert json.loads(capsys.readouterr().out) == whole
    assert autology("graph", "--limit", "0", project=vault) == 2
    assert "Give a number from 1 to 1000" in capsys.readouterr().err


def test_pictures_hold_every_node_and_link_and_nothing_that_acts(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = {}
    for language in ("mermaid", "dot", "svg"):
        assert autology("graph", "--format", language, project=vault) == 0
        drawn[language] = capsys.readouterr().out
        autology("graph", "--format", language, project=vault)
        assert capsys.readouterr().out == drawn[language]
    lines = drawn["mermaid"].splitlines()
    assert lines[0] == "flowchart LR"
    assert sum("-->|" in line for line in lines) == 5
    assert any("Say #34;hi#34; #60;b#62; #38; #93;--#62; end #92; #96;x#96;" in line for line in lines)
    assert '"docs/alone.md" [label="Say \\"hi\\" <b> & ]--> end \\\\ `x`"' in drawn["dot"]
    assert drawn["dot"].count(" -> ") == 5
    image = ElementTree.fromstring(drawn["svg"])
    space = "{http://www.w3.org/2000/svg}"
    assert len(image.findall(f".//{space}circle")) == 5
    assert len(image.findall(f".//{space}line")) == 5
    assert HOSTILE[:20] in "".join(image.itertext())
    assert not image.findall(f".//{space}script")


def test_a_path_is_printed_step_by_step_and_a_missing_one_exits_with_1(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("path", "alone", "#calls", project=vault) == 0
    assert [line.strip().split(" (")[0] for line in capsys.readouterr().out.splitlines()] == [
        HOSTILE, "↓ CITES", "Pauses", "↑ CITES", "Retries", "↓ TAGGED_AS", "#calls",
    ]  # fmt: skip
    assert run_json(capsys, "path", "alone", "limits", project=vault)["length"] == 2
    assert autology("path", "alone", "limits", "--max-depth", "1", project=vault) == 1
    assert "the shortest path has 2 steps, more than 1" in capsys.readouterr().out
    assert run_json(capsys, "path", "limits", "#calls", "--relation", "CITES", project=vault)["found"] is False
    assert autology("path", "alone", "nobody", project=vault) == 1
    assert "Note not found: nobody" in capsys.readouterr().err


def test_clusters_are_printed_with_their_topics(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("clusters", project=vault) == 0
    assert "members, cohesion" in capsys.readouterr().out
    result = run_json(capsys, "clusters", "--resolution", "0.2", project=vault)
    assert [cluster["size"] for cluster in result["clusters"]] == [5]
    assert result["clusters"][0]["cohesion"] == 1.0
    assert autology("clusters", "--resolution", "99", project=vault) == 2


def test_a_cluster_that_holds_tags_counts_them_apart_from_what_it_lists(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("clusters", "--resolution", "0.2", project=vault) == 0
    first, *listed = capsys.readouterr().out.splitlines()
    assert "5 members" in first
    assert sum("(document)" in line for line in listed) == 4
    assert listed[4].strip() == "… and 1 tag"


def test_graph_statistics_are_printed(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("graph", "--stats", project=vault) == 0
    shown = capsys.readouterr().out
    assert "5 nodes: document 4, tag 1" in shown
    assert "1 dangling link" in shown
    assert run_json(capsys, "graph", "--stats", project=vault)["dangling"]["count"] == 1


def test_an_empty_project_has_nothing_to_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("graph",), ("graph", "--stats"), ("clusters",), ("graph", "--format", "svg")):
        assert autology(*command, project=tmp_path) == 0
    assert "Nothing to draw yet" in capsys.readouterr().out
