"""Documents on disk: whatever a person keeps there, what it is called, what leads where, and how it stays in step."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from autology import places
from autology.core.documents import create, delete_restore, explore, search, tagging, update
from autology.core.documents import library as library_module
from autology.core.documents.former_ids import former_ids
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.documents.sources import Choice
from autology.core.documents.update import DocumentEdit
from autology.core.documents.write_checks import hash_of
from autology.core.nodes import relate, review
from autology.core.nodes import update as change
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.update import Fields
from autology.files.documents import DocumentFolder
from autology.index import index_file
from autology.model.entry import DOCUMENT
from autology.model.errors import (
    AmbiguousNameError,
    ConflictError,
    DocumentNotFoundError,
    IndexBusyError,
    ValidationError,
)
from autology.text import gitignore
from autology.text.markdown.links import CITES
from autology.text.slug import slug
from autology.vcs.git import Git
from tests.fakes.project import on_disk
from tests.unit.cli_kit import git, repository
from tests.unit.collections_kit import VAULT

SOURCES = ("docs", "notes", ".")


def a_library(root: Path, sources: Sequence[str] = SOURCES, excludes: Sequence[str] = ()) -> Library:
    return Library(on_disk(root), DocumentFolder(str(root), Choice(sources, excludes), Git(str(root)).ignored))


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode() if isinstance(text, str) else text)
    return root


def known(library: Library) -> dict[str, str]:
    library.refresh(walk=True)
    return {named.path: named.id for named in library.graph.index.named(DOCUMENT)}


def targets(library: Library, id: str, direction: str = "out") -> list[tuple[str, str]]:
    result = explore.explore(library, id, direction=direction).edges
    return [(edge.type, edge.target if direction == "out" else edge.source) for edge in result]


def hit_ids(library: Library, query: str) -> list[str]:
    return [hit.source.id for hit in search.search(library, query).hits]


# ---- what they are called -----------------------------------------------------------------------------


def test_an_id_is_the_path_in_its_source_slugged_part_by_part() -> None:
    for name, id in (
        ("Neural Networks", "neural-networks"),
        ("ML/My_First  Note (2)", "ml/my-first-note-2"),
        ("Über/漢字", "über/漢字"),
        ("🚀", "1f680"),
        ("v1.2", "v1-2"),
    ):
        assert slug(name) == id


def test_an_id_of_before_names_the_same_document() -> None:
    paths = ["docs/a.md", "notes/a.md", "docs/b c.md", "docs/b-c.md", "README.md", "docs/readme.md", "docs/only.md"]
    former = {
        "docs/a.md": "docs/a",
        "notes/a.md": "notes/a",
        "docs/b c.md": "b-c",
        "docs/b-c.md": "b-c-2",
        "README.md": "readme",
        "docs/readme.md": "docs/readme",
        "docs/only.md": "only",
    }
    assert former_ids(paths, SOURCES) == former
    assert former_ids([*paths, "src/new.md", "docs/only.rst"], ["*"]) == former
    uuid = "3f2a91c0-1111-4222-8333-444455556666"
    assert former_ids([f"docs/{uuid}.md"], SOURCES) == {f"docs/{uuid}.md": f"docs/{uuid}"}


def test_a_document_is_found_by_its_path_and_by_its_id_of_before(tmp_path: Path) -> None:
    paths = ["docs/ml/Intro.md", "notes/deep/intro.md", "docs/b c.md", "docs/b-c.md", "docs/guide.md", "guide.md"]
    library = a_library(write(tmp_path, dict.fromkeys(paths, "text")), ["*"])
    assert known(library) == {path: path for path in paths}
    ids = ["ml/intro", "deep/intro", "b-c", "b-c-2", "docs/guide", "guide"]
    assert [find(library, id).path for id in ids] == paths
    assert [find(library, id, alone=True).path for id in ids] == paths


def test_texts_that_differ_in_their_extension_are_two_documents(tmp_path: Path) -> None:
    texts = {"docs/a.md": "see [b](b.rst)", "docs/a.rst": "see :doc:`b`", "docs/b.md": "x", "docs/b.rst": "y"}
    library = a_library(write(tmp_path, texts), ["*"])
    assert known(library) == {path: path for path in texts}
    assert targets(library, "docs/a.md") == [(CITES, "docs/b.rst")]
    assert targets(library, "docs/a.rst") == [(CITES, "docs/b.rst")]


def test_links_follow_when_another_document_comes_and_goes(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": "one", "docs/b.md": "[[a]]"}))
    known(library)
    write(tmp_path, {"notes/a.md": "two"})
    assert known(library).keys() == {"docs/a.md", "docs/b.md", "notes/a.md"}
    assert targets(library, "b") == [(CITES, "docs/a.md")]
    with pytest.raises(AmbiguousNameError, match=r"docs/a\.md \(.*; notes/a\.md \("):
        find(library, "a")
    (tmp_path / "docs" / "a.md").unlink()
    assert known(library).keys() == {"docs/b.md", "notes/a.md"}
    assert targets(library, "b") == [(CITES, "notes/a.md")]
    assert library.graph.index.faults(DOCUMENT) == []


# ---- any file a person may have -------------------------------------------------------------------------


def test_any_file_is_indexed_or_reported_and_none_stops_the_others(tmp_path: Path) -> None:
    utf16 = "# Sixteen\n\nzebra wide\n"
    write(
        tmp_path,
        {
            "docs/plain.md": "no frontmatter, zebra",
            "docs/broken.md": "---\ntitle: [unclosed\ntags: {\n---\nzebra in broken\n",
            "docs/open.md": "---\ntitle: never closed\nzebra\n",
            "docs/bom.md": b"\xef\xbb\xbf---\ntitle: Marked\n---\nzebra bom\n",
            "docs/crlf.md": b"# Windows\r\n\r\nzebra crlf\r\n",
            "docs/le.md": b"\xff\xfe" + utf16.encode("utf-16-le"),
            "docs/be.md": b"\xfe\xff" + utf16.encode("utf-16-be"),
            "docs/bare.md": utf16.encode("utf-16-le"),
            "docs/empty.md": "",
            "docs/with space.md": "zebra space",
            "docs/🚀 rocket.md": "zebra rocket",
            "docs/Ünï/漢字.md": "zebra 漢字",
            "docs/binary.md": bytes(range(256)) * 10,
            "docs/latin.md": "caf\xe9".encode("latin-1"),
            "docs/UPPER.MD": "zebra upper",
        },
    )
    with (tmp_path / "docs" / "huge.md").open("wb") as file:
        file.truncate(50_000_000)
    (tmp_path / "docs" / "loop.md").symlink_to("loop.md")
    (tmp_path / "docs" / "around").symlink_to(tmp_path / "docs")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "docs" / "pipe.md")
    library = a_library(tmp_path)
    everything = known(library)
    assert {"bom", "le", "be", "bare", "empty", "with-space", "ünï/漢字", "upper"} <= set(
        former_ids(everything, SOURCES).values()
    )
    assert everything["docs/🚀 rocket.md"]
    reported = dict(library.graph.index.faults(DOCUMENT))
    expected = {"docs/binary.md", "docs/latin.md", "docs/huge.md", "docs/loop.md"}
    assert expected <= reported.keys() <= {*expected, "docs/pipe.md"}
    assert reported["docs/latin.md"] == "is not UTF-8 (byte 3); save it as UTF-8"
    assert len(hit_ids(library, "zebra")) == 12
    assert find(library, "Marked").id == "docs/bom.md"
    assert library.refresh(walk=True) <= 20  # what was young is read once more
    assert known(library) == everything


def test_a_huge_table_and_a_long_line_are_searchable_to_their_end(tmp_path: Path) -> None:
    text = "word " * 300_000 + "aardvark"
    library = a_library(write(tmp_path, {"docs/long.md": text}))
    assert hit_ids(library, "aardvark") == ["docs/long.md"]


def test_files_ignored_by_git_are_not_documents(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".gitignore": "docs/build/\n*.draft.md\n!keep.draft.md\n",
        "docs/a.md": "a",
        "docs/build/b.md": "b",
        "docs/c.draft.md": "c",
        "docs/keep.draft.md": "d",
        "docs/.hidden/e.md": "e",
        "docs/node_modules/f.md": "f",
        "README.md": "r",
        "src/g.md": "g",
    }
    expected = {"docs/a.md", "docs/keep.draft.md", "README.md"}
    write(tmp_path / "plain", files)
    assert known(a_library(tmp_path / "plain")).keys() == expected
    repository(write(tmp_path / "git", files))
    library = a_library(tmp_path / "git")
    assert known(library).keys() == expected
    write(tmp_path / "git", {"docs/late.md": "l"})
    assert "docs/late.md" in known(library)
    (tmp_path / "git" / ".gitignore").write_text("docs/late.md\n", encoding="utf-8")
    assert "docs/late.md" not in known(library)
    assert "docs/build/b.md" in known(library)
    assert known(a_library(tmp_path / "git", SOURCES, ["docs/build", "*.draft.md"])).keys() == {
        "README.md",
        "docs/a.md",
    }
    assert "src/g.md" in known(a_library(tmp_path / "git", ["**"]))


@pytest.mark.parametrize(
    ("pattern", "path", "is_folder", "passes"),
    [
        ("build", "a/build", True, True),
        ("build/", "build", False, False),
        ("/build", "a/build", True, False),
        ("a/*.md", "a/b.md", False, True),
        ("a/*.md", "a/b/c.md", False, False),
        ("**/x.md", "a/b/x.md", False, True),
        ("a/**", "a/b/c.md", False, True),
        ("[ab].md", "b.md", False, True),
        ("[!ab].md", "b.md", False, False),
        ("# comment", "# comment", False, False),
        ("\\#x.md", "#x.md", False, True),
        ("?.md", "é.md", False, True),
    ],
)
def test_patterns_mean_what_git_means(pattern: str, path: str, is_folder: bool, passes: bool) -> None:
    assert gitignore.is_ignored(gitignore.rules([pattern]), path, is_folder) is passes


def test_a_missing_source_does_not_stop_the_others(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"README.md": "zebra"}), ["handbook", "."])
    assert hit_ids(library, "zebra") == ["README.md"]
    assert library.layout().missing == ("handbook",)


def test_a_folder_deleted_during_the_walk_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = DocumentFolder(
        str(write(tmp_path, {"README.md": "a", "docs/a.md": "b", "docs/gone/c.md": "c"})), Choice(["docs", "."])
    )
    listed = os.scandir

    def removed_first(path: str) -> object:
        if str(path).endswith("gone"):
            (tmp_path / "docs/gone/c.md").unlink()
            Path(path).rmdir()
        return listed(path)

    monkeypatch.setattr("autology.files.documents.os.scandir", removed_first)
    assert folder.scan().files.keys() == {"README.md", "docs/a.md"}

    (tmp_path / "docs").rename(tmp_path / "moved")
    monkeypatch.setattr("autology.files.documents.os.path.isdir", lambda path: True)
    scan = folder.scan()
    assert (scan.files.keys(), scan.missing) == ({"README.md"}, ("docs",))


# ---- links ------------------------------------------------------------------------------------------------


def test_links_resolve_as_obsidian_resolves_them(tmp_path: Path) -> None:
    library = a_library(
        write(
            tmp_path,
            {
                "docs/a/one.md": "[[two]] [[b/two]] [[../b/two]] [[ONE]] [[Three Words]] [[docs/b/two]] [[two.md]]",
                "docs/a/deep/two.md": "near",
                "docs/b/two.md": "far [[one]] [up](../a/one.md) [gone](none.md) [[Nothing Such]]",
                "docs/b/three-words.md": "---\naliases: [Alias Of It]\n---\n# A Title\n\n[[A Title]]",
                "docs/c.md": "[[Alias of it]] [[a title]] [x](/docs/b/two.md) [y](b/two) [[two#part|shown]]",
            },
        )
    )
    assert targets(library, "a/one") == [
        (CITES, "docs/a/deep/two.md"),
        (CITES, "docs/b/three-words.md"),
        (CITES, "docs/b/two.md"),
    ]
    assert targets(library, "b/two") == [(CITES, "Nothing Such"), (CITES, "docs/a/one.md"), (CITES, "docs/b/none.md")]
    assert targets(library, "c") == [(CITES, "docs/b/three-words.md"), (CITES, "docs/b/two.md")]
    assert targets(library, "b/three-words", "in") == [(CITES, "docs/a/one.md"), (CITES, "docs/c.md")]


def test_links_follow_whatever_happens_to_the_documents_they_lead_to(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": "[[New Name]]", "docs/b.md": "# Old Name\n"}))
    assert targets(library, "a") == [(CITES, "New Name")]
    write(tmp_path, {"docs/b.md": "# New Name\n"})
    assert known(library)
    assert targets(library, "a") == [(CITES, "docs/b.md")]
    write(tmp_path, {"docs/a.md": "[[b]] #tag"})
    assert known(library)
    assert targets(library, "a") == [(CITES, "docs/b.md"), ("TAGGED_AS", "tag")]
    (tmp_path / "docs" / "b.md").unlink()
    assert known(library) == {"docs/a.md": "docs/a.md"}
    assert targets(library, "a") == [(CITES, "b"), ("TAGGED_AS", "tag")]
    assert library.graph.index.edges(["b"], kind=DOCUMENT)
    (tmp_path / "docs" / "a.md").unlink()
    assert known(library) == {}
    assert library.graph.index.edges(kind=None) == []


def test_an_indexing_that_was_interrupted_between_names_and_links_is_completed(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"docs/n{n}.md": f"# Title {n}\n\n[[Title {n + 1}]]\n" for n in range(450)}
    library = a_library(write(tmp_path, files))

    def stop(done: int, total: int) -> None:
        if done >= 400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.refresh(progress=stop)
    again = a_library(tmp_path)
    assert 0 < again.refresh() <= 450
    assert targets(again, "n0") == [(CITES, "docs/n1.md")]
    assert targets(again, "n399") == [(CITES, "docs/n400.md")]


def test_a_vault_in_folders_is_indexed_with_its_links_resolved(tmp_path: Path) -> None:
    shutil.copytree(VAULT, tmp_path / "docs")
    library = a_library(tmp_path)
    everything = known(library)
    assert len(everything) == 12
    edges = [edge for edge in library.graph.index.edges(kind=DOCUMENT) if edge.type == CITES]
    dangling = [edge for edge in edges if edge.target not in everything.values()]
    assert (len(edges), len(dangling)) == (36, 5)
    assert {edge.source for edge in dangling} == {
        f"docs/{name}.md" for name in ("inbox", "journal/2031-02-03", "templates/daily")
    }
    assert library.graph.index.faults(DOCUMENT) == []
    assert hit_ids(library, "glue") == ["docs/methods/starter.md", "docs/journal/2031-02-03.md"]
    # By name, alias, heading, embed, path and reference: each way to link leads there.
    assert [source for _, source in targets(library, "methods/starter", "in")] == [
        f"docs/{name}.md"
        for name in ("flour/rye", "inbox", "index", "journal/2031-02-03", "methods/opening", "recipes/rye-loaf")
    ]
    assert (CITES, "docs/flour/wheat.md") in targets(library, "flour/rye")


# ---- staying in step --------------------------------------------------------------------------------------


def test_a_checkout_is_seen_by_the_next_search_and_leaves_nothing_behind(tmp_path: Path) -> None:
    root = write(tmp_path, {f"docs/n{n}.md": f"alpha {n} [[n{n + 1}]]" for n in range(300)})
    repository(root)
    git(root, "checkout", "-q", "-b", "other")
    for n in range(300):
        (root / "docs" / f"n{n}.md").unlink()
        write(root, {f"notes/m{n}.md": f"beta {n} [[m{n + 1}]]"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "other")
    library = a_library(root)
    assert len(hit_ids(library, "beta")) == 20
    git(root, "checkout", "-q", "main")
    assert hit_ids(library, "beta") == []
    assert len(hit_ids(library, "alpha")) == 20
    assert known(library).keys() == {f"docs/n{n}.md" for n in range(300)}
    assert {edge.source[:6] for edge in library.graph.index.edges(kind=DOCUMENT)} == {"docs/n"}


def test_many_threads_may_ask_and_write_at_once(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {f"docs/n{n}.md": f"alpha [[n{n + 1}]]" for n in range(40)}))
    failed: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(4):
                create.create_document(library, f"docs/t{number}-{step}.md", f"beta [[n{number}]]")
                assert hit_ids(library, "alpha")
                targets(library, f"n{number}", "in")
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(known(library)) == 64
    fresh = a_library(tmp_path)
    assert known(fresh) == known(library)


# ---- writing ------------------------------------------------------------------------------------------------


def test_a_replaced_section_keeps_the_blank_line_below_its_heading(tmp_path: Path) -> None:
    library = a_library(tmp_path)
    for values, kept in (("# A\n\nold\n\n# B\n", "# A\n\nnew\n\n# B\n"), ("# A\nold\n# B\n", "# A\nnew\n\n# B\n")):
        write(tmp_path, {"docs/gap.md": values})
        update.update_document(library, "gap", DocumentEdit(content="new", section="A"))
        assert (tmp_path / "docs" / "gap.md").read_text(encoding="utf-8") == kept


def test_an_edit_keeps_the_files_own_encoding_and_line_ends(tmp_path: Path) -> None:
    before = "# Wide\r\n\r\n## Part\r\n\r\nold\r\n\r\n## Next\r\nkept\r\n"
    write(tmp_path, {"docs/wide.md": b"\xff\xfe" + before.encode("utf-16-le")})
    library = a_library(tmp_path)
    update.update_document(library, "wide", DocumentEdit(content="new\nlines", section="Part"))
    data = (tmp_path / "docs" / "wide.md").read_bytes()
    assert data.startswith(b"\xff\xfe")
    assert data[2:].decode("utf-16-le") == "# Wide\r\n\r\n## Part\r\n\r\nnew\r\nlines\r\n\r\n## Next\r\nkept\r\n"


def test_a_rename_rewrites_every_form_of_link_and_its_own_relative_ones(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "docs/old name.md": "![p](img/p.png) [a](a.md) [[a]] [self](old%20name.md#x) [web](https://x.org/a.md)\n",
            "docs/a.md": "---\nrelated: [old name, other]\nup: '[[old name]]'\n---\n"
            "[[old name]] [[old name#h|l]] ![[old-name]] [x](old%20name.md#f) [y](<old name.md>) `[[old name]]`\n"
            "<!-- tags: PART: [[old name]] -->\n",
            "docs/sub/c.md": "[z](../old%20name.md) [[docs/old name]]\n",
        },
    )
    library = a_library(tmp_path)
    done = update.update_document(library, "old-name", DocumentEdit(rename_to="docs/sub/new name.md"))
    assert (done.id, done.relinked) == ("docs/sub/new name.md", ("docs/a.md", "docs/sub/c.md"))
    assert (tmp_path / "docs" / "sub" / "new name.md").read_text(encoding="utf-8") == (
        "![p](../img/p.png) [a](../a.md) [[a]] [self](new%20name.md#x) [web](https://x.org/a.md)\n"
    )
    assert (tmp_path / "docs" / "a.md").read_text(encoding="utf-8") == (
        "---\nrelated: [new name, other]\nup: '[[new name]]'\n---\n"
        "[[new name]] [[new name#h|l]] ![[new name]] [x](sub/new%20name.md#f) [y](<sub/new name.md>) `[[old name]]`\n"
        "<!-- tags: PART: [[new name]] -->\n"
    )
    assert (tmp_path / "docs" / "sub" / "c.md").read_text(encoding="utf-8") == "[z](new%20name.md) [[sub/new name]]\n"
    assert not (tmp_path / "docs" / "old name.md").exists()
    assert {source for _, source in targets(library, "sub/new-name", "in")} == {"docs/a.md", "docs/sub/c.md"}


def test_a_file_that_an_editor_saves_at_the_same_moment_is_not_lost(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": "one\n"}))
    path = tmp_path / "docs" / "a.md"
    commit = library.graph.files.commit

    def meddled(changes):  # type: ignore[no-untyped-def]
        path.write_text(path.read_text(encoding="utf-8") + "by hand\n", encoding="utf-8")
        return commit(changes)

    library.graph.files.commit = meddled  # type: ignore[method-assign]
    with pytest.raises(ConflictError):
        update.update_document(library, "a", DocumentEdit(content="two\n"))
    assert path.read_text(encoding="utf-8").startswith("one\nby hand\n")


def test_a_secret_reaches_neither_file_nor_index(tmp_path: Path) -> None:
    library = a_library(tmp_path)
    token = "ghp_" + "a1B2c3D4e5" * 4
    made = create.create_document(library, "docs/a.md", f"token {token}\n")
    assert made.redacted
    assert token not in (tmp_path / "docs" / "a.md").read_text(encoding="utf-8")
    write(tmp_path, {"docs/b.md": f"mine {token} here"})
    [hit] = search.search(library, "mine").hits
    assert token not in hit.preview


@pytest.mark.parametrize("asked", ["ml/a", "docs/ml/a.md", "./docs/ml/a.md", "trash"])
def test_a_deleted_document_comes_back_byte_for_byte(tmp_path: Path, asked: str) -> None:
    text = b"\xef\xbb\xbf# A\r\n\r\n[[b]]"
    library = a_library(write(tmp_path, {"docs/ml/a.md": text, "docs/b.md": "[[a]]"}))
    gone = delete_restore.delete_document(library, "ml/a")
    assert targets(library, "b") == [(CITES, "a")]
    done = delete_restore.restore(library, gone.trash if asked == "trash" else asked)
    assert (done.id, done.path) == ("docs/ml/a.md", "docs/ml/a.md")
    assert (tmp_path / "docs" / "ml" / "a.md").read_bytes() == text
    assert gone.hash == hash_of(text)
    assert targets(library, "b") == [(CITES, "docs/ml/a.md")]
    assert library.trash.items() == []
    assert list((tmp_path / ".autology" / "trash" / "documents").iterdir()) == []


def test_a_document_is_not_restored_over_another_or_out_of_the_sources(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": "old"}))
    gone = delete_restore.delete_document(library, "a")
    write(tmp_path, {"docs/a.md": "new"})
    with pytest.raises(ValidationError, match="exists"):
        delete_restore.restore(library, "a")
    assert (tmp_path / "docs" / "a.md").read_text(encoding="utf-8") == "new"
    record = tmp_path / gone.trash.replace(".md", ".json")
    for path in ("../a.md", "src/a.md", "/etc/a.md", ".autology/nodes/concepts/a.md"):
        record.write_text(json.dumps({"id": "a", "path": path, "title": "A", "deleted": "x"}), encoding="utf-8")
        with pytest.raises(ValidationError):
            delete_restore.restore(library, "a")
    for text in ("", "[]", "{}", '{"id": 1, "path": 2, "title": 3, "deleted": 4}'):
        record.write_text(text, encoding="utf-8")
        with pytest.raises(DocumentNotFoundError):
            delete_restore.restore(library, "a")
    assert (tmp_path / gone.trash).read_text(encoding="utf-8") == "old"


def test_links_in_the_text_of_a_node_are_followed_both_ways(tmp_path: Path) -> None:
    files = {
        "docs/Retry Policy.md": "---\naliases: [Backing off]\n---\n# How often\n",
        "docs/ml/intro.md": "# Intro\n",
        "notes/intro.md": "# Other\n",
    }
    library = a_library(write(tmp_path, files))
    other = capture(library.graph, Material("Use SQLite", "text", "concept")).node.id
    text = (
        "See [[retry policy]], ![[Backing off]], [it](../../../docs/ml/intro.md#x), [[Use SQLite]], [[Nowhere|there]]"
        " and `[[code]]`."
    )
    node = capture(library.graph, Material("Calls", text, "concept")).node.id
    cited = ["Nowhere", "docs/ml/intro.md", other, "docs/Retry Policy.md"]
    assert sorted(targets(library, node)) == sorted((CITES, target) for target in cited)
    assert targets(library, "retry-policy", "in") == [(CITES, node)]
    assert targets(library, "docs/ml/intro.md", "in") == [(CITES, node)]
    assert targets(library, "notes/intro.md", "in") == []
    assert targets(library, other, "in") == [(CITES, node)]
    assert library.graph.index.counts().relations == {}
    create.create_document(library, "docs/nowhere.md", "here now")
    assert targets(library, "nowhere", "in") == [(CITES, node)]
    change.update(library.graph, node, Fields(content="No link."))
    assert targets(library, "nowhere", "in") == targets(library, node) == []


def test_a_search_while_another_process_fills_the_index_answers_with_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_file, "PATIENCE_MS", 50)
    library = a_library(write(tmp_path, {"docs/a.md": "apples"}))
    library.refresh(walk=True)
    write(tmp_path, {"docs/b.md": "more apples"})
    with closing(sqlite3.connect(places.index_file(str(tmp_path)), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        busy = search.search(a_library(tmp_path), "apples")
        nothing = search.search(a_library(tmp_path), "pears")
    assert [hit.source.id for hit in busy.hits] == ["docs/a.md"]
    for answer in (busy, nothing):
        assert any("not everything is known yet" in note and "try again" in note for note in answer.notes)
    assert sorted(hit_ids(library, "apples")) == ["docs/a.md", "docs/b.md"]


def test_documents_not_indexed_yet_are_read_from_disk_while_another_process_indexes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_file, "PATIENCE_MS", 50)
    library = a_library(write(tmp_path, {"docs/a.md": "see [[b]]"}))
    node = capture(library.graph, Material("Kept", "a node")).node
    library.refresh(walk=True)
    write(tmp_path, {"docs/b.md": "---\ntitle: Bees\n---\nmore", "docs/one/c.md": "1", "notes/two/c.md": "2"})
    with closing(sqlite3.connect(places.index_file(str(tmp_path)), isolation_level=None)) as other:
        other.execute("DELETE FROM source WHERE kind = 'node'")
        other.execute("BEGIN IMMEDIATE")
        new = a_library(tmp_path)

        def read(name: str) -> str:
            return new.read_current(lambda: new.stored(find(new, name))).entry.text

        assert read("b") == read("docs/b.md") == "---\ntitle: Bees\n---\nmore"
        assert "a node" in read(node.id) == read(node.id[:8])
        with pytest.raises(AmbiguousNameError, match="one/c"):
            read("c")
        for unknown in ("Bees", "00000000-0000-4000-8000-000000000000"):
            with pytest.raises(IndexBusyError, match="being indexed") as refused:
                read(unknown)
            assert "try again" in str(refused.value)
        assert targets(new, "a") == [(CITES, "b")]
        assert "docs/one" in new.layout().folders
    assert read("Bees").endswith("more")
    assert new.graph.notes == []


def test_a_query_does_not_repeat_the_indexing_of_another_process(tmp_path: Path) -> None:
    write(tmp_path, {f"docs/{number}.md": "a page" for number in range(2 * library_module.BATCH + 1)})
    filling, asking = a_library(tmp_path), a_library(tmp_path)
    met = []

    def while_filling(done: int, total: int) -> None:
        if done < total:
            met.append(search.search(asking, "page"))

    filling.refresh(progress=while_filling)
    assert met[0].hits
    assert any("being indexed" in note for note in met[0].notes)
    assert len(filling.graph.index.stamps(DOCUMENT)) == 2 * library_module.BATCH + 1
    assert not any("being indexed" in note for note in search.search(asking, "page").notes)


def test_an_edit_in_place_is_seen_at_once_if_the_document_changed_recently(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": "text", "docs/b.md": "text"}))
    library.refresh(walk=True)
    library.refresh(walk=True)
    library.freshness.cost = 60.0  # as if a look at every file took long: the next one is twenty minutes away
    for word in ("apples", "pears"):
        write(tmp_path, {"docs/a.md": f"some {word}"})
        assert hit_ids(library, word)[:1] == ["docs/a.md"]


def test_a_rename_rewrites_the_links_in_nodes_too(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/plan.md": "# Plan", "docs/other.md": "see [[plan]]"}))
    text = "As [[plan]] says, and [the plan](../../../docs/plan.md#steps), not `[[plan]]` or [[other]]."
    node = capture(library.graph, Material("Kept", text)).node
    done = update.update_document(library, "plan", DocumentEdit(rename_to="docs/later/roadmap.md"))
    assert done.relinked == (node.path, "docs/other.md")
    content = library.read_current(lambda: library.stored(find(library, node.id))).entry.text
    expected = "As [[roadmap]] says, and [the plan](../../../docs/later/roadmap.md#steps), not `[[plan]]` or [[other]]."
    assert expected in content
    assert targets(library, done.id, "in") == [(CITES, "docs/other.md"), (CITES, node.id)]
    assert (tmp_path / "docs/other.md").read_text(encoding="utf-8") == "see [[roadmap]]"


@pytest.mark.parametrize("name", ["CON", "nul.notes", "Lpt1/a", "why?", "a:b", "end./x", 'a"b'])
def test_no_new_document_gets_a_name_that_windows_reserves(tmp_path: Path, name: str) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": "text"}))
    with pytest.raises(ValidationError, match="Windows cannot hold"):
        create.create_document(library, f"docs/{name}.md", "text")
    with pytest.raises(ValidationError, match="Windows cannot hold"):
        update.update_document(library, "a", DocumentEdit(content="text", rename_to=f"docs/{name}.md"))


def test_the_preview_of_a_hit_omits_a_block_of_tags(tmp_path: Path) -> None:
    text = "Bees hum.\n\n<!-- tags: KIND: insect -->\n\nThey dance."
    library = a_library(write(tmp_path, {"docs/a.md": text, "docs/b.md": "<!-- tags: KIND: mammal -->"}))
    assert search.search(library, "bees").hits[0].preview == "Bees hum.\n\nThey dance."
    assert search.search(library, "bees", preview="start").hits[0].preview == text
    assert search.search(library, "mammal").hits[0].preview == "<!-- tags: KIND: mammal -->"


def test_a_secret_that_begins_before_a_passage_is_redacted_in_it(tmp_path: Path) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA\n" * 150 + "-----END RSA PRIVATE KEY-----\n"
    text = "# Far\n\n" + "lorem ipsum\n\n" * 5_000 + key + "\n\nzebra crossing\n"
    library = a_library(write(tmp_path, {"docs/a.md": text}))
    (hit,) = search.search(library, "zebra").hits
    assert "zebra" in hit.passage
    assert "MIIEp" not in hit.passage + hit.preview


def test_two_deleted_documents_of_one_name_both_stay_in_the_trash(tmp_path: Path) -> None:
    library = a_library(tmp_path)
    kept = set()
    for text in ("one", "two"):
        create.create_document(library, "docs/a.md", text)
        kept.add((tmp_path / delete_restore.delete_document(library, "a").trash).read_text(encoding="utf-8"))
    assert kept == {"one", "two"}
    assert [item.path for item in library.trash.items()] == ["docs/a.md"] * 2
    with pytest.raises(ValidationError, match="is missing"):
        update.update_document(library, "a", DocumentEdit())


OUTSIDE = (
    "packages/api/README.md",
    "packages/api/README",
    "src/README.md",
    "src/readme",
    "../other/notes.md",
    "../other/notes",
    ".claude/CLAUDE.md",
    "./notes.md",
    "/elsewhere/README.md",
    "~/README.md",
    "C:\\work\\README.md",
    "packages\\api\\README.md",
    "guide.md",
    "./guide.md",
    "docs/Guide Book.md",
)


def a_project_with_files_outside(root: Path) -> Library:
    files = dict.fromkeys(("packages/api/README.md", "src/README.md", ".claude/CLAUDE.md", "guide.md"), "outside")
    inside = {"README.md": "root", "docs/notes.md": "# Notes", "docs/guide.md": "# Guide Book", "docs/CLAUDE.md": "in"}
    write(root, {"other/notes.md": "another project"})
    return a_library(write(root / "here", {**files, **inside}), ("docs", "."), ["/guide.md"])


@pytest.mark.parametrize("asked", OUTSIDE)
def test_a_path_resolves_to_exactly_that_file_or_to_nothing(tmp_path: Path, asked: str) -> None:
    library = a_project_with_files_outside(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.md")}
    with pytest.raises(DocumentNotFoundError):
        update.update_document(library, asked, DocumentEdit(content="overwritten"))
    with pytest.raises(DocumentNotFoundError):
        delete_restore.delete_document(library, asked)
    with pytest.raises(DocumentNotFoundError):
        find(library, asked)
    with pytest.raises(DocumentNotFoundError):
        explore.explore(library, asked)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md")} == before


def test_a_file_that_is_not_a_document_is_reported_as_not_indexed(tmp_path: Path) -> None:
    library = a_project_with_files_outside(tmp_path)
    with pytest.raises(DocumentNotFoundError, match="`documents_includes` and `documents_excludes` decide"):
        update.update_document(library, "packages/api/README.md", DocumentEdit(content="overwritten"))


def test_writing_accepts_a_bare_name_only_if_it_is_unambiguous(tmp_path: Path) -> None:
    files = {"docs/a/plan.md": "# Roadmap", "docs/b/other.md": "---\naliases: [plan]\n---\n", "docs/a/b/last.md": "x"}
    library = a_library(write(tmp_path, {**files, "docs/README.md": "one", "notes/x/readme.md": "two"}))
    library.refresh(walk=True)
    assert find(library, "plan").path == find(library, "plan.md").path == "docs/a/plan.md"
    assert find(library, "b/last").path == "docs/a/b/last.md"
    for ambiguous in ("plan", "plan.md", "readme.md"):
        with pytest.raises(AmbiguousNameError):
            update.update_document(library, ambiguous, DocumentEdit(content="overwritten"))
    with pytest.raises(DocumentNotFoundError, match="a/b/last"):
        update.update_document(library, "b/last", DocumentEdit(content="overwritten"))
    for alone in ("last", "last.md", "a/b/last", "docs/a/b/last", "docs/a/b/last.md", "Final"):
        update.update_document(library, alone, DocumentEdit(content=f"# Final\n{alone}"))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\xff\xfe"])
@pytest.mark.parametrize(
    "edit", [DocumentEdit(content="\ufeff# N\n\nx\ny\n"), DocumentEdit(content="x\ny", section="B")]
)
def test_an_edit_of_a_document_keeps_line_endings_and_byte_order_mark(
    tmp_path: Path, mark: bytes, edit: DocumentEdit
) -> None:
    codec = "utf-16-le" if mark == b"\xff\xfe" else "utf-8"
    library = a_library(write(tmp_path, {"docs/a.md": mark + "# A\r\n\r\n## B\r\n\r\nold\r\n".encode(codec)}))
    update.update_document(library, "docs/a.md", edit)
    data = (tmp_path / "docs" / "a.md").read_bytes()
    text = data.removeprefix(mark).decode(codec)
    assert data.startswith(mark)
    assert "\ufeff" not in text
    assert "x\r\ny" in text
    assert "\n" not in text.replace("\r\n", "")


def test_a_node_keeps_its_line_endings_and_byte_order_mark_through_any_change(tmp_path: Path) -> None:
    library = a_library(tmp_path)
    graph = library.graph
    node = capture(graph, Material("Retries", "one\ntwo", "concept")).node
    other = capture(graph, Material("Queue", "it", "concept")).node
    file = tmp_path / node.path
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert change.update(graph, node.id, Fields(content="one\ntwo")).fields == ()
    for fields in (Fields(content="three\nfour\n\nfive"), Fields(title="Trying again"), Fields(tags=("jobs",))):
        change.update(graph, node.id, fields)
    relate.relate(graph, node.id, other.id, "affects", "it waits")
    review.keep(graph, node.id)
    review.amend(graph, node.id, None, "six\nseven", "said so")
    data = file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf---\r\n")
    assert b"six\r\nseven\r\n" in data
    assert b"\n" not in data.replace(b"\r\n", b"")
    graph.refresh(walk=True)
    assert graph.stored(graph.source(node.id)).entry.content == "six\r\nseven"


BOLD = """\
# Guide

**Bold line**

one

__Next one:__
two

Some **bold** words, and
**a bold end of a paragraph**

```
**Fenced**
```

## **Loud** heading

three
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("section", "content", "old", "new"),
    [
        ("Bold line", "new", "one\n", "new\n"),
        ("**Bold line**", "new", "one\n", "new\n"),
        ("Guide > Bold line", "new\n", "one\n", "new\n"),
        ("bold line", "**Bold line**\n\nnew", "one\n", "new\n"),
        ("**Bold line:**", "**Other line**\n\nnew", "one\n", "**Other line**\n\nnew\n"),
        ("Next one", "new", "two\n\nSome **bold** words, and\n**a bold end of a paragraph**\n", "new\n"),
        ("Loud heading", "new", "three", "new"),
        ("## **Loud** heading", "new", "three", "new"),
    ],
)
def test_a_section_is_named_by_its_heading_without_emphasis_or_by_a_bold_line(
    tmp_path: Path, newline: str, section: str, content: str, old: str, new: str
) -> None:
    library = a_library(write(tmp_path, {"docs/a.md": BOLD.replace("\n", newline)}))
    update.update_document(library, "a", DocumentEdit(content=content, section=section))
    message = (tmp_path / "docs" / "a.md").read_bytes().decode()
    if section == "Next one":
        wanted = BOLD[: BOLD.index("two\n")] + "new\n\n" + BOLD[BOLD.index("## **Loud") :]
    else:
        wanted = BOLD.replace(old, new)
    assert message == wanted.replace("\n", newline)


def test_bold_text_within_a_paragraph_or_code_block_is_not_a_section(tmp_path: Path) -> None:
    twice = "# One\n\n**One**\n\nx\n\n**Two**\n\n**Two**\n"
    library = a_library(write(tmp_path, {"docs/a.md": BOLD, "docs/b.md": twice}))
    for section in ("bold", "a bold end of a paragraph", "Fenced", "**Missing**"):
        with pytest.raises(ValidationError, match=r"there is no section .*There are: Guide; Guide > Bold line; "):
            update.update_document(library, "a", DocumentEdit(content="new", section=section))
    update.update_document(library, "b", DocumentEdit(content="# One\n\nnew", section="One"))
    assert (tmp_path / "docs" / "b.md").read_text(encoding="utf-8") == "# One\n\nnew\n"
    update.update_document(library, "b", DocumentEdit(content="**One**\n\nother", section="One"))
    assert (tmp_path / "docs" / "b.md").read_text(encoding="utf-8") == "# One\n\n**One**\n\nother\n"
    write(tmp_path, {"docs/b.md": "**Two**\n\nx\n\n**Two**\n"})
    with pytest.raises(ValidationError, match="names 2 sections"):
        update.update_document(library, "b", DocumentEdit(content="new", section="Two"))


def test_equal_documents_deleted_within_a_second_are_both_restorable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = a_library(tmp_path)
    monkeypatch.setattr(library.graph, "stamp", lambda: "2026-01-01T00:00:00Z")
    places = []
    for path in ("docs/a.md", "docs/b.md", "docs/a.md"):
        create.create_document(library, path, "the same")
        places.append(delete_restore.delete_document(library, path).trash)
    assert len(set(places)) == len(library.trash.items()) == 3
    assert delete_restore.restore(library, places[0]).path == "docs/a.md"
    assert delete_restore.restore(library, "docs/b.md").path == "docs/b.md"
    (tmp_path / "docs" / "a.md").unlink()
    assert delete_restore.restore(library, "docs/a.md").path == "docs/a.md"
    assert library.trash.items() == []


# ---- forms and instructions -------------------------------------------------------------------------------


def test_instructions_to_agents_are_found_and_never_changed(tmp_path: Path) -> None:
    paths = ["CLAUDE.md", ".claude/rules/style.md", ".cursor/rules/tests.mdc", ".github/copilot-instructions.md"]
    text = "# Rules\n\nAlways run the zebra suite. See [[guide]].\n"
    library = a_library(write(tmp_path, {**dict.fromkeys(paths, text), "docs/guide.md": "# Guide\n"}), ["*"])
    hits = search.search(library, "zebra suite").hits
    assert {hit.source.type for hit in hits} == {"instruction"}
    assert {path for hit in hits for path in (hit.source.path, *(also.path for also in hit.also))} == set(paths)
    for id in paths[:2]:
        with pytest.raises(ValidationError, match="instructs coding agents"):
            update.update_document(library, id, DocumentEdit("other"))
        with pytest.raises(ValidationError, match="instructs coding agents"):
            delete_restore.delete_document(library, id)
        with pytest.raises(ValidationError, match="instructs coding agents"):
            tagging.inject_tags(library, id, ["a"])
    with pytest.raises(ValidationError, match="instructs coding agents"):
        create.create_document(library, "sub/AGENTS.md", "text")
    assert update.update_document(library, "guide", DocumentEdit(rename_to="start.md")).relinked == ()
    assert (tmp_path / "CLAUDE.md").read_text(encoding="utf-8") == text


def test_forms_whose_syntax_is_unknown_to_tools_are_read_only(tmp_path: Path) -> None:
    library = a_library(write(tmp_path, {"docs/a.rst": "Title\n=====\n\ntext\n"}), ["*"])
    for attempt in (
        lambda: update.update_document(library, "docs/a.rst", DocumentEdit("x")),
        lambda: delete_restore.delete_document(library, "a"),
        lambda: tagging.inject_tags(library, "docs/a.rst", ["a"]),
    ):
        with pytest.raises(ValidationError, match=r"docs/a\.rst is not markdown.*Edit the file itself"):
            attempt()
    assert library.stored(find(library, "a")).entry.text.startswith("Title")


def test_a_localised_copy_ranks_behind_the_text_unless_the_question_is_in_its_language(tmp_path: Path) -> None:
    files = {f"docs/cache{code}.md": "# Cache\n\nThe cache cache cache is cleared.\n" for code in (".de", ".fr", "")}
    files["docs/cache.de.md"] = "# Cache\n\nDer Cache wird von der Anwendung geleert, wenn die Sitzung endet.\n"
    library = a_library(write(tmp_path, files), ["*"])
    assert hit_ids(library, "cache")[0] == "docs/cache.md"
    assert hit_ids(library, "wann wird der cache geleert")[0] == "docs/cache.de.md"


def test_a_long_indexing_begins_with_the_nearest_and_newest_documents(tmp_path: Path) -> None:
    paths = ["src/z.md", "src/a.md", "docs/b.md", "README.md"]
    write(tmp_path, dict.fromkeys(paths, "text"))
    for age, path in enumerate(paths):
        os.utime(tmp_path / path, ns=(10**18 - age * 10**9,) * 2)
    library = a_library(tmp_path, ["*"])
    assert library.changes().changed == ("docs/b.md", "README.md", "src/z.md", "src/a.md")
