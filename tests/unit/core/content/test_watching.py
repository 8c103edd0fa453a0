"""Where the system reports changes, every query sees what happened to the files since, and no query walks them."""

from __future__ import annotations

import mmap
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autology import file_notifications as notices_module
from autology.core.content import freshness, indexing_wait, recent_edits
from autology.core.documents.library import Library
from autology.core.documents.sources import Choice, Scan
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.file_notifications import Notices, Watches
from autology.files.documents import DocumentFolder
from autology.files.node_folder import AutologyFolder
from autology.index.sqlite import SqliteIndex
from autology.model.entry import DOCUMENT, NODE
from autology.model.query import Filter
from autology.vcs.git import Git
from tests.fakes.project import Clock, ids

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports every change")
NODES = ".autology/nodes"
CHANGES = 1_000
"""Changes between two questions."""


class CountedFolder(DocumentFolder):
    """Documents whose walks are counted."""

    walks = 0

    def scan(self) -> Scan:
        self.walks += 1
        return super().scan()


class CountedNodes(AutologyFolder):
    """Nodes whose walks are counted."""

    walks = 0

    def scan(self):  # type: ignore[no-untyped-def]
        self.walks += 1
        return super().scan()


class Watching:
    """A project whose files are watched, as a server does."""

    def __init__(self, root: Path, watches: Watches | None = None) -> None:
        self.root = root
        watches = watches or Watches()
        self.nodes = CountedNodes(str(root), notices=Notices(str(root), watches))
        index = SqliteIndex(lambda: str(root.parent / "index.sqlite"))
        graph = Graph(self.nodes, index, Clock(), ids(1))
        self.documents = CountedFolder(
            str(root), Choice(("docs", ".")), Git(str(root)).ignored, Notices(str(root), watches)
        )
        self.library = Library(graph, self.documents)
        self.graph = graph

    @property
    def walks(self) -> int:
        return self.nodes.walks + self.documents.walks

    def titles(self) -> dict[str, str]:
        """Return the title of every document and node, as a query finds it."""

        def read() -> dict[str, str]:
            sources = [*self.graph.index.listed(Filter(kind=DOCUMENT), -1, "")]
            sources += self.graph.index.listed(Filter(kind=NODE), -1, "")
            return {source.path: source.title for source in sources}

        return self.library.read_current(read)

    def on_disk(self) -> dict[str, str]:
        """Return the same as the files say."""
        found = {}
        for top in ("docs", NODES):
            for path in (self.root / top).rglob("*.md"):
                inner = path.relative_to(self.root)
                if not any(parent.is_symlink() for parent in (path, *path.parents)) and path.is_file():
                    found[inner.as_posix()] = title_in(path)
        return found | {path.name: title_in(path) for path in self.root.glob("*.md") if path.is_file()}


def title_in(path: Path) -> str:
    return next(line for line in path.read_text("utf-8").splitlines() if line.startswith("# ")).removeprefix("# ")


def document(number: int) -> str:
    return f"# Title {number:08}\n\nSome text.\n"


def node(id: str, number: int) -> str:
    head = f"id: {id}\ntype: concept\ntitle: Title {number:08}\ncreated: 2026-01-01T00:00:00Z\nsource: manual\n"
    return f"---\n{head}modified: 2026-01-01T00:00:00Z\nstatus: active\n---\n\n# Title {number:08}\n\nText.\n"


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture(autouse=True)
def _no_other_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is found by a timed walk or by a second look at recent files: only by reports."""
    monkeypatch.setattr(freshness, "WALK_SHARE", 1e9)
    monkeypatch.setattr(recent_edits, "FILES", 0)
    monkeypatch.setattr(indexing_wait, "SECONDS", 60.0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "docs/inner").mkdir(parents=True)
    AutologyFolder(str(root)).create()
    for number in range(60):
        folder = "docs/inner" if number % 2 else "docs"
        (root / folder / f"{number}.md").write_text(document(number), "utf-8")
    for number in range(20):
        id = f"{number:08x}-1111-4222-8333-444455556666"
        (root / NODES / "concepts" / f"{id}.md").write_text(node(id, number), "utf-8")
    (root / "README.md").write_text(document(999), "utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "docs", "README.md")
    git(root, "commit", "-q", "-m", "one")
    git(root, "checkout", "-q", "-b", "other")
    for number in range(0, 60, 3):
        next((root / "docs").rglob(f"{number}.md")).write_text(document(5_000 + number), "utf-8")
    (root / "docs/branch").mkdir()
    (root / "docs/branch/new.md").write_text(document(6_000), "utf-8")
    git(root, "rm", "-q", "docs/1.md" if (root / "docs/1.md").exists() else "docs/inner/1.md")
    git(root, "add", "-A", "docs")
    git(root, "commit", "-q", "-m", "two")
    git(root, "checkout", "-q", "main")
    return root


# ---- random changes ---------------------------------------------------------------------------------------------


class Person:
    """Someone who changes a project's files in every way there is; the same *seed* does the same."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self.number = 10_000
        self.away = root.parent / "away"
        self.acts: list[Callable[[], None]] = [
            *[self.overwrite] * 6,
            *[self.save] * 6,
            *[self.create] * 2,
            self.remove,
            self.rename,
            self.map,
            self.copy_over,
            self.move_folder,
            self.new_folder,
            self.take_away,
            self.link,
            self.edit_node,
            self.retype_node,
        ]

    def act(self, many: int) -> None:
        for turn in range(many):
            self.checkout() if turn % 50 == 49 else self.chance.choice(self.acts)()

    def documents(self) -> list[Path]:
        return sorted(path for path in (self.root / "docs").rglob("*.md") if path.is_file() and not path.is_symlink())

    def folders(self) -> list[Path]:
        docs = self.root / "docs"
        return [docs, *sorted(path for path in docs.rglob("*") if path.is_dir() and not path.is_symlink())]

    def text(self) -> str:
        self.number += 1
        return document(self.number)

    def overwrite(self) -> None:
        with self.chance.choice(self.documents()).open("r+", encoding="utf-8") as file:
            file.write(self.text())

    def map(self) -> None:
        with self.chance.choice(self.documents()).open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            memory[: len(self.text())] = self.text().encode()

    def save(self) -> None:
        path = self.chance.choice(self.documents())
        (path.parent / ".draft").write_text(self.text(), "utf-8")
        (path.parent / ".draft").replace(path)

    def copy_over(self) -> None:
        """As `rsync -a` does: the folder's time is set back."""
        path = self.chance.choice(self.documents())
        facts = path.parent.stat()
        self.save()
        os.utime(path.parent, ns=(facts.st_atime_ns, facts.st_mtime_ns))

    def create(self) -> None:
        (self.chance.choice(self.folders()) / f"made{self.number}.md").write_text(self.text(), "utf-8")

    def remove(self) -> None:
        if len(paths := self.documents()) > 30:
            self.chance.choice(paths).unlink()

    def rename(self) -> None:
        path = self.chance.choice(self.documents())
        path.rename(self.chance.choice(self.folders()) / f"renamed{self.number}.md")
        self.number += 1

    def new_folder(self) -> None:
        folder = self.chance.choice(self.folders()) / f"folder{self.number}" / "deep"
        folder.mkdir(parents=True)
        for name in ("a.md", "b.md", "c.txt"):
            (folder / name).write_text(self.text(), "utf-8")

    def move_folder(self) -> None:
        if len(folders := self.folders()) > 1:
            folder = self.chance.choice(folders[1:])
            folder.rename(folder.with_name(f"moved{self.number}"))
            self.number += 1

    def take_away(self) -> None:
        """Move a folder out of the project, or bring it back."""
        if self.away.exists():
            self.away.rename(self.root / "docs" / f"back{self.number}")
            self.number += 1
        elif len(folders := self.folders()) > 3:
            self.chance.choice(folders[1:]).rename(self.away)

    def link(self) -> None:
        path = self.chance.choice(self.documents())
        link = path.with_name(f"link{self.number}.md")
        link.symlink_to(path)
        self.number += 1

    def edit_node(self) -> None:
        path = self.chance.choice(sorted((self.root / NODES).rglob("*.md")))
        self.number += 1
        with path.open("r+", encoding="utf-8") as file:
            file.write(node(path.stem, self.number))

    def retype_node(self) -> None:
        path = self.chance.choice(sorted((self.root / NODES).rglob("*.md")))
        other = "issues" if path.parent.name == "concepts" else "concepts"
        path.rename(self.root / NODES / other / path.name)

    def checkout(self) -> None:
        git(self.root, "checkout", "-q", "-f", self.chance.choice(["main", "other"]))


@pytest.mark.parametrize("seed", range(2))
def test_a_thousand_changes_between_two_questions_are_all_seen(root: Path, seed: int) -> None:
    watching = Watching(root)
    person = Person(root, seed)
    assert watching.titles() == watching.on_disk()
    person.act(CHANGES)
    assert watching.titles() == watching.on_disk()


@pytest.mark.parametrize("seed", range(2))
def test_each_of_a_thousand_changes_is_seen_by_the_next_question(root: Path, seed: int) -> None:
    watching = Watching(root)
    person = Person(root, 100 + seed)
    watching.titles()
    for _ in range(CHANGES // 20):
        person.act(person.chance.choice((1, 1, 5, 30)))
        assert watching.titles() == watching.on_disk()


# ---- no walk ----------------------------------------------------------------------------------------------------


def settled(root: Path) -> Watching:
    watching = Watching(root)
    watching.titles()
    watching.titles()
    watching.nodes.walks = watching.documents.walks = 0
    return watching


def test_no_question_walks_while_nothing_changes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "WALK_SHARE", 0)  # a walk would be due at every question
    watching = settled(root)
    for _ in range(5):
        watching.titles()
    assert watching.walks == 0


def test_edits_of_documents_and_any_change_of_nodes_take_no_walk(root: Path) -> None:
    watching = settled(root)
    person = Person(root, 7)
    for act in (person.overwrite, person.save, person.edit_node, person.retype_node):
        act()
        assert watching.titles() == watching.on_disk()
    next((root / NODES).rglob("*.md")).unlink()
    capture(watching.graph, Material("A note of our own", "text", "concept"))
    (root / "docs" / "data.csv").write_text("no document", "utf-8")
    titles = watching.titles()
    assert titles.keys() == watching.on_disk().keys()
    assert watching.walks == 0


def test_what_we_write_ourselves_is_not_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watching = settled(root)
    capture(watching.graph, Material("A note of our own", "text", "concept"))
    assert watching.graph.refresh() == 0


# ---- where reports fail -----------------------------------------------------------------------------------------


def test_a_queue_that_overflowed_is_noticed(root: Path) -> None:
    watching = settled(root)
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text("ascii"))
    one, two = (root / "docs/0.md").open("r+"), (root / "docs/2.md").open("r+")
    with one, two:
        for _ in range(limit):  # two alternating files: equal reports in a row become one
            for file in (one, two):
                file.seek(0)
                file.write("#")
                file.flush()
    with (root / "docs/4.md").open("r+") as file:
        file.write(document(777))
    assert watching.titles() == watching.on_disk()
    assert watching.documents.is_watched()


def test_a_folder_deleted_and_made_again_is_watched_again(root: Path) -> None:
    watching = settled(root)
    for _ in range(3):  # the new folder may get the number of the old one
        paths = (*(root / NODES).rglob("*.md"), *(root / "docs").rglob("*.md"))
        texts = {path: path.read_text("utf-8") for path in paths}
        shutil.rmtree(root / NODES)
        shutil.rmtree(root / "docs")
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert watching.titles() == watching.on_disk()
        Person(root, 3).edit_node()
        Person(root, 3).overwrite()
        assert watching.titles() == watching.on_disk()


def test_a_project_that_was_replaced_is_noticed(root: Path) -> None:
    watching = settled(root)
    root.rename(root.with_name("former"))
    shutil.copytree(root.with_name("former"), root)
    Person(root, 3).overwrite()
    assert watching.titles() == watching.on_disk()


class Limited(Watches):
    """Watches of a user whose limit is reached after *allowed* of them."""

    def __init__(self, allowed: int) -> None:
        super().__init__()
        self.allowed = allowed

    def _add(self, full: str, mask: int) -> int:
        self.allowed -= 1
        return super()._add(full, mask) if self.allowed >= 0 else -1


@pytest.fixture(params=["limit", "network", "other system"])
def unreported(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> Watching:
    """A project in which not every change is reported."""
    monkeypatch.setattr(freshness, "WALK_SHARE", 0)
    if request.param == "network":
        monkeypatch.setattr(notices_module, "_REPORTING", frozenset())
    if request.param == "other system":
        monkeypatch.setattr(sys, "platform", "darwin")
    return Watching(root, Limited(3) if request.param == "limit" else None)


def test_where_not_everything_is_reported_questions_look_for_themselves(unreported: Watching) -> None:
    unreported.titles()
    assert not unreported.documents.is_watched()
    assert not unreported.nodes.is_watched()
    person = Person(unreported.root, 5)
    for _ in range(10):
        person.act(5)
        assert unreported.titles() == unreported.on_disk()


def test_a_check_in_the_background_finds_what_is_not_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices_module, "_REPORTING", frozenset())
    watching = settled(root)
    time.sleep(0.03)  # what was read at once would be read again in any case
    watching.graph.refresh(walk=True)
    watching.library.refresh(walk=True)
    watching.nodes.walks = watching.documents.walks = 0
    Person(root, 3).overwrite()
    Person(root, 3).edit_node()
    second = DocumentFolder(str(root), Choice(("docs", ".")), Git(str(root)).ignored)
    assert watching.library.check(lambda: second.scan().files) >= freshness.SHORTEST
    assert watching.graph.check(AutologyFolder(str(root)).scan) >= freshness.SHORTEST
    assert watching.titles() == watching.on_disk()
    assert watching.walks == 0


def test_a_file_with_two_names_is_seen_whichever_is_written(root: Path) -> None:
    outside = root.parent / "outside.md"
    outside.hardlink_to(root / "docs/0.md")
    (root / "docs/twin.md").hardlink_to(root / "docs/2.md")
    watching = settled(root)
    for number, path in enumerate((outside, root / "docs/twin.md", root / "docs/2.md"), 300):
        with path.open("r+", encoding="utf-8") as file:
            file.write(document(number))
        assert watching.titles() == watching.on_disk()
    assert watching.walks == 0


# ---- a bounded wait ---------------------------------------------------------------------------------------------


def test_a_question_waits_a_bounded_time_for_indexing_and_says_what_is_missing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_wait, "SECONDS", 0.0)
    monkeypatch.setattr(indexing_wait, "LEAST", 0.0)
    for number in range(300):
        (root / "docs" / f"many{number}.md").write_text(document(number), "utf-8")
    watching = Watching(root)
    titles = watching.titles()
    assert len(titles) < 300
    assert any("not indexed yet" in note for note in watching.library.notes)
    while watching.graph.left or watching.library.left:
        watching.graph.fill()
        watching.library.fill()
        titles = watching.titles()
    assert titles == watching.on_disk()
    assert not any("not indexed yet" in note for note in watching.library.notes)
    for path in (root / "docs").glob("many*.md"):
        path.write_text(path.read_text("utf-8").replace("Title", "Other"), "utf-8")
    watching.titles()
    assert watching.library.left
    watching.library.fill()
    assert watching.titles() == watching.on_disk()


def test_the_next_step_of_a_call_does_not_wait_again_for_what_the_first_left_over(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_wait, "SECONDS", 0.0)
    monkeypatch.setattr(indexing_wait, "LEAST", 0.0)
    for number in range(300):
        (root / "docs" / f"many{number}.md").write_text(document(number), "utf-8")
    watching = Watching(root)
    watching.titles()
    left, walks = watching.library.left, watching.documents.walks
    assert left
    assert not watching.library.catch_up()
    assert (watching.library.left, watching.documents.walks) == (left, walks)
    monkeypatch.setattr(watching.library, "_rests_until", 0.0)
    watching.library.catch_up()
    assert 0 < watching.library.left < left, "even without time, each call gets on"
