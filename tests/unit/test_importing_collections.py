"""Real collections of decision records come in completely, once, and every file can be rebuilt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autology import wire
from autology.core.importing import apply as applying
from autology.core.importing import facts, known
from autology.core.importing import plan as planning
from autology.core.status import status
from autology.model.node import NodeStatus, RelationType
from tests.unit.cli_kit import CORPORA, repository

COLLECTIONS = [  # files, records, supersessions
    ("arachne-adrs", 17, 17, 0),
    ("content-publisher-adrs", 24, 16, 1),
    ("madr", 31, 19, 0),
    ("otel-oteps", 68, 68, 1),
]


@pytest.mark.parametrize(("name", "files", "decisions", "supersessions"), COLLECTIONS)
def test_a_real_collection_comes_in_completely_and_once(
    tmp_path: Path, name: str, files: int, decisions: int, supersessions: int
) -> None:
    assert CORPORA.is_dir(), f"{CORPORA} is missing: set AUTOLOGY_SHARED to the folder that holds bench/corpora"
    folder = tmp_path / "docs" / "adr"
    shutil.copytree(CORPORA / name, folder)
    root = str(repository(tmp_path))
    graph = wire.graph(root)

    def plan() -> planning.Plan:
        return planning.plan(graph, wire.history(root), wire.originals(root), [str(folder)])

    first = plan()
    assert not first.refused
    assert (len(first.additions), sum(a.is_record for a in first.additions)) == (files, decisions)
    applying.apply(graph, first)
    assert not plan()

    found = status(graph)
    assert (found.total_nodes, found.dangling, found.unreadable) == (files, 0, ())
    assert found.relations_by_type[RelationType.SUPERSEDES] == first.supersessions == supersessions
    assert found.nodes_by_status[NodeStatus.SUPERSEDED] >= supersessions
    stored = known.imported(graph)
    assert len(stored) == files
    for path, each in stored.items():
        assert facts.text_of(each.node).encode() == (tmp_path / path).read_bytes(), path
