"""Words, meaning and links each find what the others do not; one that is missing is named in the answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import places
from tests.plugin.fronts import ROOT, run
from tests.plugin.served import Served, served

PAGES = {
    "orders": "# Orders\n\nThe supplier of QX-4411 closes in August.\n",
    "signin": "# Users\n\nA person signs in with a password.\n",
    "ferry": "# Ferry timetable\n\nThe ferry to the island sails at noon. See [[harbour]].\n",
    "harbour": "# Quay\n\nBoats moor here in the morning, and leave when the tide allows.\n",
    "quarry": "# Pit\n\nBoats carry the stone away in the morning, when the tide allows.\n",
    "one": "# Rollout one\n\nRollout of the billing service.\n",
    "two": "# Rollout two\n\nRollout of the billing service.\n",
    "hub": "# Billing rollout of the service\n\nThe rollout of the billing service, as in [[two]].\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("legs")
    (root / "docs").mkdir()
    for name, message in PAGES.items():
        (root / "docs" / f"{name}.md").write_text(message, encoding="utf-8")
    for number in range(30):
        (root / "docs" / f"other-{number}.md").write_text(f"# Other {number}\n\nNothing of it.\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def server(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places(tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, value)
        with served(project) as running:
            running.greet()
            for name, message in PAGES.items():
                kept = running.call("autology_capture", title=f"Node {name}", content=message, type="concept")
                assert not kept["isError"], kept
            yield running


def legs_by_id(server: Served, query: str) -> dict[str, str]:
    result = server.call("search_documents", query=query)
    assert [block["text"] for block in result["content"][1:] if "meaning" in block["text"]] == []
    return {hit["id"]: hit["source"] for hit in json.loads(result["content"][0]["text"]) if len(hit["id"]) < 36}


def explained(server: Served, query: str) -> dict[str, dict[str, float]]:
    result = server.call("autology_query", query=query, detail="full")["structuredContent"]
    assert "degraded" not in result
    for hit in result["results"]:
        assert hit["explain"]
        assert sum(hit["explain"].values()) == pytest.approx(hit["relevance"], abs=0.002)
    return {hit["node"]["title"].removeprefix("Node "): hit["explain"] for hit in result["results"]}


def test_words_find_what_has_no_meaning(server: Served) -> None:
    assert next(iter(legs_by_id(server, "QX-4411").items())) in (("docs/orders.md", "text"), ("docs/orders.md", "both"))
    assert "words" in explained(server, "QX-4411")["orders"]


def test_meaning_finds_what_shares_no_word(server: Served) -> None:
    assert next(iter(legs_by_id(server, "authenticate accounts").items())) == ("docs/signin.md", "vector")
    assert explained(server, "authenticate accounts")["signin"].keys() == {"meaning"}


def test_a_link_of_the_best_hit_brings_in_what_neither_would(server: Served, project: Path) -> None:
    assert "docs/harbour.md" in legs_by_id(server, "when does the ferry sail to the island")
    shown = json.loads(run(project, "search", "when does the ferry sail to the island", "--json").stdout)["results"]
    parts = {hit["id"]: hit["explain"] for hit in shown}
    assert "links" in parts["docs/harbour.md"]
    assert "links" not in parts.get("docs/quarry.md", {})


def test_lexical_mode_uses_lexical_scores_only(server: Served) -> None:
    result = server.call("autology_query", query="billing rollout of the service", mode="words", detail="full")
    for hit in result["structuredContent"]["results"]:
        assert hit["explain"].keys() <= {"words", "passages", "document", "title", "exact title"}


def test_of_equal_hits_the_one_linked_by_the_best_ranks_first(server: Served, project: Path) -> None:
    order = list(legs_by_id(server, "billing rollout of the service"))
    assert order.index("docs/hub.md") < order.index("docs/two.md") < order.index("docs/one.md")
    output = run(project, "search", "billing", "rollout", "of", "the", "service", "--explain").stdout
    assert "linked to the best results" in output
    assert " + links 0." in output


def test_an_unavailable_retriever_is_named_in_every_answer(project: Path, tmp_path: Path) -> None:
    code = tmp_path / "server"
    shutil.copytree(ROOT / "server", code, ignore=shutil.ignore_patterns("__pycache__"))
    table = code / "autology" / "embedding" / "static.bin"
    table.write_bytes(table.read_bytes()[:1_000])
    other = tmp_path / "project"
    shutil.copytree(project / "docs", other / "docs")
    with served(other, code=code) as server:
        server.greet()
        assert not server.call("autology_capture", title="QX-4411", content="x", type="concept")["isError"]
        result = server.call("search_documents", query="QX-4411")
        assert "docs/orders.md" in {hit["id"] for hit in json.loads(result["content"][0]["text"])}
        notes = [block["text"] for block in result["content"][1:]]
        assert any(SAID in note for note in notes), notes
        answer: dict[str, Any] = server.call("autology_query", query="QX-4411")["structuredContent"]
        assert answer["results"]
        assert any(SAID in note for note in answer["degraded"])
        assert "degraded" not in server.call("autology_query", query="QX-4411", mode="words")["structuredContent"]


SAID = "only lexical search: the table of word vectors cannot be read"
