"""A setting of records that cannot be used hides no record in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.analysis.analyze import analyze
from autology.core.doctor import examine
from autology.core.nodes.relate import relate
from autology.files.inspection import FolderInspection
from autology.vcs.git import Git
from tests.unit.adoption_kit import adopted, folder_of, node_at, opened, texts

FOLDER = folder_of("nygard")
CONFLICT = f"""\
<<<<<<< HEAD
records:
  - {FOLDER}
=======
records:
  - {FOLDER}
  - docs/rfcs
>>>>>>> other
"""


def decisions(root: Path) -> int:
    graph = opened(root)
    graph.catch_up()
    return graph.index.counts().nodes.get("decision", 0)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    adopted(tmp_path, "nygard")
    return tmp_path / ".autology/config.yaml"


@pytest.mark.parametrize(
    "text",
    [
        CONFLICT,
        f"records: {FOLDER}\n",
        f"records:\n  {FOLDER}: 5\n",
        f"records:\n  {FOLDER}:\n    bogus: 1\n",
        f"other: [unclosed\nrecords:\n  - {FOLDER}\n",
    ],
    ids=["conflict", "one folder", "number", "unknown field", "broken elsewhere"],
)
def test_records_stay_adopted_where_the_setting_still_names_their_folder(config: Path, text: str) -> None:
    config.write_text(text, encoding="utf-8")
    assert decisions(config.parents[1]) == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CONFLICT, "not valid YAML"),
        ("records: 5\n", "records: 5: not a folder of the project"),
        (f"records:\n  {FOLDER}:\n    bogus: 1\n", "is not a field of records"),
        ("records: [docs/nowhere]\n", "docs/nowhere: not a folder of the project"),
        ("records: [../../etc]\n", "../../etc: not a folder of the project"),
    ],
)
def test_every_answer_and_the_health_check_name_the_unusable_setting(config: Path, text: str, says: str) -> None:
    root = config.parents[1]
    graph = opened(root)
    one, two, *_ = [node_at(graph, path).id for path in sorted(texts(root)) if path.startswith(f"{FOLDER}/000")]
    relate(graph, one, two, "uses")
    config.write_text(text, encoding="utf-8")
    graph = opened(root)
    graph.catch_up()
    (note, *_) = graph.notes
    assert note.startswith(".autology/config.yaml: ")
    assert says in note
    findings = analyze(graph, Git(str(root))).findings
    assert any(finding.check == "unreadable" and says in finding.what for finding in findings)
    assert not [finding for finding in findings if finding.check == "dangling"]
    steps = [str(one.fix) for one in examine(graph, FolderInspection(str(root))).findings if one.area == "records"]
    assert not [step for step in steps if "delete the file" in step], "the record is only left out"
