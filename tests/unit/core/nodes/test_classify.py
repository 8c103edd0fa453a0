"""Which type a note is guessed to be, and how sure that is."""

from __future__ import annotations

import pytest

from autology.core.nodes.classification import chosen
from autology.core.nodes.classify import classify
from autology.core.nodes.type_keywords import CAP, KEYWORDS, by_keywords
from autology.model.node import NodeType


def test_there_are_42_keywords_and_none_counts_for_two_types() -> None:
    every = [word for words in KEYWORDS.values() for word in words]
    assert len(every) == len(set(every)) == 42
    counts = {type.value: len(KEYWORDS[type]) for type in NodeType}
    expected = {"decision": 10, "component": 6, "convention": 6, "concept": 5, "pattern": 5, "issue": 5, "session": 5}
    assert counts == expected


def test_the_worked_example_of_the_founding_document() -> None:
    text = "Decision: We chose PostgreSQL over MySQL because it is stricter; MySQL was the alternative."
    done = by_keywords("Use PostgreSQL for data persistence", text)
    assert (done.type, done.confidence, done.confident) == (NodeType.DECISION, 0.45, False)
    assert [guess.type.value for guess in done.alternatives] == ["decision", "concept", "component"]
    assert [guess.score for guess in done.alternatives] == [0.45, 0.0, 0.0]
    assert done.alternatives[0].words == ("decision", "chose", "alternative")


@pytest.mark.parametrize("type", NodeType)
def test_each_keyword_counts_once_in_any_case(type: NodeType) -> None:
    words = KEYWORDS[type]
    assert by_keywords(words[0].upper(), f"{words[0]} {words[0]}").confidence == 0.15
    assert by_keywords(words[0], words[1]).confidence == 0.3
    every = by_keywords("All of them", " ".join(words))
    assert (every.type, every.confidence) == (type, min(round(0.15 * len(words), 2), CAP))
    assert every.confident


def test_a_word_counts_from_its_start_only() -> None:
    assert by_keywords("x", "options").alternatives[0].words == ("option",)
    assert by_keywords("x", "adoption, subclass, unruled, debugging").confidence == 0.0
    assert by_keywords("x", "trade-offs").type is NodeType.DECISION
    assert by_keywords("x", "my_class").alternatives[0].words == ("class",)


def test_a_text_without_clues_is_an_unsure_concept() -> None:
    done = by_keywords("x", "y")
    assert (done.type, done.confidence, done.confident) == (NodeType.CONCEPT, 0.0, False)


def test_a_tie_goes_to_the_concept_and_then_in_the_order_of_types() -> None:
    assert by_keywords("x", "domain and bug").type is NodeType.CONCEPT
    assert by_keywords("x", "bug and service").type is NodeType.COMPONENT
    assert [guess.type.value for guess in by_keywords("x", "bug, service, rule").alternatives] == [
        "component",
        "convention",
        "issue",
    ]


def test_the_capturing_hook_adds_weight_to_its_type() -> None:
    assert by_keywords("x", "y", "hook_commit").type is NodeType.SESSION
    assert by_keywords("x", "y", "hook_commit").confidence == 0.2
    assert (by_keywords("x", "y", "hook_file_change").type, by_keywords("x", "y", "hook_file_change").confidence) == (
        NodeType.COMPONENT,
        0.1,
    )
    assert by_keywords("x", "decision", "hook_file_change").type is NodeType.DECISION


def test_a_guess_is_confident_from_three_fifths_up_and_never_certain() -> None:
    assert by_keywords("decide decision chose", "alternative").confident
    assert not by_keywords("decide decision", "chose").confident
    every = " ".join(KEYWORDS[NodeType.DECISION])
    assert by_keywords("x", every).confidence == 0.95


def test_a_type_that_a_person_gave_is_nearly_certain() -> None:
    done = chosen(NodeType.ISSUE)
    assert (done.type, done.confidence, done.confident) == (NodeType.ISSUE, 0.95, True)


@pytest.mark.parametrize(
    ("title", "content", "type"),
    [
        ("Use PostgreSQL for orders", "## Context\n\nx\n\n## Decision\n\ny\n\n## Consequences\n\nz", "decision"),
        ("0007. Keep sessions in Redis", "We chose Redis over the database.", "decision"),
        ("Payment service", "It is responsible for charging cards and lives in src/pay.", "component"),
        ("Naming conventions", "Test files end in _test.py.", "convention"),
        ("How to cut a release", "1. Run the tests.\n2. Push the tag.", "convention"),
        ("What is a fulfilment", "A fulfilment is a parcel with its orders.", "concept"),
        ("Circuit breaker pattern", "Whenever we call another service, wrap the call.", "pattern"),
        ("Login times out behind the proxy", "Symptoms: 504.\n\n## Workaround\n\nRetry.", "issue"),
        ("Session 2026-02-08", "- Fixed the login\n- Added tests\n\nNext: the release", "session"),
    ],
)
def test_the_form_of_a_note_tells_its_type_and_is_named_as_the_reason(title: str, content: str, type: str) -> None:
    done = classify(title, content)
    assert done.type == type
    assert done.alternatives[0].words
    assert all(word.removeprefix("## ").lower() in f"{title} {content}".lower() for word in done.alternatives[0].words)


def test_without_structural_clues_keywords_decide_the_type() -> None:
    for text in ("y", "the domain", "a service, a package"):
        assert classify("x", text) == by_keywords("x", text)


def test_the_capturing_hook_adds_weight_beside_structural_clues() -> None:
    plain, committed = (
        classify("Wrote the parser", "It fails on tabs.", source) for source in ("manual", "hook_commit")
    )
    score = {guess.type.value: guess.score for guess in committed.alternatives}
    assert score["session"] > {guess.type.value: guess.score for guess in plain.alternatives}.get("session", 0.0)


def test_headings_in_code_and_words_far_down_say_nothing() -> None:
    code = "```\n# Decision\n## Consequences\n```\n"
    assert classify("x", code + "y") == by_keywords("x", code + "y")
    assert classify("x", "y " * 2_000 + "we decided") == by_keywords("x", "y " * 2_000 + "we decided")
