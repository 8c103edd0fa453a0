"""Changes of files that the system reports."""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path

import pytest

from autology import file_notifications as notices_module
from autology.core.documents import search
from autology.core.memory import find as memory
from autology.core.memory.store import store
from autology.core.nodes import search as knowledge
from autology.core.nodes.capture import Material, capture
from autology.file_notifications import Notices, Watches
from autology.tools.project import ServedProject

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells of edits in place")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs/inner").mkdir(parents=True)
    for name in ("docs/a.md", "docs/b.md", "docs/inner/c.md"):
        (tmp_path / name).write_text("as it was", encoding="utf-8")
    return tmp_path


def overwrite(path: Path, text: str) -> None:
    with path.open("r+", encoding="utf-8") as file:
        file.write(text)


@pytest.fixture
def notices(folder: Path) -> Notices:
    notices = Notices(str(folder), Watches())
    notices.begin()
    return notices


def reported(notices: Notices) -> set[str]:
    return set(notices.reported().files)


def test_an_edit_in_a_watched_folder_is_reported_once(folder: Path, notices: Notices) -> None:
    notices.watch("docs")
    overwrite(folder / "docs/a.md", "as it is!")
    overwrite(folder / "docs/inner/c.md", "nobody asked")
    assert reported(notices) == {"docs/a.md"}
    assert reported(notices) == set()
    assert notices.is_complete()


def test_names_that_come_and_go_and_folders_are_reported(folder: Path, notices: Notices) -> None:
    notices.watch("docs")
    (folder / "docs/a.md").rename(folder / "docs/z.md")
    (folder / "docs/b.md").unlink()
    (folder / "docs/inner").rename(folder / "docs/other")
    everything = notices.reported()
    assert set(everything.files) == {"docs/a.md", "docs/b.md", "docs/z.md"}
    assert everything.folders == {"docs/inner", "docs/other"}


def test_a_folder_keeps_being_watched_under_the_name_it_is_given(folder: Path, notices: Notices) -> None:
    notices.watch("docs/inner")
    (folder / "docs/inner").rename(folder / "docs/other")
    notices.watch("docs/other")
    overwrite(folder / "docs/other/c.md", "as it is!")
    assert reported(notices) == {"docs/other/c.md"}


def test_a_folder_that_is_not_there_and_a_name_that_is_not_utf8_do_no_harm(folder: Path, notices: Notices) -> None:
    for name in ("docs", "none", "docs/a.md"):
        notices.watch(name)
    odd = folder / "docs" / b"\xff.md".decode("utf-8", "surrogateescape")
    odd.write_text("x", encoding="utf-8")
    (folder / "docs/a.md").unlink()
    assert reported(notices) == {"docs/a.md", "docs/\udcff.md"}
    assert notices.is_complete()


def test_more_changes_than_the_limit_are_reported_as_lost(
    folder: Path, notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_module, "_MOST", 1)
    notices.watch("docs")
    overwrite(folder / "docs/a.md", "1")
    overwrite(folder / "docs/b.md", "2")
    assert not notices.is_complete()
    notices.begin()
    assert notices.is_complete()


def test_a_watched_folder_that_is_deleted_is_lost(folder: Path, notices: Notices) -> None:
    notices.watch("docs/inner")
    shutil.rmtree(folder / "docs/inner")
    (folder / "docs/inner").mkdir()
    assert not notices.is_complete()


def test_ones_own_renaming_is_forgiven_but_no_edit_beside_it(folder: Path, notices: Notices) -> None:
    notices.watch("docs")
    for name in ("a", "b"):
        (folder / "new").write_text("ours", encoding="utf-8")
        (folder / "new").rename(folder / f"docs/{name}.md")
    overwrite(folder / "docs/b.md", "edit")
    notices.forgive(["docs/a.md", "docs/b.md"])
    assert reported(notices) == {"docs/b.md"}


def test_views_of_one_queue_get_their_own_reports(folder: Path) -> None:
    watches = Watches()
    one, other = Notices(str(folder), watches), Notices(str(folder / "docs"), watches)
    one.watch("docs")
    other.watch("")
    overwrite(folder / "docs/a.md", "as it is!")
    assert (reported(one), reported(other)) == ({"docs/a.md"}, {"a.md"})


def test_without_system_support_no_changes_are_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    notices = Notices(str(folder), Watches())
    notices.begin()
    notices.watch("docs")
    overwrite(folder / "docs/a.md", "as it is!")
    assert (reported(notices), notices.is_complete()) == (set(), False)


def test_many_threads_lose_no_edit_between_them(folder: Path, notices: Notices) -> None:
    notices.watch("docs")
    result: set[str] = set()
    names = {f"docs/{number}.md" for number in range(300)}

    def ask() -> None:
        for _ in range(200):
            result.update(reported(notices))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for name in names:
        (folder / name).write_text("new", encoding="utf-8")
    for thread in threads:
        thread.join()
    assert result | reported(notices) == names


def test_an_old_file_edited_in_place_is_found_by_a_servers_next_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autology.core.content.freshness.WALK_SHARE", 1e9)
    monkeypatch.setattr("autology.core.content.recent_edits.FILES", 0)
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# A\n\nabout zebra\n", encoding="utf-8")
    (tmp_path / ".autology").mkdir()
    served = ServedProject(str(tmp_path))
    graph = served.graph
    node = capture(graph, Material(title="Stripes", content="about zebra")).node
    library, memories = served.library, served.memories
    assert not store(memories, [{"kind": "observation", "content": "a zebra remembered"}]).problems
    memories.refresh(walk=True)

    def hit_ids(word: str) -> list[str]:
        hits = search.search(library, word).hits
        nodes = knowledge.search(graph, knowledge.NodeQuery(query=word, mode="words")).hits
        kept = memory.find(memories, memory.Request(word, mode="fast")).items
        titles = {hit.source.title for hit in hits if word in hit.passage} | {hit.node.title for hit in nodes}
        return sorted(titles | {item.content for item in kept})

    assert hit_ids("zebra") == ["A", "Stripes", "a zebra remembered"]
    overwrite(tmp_path / "docs/a.md", "# A\n\nabout otter\n")
    overwrite(tmp_path / node.path, (tmp_path / node.path).read_text("utf-8").replace("zebra", "otter"))
    (kept,) = tmp_path.rglob("memory/*/*.md")
    overwrite(kept, kept.read_text("utf-8").replace("zebra", "otter"))
    assert (hit_ids("zebra"), hit_ids("otter")) == ([], ["A", "Stripes", "a otter remembered"])
