"""The seven rules of inference, each with its exact confidence, reason and right to act."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.core.nodes.relation_inference import (
    Inferred,
    combine,
    evidence,
    infer,
    jaccard,
    mentioned,
    mentions,
)
from autology.model.node import Node, NodeType, RelationType
from tests.fakes.project import a_node, an_id

ONE, TWO = an_id(1), an_id(2)


def suggestions(new: Node, other: Node) -> list[tuple[str, str, str, float, str, bool]]:
    return [
        (e.source[:8], e.type.value, e.target[:8], round(e.confidence, 4), e.reasons[0], e.automatic)
        for e in evidence(new, other)
    ]


def pair(one: dict[str, object], two: dict[str, object]) -> tuple[Node, Node]:
    return a_node(1, **{"title": "One", **one}), a_node(2, **{"title": "Two", **two})


@pytest.mark.parametrize(
    ("tags", "others", "confidence", "reason"),
    [
        (("a", "b"), ("a", "c"), 0.3333, "Tag overlap: 33%"),
        (("a", "b"), ("a", "b"), 1.0, "Tag overlap: 100%"),
        (("a", "b", "c"), ("a", "b", "d"), 0.5, "Tag overlap: 50%"),
    ],
)
def test_shared_tags_relate(tags: tuple[str, ...], others: tuple[str, ...], confidence: float, reason: str) -> None:
    new, other = pair({"tags": tags}, {"tags": others})
    assert suggestions(new, other) == [("00000001", "relates_to", "00000002", confidence, reason, False)]


@pytest.mark.parametrize(("tags", "others"), [((), ()), (("a",), ()), (("a", "b", "c"), ("c", "d")), (("a",), ("b",))])
def test_few_shared_tags_infer_no_relation(tags: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert suggestions(*pair({"tags": tags}, {"tags": others})) == []


def test_similar_titles_relate_a_little_less_surely() -> None:
    new, other = pair({"title": "Cache the token store"}, {"title": "Cache a token queue"})
    # cache, token | store, queue: words of three letters and less do not count.
    assert suggestions(new, other) == [("00000001", "relates_to", "00000002", 0.45, "Similar titles", False)]
    assert suggestions(*pair({"title": "Cache the token store"}, {"title": "Cache of other things"})) == []
    assert suggestions(*pair({"title": "The API"}, {"title": "An API"})) == []


def test_common_files_relate_and_may_act() -> None:
    new, other = pair({"references": ("src/a.py", "src/b.py", "x")}, {"references": ("src/b.py", "src/a.py", "y")})
    reason = "Common files: [src/a.py, src/b.py]"
    assert suggestions(new, other) == [("00000001", "relates_to", "00000002", 0.7, reason, True)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_component_that_mentions_a_decision_implements_it(turned: bool) -> None:
    decision: dict[str, object] = {"type": NodeType.DECISION, "title": "Signed session tokens", "content": "no"}
    component: dict[str, object] = {"type": NodeType.COMPONENT, "content": "Tokens are SIGNED here."}
    new, other = pair(decision, component) if turned else pair(component, decision)
    source, target = ("00000002", "00000001") if turned else ("00000001", "00000002")
    assert suggestions(new, other) == [(source, "implements", target, 0.75, "Component implements decision", True)]


def test_sharing_one_word_with_a_decision_infers_no_relation() -> None:
    decision = {"type": NodeType.DECISION, "title": "Signed session tokens"}
    assert suggestions(*pair({"type": NodeType.COMPONENT, "content": "tokens, tokens"}, decision)) == []
    assert suggestions(*pair({"type": NodeType.CONCEPT, "content": "signed tokens"}, decision)) == []


@pytest.mark.parametrize("word", ["supersedes", "replaces", "obsoletes", "deprecates", "SUPERSEDES"])
def test_the_newer_of_two_that_are_called_alike_may_supersede(word: str) -> None:
    newer = {
        "title": "Store tokens in cookies",
        "content": f"This {word} the old one.",
        "created": "2026-03-01T00:00:00Z",
    }
    older = {"title": "Store tokens in headers"}
    for new, other in (pair(newer, older), pair(older, newer)):
        source = next(node.id[:8] for node in (new, other) if "cookies" in node.title)
        result = [item for item in suggestions(new, other) if item[1] == "supersedes"]
        target = "00000002" if source == "00000001" else "00000001"
        assert result == [] or result == [(source, "supersedes", target, 0.85, "Supersession detected", False)]
    # store, tokens of store, tokens, cookies, headers: half; the rule asks for three fifths.
    assert [item for item in suggestions(*pair(newer, older)) if item[1] == "supersedes"] == []
    nearly = {"title": "Store tokens in signed cookies"}
    new, other = pair({**newer, "title": "Store tokens in cookies"}, nearly)
    result = [item for item in suggestions(new, other) if item[1] == "supersedes"]
    assert result == [("00000001", "supersedes", "00000002", 0.85, "Supersession detected", False)]
    different = {**nearly, "type": NodeType.ISSUE}
    assert [item for item in suggestions(*pair(newer, different)) if item[1] == "supersedes"] == []


def test_the_older_one_does_not_supersede_the_newer() -> None:
    old = {"title": "Store tokens in cookies", "content": "This replaces nothing.", "created": "2026-01-01T00:00:00Z"}
    new = {"title": "Store tokens in cookies", "content": "plain", "created": "2026-03-01T00:00:00Z"}
    assert [item for item in suggestions(*pair(new, old)) if item[1] == "supersedes"] == []


@pytest.mark.parametrize("told", [ONE, "client-1"])
def test_a_note_of_a_session_derives_from_its_session_note(told: str) -> None:
    session, note = pair({"type": NodeType.SESSION, "session": "client-1"}, {"session": told})
    expected = [("00000002", "derived_from", "00000001", 1.0, "Created in same session", True)]
    assert suggestions(session, note) == suggestions(note, session) == expected
    assert suggestions(*pair({"type": NodeType.SESSION, "session": "client-2"}, {"session": "client-1"})) == []
    assert suggestions(*pair({"type": NodeType.SESSION}, {})) == []


@pytest.mark.parametrize("verb", ["uses", "depends on", "requires", "Uses", "DEPENDS  ON"])
def test_a_mention_is_a_dependency(verb: str) -> None:
    new, other = pair({"content": f"The server {verb} Token  Store."}, {"title": "Token Store"})
    reason = "Dependency mentioned in content"
    assert suggestions(new, other) == [("00000001", "depends_on", "00000002", 0.8, reason, True)]


@pytest.mark.parametrize(
    "content", ["It reuses Two.", "It uses Twofold.", "uses the Two", "Two uses it", "use Two", ""]
)
def test_texts_that_only_resemble_a_mention_infer_no_relation(content: str) -> None:
    assert suggestions(*pair({"content": content}, {})) == []


# ---- combining ---------------------------------------------------------------------------------------


def test_independent_evidence_adds_up_with_all_its_reasons() -> None:
    new, other = pair({"tags": ("a", "b"), "references": ("x",)}, {"tags": ("a", "c"), "references": ("x",)})
    (item,) = infer(new, [other])
    assert item.confidence == round(1 - (1 - 1 / 3) * (1 - 0.7), 4) == 0.8
    assert item.reasons == ("Common files: [x]", "Tag overlap: 33%")
    assert item.automatic


def test_confidences_of_different_relation_types_are_not_combined() -> None:
    new, other = pair({"tags": ("a",), "content": "uses Two"}, {"tags": ("a",)})
    assert {(item.type.value, item.confidence) for item in infer(new, [other])} == {
        ("relates_to", 1.0),
        ("depends_on", 0.8),
    }


def test_the_surest_comes_first_and_a_node_is_not_related_to_itself() -> None:
    new = a_node(1, tags=("a", "b", "c"), title="One")
    others = [a_node(2, tags=("a", "b", "z"), title="Two"), a_node(3, tags=("a", "b", "c"), title="Three"), new]
    assert [item.target for item in infer(new, others)] == [an_id(3), an_id(2)]


shares = st.floats(0.0, 1.0)


@given(st.lists(st.tuples(st.sampled_from(["uses", "affects"]), shares, st.booleans()), max_size=6))
def test_combined_confidence_is_a_probability_no_lower_than_its_best(items: list[tuple[str, float, bool]]) -> None:
    given_ = [
        Inferred(ONE, TWO, RelationType(kind), sure, (f"r{at}",), auto) for at, (kind, sure, auto) in enumerate(items)
    ]
    combined: tuple[Inferred, ...] = combine(given_)
    assert len(combined) == len({kind for kind, _, _ in items})
    for item in combined:
        own = [sure for kind, sure, _ in items if kind == item.type.value]
        assert max(own) - 1e-4 <= item.confidence <= 1.0
        assert item.automatic == any(auto for kind, _, auto in items if kind == item.type.value)
        assert len(item.reasons) == len(own)


@given(st.sets(st.text(max_size=2)), st.sets(st.text(max_size=2)))
def test_jaccard_is_the_shared_part_of_both(one: set[str], other: set[str]) -> None:
    assert jaccard([], []) == 0.0
    assert jaccard(one, other) == jaccard(other, one) == (len(one & other) / len(one | other) if one | other else 0.0)


@given(st.text(alphabet="abc .,", min_size=1, max_size=20).filter(lambda text: text.strip(" .,")))
def test_every_mentioned_name_is_looked_up(title: str) -> None:
    name = " ".join(title.split()).strip(".,")
    content = f"It uses {name} and more."
    if mentions(content, name):
        assert " ".join(name.split()) in mentioned(content)
