"""A client that follows a resource hears of each change, whoever made it, and of nothing else."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.served import DISCOVER, ENVELOPE, PATIENCE, Served, served
from tests.plugin.test_server_life import start, writing_elsewhere

UPDATED = "notifications/resources/updated"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def notifications(server: Served, method: str, count: int = 1) -> list[dict[str, Any]]:
    """The parameters of the notifications of that kind so far, once there are so many."""
    until = time.monotonic() + PATIENCE
    while True:
        results = [json.loads(line) for line in server.lines]
        result: list[dict[str, Any]] = [each["params"] for each in results if each.get("method") == method]
        if len(result) >= count:
            return result
        assert time.monotonic() < until, (result, server.errors)
        time.sleep(0.02)


def node_file(project: Path) -> Path:
    [file] = project.glob(".autology/nodes/*/*.md")
    return file


def saved(file: Path, text: str) -> None:
    """Write *text* whole: a look in the midst of the writing would find a further change."""
    beside = file.with_suffix(".beside")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)


def test_a_subscribed_client_is_notified_of_every_change_until_it_unsubscribes(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text("# Guide\n", encoding="utf-8")
    with served(tmp_path) as server:
        id = start(server)
        node, guide = f"autology://node/{id}", "autology://document/docs/guide.md"
        for uri in (node, guide, "autology://node/not-there-yet"):
            assert server.ask("resources/subscribe", {"uri": uri})["result"] == {}
        server.call("autology_update", id=id, title="Renamed")
        assert notifications(server, UPDATED) == [{"uri": node}]
        saved(tmp_path / "docs" / "guide.md", "# Guide\n\nmore\n")
        assert notifications(server, UPDATED, 2)[1:] == [{"uri": guide}]
        assert "result" in server.ask("resources/unsubscribe", {"uri": guide})
        saved(tmp_path / "docs" / "guide.md", "# Guide\n\nand more\n")
        node_file(tmp_path).unlink()
        assert notifications(server, UPDATED, 3)[2:] == [{"uri": node}]
        time.sleep(1.5)
        assert len(notifications(server, UPDATED)) == 3
        assert server.errors == ""


def test_a_stream_tells_of_what_it_was_asked_for_and_promises_nothing_else(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.send(DISCOVER)
        assert server.answer("probe-1")["result"]["capabilities"]["resources"]["subscribe"] is True
        call = {"name": "autology_capture", "arguments": {"title": "Use SQLite", "content": "c", "type": "concept"}}
        server.ask("tools/call", {**call, "_meta": ENVELOPE})
        uri = f"autology://node/{node_file(tmp_path).stem}"
        wanted = {"toolsListChanged": True, "resourceSubscriptions": [uri]}
        stream = server.begin("subscriptions/listen", {"notifications": wanted, "_meta": ENVELOPE})
        [acknowledged] = notifications(server, ACKNOWLEDGED)
        assert acknowledged["notifications"] == {"resourceSubscriptions": [uri]}
        with node_file(tmp_path).open("a", encoding="utf-8") as file:
            file.write("more\n")
        [update] = notifications(server, UPDATED)
        assert (update["uri"], update["_meta"]["io.modelcontextprotocol/subscriptionId"]) == (uri, stream)
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": stream}})
        node_file(tmp_path).unlink()
        time.sleep(1.5)
        assert len(notifications(server, UPDATED)) == 1


def test_an_open_subscription_does_not_delay_the_shutdown(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.send(DISCOVER)
        server.answer("probe-1")
        server.begin("subscriptions/listen", {"notifications": {"toolsListChanged": True}, "_meta": ENVELOPE})
        notifications(server, ACKNOWLEDGED)
        assert server.end() == 0


def test_more_than_can_be_followed_at_once_is_refused_and_says_so(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        for number in range(200):
            assert "result" in server.ask("resources/subscribe", {"uri": f"autology://node/{number}"})
        refused = server.ask("resources/subscribe", {"uri": "autology://node/one-more"})["error"]
        assert (refused["code"], "over 200 subscriptions" in refused["message"]) == (-32602, True)


@pytest.mark.parametrize("asked", [True, False])
def test_a_long_call_reports_increasing_progress(tmp_path: Path, asked: bool) -> None:
    with served(tmp_path) as server:
        start(server)
        with writing_elsewhere(tmp_path):
            values = {"title": "It waits", "content": "c", "type": "concept"}
            meta = {"_meta": {"progressToken": "mine"}} if asked else {}
            waits = server.begin("tools/call", {"name": "autology_capture", "arguments": values, **meta})
            if asked:
                heard = notifications(server, "notifications/progress", 2)
                assert {each["progressToken"] for each in heard} == {"mine"}
                assert 0.5 < heard[0]["progress"] < heard[1]["progress"]
            else:
                assert server.silent(waits, 1.5)
        assert "result" in server.answer(waits)
        assert any("notifications/progress" in line for line in server.lines) is asked
