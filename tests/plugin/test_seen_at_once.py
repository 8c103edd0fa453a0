"""What git, an editor or a person does to the files under a running server is seen by the very next search.

A busy machine may not read hundreds of files in the time that a call waits: then the answer says so."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.plugin.served import Served, served
from tests.unit.cli_kit import git, repository

DOCUMENTS = 400
IN_PLACE = 120.0
"""Seconds after which a file written over in place is seen: twenty times what a look at all of them costs, which is
milliseconds where nothing else runs."""


def hit_titles(server: Served, query: str) -> list[str]:
    result = server.call_when_indexed("search_documents", query=query, limit=100)
    assert not result["isError"], result
    return [hit["id"] for hit in json.loads(result["content"][0]["text"]) if hit["source"] != "vector"]


def nodes(server: Served, query: str) -> list[str]:
    result = server.call_when_indexed("autology_query", query=query, mode="words")
    return [hit["node"]["title"] for hit in result["structuredContent"]["results"]]


def links(server: Served, id: str) -> list[tuple[str, str]]:
    result = server.call_when_indexed("explore_links", id=id, direction="in")
    return [(edge["source"], edge["target"]) for edge in json.loads(result["content"][0]["text"])]


def vault(root: Path) -> Path:
    for number in range(DOCUMENTS):
        path = root / "docs" / f"part-{number % 7}" / f"page-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"# Page {number}\n\nAlbatross{number}, as on main. See [[page-{number + 1}]].\n"
        path.write_text(text, encoding="utf-8")
    return root


def test_another_branch_is_what_the_very_next_search_sees(tmp_path: Path) -> None:
    root = vault(tmp_path / "project")
    repository(root)
    with served(root) as server:
        server.greet()
        assert not server.call("autology_capture", title="Kept on main", content="kingfisher", type="concept")[
            "isError"
        ]
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "a node")
        git(root, "checkout", "-q", "-b", "other")
        for number in range(0, DOCUMENTS, 2):
            path = root / "docs" / f"part-{number % 7}" / f"page-{number}.md"
            path.unlink() if number % 4 else path.write_text(f"# Page {number}\n\nBittern{number}.\n", encoding="utf-8")
        (root / "docs" / "part-1" / "page-1.md").rename(root / "docs" / "moved.md")
        (root / ".autology" / "nodes" / "concepts").rename(root / "concepts-gone")
        (root / "docs" / "new").mkdir()
        (root / "docs" / "new" / "fresh.md").write_text("# Fresh\n\nCormorant. [[page-3]]\n", encoding="utf-8")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "other")
        git(root, "checkout", "-q", "main")
        for _ in range(3):
            on_main(server)
            git(root, "checkout", "-q", "other")
            on_other(server)
            git(root, "checkout", "-q", "main")


def on_main(server: Served) -> None:
    assert hit_titles(server, "albatross4") == ["docs/part-4/page-4.md"]
    assert hit_titles(server, "bittern4") == []
    assert hit_titles(server, "albatross2") == ["docs/part-2/page-2.md"]
    assert hit_titles(server, "albatross1") == ["docs/part-1/page-1.md"]
    assert hit_titles(server, "cormorant") == []
    assert nodes(server, "kingfisher") == ["Kept on main"]
    assert links(server, "page-3") == [("docs/part-2/page-2.md", "docs/part-3/page-3.md")]
    assert links(server, "page-1") == [("docs/part-0/page-0.md", "docs/part-1/page-1.md")]


def on_other(server: Served) -> None:
    assert hit_titles(server, "bittern4") == ["docs/part-4/page-4.md"]
    assert hit_titles(server, "albatross4") == []
    assert hit_titles(server, "albatross2") == []
    assert hit_titles(server, "albatross1") == ["docs/moved.md"]
    assert hit_titles(server, "cormorant") == ["docs/new/fresh.md"]
    assert nodes(server, "kingfisher") == []
    assert links(server, "page-3") == [("docs/new/fresh.md", "docs/part-3/page-3.md")]
    gone = server.call_when_indexed("read_node_content", id="part-2/page-2")
    assert gone["isError"]
    assert gone["content"][0]["text"].startswith("Error: Node not found")


def test_removed_renamed_and_replaced_files_leave_no_stale_results(tmp_path: Path) -> None:
    root = vault(tmp_path / "project")
    with served(root) as server:
        server.greet()
        assert hit_titles(server, "albatross8") == ["docs/part-1/page-8.md"]
        page = root / "docs" / "part-1" / "page-8.md"
        for turn in range(25):
            page.rename(page.with_name(f"renamed-{turn}.md"))
            assert hit_titles(server, "albatross8") == [f"docs/part-1/renamed-{turn}.md"]
            page.with_name(f"renamed-{turn}.md").unlink()
            assert hit_titles(server, "albatross8") == []
            beside = page.with_name("beside.tmp")  # as most editors save
            beside.write_text(f"# Page\n\nAlbatross8 and dipper{turn}.\n", encoding="utf-8")
            beside.replace(page)
            assert hit_titles(server, f"dipper{turn}") == hit_titles(server, "albatross8") == ["docs/part-1/page-8.md"]
        (root / "docs" / "part-1").rename(root / "docs" / "whole")
        assert hit_titles(server, "albatross8") == ["docs/whole/page-8.md"]
        assert links(server, "whole/page-8") == [("docs/part-0/page-7.md", "docs/whole/page-8.md")]


def test_a_file_written_over_in_place_is_seen_within_a_bounded_time(tmp_path: Path) -> None:
    root = vault(tmp_path / "project")
    with served(root) as server:
        server.greet()
        assert hit_titles(server, "albatross8") == ["docs/part-1/page-8.md"]
        (root / "docs" / "part-1" / "page-8.md").write_text("# Page 8\n\nGuillemot.\n", encoding="utf-8")
        until = time.monotonic() + IN_PLACE
        while hit_titles(server, "guillemot") != ["docs/part-1/page-8.md"]:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert hit_titles(server, "albatross8") == []
