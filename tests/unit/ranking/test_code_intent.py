"""What a question is after, and what it names."""

from __future__ import annotations

import pytest

from autology.ranking.code_intent import intent


@pytest.mark.parametrize(
    ("query", "aim", "searches"),
    [
        ("show me the function that parses stamps", "find_code", ("semantic", "keyword")),
        ("where is the logic for retries", "find_code", ("semantic", "keyword")),
        ("Find where we implement paging", "find_code", ("semantic", "keyword")),
        ("what did we decide about paging", "recall_discussion", ("semantic",)),
        ("remember when the disk was full", "recall_discussion", ("semantic",)),
        ("our conversation about locks", "recall_discussion", ("semantic",)),
        ("what calls apply()", "trace_dependencies", ("graph", "semantic")),
        ("what is affected by changes to the schema", "trace_dependencies", ("graph", "semantic")),
        ("dependency graph of the server", "trace_dependencies", ("graph", "semantic")),
        ("how does the retry queue work", "understand_structure", ("graph", "semantic")),
        ("structure of the index", "understand_structure", ("graph", "semantic")),
        ("Architecture of the\nhooks", "understand_structure", ("graph", "semantic")),
    ],
)
def test_a_pattern_names_the_aim_and_the_searches(query: str, aim: str, searches: tuple[str, ...]) -> None:
    hits = intent(query)
    assert (hits.aim, hits.searches, hits.confidence) == (aim, searches, 0.8)


def test_without_a_pattern_a_discussion_is_recalled_less_surely() -> None:
    result = intent("authentication tokens")
    assert (result.aim, result.searches, result.confidence) == ("recall_discussion", ("semantic",), 0.5)


def test_the_first_pattern_that_matches_wins() -> None:
    assert intent("what did we decide about what uses the cache").aim == "recall_discussion"
    assert intent("find how does implement work").aim == "find_code"


@pytest.mark.parametrize(
    "query", ["function that splits cents", "the SQL query for churn", "A retry decorator which logs"]
)
def test_a_piece_of_code_named_as_such_is_code_that_is_looked_for(query: str) -> None:
    assert (intent(query).aim, intent(query).confidence) == ("find_code", 0.8)


@pytest.mark.parametrize(
    "query",
    ["why did the test that we wrote fail", "query plans", "the functional tests for churn", "tests that ran late"],
)
def test_words_of_code_in_another_question_are_no_aim(query: str) -> None:
    assert intent(query).confidence == 0.5


def test_functions_files_concepts_and_times_are_extracted_from_a_question() -> None:
    text = intent(
        "why does parse_stamp() in text/language/timestamps.py fail for YAML dates last week", ("last week",)
    ).entities
    assert text.functions == ("parse_stamp",)
    assert text.files == ("text/language/timestamps.py",)
    assert "YAML dates" in text.concepts
    assert text.time_references == ("last week",)


def test_names_of_any_style_are_functions_and_plain_words_are_not() -> None:
    result = intent("getUserName and SqliteIndex and Index.apply( and retry, e.g. now").entities
    assert set(result.functions) == {"getUserName", "SqliteIndex", "Index.apply"}
    assert result.files == ()
