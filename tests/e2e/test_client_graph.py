"""What matters, what is wrong, how things hang together, and narrowed searches, asked for through the client."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.e2e.driving import Claude, Session, Step, tool

STORAGE = """\
---
author: Ada Lovelace
tags: [storage]
---
# How we store

The index is one file, see [[Backups]].
"""
BACKUPS = "# Backups\n\nThe index is not in the backups, as it can be made again. [[Nowhere]] #storage #operations\n"
SEARCHES: Mapping[str, dict[str, Any]] = {
    "in a folder": {"path": "docs/ops"},
    "documents alone": {"type": "document"},
    "decisions alone": {"type": "decision"},
    "with both tags": {"tags": ["storage", "operations"]},
    "by an author": {"author": "Ada Lovelace"},
    "from before there was anything": {"until": "2020-01-01"},
    "from today on": {"since": "today", "path": "docs"},
}


@pytest.fixture(scope="module")
def ids() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def session(start: Callable[[], Claude], ids: dict[str, str]) -> Session:
    """One session in a project with three nodes and two documents, in which the graph is asked for everything."""
    claude = start()
    for path, text in {"docs/storage.md": STORAGE, "docs/ops/backups.md": BACKUPS, "src/store.py": "x = 1\n"}.items():
        (claude.project / path).parent.mkdir(parents=True, exist_ok=True)
        (claude.project / path).write_bytes(text.encode())
    for name, title, kind, file in (
        ("decision", "Use SQLite for the index", "decision", "src/store.py"),
        ("component", "Indexer", "component", "src/indexer.py"),
        ("lone", "Colours of links", "convention", "src/style.css"),
    ):
        ids[name] = claude.capture(title, f"{title}: the index is written so.", "--type", kind, "--references", file)
    claude.autology("relate", ids["decision"], "affects", ids["component"])
    steps: dict[str, Step] = {
        "read": {"tool": "Read", "input": {"file_path": str(claude.project / "src/store.py")}},
        "what matters now": tool("autology_context"),
        "what matters to a test": tool("autology_context", current_file="tests/test_indexer.py"),
        "findings": tool("autology_analyze"),
        "findings of one kind": tool("autology_analyze", focus="stale"),
        "stats": tool("graph_stats"),
        "path": tool("find_path", source=ids["decision"], target="Indexer"),
        "path that is not there": tool("find_path", source=ids["lone"], target=ids["component"]),
        "path to nothing": tool("find_path", source=ids["lone"], target="no such thing"),
        "clusters": tool("cluster_analysis", resolution=0.5),
    }
    steps |= {name: tool("search_documents", query="the index", **values) for name, values in SEARCHES.items()}
    return claude.session(steps)


def test_without_arguments_context_is_derived_from_the_conversation(session: Session) -> None:
    (first, *_) = session.after["what matters now"].data["low"]
    assert first["title"] == "Use SQLite for the index"
    assert ("recent_file", "refers to src/store.py") in [(each["factor"], each["why"]) for each in first["factors"]]


def test_the_node_of_a_module_matters_to_its_test(session: Session) -> None:
    result = session.after["what matters to a test"].data
    first = {each["title"]: each["factors"][0]["factor"] for each in result["low"]}
    assert first == {"Use SQLite for the index": "recent_file", "Indexer": "names"}


def test_findings_carry_what_they_rest_on_and_what_mends_them(session: Session, ids: dict[str, str]) -> None:
    hits = session.after["findings"].data["findings"]
    assert {each["check"] for each in hits} == {"incomplete", "stale", "orphans"}
    (orphan,) = (each for each in hits if each["check"] == "orphans")
    assert [node["id"] for node in orphan["nodes"]] == [ids["lone"]]
    assert orphan["fix"].startswith(f'autology_relate {{"source": "{ids["lone"]}"')
    stale = session.after["findings of one kind"].data["findings"]
    assert sorted(each["evidence"] for each in stale) == [["gone: src/indexer.py"], ["gone: src/style.css"]]


def test_the_graph_is_measured(session: Session, ids: dict[str, str]) -> None:
    result = session.after["stats"].data
    assert result["nodes_by_type"] == {"document": 2, "tag": 2, "component": 1, "convention": 1, "decision": 1}
    assert [each["id"] for each in result["orphans"]["nodes"]] == [ids["lone"]]
    assert result["dangling"]["links"] == [{"source": "docs/ops/backups.md", "type": "CITES", "target": "Nowhere"}]


def test_clusters_list_their_members(session: Session, ids: dict[str, str]) -> None:
    result = session.after["clusters"].data
    members = [{each["id"] for each in cluster["members"]} for cluster in result["clusters"]]
    assert members == [{"docs/ops/backups.md", "docs/storage.md"}, {ids["decision"], ids["component"]}]
    assert result["alone"] == 1


def test_a_path_is_shown_and_none_is_no_error(session: Session, ids: dict[str, str]) -> None:
    path = session.after["path"].data
    assert path["steps"] == [{"source": ids["decision"], "type": "affects", "target": ids["component"]}]
    assert not session.after["path that is not there"].data["found"]
    assert session.after["path to nothing"].failed
    assert "Node not found: no such thing" in session.after["path to nothing"].result


def listed(answer: str) -> list[dict[str, Any]]:
    """Return the list that a search answers with; a note about it may follow."""
    hits: list[dict[str, Any]] = json.JSONDecoder().raw_decode(answer)[0]
    return hits


def test_searches_are_narrowed(session: Session, ids: dict[str, str]) -> None:
    result = {name: [hit["id"] for hit in listed(session.after[name].result)] for name in SEARCHES}
    assert result == {
        "in a folder": ["docs/ops/backups.md"],
        "documents alone": ["docs/storage.md", "docs/ops/backups.md"],
        "decisions alone": [ids["decision"]],
        "with both tags": ["docs/ops/backups.md"],
        "by an author": ["docs/storage.md"],
        "from before there was anything": [],
        "from today on": ["docs/storage.md", "docs/ops/backups.md"],
    }
