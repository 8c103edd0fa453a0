"""Whole collections of decision records: the tests' own, and what is asked of any collection."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from autology.core.importing import apply as applying
from autology.core.importing import record_matching, record_node, record_plan
from autology.core.importing.import_plan import ImportPlan
from autology.core.nodes.status import status
from autology.model.node import NodeStatus, RelationType
from autology.text.adr.record import Record, original, parse
from autology.text.adr.resolve import resolve
from autology.wire.project import Project
from tests.unit.cli_kit import repository

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
COLLECTIONS = FIXTURES / "records"
VAULT = FIXTURES / "vault"


def read(root: Path) -> dict[str, tuple[str, Record]]:
    """Return each markdown file below *root* by its path from there: its text, and the record parsed from it."""
    files = {file.relative_to(root).as_posix(): file.read_bytes().decode() for file in sorted(root.rglob("*.md"))}
    return {path: (text, parse(text, path)) for path, text in files.items()}


def collection(files: Mapping[str, tuple[str, Record]], name: str) -> dict[str, Record]:
    """Return what was parsed from the files in the folder *name*, by path."""
    return {path: record for path, (_, record) in files.items() if path.startswith(name + "/")}


def assert_rebuilt(files: Mapping[str, tuple[str, Record]]) -> None:
    """Assert that every file's text can be put together again, and that its title fits."""
    assert files
    for path, (text, record) in files.items():
        assert original(record.frontmatter, record.lead, record.content) == text, path
        assert 1 <= len(record.title) <= 100, path


def links(documents: Mapping[str, Record]) -> list[tuple[str, str, str]]:
    """Return the links from record to record among *documents*: the path, the kind, the path it leads to."""
    records = {path: record for path, record in documents.items() if record.is_record}
    return [
        (path, link.kind, target)
        for path, record in records.items()
        for link in record.links
        if (target := resolve(link, path, records))
    ]


def supersessions(documents: Mapping[str, Record]) -> set[tuple[str, str]]:
    """Return the (newer, older) pairs among *documents*, by the four digits that their files begin with."""
    pairs = set()
    for path, kind, other in links(documents):
        if kind in ("supersedes", "superseded_by"):
            newer, older = (path, other) if kind == "supersedes" else (other, path)
            pairs.add((Path(newer).name[:4], Path(older).name[:4]))
    return pairs


def assert_imported(project: Path, source: Path, files: int, decisions: int, superseded: int) -> None:
    """Import a copy of *source* into *project*; assert that all came in, once, and can be rebuilt to the byte."""
    folder = project / "docs" / "adr"
    shutil.copytree(source, folder)
    root = str(repository(project))
    graph = Project(root).graph

    def plan() -> ImportPlan:
        return record_plan.plan(graph, Project(root).history, Project(root).originals, [str(folder)])

    first = plan()
    assert not first.refused
    assert (len(first.additions), sum(addition.is_record for addition in first.additions)) == (files, decisions)
    applying.apply(graph, first)
    assert not plan()

    counts = status(graph)
    assert (counts.total_nodes, counts.dangling, counts.unreadable) == (files, 0, ())
    assert counts.relations_by_type[RelationType.SUPERSEDES] == first.supersessions == superseded
    assert counts.nodes_by_status[NodeStatus.SUPERSEDED] >= superseded
    imported = record_matching.imported(graph)
    assert len(imported) == files
    for path, stored in imported.items():
        assert record_node.text_of(stored.entry).encode() == (project / path).read_bytes(), path
