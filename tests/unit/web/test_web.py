"""The page's server: who is let in, what is sent, what is refused."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from autology.model.next_step import Action, Sentence, do
from autology.render import self_contained_html
from autology.render.graph import html
from autology.web import connection_owner
from autology.web.assets import PAGE, assets
from autology.web.handler import BODY
from autology.web.health import executable, node_to_edit
from autology.web.project import PageProject
from autology.web.server import Server

TEXT = "## Context\n\nMany orders.\n\n## Decision\n\nA queue.\n\n## Alternatives\n\nNone.\n\n## Consequences\n\nWork.\n"


class Visitor:
    """Somebody who sends requests, as a browser on the page does unless told otherwise."""

    def __init__(self, server: Server) -> None:
        self.port = server.server_address[1]
        self.token = server.access.address.partition("#enter=")[2]
        self.key = ""

    def enter(self) -> Visitor:
        self.key = self.call("enter", token=self.token)[1]["key"]
        return self

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> tuple[int, bytes]:
        usual: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self.key}",
            "Content-Length": str(len(body)) if body is not None else None,
        }
        usual |= {name.replace("_", "-"): value for name, value in headers.items()}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        link.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in usual.items():
            if value is not None:
                link.putheader(name, value)
        link.endheaders(body)
        answer = link.getresponse()
        self.headers = dict(answer.getheaders())
        data = answer.read()
        link.close()
        return answer.status, data

    def call(self, name: str, **given: Any) -> tuple[int, dict[str, Any]]:
        status, data = self.send("POST", f"/api/{name}", json.dumps(given).encode())
        return status, json.loads(data)

    def refused(self, name: str, **given: Any) -> str:
        status, answer = self.call(name, **given)
        assert status == 422, answer
        return str(answer["error"]["message"])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    root = tmp_path / "project"
    root.mkdir()
    made = Server(0, PageProject(str(root)))
    serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    serving.start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def visitor(server: Server) -> Visitor:
    return Visitor(server).enter()


def test_the_address_opens_once_and_its_key_is_needed_for_everything(server: Server) -> None:
    stranger = Visitor(server)
    assert stranger.call("overview")[0] == 401
    assert stranger.call("enter", token="x" * 43)[0] == 401
    assert stranger.call("enter", token="\ud800")[0] == 401
    user = Visitor(server).enter()
    assert user.call("overview")[0] == 200
    assert stranger.call("enter", token=stranger.token)[0] == 401
    stranger.key = user.key[:-1]
    assert stranger.call("overview")[0] == 401
    stranger.key = "é"
    assert stranger.send("POST", "/api/overview", b"{}", Authorization="Bearer \xe9")[0] == 401


def test_the_key_of_another_start_opens_nothing(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    other = Server(0, PageProject(str(tmp_path)))
    threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    later = Visitor(other)
    later.key = visitor.key
    status, answer = later.call("overview")
    assert (status, answer["error"]["kind"]) == (401, "Refused")
    assert "another run of `autology web`" in answer["error"]["message"]
    other.shutdown()
    other.server_close()


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": None},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_requests_with_a_foreign_host_or_origin_are_refused_despite_the_key(
    visitor: Visitor, headers: dict[str, str | None]
) -> None:
    assert visitor.send("POST", "/api/overview", b"{}", **headers)[0] == 403
    if headers != {"Origin": None}:
        assert visitor.send("GET", "/", **headers)[0] == 403


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no such numbers of users there")
def test_a_connection_of_another_user_is_not_ours(tmp_path: Path) -> None:
    row = "   0: 0100007F:{:04X} 0100007F:{:04X} 01 00000000:00000000 00:00000000 00000000  {:>5}        0 1 1\n"
    table = tmp_path / "tcp"
    text = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    table.write_text(text + row.format(40_001, 8_000, 4_242) + row.format(40_002, 8_000, os.getuid()), encoding="ascii")
    both = (str(tmp_path / "none"), str(table))
    assert not connection_owner.is_ours(("127.0.0.1", 40_001), 8_000, both)
    assert connection_owner.is_ours(("127.0.0.1", 40_002), 8_000, both)
    assert connection_owner.is_ours(("127.0.0.1", 40_001), 8_001, both), "of whom nothing is known"


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists connections there")
def test_the_user_of_a_connection_is_read_from_the_system() -> None:
    with socket.create_server(("127.0.0.1", 0)) as ours, socket.create_connection(ours.getsockname()) as client:
        local, remote = (f"{end[1]:04X}" for end in (client.getsockname(), ours.getsockname()))
        assert connection_owner._user("/proc/net/tcp", local, remote) == os.getuid()


def test_the_token_cannot_be_had_by_another_page(server: Server) -> None:
    user = Visitor(server)
    body = json.dumps({"token": user.token}).encode()
    assert user.send("POST", "/api/enter", body, Origin="http://evil.example")[0] == 403
    assert user.send("POST", "/api/enter", body, Host="evil.example")[0] == 403
    assert user.enter().key


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/page/../server.py",
        "/page/%2e%2e/server.py",
        "/page/..%2fserver.py",
        "/page//app.js",
        "//etc/passwd",
        "/page/",
        "/page/app.js/",
        "/picture/../html.py",
        "/site/../html.py",
        "/page/app.js%00",
        "/index.html",
        "/.autology/config.yaml",
        "/api/overview",
    ],
)
def test_only_files_of_the_page_are_served(visitor: Visitor, path: str) -> None:
    assert visitor.send("GET", path)[0] == 404


def test_every_answer_says_that_nothing_else_may_act_on_the_page(visitor: Visitor) -> None:
    for method, path, body in (("GET", "/", None), ("GET", "/nothing", None), ("POST", "/api/overview", b"{}")):
        visitor.send(method, path, body)
        policy = visitor.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http:" not in policy
        assert visitor.headers["X-Content-Type-Options"] == "nosniff"
        assert visitor.headers["Referrer-Policy"] == "no-referrer"
        assert visitor.headers["Cache-Control"] == "no-store"
        assert not any(name.startswith("Access-Control") for name in visitor.headers)


def test_the_page_loads_nothing_external_and_has_no_inline_script() -> None:
    result = assets()
    assert {"/", "/page/app.js", "/picture/canvas.js"} <= result.keys()
    page = result["/"].data.decode()
    assert '<script type="module" src="/page/app.js">' in page
    assert page.count("<script") == 1
    assert " style=" not in page
    for path, asset in result.items():
        text = asset.data.decode()
        for editor in ("vscode://file", "cursor://file", "zed://file", "idea://open"):  # links for a person to click
            text = text.replace(editor, "")
        assert "://" not in text.replace("http://www.w3.org/", "").replace("https?:", ""), path
        assert "innerHTML" not in text, path
        assert "eval(" not in text, path


def test_the_modules_of_the_picture_fit_into_one_script() -> None:
    import re

    texts = {name: (Path(self_contained_html.PICTURE) / name).read_text(encoding="utf-8") for name in html.MODULES}
    assert texts.keys() == {file.name for file in Path(self_contained_html.PICTURE).glob("*.js")}
    named = re.compile(r"^(?:export )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)
    names = [name for text in texts.values() for name in named.findall(text)]
    assert len(names) == len(set(names)) > 20
    result: set[str] = set()
    for name, text in texts.items():
        assert set(re.findall(r"^import .* from '\./(.*)'$", text, re.MULTILINE)) <= result, name
        result.add(name)
    assert Path(PAGE).is_dir()


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{}", {"Content_Type": "text/plain"}, 415),
        (b"{}", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"Content_Length": None}, 411),
        (b"{}", {"Content_Length": "-1"}, 411),
        (b"{}", {"Content_Length": "2", "Transfer_Encoding": "chunked"}, 411),
        (b"{}", {"Content_Length": "2, 2"}, 411),
        (b"{}", {"Content_Length": "2x"}, 411),
        (b"{}", {"Content_Length": "\xb2"}, 411),
        (b"5\r\n{}   \r\n0\r\n\r\n", {"Content_Length": None, "Transfer_Encoding": "chunked"}, 411),
        (None, {"Content_Length": str(BODY + 1)}, 413),
        (None, {"Content_Length": "9" * 5_000}, 413),
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"\xff", {}, 400),
        (b"[" * 100_000, {}, 400),
    ],
)
def test_a_body_that_is_no_small_json_object_is_refused(
    visitor: Visitor, body: bytes | None, headers: dict[str, str | None], status: int
) -> None:
    assert visitor.send("POST", "/api/overview", body, **headers)[0] == status
    assert visitor.call("overview")[0] == 200


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{" + b" " * 40_000_000 + b"}", {}, 413),
        (b"1\r\n{\r\n" * 4_000_000, {"Content_Length": None, "Transfer_Encoding": "chunked"}, 411),
        (b"x" * 40_000_000, {"Content_Type": "text/plain"}, 415),
        (b"x" * 40_000_000, {"Origin": "http://evil.example"}, 403),
    ],
)
def test_a_refused_request_is_answered_even_if_its_body_was_sent_first(
    visitor: Visitor, body: bytes, headers: dict[str, str | None], status: int
) -> None:
    for _ in range(5):  # closed with bytes unread, a connection is reset most times
        assert visitor.send("POST", "/api/overview", body, **headers)[0] == status
        assert visitor.headers["Connection"] == "close"
    assert visitor.call("overview")[0] == 200


def test_a_client_that_asks_first_is_refused_before_it_sends(visitor: Visitor) -> None:
    for length, begun in ((BODY + 1, b"HTTP/1.1 413 "), (2, b"HTTP/1.1 100 ")):
        head = f"POST /api/overview HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\nExpect: 100-continue\r\n"
        head += f"Origin: http://127.0.0.1:{visitor.port}\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {visitor.key}\r\nContent-Length: {length}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", visitor.port), timeout=60) as link:
            link.sendall(head.encode())
            assert link.recv(100).startswith(begun)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/%ed%a0%80", {}, 404),
        ("/%00", {}, 404),
        ("/" + "a" * 70_000, {}, 414),
        ("/", {"X": "a" * 70_000}, 431),
        ("/", {f"X{at}": "a" for at in range(150)}, 431),
    ],
)
def test_odd_paths_and_endless_headers_are_refused_in_the_pages_own_way(
    visitor: Visitor, path: str, headers: dict[str, str | None], status: int
) -> None:
    for _ in range(3):
        code, data = visitor.send("GET", path, **headers)
        assert (code, json.loads(data)["error"]["kind"]) == (status, "Refused")
        assert visitor.headers["X-Content-Type-Options"] == "nosniff"
    assert visitor.call("overview")[0] == 200


def test_half_a_character_in_a_call_is_refused_wherever_it_stands(visitor: Visitor) -> None:
    for name, values in {
        "opened": {"id": "\ud800"},
        "titles": {"beginning": "\udfff"},
        "search": {"query": "a\ud83db"},
        "create": {"title": "T", "content": "C", "tags": ["\ud800"]},
        "sessions": {"\ud800": 1},
    }.items():
        assert "half a surrogate pair" in visitor.refused(name, **values)
    body = b'{"id": "\xed\xa0\x80"}'
    assert visitor.send("POST", "/api/opened", body)[0] == 422
    assert visitor.call("titles", beginning="🎉")[0] == 200


def test_unsupported_http_methods_are_rejected(visitor: Visitor) -> None:
    assert {visitor.send(method, "/api/overview", b"{}")[0] for method in ("PUT", "DELETE", "OPTIONS")} == {501}
    assert visitor.send("HEAD", "/") == (200, b"")


def test_calls_check_what_they_are_given(visitor: Visitor) -> None:
    assert "unknown call 'nothing'" in visitor.refused("nothing")
    assert "beginning" in visitor.refused("titles")
    assert "unexpected" in visitor.refused("titles", beginning="a", other=1)
    assert "first" in visitor.refused("session", id="a", first="1")
    assert "title: is empty" in visitor.refused("create", title=" ", content="x")
    assert visitor.send("POST", "/api/Overview", b"{}")[0] == 404
    assert visitor.send("POST", "/api/overview?x=1", b"{}")[0] == 404


@pytest.mark.parametrize("id", ["../../../etc/passwd", "..", "a/b", "a\\b", "", "a" * 200, "C:x"])
def test_no_id_of_a_session_leads_to_another_file(visitor: Visitor, home: Path, id: str) -> None:
    (home / ".claude" / "projects" / "p").mkdir(parents=True)
    (home / ".claude" / "x.jsonl").write_text("{}\n", encoding="utf-8")
    assert "Passage not found" in visitor.refused("session", id=id).capitalize()


def test_a_node_is_made_changed_related_deleted_and_all_of_it_taken_back(visitor: Visitor, server: Server) -> None:
    _, one = visitor.call("create", title="Queues", content=TEXT, type="convention", tags=["mail"])
    _, other = visitor.call("create", title="Mail worker", content="Sends mail.", type="component")
    assert one["about"] == "Created “Queues”"
    _, answer = visitor.call("opened", id=one["id"])
    assert answer["node"]["tags"] == ["mail"]
    _, done = visitor.call("update", id=one["id"], version=answer["version"], title="Lines", tags=["post"])
    status, conflict = visitor.call("update", id=one["id"], version=answer["version"], title="Rows")
    assert (status, conflict["error"]["kind"]) == (409, "ConflictError")
    visitor.call("undo", step=done["undo"])
    assert visitor.call("opened", id=one["id"])[1]["node"]["title"] == "Queues"
    visitor.call("relate", source=other["id"], target=one["id"], type="implements")
    _, answer = visitor.call("opened", id=one["id"])
    assert [(link["type"], link["out"], link["title"]) for link in answer["links"]] == [
        ("implements", False, "Mail worker")
    ]
    _, gone = visitor.call("delete", id=other["id"])
    assert visitor.call("trash")[1]["nodes"][0]["title"] == "Mail worker"
    visitor.call("undo", step=gone["undo"])
    assert visitor.call("trash")[1]["nodes"] == []
    assert len(visitor.call("opened", id=one["id"])[1]["links"]) == 1
    visitor.call("unrelate", source=other["id"], target=one["id"], type="implements")
    pair = [visitor.call("opened", id=each["id"])[1]["version"] for each in (one, other)]
    _, merged = visitor.call("combine", target=one["id"], source=other["id"], versions=pair, content="Both.")
    assert merged["about"] == "Merged “Mail worker” into “Queues”"
    visitor.call("undo", step=merged["undo"])
    assert [each["title"] for each in visitor.call("titles", beginning="")[1]["titles"]].count("Mail worker") == 1
    assert "can no longer be undone" in visitor.refused("undo", step=merged["undo"])


def test_nodes_and_documents_open_by_id_path_or_title(visitor: Visitor, tmp_path: Path) -> None:
    (tmp_path / "project" / "docs").mkdir()
    text = "# The shop\n\nSee [[Mail worker]] and [[nowhere]]. #mail\n"
    (tmp_path / "project" / "docs" / "shop.md").write_text(text, encoding="utf-8")
    _, made = visitor.call("create", title="Mail worker", content="Sends what [[The shop]] asks.", type="component")
    for name in (made["id"], made["id"][:8], "Mail worker", "mail worker"):
        answer = visitor.call("opened", id=name)[1]
        assert (answer["kind"], answer["node"]["title"]) == ("node", "Mail worker"), name
    assert ("CITES", True, "The shop") in {(link["type"], link["out"], link["title"]) for link in answer["links"]}
    for name in ("docs/shop.md", "shop", "The shop"):
        answer = visitor.call("opened", id=name)[1]
        assert (answer["kind"], answer["document"]["path"]) == ("document", "docs/shop.md"), name
    assert {link["title"] for link in answer["links"]} >= {"Mail worker", None}
    assert "mail" not in {link["id"] for link in answer["links"]}
    assert "not found" in visitor.refused("opened", id="../../etc/passwd")
    assert "not found" in visitor.refused("opened", id="docs/../../secret.md")


def test_page_requests_in_an_empty_project_create_no_folder(visitor: Visitor, tmp_path: Path) -> None:
    for name in (
        "overview",
        "graph",
        "timeline",
        "sessions",
        "memories",
        "mined",
        "memory_findings",
        "health",
        "trash",
    ):
        assert visitor.call(name)[0] == 200, name
    assert visitor.call("search", query="anything")[0] == 200
    assert visitor.call("titles", beginning="")[1] == {"titles": []}
    assert visitor.call("around", id="nowhere")[1]["nodes"] == []
    assert list((tmp_path / "project").iterdir()) == []


def test_the_graph_around_a_note_has_it_first_and_ends_after_two_steps(visitor: Visitor) -> None:
    made = [visitor.call("create", title=f"Note {n}", content="Text.", type="concept")[1]["id"] for n in range(5)]
    for one, other in pairwise(made):
        visitor.call("relate", source=one, target=other, type="uses")
    _, part = visitor.call("around", id=made[0])
    assert [node["id"] for node in part["nodes"]] == made[:3]
    assert {tuple(part["links"][:3]), tuple(part["links"][3:])} == {(0, 0, 1), (1, 0, 2)}
    assert part["cut"] is False


def test_the_acts_of_a_fix_are_the_calls_that_can_be_made_as_they_stand() -> None:
    written = do(Action.UPDATE, id="0123456789ab", content="…")
    replaced = do(Action.RELATE, source="aaaaaaaa", target="bbbbbbbb", type="supersedes")
    fix = Sentence(do(Action.DELETE, id="0123456789ab"), ", or ", replaced, ", or ", written)
    assert [each["call"] for each in executable(fix)] == ["delete", "relate"]
    assert node_to_edit(fix) == "0123456789ab"
    assert node_to_edit(Sentence(do(Action.UPDATE, id="0123456789ab", title="…"))) == "0123456789ab"
    loose = do(Action.RELATE, source="the id of its replacement", target="bbbbbbbb", type="supersedes")
    assert list(executable(Sentence(loose))) == []
    assert list(executable(Sentence("autology_delete"))) == []
    unknown = do(Action.DELETE, id="bbbbbbbb", x=1), do(Action.RESTORE, id="bbbbbbbb")
    assert list(executable(Sentence(*unknown))) == []
