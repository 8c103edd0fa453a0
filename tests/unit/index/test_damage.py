"""A damaged, foreign or deleted index is made anew: nobody notices but by the time it takes."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from autology.core.nodes import delete_restore, relate, search
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.status import status
from autology.files.node_folder import AutologyFolder
from autology.index import schema
from autology.index.sqlite import SqliteIndex
from autology.model.errors import NotFoundError, StorageError
from autology.model.query import Filter
from tests.fakes.encoder import Thesaurus
from tests.fakes.portrait import Portrait, fresh, portrait
from tests.fakes.project import a_graph, an_id, on_disk

NOTES = 24
UNKNOWN = "not everything is known yet"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with notes that are related, and its index at rest in ``index.sqlite``."""
    root = tmp_path_factory.mktemp("project")
    graph = on_disk(root)
    for number in range(1, NOTES + 1):
        material = Material(
            f"Note {number} on storage",
            f"Text {number} about words and caches.\n\n" * 9,
            "concept",
            tags=("a", f"t{number}"),
        )
        capture(graph, material, automatic=2.0)
        if number > 1:
            relate.relate(graph, an_id(number), an_id(number - 1), "uses")
    for path in (root / ".autology").rglob("*.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    place = root / "index.sqlite"
    made = with_index(root, place)
    made.refresh(walk=True)
    at_rest(place)
    return root


def with_index(root: Path, place: Path) -> Graph:
    return a_graph(AutologyFolder(str(root)), SqliteIndex(lambda: str(place)), first_id=900)


def at_rest(place: Path) -> None:
    db = sqlite3.connect(place)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


@pytest.fixture
def place(project: Path, tmp_path: Path) -> Path:
    """A copy of the index, to be damaged."""
    shutil.copy(project / "index.sqlite", tmp_path / "index.sqlite")
    return tmp_path / "index.sqlite"


@pytest.fixture(scope="module")
def expected(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Portrait:
    return fresh(AutologyFolder(str(project)), tmp_path_factory.mktemp("fresh"))


def works(root: Path, place: Path) -> Graph:
    """A graph over the index at *place*, asked in every way; what it answers is right at once."""
    graph = with_index(root, place)
    hits = search.search(graph, search.NodeQuery("storage caches", limit=100)).hits
    assert len(hits) == NOTES
    assert [hit.node.id for hit in search.search(graph, search.NodeQuery(an_id(3))).hits] == [an_id(3)]
    assert len(search.search(graph, search.NodeQuery(tags=("t5",), mode="exact")).hits) == 1
    assert len(search.search(graph, search.NodeQuery(related_to=an_id(5))).hits) == 2
    counted = status(graph)
    assert (counted.total_nodes, counted.total_relations, counted.unreadable) == (NOTES, NOTES - 1, ())
    return graph


def garbage(place: Path, dice: random.Random, size: int) -> None:
    """Overwrite *size* bytes somewhere, as a failing disk does."""
    data = bytearray(place.read_bytes())
    at = dice.randrange(0, len(data) // size) * size
    data[at : at + size] = dice.choice((bytes(size), dice.randbytes(size), b"\xff" * size))
    place.write_bytes(data)


def rebuilt(root: Path, place: Path, expected: Portrait) -> None:
    """The index at *place* answers as a new one, in this process and in another."""
    graph = works(root, place)
    assert portrait(graph.index) == expected
    assert portrait(SqliteIndex(lambda: str(place))) == expected


@pytest.mark.parametrize("seed", range(40))
def test_a_page_of_garbage_is_noticed_and_the_very_first_answer_is_right(
    project: Path, place: Path, expected: Portrait, seed: int
) -> None:
    garbage(place, random.Random(seed), 4_096)
    rebuilt(project, place, expected)


def test_flipped_bytes_anywhere_never_stop_anything(project: Path, tmp_path: Path, expected: Portrait) -> None:
    unnoticed = 0
    for seed in range(100):
        place = tmp_path / f"{seed}.sqlite"
        shutil.copy(project / "index.sqlite", place)
        garbage(place, random.Random(seed), (1, 4, 64, 512)[seed % 4])
        graph = with_index(project, place)
        for ask in (
            search.NodeQuery("storage caches"),
            search.NodeQuery(an_id(3)),
            search.NodeQuery(tags=("t5",)),
            search.NodeQuery(related_to=an_id(5)),
        ):
            try:
                search.search(graph, ask)
            except NotFoundError:  # its id is what was flipped
                unnoticed += 1
        status(graph)
        capture(graph, Material("New note", "text", "concept"), automatic=2.0)
        delete_restore.delete(graph, graph.index.by_title(["New note"])[0].id)
        # A letter that became another one is no damage to SQLite, which keeps no checksums.
        unnoticed += portrait(graph.index) != expected
        place.unlink()
        rebuilt(project, place, expected)
    assert unnoticed <= 15


def columns(place: Path) -> list[tuple[str, str]]:
    """Return every column of every table of our own."""
    with closing(sqlite3.connect(place)) as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in tables if not name.startswith("sqlite_")]
        return [(name, row[1]) for name in names for row in db.execute(f"PRAGMA table_info({name})")]


def turned(place: Path, table: str, column: str, value: object) -> None:
    """Put *value* into that column, as flipped bytes do: what SQLite reads there it does not compare with the table."""
    with closing(sqlite3.connect(place)) as db, suppress(sqlite3.IntegrityError):
        db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        db.commit()


@pytest.mark.parametrize("value", [b"\xff\x00", "letters"])
def test_a_value_of_another_type_in_any_column_stops_nothing(project: Path, tmp_path: Path, value: object) -> None:
    encoder = Thesaurus(lines="storage words\ncaches text")

    def opened(place: Path) -> Graph:
        return a_graph(AutologyFolder(str(project)), SqliteIndex(lambda: str(place), lambda: encoder), first_id=900)

    whole = tmp_path / "whole.sqlite"
    opened(whole).refresh(walk=True)
    at_rest(whole)
    asks = (search.NodeQuery("storage caches"), search.NodeQuery(tags=("t5",)), search.NodeQuery(related_to=an_id(5)))
    looked = 0
    for table, column in columns(whole):
        place = tmp_path / f"{table}-{column}.sqlite"
        shutil.copy(whole, place)
        turned(place, table, column, value)
        graph = opened(place)
        for ask in asks:
            with suppress(NotFoundError):  # its id is what was turned
                search.search(graph, ask)
        status(graph)
        portrait(graph.index)
        graph.index.semantic_candidates("caches", Filter(tags=("a",)), 9)
        place.unlink()
        looked += 1
    assert looked > 50


def _cut(place: Path) -> None:
    os.truncate(place, place.stat().st_size // 2)


def _odd_cut(place: Path) -> None:
    os.truncate(place, 5_000)


def _empty(place: Path) -> None:
    os.truncate(place, 0)


def _text(place: Path) -> None:
    place.write_text("this is no database\n" * 500)


def _version(number: int) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        db = sqlite3.connect(place)
        db.execute(f"PRAGMA user_version = {number}")
        db.close()

    return change


def _sql(*statements: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        db = sqlite3.connect(place)
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.close()

    return change


def _foreign(place: Path) -> None:
    place.unlink()
    _sql("CREATE TABLE source(x)", "CREATE TABLE mine(y)", "INSERT INTO mine VALUES (1)")(place)


def _stray_log(place: Path) -> None:
    place.with_name(place.name + "-wal").write_bytes(os.urandom(9_000))
    place.with_name(place.name + "-shm").write_bytes(os.urandom(32_768))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "deleted": Path.unlink,
    "cut in half": _cut,
    "cut anywhere": _odd_cut,
    "emptied": _empty,
    "a text": _text,
    "of another program": _foreign,
    "beside a foreign log": _stray_log,
    "of an older version": _version(schema.STAMP - 1),
    "of a newer version": _version(schema.STAMP + 1_000),
    "of no version": _version(0),
    "without its name": _sql("DELETE FROM meta"),
    "without a table": _sql("DROP TABLE edge"),
    "without its words": _sql("DROP TABLE block"),
    "with its words broken": _sql("UPDATE block SET words = zeroblob(7)", "UPDATE segment SET words = zeroblob(7)"),
    "with a column missing": _sql("DROP TABLE tag", "CREATE TABLE tag(x)"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_missing_index_is_rebuilt(project: Path, place: Path, expected: Portrait, damage: str) -> None:
    DAMAGES[damage](place)
    rebuilt(project, place, expected)


@pytest.mark.parametrize(
    "damage", ["deleted", "cut in half", "emptied", "a text", "of a newer version", "without a table"]
)
def test_an_index_damaged_under_another_open_handle_is_rebuilt(
    project: Path, place: Path, expected: Portrait, damage: str
) -> None:
    one, other = with_index(project, place), with_index(project, place)
    for graph in (one, other):
        search.search(graph, search.NodeQuery("storage"))
    with one.index.keep_open():
        one.index.counts()
        DAMAGES[damage](place)
        one.index.generation()
    for graph in (other, one):
        assert len(search.search(graph, search.NodeQuery("storage", limit=100)).hits) == NOTES
    rebuilt(project, place, expected)


def test_a_change_made_while_the_index_breaks_is_whole(project: Path, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(project, root)
    place = root / "index.sqlite"
    for seed in range(20):
        graph = with_index(root, place)
        graph.refresh(walk=True)
        at_rest(place)
        garbage(place, random.Random(seed), 4_096)
        id = capture(graph, Material(f"Passing note {seed}", "text", "concept"), automatic=2.0).node.id
        relate.relate(graph, an_id(1), id, "uses")
        garbage(place, random.Random(seed + 100), 4_096)
        assert delete_restore.delete(graph, id).relations == 1
        texts = [path.read_text(encoding="utf-8") for path in (root / ".autology" / "nodes").rglob("*.md")]
        assert not any(id in text for text in texts)


def test_an_index_that_other_processes_keep_rebuilding_is_reported_as_behind(project: Path, place: Path) -> None:
    graph = with_index(project, place)
    received: list[int] = []

    def read() -> tuple[int, list[str]]:
        received.append(1)
        _sql("DELETE FROM source", f"UPDATE meta SET value = '{len(received)}' WHERE key = 'generation'")(place)
        return len(graph.index.listed(Filter(), -1, "")), graph.notes

    hits, notes = graph.read_current(read)
    assert hits == 0
    assert [note for note in notes if UNKNOWN in note], "its silence looks like an answer"
    assert len(received) > 2
    assert len(search.search(graph, search.NodeQuery("storage", limit=100)).hits) == NOTES
    assert not graph.degraded.behind


def test_a_path_that_cannot_hold_an_index_is_named(project: Path, tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").mkdir()
    with pytest.raises(StorageError, match=r"index\.sqlite: the index cannot be used: .* The notes are safe"):
        search.search(with_index(project, tmp_path / "index.sqlite"), search.NodeQuery("x"))


def test_many_threads_share_an_index_that_is_deleted_over_and_over(
    project: Path, place: Path, expected: Portrait
) -> None:
    failed: list[Exception] = []
    ended = threading.Event()

    def ask() -> None:
        graph = with_index(project, place)
        while not ended.is_set():
            try:
                result = search.search(graph, search.NodeQuery("storage", limit=100))
                assert len(result.hits) == NOTES or any(UNKNOWN in note for note in result.notes)
            except StorageError:
                continue  # it was being deleted for longer than was waited: said, not silent
            except Exception as error:
                failed.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(15):
        ended.wait(0.1)
        for suffix in ("", "-wal", "-shm"):
            place.with_name(place.name + suffix).unlink(missing_ok=True)
    ended.set()
    for thread in threads:
        thread.join()
    assert failed == []
    rebuilt(project, place, expected)
