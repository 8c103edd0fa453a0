"""Which type a note is guessed to be, and how sure that is."""

from __future__ import annotations

import pytest

from autology.core.classify import CAP, KEYWORDS, classify, given
from autology.model.node import NodeType


def test_there_are_42_keywords_and_none_counts_for_two_types() -> None:
    every = [word for words in KEYWORDS.values() for word in words]
    assert len(every) == len(set(every)) == 42
    counts = {type.value: len(KEYWORDS[type]) for type in NodeType}
    expected = {"decision": 10, "component": 6, "convention": 6, "concept": 5, "pattern": 5, "issue": 5, "session": 5}
    assert counts == expected


def test_the_worked_example_of_the_founding_document() -> None:
    text = "Decision: We chose PostgreSQL over MySQL because it is stricter; MySQL was the alternative."
    done = classify("Use PostgreSQL for data persistence", text)
    assert (done.type, done.confidence, done.confident) == (NodeType.DECISION, 0.45, False)
    assert [guess.type.value for guess in done.alternatives] == ["decision", "concept", "component"]
    assert [guess.score for guess in done.alternatives] == [0.45, 0.0, 0.0]
    assert done.alternatives[0].words == ("decision", "chose", "alternative")


@pytest.mark.parametrize("type", NodeType)
def test_each_word_counts_once_and_in_any_case(type: NodeType) -> None:
    words = KEYWORDS[type]
    assert classify(words[0].upper(), f"{words[0]} {words[0]}").confidence == 0.15
    assert classify(words[0], words[1]).confidence == 0.3
    every = classify("All of them", " ".join(words))
    assert (every.type, every.confidence) == (type, min(round(0.15 * len(words), 2), CAP))
    assert every.confident


def test_a_word_counts_from_its_start_only() -> None:
    assert classify("x", "options").alternatives[0].words == ("option",)
    assert classify("x", "adoption, subclass, unruled, debugging").confidence == 0.0
    assert classify("x", "trade-offs").type is NodeType.DECISION
    assert classify("x", "my_class").alternatives[0].words == ("class",)


def test_nothing_telling_is_a_concept_and_unsure() -> None:
    done = classify("x", "y")
    assert (done.type, done.confidence, done.confident) == (NodeType.CONCEPT, 0.0, False)


def test_a_tie_goes_to_the_concept_and_then_in_the_order_of_types() -> None:
    assert classify("x", "domain and bug").type is NodeType.CONCEPT
    assert classify("x", "bug and service").type is NodeType.COMPONENT
    assert [guess.type.value for guess in classify("x", "bug, service, rule").alternatives] == [
        "component",
        "convention",
        "issue",
    ]


def test_a_hook_lends_weight_to_what_it_sees() -> None:
    assert classify("x", "y", "hook_commit").type is NodeType.SESSION
    assert classify("x", "y", "hook_commit").confidence == 0.2
    assert (classify("x", "y", "hook_file_change").type, classify("x", "y", "hook_file_change").confidence) == (
        NodeType.COMPONENT,
        0.1,
    )
    assert classify("x", "decision", "hook_file_change").type is NodeType.DECISION


def test_a_guess_is_confident_from_three_fifths_up_and_never_certain() -> None:
    assert classify("decide decision chose", "alternative").confident
    assert not classify("decide decision", "chose").confident
    every = " ".join(KEYWORDS[NodeType.DECISION])
    assert classify("x", every).confidence == 0.95


def test_a_type_that_a_person_gave_is_nearly_certain() -> None:
    done = given(NodeType.ISSUE)
    assert (done.type, done.confidence, done.confident) == (NodeType.ISSUE, 0.95, True)
