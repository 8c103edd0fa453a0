"""Relations that only an older version's index holds come into their nodes once, and are never lost before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from autology.core.importing import older_index_relations
from autology.core.nodes import graph_index_file
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.relate import unrelate
from autology.model.node import NodeStatus
from autology.wire.project import Project

INDEX = ".autology/graph/index.json"
ASIDE = ".autology/graph/index.older.json"


def older_project(root: Path, relations: Sequence[tuple[int, str, int]], lost: int = 0) -> list[str]:
    """Make a project of three nodes whose relations only an older index holds; return the nodes' ids."""
    graph = Project(str(root)).graph
    ids = [capture(graph, Material(f"Note number {n}", f"Text {n * 7}.", type="concept")).node.id for n in range(3)]
    entries = [{"source": ids[s], "target": ids[t], "type": kind, "confidence": 0.7} for s, kind, t in relations]
    entries += [{"source": ids[0], "target": "00000000-0000-4000-8000-000000000000", "type": "uses"}] * lost
    index = {"version": "1.0", "lastUpdated": "2026-02-08T12:00:00Z", "relations": entries}
    (root / INDEX).parent.mkdir(exist_ok=True)
    (root / INDEX).write_text(json.dumps(index, indent=2), encoding="utf-8")
    return ids


def test_relations_of_an_older_index_come_into_their_nodes_once(tmp_path: Path) -> None:
    ids = older_project(tmp_path, [(0, "uses", 1), (2, "supersedes", 1)])
    graph = Project(str(tmp_path)).graph
    waiting = older_index_relations.waiting(graph)
    assert {(e.source, e.type, e.target) for e in waiting.relations} == {
        (ids[0], "uses", ids[1]),
        (ids[2], "supersedes", ids[1]),
    }
    assert older_index_relations.bring_in(graph, waiting).count == 2
    (relation,) = graph.stored(graph.source(ids[0])).entry.relations
    assert (relation.target, relation.confidence) == (ids[1], 0.7)
    assert graph.stored(graph.source(ids[1])).entry.status is NodeStatus.SUPERSEDED
    assert not (tmp_path / ASIDE).exists()

    unrelate(graph, ids[0], ids[1], "uses")
    assert not older_index_relations.waiting(Project(str(tmp_path)).graph).relations


def test_capturing_before_the_migration_loses_no_legacy_relations(tmp_path: Path) -> None:
    ids = older_project(tmp_path, [(0, "uses", 1)])
    graph = Project(str(tmp_path)).graph
    capture(graph, Material("Another", "Replaces a note.", type="concept", supersedes=(ids[2],)))
    assert ids[2] in (tmp_path / INDEX).read_text(encoding="utf-8")
    waiting = older_index_relations.waiting(Project(str(tmp_path)).graph)
    assert [(e.source, e.target) for e in waiting.relations] == [(ids[0], ids[1])]


def test_a_relation_to_a_node_that_is_not_there_is_counted_and_kept_aside(tmp_path: Path) -> None:
    older_project(tmp_path, [(0, "uses", 1)], lost=1)
    graph = Project(str(tmp_path)).graph
    waiting = older_index_relations.waiting(graph)
    assert (len(waiting.relations), len(waiting.without_ends)) == (1, 1)
    older_index_relations.bring_in(graph, waiting)
    assert (tmp_path / ASIDE).exists()
    assert not older_index_relations.waiting(graph).relations


def test_a_relation_that_cannot_be_is_named(tmp_path: Path) -> None:
    older_project(tmp_path, [(0, "loves", 1), (0, "uses", 0), (1, "uses", 2)])
    graph = Project(str(tmp_path)).graph
    done = older_index_relations.bring_in(graph, older_index_relations.waiting(graph))
    assert (done.count, len(done.refused)) == (1, 2)


def test_our_own_list_of_relations_is_never_read_as_truth(tmp_path: Path) -> None:
    ids = older_project(tmp_path, [])
    graph = Project(str(tmp_path)).graph
    graph_index_file.write(graph)
    line = json.dumps({"source": ids[0], "target": ids[1], "type": "uses", "confidence": 0.8})
    stale = graph_index_file.render(line, "2026-01-01T00:00:00Z")
    (tmp_path / INDEX).write_bytes(stale)
    assert not older_index_relations.waiting(graph).relations


def test_a_legacy_index_that_is_not_json_is_ignored(tmp_path: Path) -> None:
    older_project(tmp_path, [])
    for text in ("{", "[]", '{"relations": [1, {"source": 2}]}', '{"relations": {"a": 1}}'):
        (tmp_path / INDEX).write_text(text, encoding="utf-8")
        assert not older_index_relations.waiting(Project(str(tmp_path)).graph).relations
