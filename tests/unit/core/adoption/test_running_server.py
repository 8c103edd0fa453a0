"""What happens to records under a running server is in its next answer, whether or not their files are looked at."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from autology.core.documents import search
from autology.core.nodes.node_codec import NodeCodec
from autology.core.nodes.update import Fields, update
from autology.model.entry import NODE
from autology.model.node import DecisionStatus
from autology.wire.project import Project
from tests.fakes.project import a_node, an_id
from tests.unit.adoption_kit import adopted, node_at
from tests.unit.cli_kit import git

FIRST = "docs/adr/0001-keep-orders-in-postgresql.md"
SECOND = "docs/adr/0002-send-mail-through-a-queue.md"


class Server(Project):
    """A project as a server has it open."""

    lasting = True


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a collection and a second one, committed."""
    adopted(tmp_path, "nygard", "kep")
    (tmp_path / ".gitignore").write_text(".autology/cache/\n.autology/graph/\n", encoding="utf-8")
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "records")
    return tmp_path


@pytest.fixture
def server(root: Path) -> Server:
    """It, after a first answer."""
    project = Server(str(root))
    titles(project)
    return project


def titles(server: Server) -> list[str]:
    """Return the titles of all records, as the next answer has them, each file once."""
    graph = server.graph
    graph.refresh()
    assert graph.records is not None
    sources = graph.index.by_ids([graph.records.id_of(path) for path in graph.records.snapshot.records]).values()
    assert len({source.path for source in sources}) == len(sources)
    hits = search.search(server.library, "orders postgresql", 20).hits
    paths = [path for hit in hits for path in (hit.source.path, *(also.path for also in hit.also))]
    assert len(paths) == len(set(paths))
    return sorted(source.title for source in sources)


def settle() -> None:
    """Let a clock tick pass, so that an edit of the same length differs."""
    time.sleep(0.03)


@pytest.mark.parametrize("lasting", [True, False])
def test_a_project_without_records_is_not_walked_for_every_query(tmp_path: Path, lasting: bool) -> None:
    folder = tmp_path / ".autology" / "nodes" / "concepts"
    folder.mkdir(parents=True)
    (folder / f"{an_id(1)}.md").write_bytes(NodeCodec().serialise(a_node(1)))
    project = Server(str(tmp_path)) if lasting else Project(str(tmp_path))
    graph = project.graph
    graph.refresh()
    assert len(graph.index.stamps(NODE)) == 1
    graph.freshness.covered = time.monotonic() + 60
    walked = graph.freshness.walked
    graph.refresh()
    assert graph.freshness.walked == walked
    (tmp_path / ".autology" / "config.yaml").write_text("records:\n  docs/adr: {}\n", encoding="utf-8")
    graph.refresh()
    assert graph.freshness.walked > walked, "folders may be adopted at any time"


def test_where_the_system_reports_changes_no_walk_is_needed(server: Server) -> None:
    graph = server.graph
    if not graph.files.is_watched():
        pytest.skip("this system reports no changes")
    settle()
    titles(server)
    walked = graph.freshness.walked
    time.sleep(50 * graph.freshness.cost)  # a walk would be due by now
    graph.refresh()
    assert graph.freshness.walked == walked
    path = Path(server.root) / FIRST
    path.write_text(path.read_text(encoding="utf-8").replace("Accepted", "Rejected"), encoding="utf-8")
    assert node_at(graph, FIRST).decision_status is DecisionStatus.REJECTED
    assert graph.freshness.walked > walked


def test_an_edit_and_one_of_a_second_file_are_seen(root: Path, server: Server) -> None:
    settle()
    file = root / FIRST
    file.write_text(file.read_text(encoding="utf-8").replace("Keep orders", "Hold orders"), encoding="utf-8")
    assert "Hold orders in PostgreSQL" in titles(server)
    path = min((root / "keps").iterdir())
    beside = path / "kep.yaml"
    beside.write_text(beside.read_text(encoding="utf-8").replace("implemented", "withdrawn"), encoding="utf-8")
    record = f"keps/{path.name}/README.md"
    assert node_at(server.graph, record).decision_status is DecisionStatus.REJECTED


def test_a_rename_a_new_number_and_a_deletion_are_seen_once(root: Path, server: Server) -> None:
    before = titles(server)
    id = update(server.graph, node_at(server.graph, FIRST).id, Fields(tags=("orders",))).node.id
    (root / FIRST).rename(root / "docs/adr/0009-keep-orders.md")
    assert titles(server) == before
    assert node_at(server.graph, "docs/adr/0009-keep-orders.md").id == id
    (root / SECOND).unlink()
    assert (
        titles(server) == sorted(set(before) - {"Send mail through a queue"}) or len(titles(server)) == len(before) - 1
    )


def test_another_branch_and_a_merge_are_seen(root: Path, server: Server) -> None:
    before = titles(server)
    git(root, "checkout", "-q", "-b", "other")
    file = root / "docs/adr/0006-use-water.md"
    text = (root / SECOND).read_text(encoding="utf-8")
    file.write_text(text.replace("2. Send mail through a queue", "6. Use water"), encoding="utf-8")
    git(root, "rm", "-q", FIRST)
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "water")
    now = titles(server)
    assert "Use water" in now
    assert len(now) == len(before)
    git(root, "checkout", "-q", "-")
    assert titles(server) == before
    git(root, "merge", "-q", "other")
    assert titles(server) == now


def test_switching_a_collection_on_and_off_is_seen(root: Path, server: Server) -> None:
    before = titles(server)
    config = root / ".autology/config.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text("records:\n  docs/adr: {}\n", encoding="utf-8")
    assert len(titles(server)) == len(before) - 5
    config.write_text(text, encoding="utf-8")
    assert titles(server) == before
