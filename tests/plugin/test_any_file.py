"""Whatever file a person has, it stops nothing: it is found, or it is said why not."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.fronts import run
from tests.plugin.served import Served, served

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and such names are another matter there")

LARGE = 50_000_000

FOUND: dict[str, bytes] = {
    "plain.md": b"no frontmatter, only words: quokka1\n",
    "broken frontmatter.md": b"---\ntitle: [open\n  x: : y\n---\n\nquokka2 below\n",
    "unclosed.md": b"---\ntitle: Never closed\n\nquokka3 goes on\n",
    "bom.md": b"\xef\xbb\xbf---\ntitle: Marked\n---\nquokka4 behind a mark\n",
    "crlf.md": b"---\r\ntitle: Windows\r\n---\r\n\r\nquokka5 with line ends\r\n",
    "old mac.md": b"# Old\r\rquokka6 with its own\r",
    "utf16le.md": "# Wide\n\nquokka7 in sixteen bits\n".encode("utf-16"),
    "utf16be.md": b"\xfe\xff" + "# Wide\n\nquokka8 the other way\n".encode("utf-16-be"),
    "name with spaces & 🚀 (1).md": b"# Rocket\n\nquokka9 flies\n",
    "sub/ünïcödé/文書.md": "# 文書\n\nquokka10 abroad\n".encode(),
    "LOUD.MD": b"# Loud\n\nquokka11 in capitals\n",
    "one line.md": b"quokka12 " + b"x" * 300_000,
    "much/deeper/than/usual/down.md": b"quokka13 at the bottom\n",
    "bomb.md": b"---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\nquokka14\n",
    "headings.md": b"#\n##\n###### \nquokka15\n" + b"#" * 5_000 + b"\n",
}
"""Files that are found by the word in them."""
EMPTY = ("empty.md", "white.md")
REPORTED = {
    "large.md": "has 50,000,009 bytes; 10,000,000 is the limit",
    "latin.md": "is not UTF-8 (byte 5); save it as UTF-8",
    "half.md": "is not UTF-16 (byte 14); save it as UTF-8",
    "picture.md": "is not text: it contains zero bytes",
    "nowhere.md": "is a broken link",
    "loop/itself.md": "is a broken link",
    "outside.md": "is a link that leads out of the project; it is not followed",
    "pipe.md": "is not a regular file",
}
"""Files that cannot be read, with what is said of each."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("any")
    root = folder / "project"
    docs = root / "docs"
    for name, data in FOUND.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_bytes(data)
    (docs / "empty.md").write_bytes(b"")
    (docs / "white.md").write_bytes(b" \n\t\n")
    (docs / "large.md").write_bytes(b"# Large\n\n" + b"quokka50 and more of it.\n" * (LARGE // 25))
    (docs / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + os.urandom(5_000))
    (docs / "latin.md").write_bytes("# Café\n".encode("latin-1"))
    (docs / "half.md").write_bytes(b"\xff\xfe" + "# Half\n".encode("utf-16-le") + b"\x00\xd8")
    (docs / "nowhere.md").symlink_to("not there.md")
    (folder / "secret.md").write_text("quokka99 is not ours\n", encoding="utf-8")
    (docs / "outside.md").symlink_to(folder / "secret.md")
    (docs / "loop").mkdir()
    (docs / "loop" / "again").symlink_to(docs / "loop", target_is_directory=True)
    (docs / "loop" / "itself.md").symlink_to(docs / "loop" / "itself.md")
    (docs / "loop" / "real.md").write_text("quokka16 once only\n", encoding="utf-8")
    (docs / "folder.md").mkdir()
    (docs / "folder.md" / "inside.md").write_text("quokka17 in a folder with such a name\n", encoding="utf-8")
    os.mkfifo(docs / "pipe.md")
    return root


def hits(server: Served, query: str) -> list[dict[str, Any]]:
    result = server.call("search_documents", query=query)
    assert not result["isError"], result
    results: list[dict[str, Any]] = json.loads(result["content"][0]["text"])
    return results


def test_every_odd_file_is_found_or_reported_and_none_stops_the_indexing(project: Path) -> None:
    done = run(project, "sync", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    output = json.loads(done.stdout)
    words = {path: f"quokka{number}" for number, path in enumerate(FOUND, 1)}
    words |= {"loop/real.md": "quokka16", "folder.md/inside.md": "quokka17"}
    assert (output["documents"], output["unreadable"]) == (len(words) + len(EMPTY), len(REPORTED))
    findings = json.loads(run(project, "doctor", "--json").stdout)["findings"]
    problems = {each["problem"]: each["fix"] for each in findings if each["area"] == "document"}
    assert problems.keys() == {f"docs/{name}: {reason}" for name, reason in REPORTED.items()}
    assert all(problems.values())
    with served(project) as server:
        server.greet()
        for path, word in words.items():
            [hit] = [each for each in hits(server, word) if each["source"] != "vector"]
            assert word in hit["preview"], path
            raw = server.call("read_node_content", id=f"docs/{path}")
            assert not raw["isError"], (path, raw)
        assert not [each for each in hits(server, "quokka99") if each["source"] != "vector"]
        for name in EMPTY:
            assert not server.call("read_node_content", id=f"docs/{name}")["isError"]
        answer = [block["text"] for block in server.call("search_documents", query="quokka1")["content"][1:]]
        assert any("unreadable" in note and "doctor" in note for note in answer), answer
    again = json.loads(run(project, "sync", "--json").stdout)
    assert again == {**output, "read": 0}
