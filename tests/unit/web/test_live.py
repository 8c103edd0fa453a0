"""The feed of changes: what is reported of what others write, and to whom."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autology.core.memory import store
from autology.core.nodes import capture, delete_restore, relate, update
from autology.web import change_watch
from autology.web.calls import answer
from autology.web.live import stream
from autology.web.project import PageProject
from autology.web.server import Server
from autology.wire.project import Project

Json = dict[str, Any]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageProject:
    """The page's project, with nothing in it, looked at once."""
    monkeypatch.setattr(change_watch, "INTERVAL", 0.0)
    monkeypatch.setattr(change_watch, "TALK_INTERVAL", 0.0)
    made = PageProject(str(tmp_path))
    assert made.feed.number == 0
    return made


@pytest.fixture
def other(page: PageProject) -> Project:
    """The same project in another process."""
    return Project(page.root)


def note(project: Project, title: str, session: str | None = None) -> str:
    material = capture.Material(title, f"{title}, in a sentence.", "concept", session=session)
    return capture.capture(project.graph, material).node.id


def described(events: list[Json]) -> list[tuple[str, str]]:
    return [(event["kind"], event["title"]) for event in events]


def test_what_another_process_writes_is_reported_with_what_undoes_it(page: PageProject, other: Project) -> None:
    order, basket = note(other, "Order"), note(other, "Basket", session="1b4e28ba-2fa1-41d2-883f-0016d3cca427")
    created = page.feed.after(0)
    assert sorted(described(created)) == [("created", "Basket"), ("created", "Order")]
    assert {event["title"]: event.get("by") for event in created} == {"Basket": "claude", "Order": None}
    assert created[0]["undo"] == {"call": "delete", "arguments": {"id": created[0]["id"]}}
    relate.relate(other.graph, order, basket, "uses")
    (linked,) = page.feed.after(2)
    assert (linked["kind"], linked["relation"], linked["target_title"]) == ("linked", "uses", "Basket")
    assert linked["undo"] == {"call": "unrelate", "arguments": {"source": order, "target": basket, "type": "uses"}}
    delete_restore.delete(other.graph, basket)
    assert described(page.feed.after(3)) == [("deleted", "Basket")]


def test_a_change_made_elsewhere_is_undone_byte_for_byte(page: PageProject, other: Project) -> None:
    id = note(other, "Order")
    page.feed.after(0)
    file = next(Path(page.root).rglob(f"{id}.md"))
    before = file.read_bytes()
    update.update(other.graph, id, update.Fields(title="Purchase"))
    (changed,) = page.feed.after(1)
    assert (changed["kind"], changed["title"]) == ("changed", "Purchase")
    page.undo.take_back(changed["undo"]["arguments"]["step"])
    assert file.read_bytes() == before
    (undone,) = page.feed.after(2)
    assert (undone["kind"], undone["by"]) == ("undone", "page")


def test_what_the_page_did_is_reported_once_as_its_own_however_late_it_is_seen(page: PageProject) -> None:
    text = "## Context\n\nx\n\n## Decision\n\ny\n\n## Alternatives\n\nz\n\n## Consequences\n\nw\n"
    older = answer(page, "create", {"title": "Queue", "content": text, "type": "decision"})["id"]
    assert [event["by"] for event in page.feed.after(0)] == ["page"]
    seen = page.feed.number
    answer(page, "create", {"title": "Log", "content": text, "type": "decision", "supersedes": [older]})
    time.sleep(0.2)
    (event,) = page.feed.after(seen)
    assert (event["kind"], event["title"], event["by"]) == ("done", "Created “Log”", "page")
    assert page.feed.after(seen + 1) == []


def test_a_change_by_others_after_one_of_the_page_is_theirs(page: PageProject, other: Project) -> None:
    id = answer(page, "create", {"title": "Order", "content": "An order, paid or not.", "type": "concept"})["id"]
    page.feed.after(0)
    update.update(other.graph, id, update.Fields(title="Purchase"))
    (event,) = page.feed.after(1)
    assert (event["kind"], event.get("by")) == ("changed", None)


def test_an_edit_in_a_text_editor_is_reported(page: PageProject, other: Project) -> None:
    id = note(other, "Order")
    page.feed.after(0)
    file = next(Path(page.root).rglob(f"{id}.md"))
    file.write_bytes(file.read_bytes().replace(b"in a sentence", b"in other words"))
    until = time.monotonic() + 60
    while not (events := page.feed.after(1)) and time.monotonic() < until:
        time.sleep(0.02)
    assert described(events) == [("changed", "Order")]


def test_many_changes_at_once_are_one_event(page: PageProject, other: Project) -> None:
    for number in range(change_watch.MOST + 1):
        note(other, f"Order {number}")
    assert described(page.feed.after(0)) == [("many", f"{change_watch.MOST + 1} changes")]


def test_memories_are_reported(page: PageProject, other: Project) -> None:
    assert not store.store(other.memories, [{"kind": "todo", "content": "Ask for a newer catalogue"}]).problems
    assert described(page.feed.after(0)) == [("remembered", "Ask for a newer catalogue")]


def test_the_stream_begins_with_the_latest_number_and_goes_on_from_any(page: PageProject, other: Project) -> None:
    note(other, "Order")
    page.feed.after(0)
    parts = stream(page, None)
    assert next(parts) == b'data: {"number": 1, "events": []}\n\n'
    note(other, "Basket")
    assert json.loads(next(parts).removeprefix(b"data: "))["events"][0]["title"] == "Basket"
    again = stream(page, 1)
    next(again)
    assert json.loads(next(again).removeprefix(b"data: "))["events"][0]["title"] == "Basket"


@pytest.fixture
def server(page: PageProject) -> Iterator[Server]:
    made = Server(0, page)
    threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Origin": "http://evil.example"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_the_stream_is_refused_like_every_call(server: Server, headers: dict[str, str], status: int) -> None:
    key = server.access.enter(server.access.address.partition("#enter=")[2])
    host = f"127.0.0.1:{server.server_address[1]}"
    usual = {"Origin": f"http://{host}", "Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    link = http.client.HTTPConnection(host, timeout=60)
    link.request("POST", "/api/live", b"{}", {**usual, **headers})
    assert link.getresponse().status == status
    link.close()
    link.request("POST", "/api/live", b"{}", usual)
    answer = link.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream")
    assert answer.readline() == b'data: {"number": 0, "events": []}\n'
    link.close()


def test_the_switcher_finds_notes_documents_and_memories_by_words_of_their_titles(
    page: PageProject, other: Project
) -> None:
    from autology.web.quick_switcher import jump

    (Path(page.root) / "orders.md").write_text("# How orders are kept\n\nIn a database.\n", encoding="utf-8")
    note(other, "Order kept")
    other.library.catch_up()
    store.store(other.memories, [{"kind": "todo", "content": "Have orders kept for ten years"}])
    other.memories.catch_up()
    found = {(item["kind"], item["title"]) for item in jump(page, "order kept")["items"]}
    assert found == {
        ("note", "Order kept"),
        ("document", "How orders are kept"),
        ("memory", "Have orders kept for ten years"),
    }
    assert [item["title"] for item in jump(page)["items"]] == ["Order kept"]
