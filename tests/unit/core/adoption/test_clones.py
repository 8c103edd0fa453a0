"""Clones that adopt and relate apart have the same ids, and merge without losing anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autology.core.nodes.relate import relate
from autology.core.nodes.update import Fields, update
from autology.vcs.merge_driver import GitMergeDriver
from tests.plugin.fronts import command, environment
from tests.unit.adoption_kit import node_at, opened, write
from tests.unit.cli_kit import autology, git, repository

FIRST, SECOND, THIRD = (
    "docs/adr/0001-keep-orders-in-postgresql.md",
    "docs/adr/0002-send-mail-through-a-queue.md",
    "docs/adr/0003-cache-prices-in-memory.md",
)


def test_two_clones_adopt_relate_apart_and_merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    write(one, "nygard")
    repository(one)
    subprocess.run(["git", "clone", "-q", str(one), str(other)], check=True, capture_output=True)
    ids = []
    for clone, target, tag in ((one, SECOND, "storage"), (other, THIRD, "orders")):
        assert autology("init", "--yes", project=clone) == 0
        GitMergeDriver(str(clone)).register(command())
        graph = opened(clone)
        first = node_at(graph, FIRST)
        update(graph, first.id, Fields(tags=(tag,)))
        relate(graph, first.id, node_at(graph, target).id, "uses")
        git(clone, "add", "-A")
        git(clone, "commit", "-qm", "relate")
        ids.append(first.id)
    assert ids[0] == ids[1]
    git(other, "pull", "-q", "--no-rebase", "--no-edit", str(one), "HEAD")
    merged = node_at(opened(other), FIRST)
    assert set(merged.tags) == {"storage", "orders"}
    assert len([r for r in merged.relations if not r.is_derived]) == 2
    assert opened(other).index.counts().nodes == {"decision": 5}
    assert opened(other).index.faults() == []
