"""Memories as files that people and git write too: taken in at once, in chunks, left alone where they are broken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology import places
from autology.core.doctor import Diagnosis
from autology.core.documents.library import Library
from autology.core.documents.sources import Choice
from autology.core.memory.chunks import CUT, Chunks
from autology.core.memory.doctor_checks import examine
from autology.core.memory.memories import Memories
from autology.core.memory.store import store
from autology.core.secrets_in_files import examine as examine_secrets
from autology.files.documents import DocumentFolder
from autology.files.memory_folder import MemoryFolder
from autology.index.sqlite import SqliteIndex
from autology.model.entry import MEMORY
from autology.model.memory import Kind
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from autology.wire.user import encoder as table
from tests.fakes.encoder import Thesaurus
from tests.fakes.remembered import HERE, a_memory, memories, write

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CONFLICT = "---\nid: a\n<<<<<<< HEAD\nkind: todo\n=======\nkind: risk\n>>>>>>> theirs\n---\n\ntext\n"
BROKEN = {
    "no frontmatter": (b"just text\n", "has no frontmatter between '---' lines"),
    "broken frontmatter": (b"---\nid: [\n---\n", "frontmatter "),
    "no id": (b"---\nkind: todo\n---\n\ntext\n", "id is missing"),
    "no such kind": (b"---\nid: a\nkind: poem\n---\n\ntext\n", "kind 'poem' is not a kind"),
    "no moment": (b"---\nid: a\ncreated_at: soon\n---\n\ntext\n", "created_at 'soon' is not a date and time"),
    "a hostile id": (b"---\nid: ../../x\n---\n\ntext\n", "id '../../x' is not valid"),
    "not UTF-8": (b"---\nid: a\n---\n\n\xff\xfe\n", "is not UTF-8"),
    "a merge conflict": (CONFLICT.encode(), "has an unresolved merge conflict"),
    "too large": (b"---\nid: a\n---\n\n" + b"x" * 2_600_000, ""),
}


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    project, user = tmp_path / "project", tmp_path / "user"
    (project / ".autology").mkdir(parents=True)
    return project, user


@pytest.fixture
def kept(place: tuple[Path, Path]) -> Memories:
    return memories(*place)


def put(folder: Path, name: str, data: bytes, kind: str = "todo") -> Path:
    file = folder / ".autology" / "memory" / kind / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def by_words(kept: Memories, words: str) -> list[str]:
    hits = kept.index.lexical_candidates(Terms(query_terms(words)), Filter(kind=MEMORY), False, 10)
    return sorted({candidate.source.id for candidate in hits})


# ---- what people write ---------------------------------------------------------------------------------


def test_a_file_that_a_person_writes_is_found_at_once(place: tuple[Path, Path], kept: Memories) -> None:
    assert kept.refresh() == 0
    put(place[0], "by hand.md", b"---\nid: mine\n---\n\nwater the flowers\n")
    put(place[1], "wide.md", b"---\nid: wide\nscope:\n  org: acme\n---\nfeed the birds", "risk")
    assert kept.refresh() == 2
    mine, wide = kept.by_id("mine"), kept.by_id("wide")
    assert mine is not None
    assert wide is not None
    assert (mine.kind, mine.content, mine.expires_at) == (Kind.TODO, "water the flowers", None)
    assert (wide.kind, wide.scope.org) == (Kind.RISK, "acme")
    assert (by_words(kept, "flowers"), by_words(kept, "birds")) == (["mine"], ["wide"])
    assert store(kept, [{"id": "mine", "content": "watered"}]).count("updated") == 1
    assert by_words(kept, "flowers") == []


def test_updating_a_memory_keeps_line_endings_and_byte_order_mark(place: tuple[Path, Path], kept: Memories) -> None:
    path = put(place[0], "mine.md", b"\xef\xbb\xbf---\r\nid: mine\r\n---\r\n\r\nwater\r\nthe flowers\r\n")
    kept.refresh()
    assert store(kept, [{"id": "mine", "content": "water\nthe flowers"}]).count("updated") == 0
    assert store(kept, [{"id": "mine", "content": "feed\nthe birds"}]).count("updated") == 1
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf---\r\n")
    assert data.endswith(b"\r\n\r\nfeed\r\nthe birds\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    kept.refresh(walk=True)
    assert by_words(kept, "birds") == ["mine"]


def test_edited_renamed_and_removed_memory_files_are_noticed(place: tuple[Path, Path], kept: Memories) -> None:
    file = write(place[0], a_memory("one", content="about ducks"))
    kept.refresh()
    file.write_bytes(file.read_bytes().replace(b"ducks", b"geese and swans"))
    kept.refresh(walk=True)
    assert (by_words(kept, "ducks"), by_words(kept, "swans")) == ([], ["one"])
    moved = file.rename(file.with_name("elsewhere.md"))
    kept.refresh()
    assert kept.by_id("one") is not None
    moved.unlink()
    kept.refresh()
    assert kept.by_id("one") is None
    assert by_words(kept, "swans") == []


def test_a_lost_index_is_rebuilt(place: tuple[Path, Path], kept: Memories) -> None:
    store(kept, [{"kind": "todo", "content": "water the flowers", "id": "one"}])
    for file in (place[0] / ".autology" / "cache").glob("index.sqlite*"):
        file.unlink()
    assert kept.read_current(lambda: by_words(kept, "flowers")) == ["one"]


# ---- what is broken -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", BROKEN)
def test_a_file_that_is_no_memory_is_named_and_left_alone(place: tuple[Path, Path], kept: Memories, how: str) -> None:
    data, reason = BROKEN[how]
    file = put(place[0], "a.md", data)
    write(place[0], a_memory("fine"))
    kept.refresh()
    [(path, result)] = kept.faults()
    assert path == ".autology/memory/todo/a.md"
    assert result.startswith(reason)
    assert kept.by_id("fine") is not None
    [finding] = examine(kept).findings
    assert finding.problem.startswith(path)
    assert finding.area == ("merge conflict" if how == "a merge conflict" else "unreadable")
    done = store(kept, [{"kind": "todo", "content": "other", "id": "a"}])
    assert [problem.error_code for problem in done.problems] == ["STORAGE_ERROR"]
    assert file.read_bytes() == data


def test_of_two_files_with_one_id_the_first_counts_until_that_is_fixed(
    place: tuple[Path, Path], kept: Memories
) -> None:
    write(place[0], a_memory("one", content="the first"))
    kept.refresh()
    put(place[0], "copy.md", b"---\nid: one\n---\n\na copy\n", "risk")
    put(place[1], "one.md", b"---\nid: one\n---\n\nof the user\n")
    kept.refresh()
    assert sorted(path for path, _ in kept.faults()) == [
        ".autology/memory/risk/copy.md",
        "user:.autology/memory/todo/one.md",
    ]
    result = kept.by_id("one")
    assert result is not None
    assert result.content == "the first"
    assert {finding.area for finding in examine(kept).findings} == {"duplicate id"}
    done = store(kept, [{"id": "one", "content": "changed"}])
    assert [outcome.id for outcome in done.outcomes] == ["one"]
    (place[0] / ".autology" / "memory" / "observation" / "one.md").unlink()
    put(place[0], "copy.md", b"---\nid: two\n---\n\na copy\n", "risk")
    kept.refresh(walk=True)
    kept.refresh(walk=True)
    assert kept.faults() == []
    assert {kept.by_id("one") is None, kept.by_id("two") is None} == {False}


def test_an_id_that_a_note_has_is_refused(kept: Memories) -> None:
    from autology.core.nodes.capture import Material, capture

    node = capture(kept.graph, Material("A note", "some text", "concept")).node
    done = store(kept, [{"kind": "todo", "content": "x", "id": node.id}])
    [problem] = done.problems
    assert problem.message.startswith(f"id: '{node.id}' is the id of {node.path}")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_memory_folder_linked_outside_the_project_is_not_followed(
    place: tuple[Path, Path], kept: Memories, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"---\nid: a\n---\n\nsecret plans\n")
    store(kept, [{"kind": "risk", "content": "fire", "scope": {"org": "acme"}, "id": "wide"}])
    (place[0] / ".autology" / "memory").mkdir()
    (place[0] / ".autology" / "memory" / "todo").symlink_to(outside)
    kept.refresh()
    assert kept.by_id("a") is None
    assert by_words(kept, "plans") == []
    assert kept.by_id("wide") is not None
    assert any("leads out of the project" in note for note in kept.graph.notes)
    result = [finding for finding in examine(kept).findings if finding.area == "memory"]
    assert result == [
        Diagnosis(
            "memory",
            ".autology/memory/todo: leads out of the project through a link",
            "Make the folder readable for yourself.",
        )
    ]
    done = store(kept, [{"kind": "todo", "content": "x"}, {"kind": "risk", "content": "flood"}])
    assert done.problems[0].error_code == "STORAGE_ERROR"
    assert list(outside.iterdir()) == [outside / "a.md"]


def test_secrets_in_a_file_stay_out_of_the_index_and_are_listed(place: tuple[Path, Path], kept: Memories) -> None:
    text = f"---\nid: a\ndata:\n  title: use {SECRET}\n---\n\nThe token is {SECRET}.\n"
    file = put(place[0], "a.md", text.encode())
    kept.refresh()
    assert kept.by_id("a") is not None
    for path in (place[0] / ".autology" / "cache").glob("index.sqlite*"):
        assert SECRET.encode() not in path.read_bytes()
    assert by_words(kept, SECRET) == []
    library = Library(kept.graph, DocumentFolder(str(place[0]), Choice(("docs",))))
    hits = examine_secrets(library, kept).findings
    assert [finding.problem.rpartition(":")[0] for finding in hits] == [
        ".autology/memory/todo/a.md:4",
        ".autology/memory/todo/a.md:7",
    ]
    assert file.read_bytes() == text.encode()


# ---- other projects ------------------------------------------------------------------------------------


def test_user_memories_stored_from_another_project_are_seen_at_once(tmp_path: Path) -> None:
    one, other = (memories(tmp_path / name, tmp_path / "user") for name in ("one", "other"))
    for number in range(20):
        writer, reader = (one, other) if number % 2 else (other, one)
        done = store(writer, [{"kind": "todo", "content": f"item {number}", "scope": {"org": "acme"}}])
        reader.refresh()
        assert reader.by_id(done.outcomes[0].id) is not None, number


# ---- chunks --------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    "cache server disk salary month flower garden token café 日本。 e.g. 3.14 `x` http://a.b".split()
)
SENTENCES = st.lists(WORDS, min_size=3, max_size=14).map(lambda words: " ".join(words) + ". ")
BLOCKS = st.one_of(
    st.lists(SENTENCES, min_size=1, max_size=8).map(lambda some: "".join(some) + "\n\n"),
    st.lists(WORDS, min_size=1, max_size=4).map(lambda words: f"## {' '.join(words)}\n\n"),
    st.lists(SENTENCES, min_size=1, max_size=6).map(lambda lines: "```\n" + "\n".join(lines) + "\n```\r\n"),
    st.text(max_size=40),
)


@settings(max_examples=60)
@given(st.lists(BLOCKS, min_size=1, max_size=30).map("".join), st.sampled_from(CUT), st.booleans())
def test_chunks_of_the_index_are_the_content_byte_for_byte(text: str, kind: Kind, meant: bool) -> None:
    encoder = table()
    assert encoder is not None
    chunks = Chunks(encoder.encode if meant else None)
    for content in (text, text * 4):
        passages = chunks.passages(a_memory("a", kind=kind, content=content))
        assert "".join(content[each.start : each.stop] for each in passages) == content
        assert [each.start for each in passages] == [0, *(each.stop for each in passages[:-1])][: len(passages)]


def test_a_long_item_is_found_by_the_chunk_that_answers(place: tuple[Path, Path]) -> None:
    encoder = table()
    assert encoder is not None
    project, user = place
    kept = memories(project, user)
    kept = Memories(
        kept.graph, kept.roots[0].files, kept.roots[1].files, kept.default_scope, encoder.encode
    )  # fmt: skip
    assert isinstance(kept.index, SqliteIndex)
    filler = "The mail worker sends letters to the customers of the shop every single day. " * 9
    parts = [f"# Part {name}\n\n{filler}The {name} is special here.\n\n" for name in "oak elm ash fir yew box".split()]
    content = "".join(parts)
    store(kept, [{"kind": "section", "content": content, "id": "long"}])
    for name in ("oak", "yew"):
        hits = kept.index.lexical_candidates(Terms(query_terms(f"{name} special")), Filter(kind=MEMORY), False, 5)
        [span] = [each.passage for each in hits if each.field == "body" and each.passage][:1]
        assert f"The {name} is special" in content[span[0] : span[1]]
        assert span[1] - span[0] < 2_400


def test_a_model_that_was_chosen_sees_memories(place: tuple[Path, Path]) -> None:
    project, user = place
    index = SqliteIndex(lambda: places.index_file(str(project)), Thesaurus, lambda: Thesaurus("chosen-1"))
    graph = memories(project, user).graph
    graph.index = index
    kept = Memories(graph, MemoryFolder(str(project)), MemoryFolder(str(user)), lambda: HERE)
    wide = {"kind": "risk", "content": "a vehicle", "scope": {"org": "acme"}}
    assert store(kept, [{"kind": "todo", "content": "an automobile"}, wide]).count("stored") == 2
    waiting = index.encoder_state(MEMORY)
    assert (waiting.name, waiting.pending, waiting.done, waiting.total) == ("thesaurus-1", "chosen-1", 0, 2)
    assert not graph.embed(10.0)
    assert (index.encoder_state(MEMORY).name, index.encoder_state(MEMORY).pending) == ("chosen-1", "")
    assert len(index.semantic_candidates("car", Filter(kind=MEMORY), 5)) == 2
