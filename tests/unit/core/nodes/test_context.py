"""What matters to the work at hand: nine factors, each with its reason, and nothing that has no tie to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from autology.core.nodes.capture import Material, capture
from autology.core.nodes.context import Context, Situation, context
from autology.core.nodes.graph import Graph
from autology.model.errors import ValidationError
from autology.model.node import Node, NodeStatus, NodeType
from autology.ranking.note_relevance import Facts, alike, factors, group, kin
from autology.render import relevant_nodes
from tests.fakes.project import a_graph, a_node

NOW = datetime(2026, 6, 1, tzinfo=UTC)
NO_FACTS = Facts()
ROOT = "/home/ada/shop"


def points(
    node: Node, current: str | None = None, recent: Sequence[str] = (), facts: Facts = NO_FACTS
) -> dict[str, float]:
    return {factor.name: round(factor.points, 4) for factor in factors(node, current, recent, facts, NOW)}


PLAIN = {"type": 0.15}
"""What a concept that is unsure, old and tied to nothing has."""


def node(**fields: object) -> Node:
    return a_node(**{"confidence": 0.5, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "current", "recent", "facts", "counted"),
    [
        ({}, None, (), Facts(), {}),
        ({"references": ("src/auth/jwt.go",)}, "src/auth/jwt.go", (), Facts(), {"current_file": 1.0}),
        ({"content": "See src/auth/jwt.go."}, "src/auth/jwt.go", (), Facts(), {"current_file": 1.0}),
        ({"references": ("src/auth",)}, "src/auth/jwt.go", (), Facts(), {"current_folder": 0.6}),
        ({"references": ("src/auth/", "src")}, "src/auth/jwt.go", (), Facts(), {"current_folder": 0.6}),
        ({"references": ("src/au",)}, "src/auth/jwt.go", (), Facts(), {}),
        ({"references": ("a.go", "b.go")}, "c.go", ("a.go", "b.go", "a.go"), Facts(), {"recent_file": 0.4}),
        ({}, None, (), Facts(task=("token",)), {"task": 0.8}),
        ({"confidence": 0.8}, None, (), Facts(), {"confidence": 0.2}),
        ({"confidence": 0.79}, None, (), Facts(), {}),
        ({"modified": "2026-05-26T00:00:00Z"}, None, (), Facts(), {"recency": 0.3}),
        ({"modified": "2026-05-25T00:00:00Z"}, None, (), Facts(), {}),
        ({}, None, (), Facts(relations=3), {"relations": 0.15}),
        ({}, None, (), Facts(relations=2), {}),
        ({"status": NodeStatus.SUPERSEDED}, None, (), Facts(task=("x",)), {"task": 0.8, "status": -0.665}),
        ({"status": NodeStatus.NEEDS_REVIEW}, None, (), Facts(relations=4), {"status": -0.03, "relations": 0.15}),
    ],
)
def test_each_relevance_factor_adds_its_points(
    fields: dict[str, object],
    current: str | None,
    recent: tuple[str, ...],
    facts: Facts,
    counted: dict[str, float],
) -> None:
    assert points(node(**fields), current, recent, facts) == {**PLAIN, **counted}


def test_every_recent_file_counts_once() -> None:
    result = factors(node(references=("a.go", "b.go")), "c.go", ("a.go", "b.go", "a.go"), Facts(), NOW)
    assert [(factor.name, factor.why) for factor in result][:2] == [
        ("recent_file", "refers to a.go"),
        ("recent_file", "refers to b.go"),
    ]


def test_types_weigh_in_the_order_in_which_they_bind() -> None:
    weights = {type: points(node(type=type))["type"] for type in NodeType}
    order = sorted(weights, key=lambda type: -weights[type])
    assert order[:2] == [NodeType.DECISION, NodeType.CONVENTION]
    assert order[-2:] == [NodeType.ISSUE, NodeType.SESSION]


@pytest.mark.parametrize(("score", "name"), [(2.0, "high"), (1.99, "medium"), (1.0, "medium"), (0.99, "low")])
def test_relevance_groups_begin_at_scores_of_two_and_one(score: float, name: str) -> None:
    assert group(score) == name


# ---- through a project -------------------------------------------------------------------------------


@pytest.fixture
def graph() -> Graph:
    made = a_graph()
    for title, content, kind, files in (
        ("Tokens expire", "A session token lives an hour. Chosen over refresh.", "decision", ["src/auth/token.py"]),
        ("Money in cents", "Prices are whole cents.", "convention", ["src/billing"]),
        ("Checkout", "Takes the basket to the payment.", "component", ["src/checkout.py"]),
        ("Colours", "Blue is for links.", "concept", []),
    ):
        capture(made, Material(title=title, content=content, type=kind, references=tuple(files)))
    return made


def matter(graph: Graph, limit: int = 10, **situation: object) -> Context:
    return context(graph, ROOT, Situation(**situation), limit)  # type: ignore[arg-type]


def titles(found: Context) -> list[str]:
    return [each.node.title for each in found.nodes]


def test_only_notes_that_refer_to_the_file_or_its_folder_are_relevant(graph: Graph) -> None:
    assert titles(matter(graph, current_file="src/auth/token.py")) == ["Tokens expire"]
    assert titles(matter(graph, current_file=f"{ROOT}/src/billing/price.py")) == ["Money in cents"]
    assert titles(matter(graph, current_file="src/unknown.py")) == []


def test_a_file_named_alike_ties_a_node_that_nothing_else_does(graph: Graph) -> None:
    (result,) = matter(graph, current_file="tests/test_token.py").nodes
    assert (result.node.title, result.factors[0].name, result.factors[0].points) == ("Tokens expire", "names", 0.0)


@pytest.mark.parametrize("path", ["test_token.py", "a/token_test.go", "docs/Token.md", "token.spec.ts", "src/token"])
def test_a_test_a_header_and_the_documentation_are_named_as_their_file(path: str) -> None:
    assert kin(path) == "token"


@pytest.mark.parametrize(("path", "name"), [(".env", ".env"), ("test_", "test_"), ("src/", "src"), ("TIP.txt", "tip")])
def test_the_kin_of_a_path_is_its_counterpart_name(path: str, name: str) -> None:
    assert kin(path) == name


def test_a_rare_file_name_scores_higher_than_a_common_one() -> None:
    nodes = [node(number=n, references=("src/main.c", *(["src/clock.c"] if n == 1 else []))) for n in range(1, 6)]
    shares = alike(nodes, ["tests/main.test", "tests/clock.test"])
    assert shares[nodes[0].id] > 2 * shares[nodes[1].id] > 0
    assert set(alike(nodes, []).values()) == {0.0}


def test_of_equally_relevant_nodes_the_one_changed_last_comes_first(graph: Graph) -> None:
    for days, title in ((0, "First"), (40, "Second"), (0, "Third")):
        graph.now.at += timedelta(days=days)  # type: ignore[attr-defined]
        capture(graph, Material(title, f"{title} word on frames.", "decision", references=("src/frames.py",)))
    graph.now.at += timedelta(days=40)  # type: ignore[attr-defined]
    assert titles(matter(graph, current_file="src/frames.py"))[-1] == "First"


def test_reordering_by_proximity_stays_within_a_relevance_group(graph: Graph) -> None:
    result = matter(graph, current_file="src/auth/token.py", recent_files=("src/checkout.py",), task="pay the basket")
    groups = [group(each.score) for each in result.nodes]
    assert groups == sorted(groups, key=("high", "medium", "low").index)


def test_notes_that_mention_words_of_the_task_are_relevant_with_these_words(graph: Graph) -> None:
    result = matter(graph, task="let the session live longer")
    assert titles(result)[0] == "Tokens expire"
    (results,) = [factor for factor in result.nodes[0].factors if factor.name == "task"]
    assert "session" in results.why


def test_the_conversation_stands_for_a_task_that_is_not_given(graph: Graph) -> None:
    assert titles(matter(graph, conversation="Now the payment of the basket."))[0] == "Checkout"
    assert titles(matter(graph, conversation="Now the payment.", task="which colour have links"))[0] == "Colours"


def test_files_add_up_and_those_outside_the_project_are_passed_over(graph: Graph) -> None:
    result = matter(graph, current_file="src/auth/token.py", recent_files=("/etc/hosts", "src/checkout.py", "../x"))
    assert titles(result) == ["Tokens expire", "Checkout"]
    with pytest.raises(ValidationError, match="outside the project"):
        matter(graph, current_file="/etc/hosts")


def test_the_answer_keeps_to_its_bounds_and_says_what_it_left_out(graph: Graph) -> None:
    situation = {"current_file": "src/auth/token.py", "recent_files": ("src/checkout.py", "src/billing/a.py")}
    result = matter(graph, 1, **situation)
    assert (len(result.nodes), result.more) == (1, 1)
    for number in range(30):
        content = f"The {number}th of many words on tokens. " * 40
        capture(graph, Material(f"Rule {number}", content, "convention", references=("src/auth/token.py",)))
    results = relevant_nodes.as_data(matter(graph, 50, **situation), 500)
    assert sum(map(len, (results["high"], results["medium"], results["low"]))) < 10
    assert len(str(results)) < 500 * 4 * 1.5
    assert "less relevant nodes are left out" in results["more"]
    for limit in (0, 51):
        with pytest.raises(ValidationError, match="max_nodes"):
            matter(graph, limit, **situation)
    with pytest.raises(ValidationError, match="max_tokens"):
        relevant_nodes.as_data(result, 99)


def test_without_anything_that_matters_it_says_how_to_ask(graph: Graph) -> None:
    assert "autology_query" in relevant_nodes.as_data(matter(graph, current_file="src/unknown.py"), 2_000)["next"]
    assert relevant_nodes.as_data(matter(a_graph(), task="anything"), 2_000)["high"] == []


def test_words_of_the_task_count_for_every_node_though_one_bears_them_as_its_title() -> None:
    graph = a_graph()
    pay = ("src/pay/client.py",)
    texts = {
        "Retry failed payments": ("Payments that fail are sent again with growing pauses.", ("src/pay/retry.py",)),
        "Payment provider limits": ("More than 20 payments a second are refused; a retry counts, too.", pay),
        "Idempotency keys": ("Each payment carries a key, so that a retry does not charge twice.", pay),
        "Colours": ("Buttons are blue.", pay),
    }
    for title, (content, references) in texts.items():
        capture(graph, Material(title, content, "concept", references=references), automatic=2.0)
    result = matter(graph, task="Retry failed payments")
    assert set(titles(result)) == {"Retry failed payments", "Payment provider limits", "Idempotency keys"}
    result = matter(graph, task="Retry failed payments", current_file="src/pay/client.py")
    counted = {each.node.title: [f.why for f in each.factors if f.name == "task"] for each in result.nodes}
    assert counted["Payment provider limits"] == ["speaks of retry, payments"]
    assert counted["Colours"] == []
