"""What the SQLite index does with words beyond what every index promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core import sync
from autology.core.ports import Put, Stamp
from autology.index import sqlite
from autology.index.sqlite import SqliteIndex
from autology.model.node import Node
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from tests.fakes.project import a_node, an_id


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(tmp_path / "index.sqlite"))


def put(node: Node) -> Put:
    return sync.projected(node.path, Stamp(10, 1), node)


def found(index: SqliteIndex, question: str) -> list[str]:
    return [hit.source.id for hit in index.words(Terms(query_terms(question)), Filter(), False, 10)]


def test_forms_of_a_word_are_found_and_the_very_form_first(index: SqliteIndex) -> None:
    others = [a_node(n, content="nothing of it") for n in range(10, 20)]
    forms = [a_node(1, content="we deploy it"), a_node(2, content="we deployed it"), a_node(3, content="deploying it")]
    index.apply([put(node) for node in [*others, *forms]])
    assert found(index, "deployed")[0] == an_id(2)
    assert found(index, "deploying")[0] == an_id(3)
    assert set(found(index, "deploys")) == {an_id(1), an_id(2), an_id(3)}


def test_a_word_that_nearly_all_hold_is_left_out_beside_rarer_ones_and_found_by_itself(
    index: SqliteIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "FEW", 5)
    crowd = [a_node(n, content="common words") for n in range(10, 210)]
    index.apply([put(node) for node in [*crowd, a_node(1, content="rare words")]])
    assert found(index, "common rare") == [an_id(1)]
    assert len(found(index, "common")) == 10
    assert len(found(index, "common words")) == 10
