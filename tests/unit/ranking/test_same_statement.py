"""Two memories are one only where they say the same: nothing is skipped that says something else."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.embedding.static import StaticEncoder
from autology.model.memory import Kind, Memory, Scope
from autology.ranking.same_statement import LONGEST, THRESHOLD, compare, duplicate

PAIRS = Path(__file__).resolve().parents[2] / "labelled" / "duplicates.jsonl"
AT = "2026-01-01T00:00:00Z"
ENCODER = StaticEncoder()


def memory(item: dict) -> Memory:
    return Memory("x", Kind(item["kind"]), item["content"], Scope(**item["scope"]), AT, AT)


def figures(part: str) -> tuple[int, float, float]:
    """Return how many pairs *part* has ("tuned": all but three), and the rule's precision and recall on them."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    apart = ("last", "fresh", "unread")
    some = [pair for pair in pairs if part == (pair["part"] if pair["part"] in apart else "tuned")]
    result = [
        (duplicate(memory(pair["one"]), memory(pair["other"]), ENCODER.encode).same, pair["same"]) for pair in some
    ]
    right = sum(message and same for message, same in result)
    return len(some), right / sum(message for message, _ in result), right / sum(same for _, same in result)


def test_on_the_pairs_it_was_tuned_on_the_rule_is_right_in_98_of_100_and_finds_83() -> None:
    pairs, precision, recall = figures("tuned")
    assert pairs >= 1000
    assert precision >= 0.98
    assert recall >= 0.83


def test_on_the_last_pairs_the_rule_is_right_in_98_of_100_and_finds_85() -> None:
    # Read first it was right in 92 and found 89: exchanged roles, retold, are what it misses.
    pairs, precision, recall = figures("last")
    assert pairs >= 100
    assert precision >= 0.98
    assert recall >= 0.85


def test_of_free_paraphrases_the_rule_finds_half_with_high_precision() -> None:
    # Read first it was right in 93 and found 47. What it misses is kept twice; what it takes wrongly is lost.
    pairs, precision, recall = figures("fresh")
    assert pairs >= 300
    assert precision >= 0.93
    assert recall >= 0.5


def test_on_pairs_written_after_the_rule_precision_is_93_and_recall_73_percent() -> None:
    # Read first it was right in 91 and found 72.
    pairs, precision, recall = figures("unread")
    assert pairs >= 100
    assert precision >= 0.93
    assert recall >= 0.73


@pytest.mark.parametrize(
    "other",
    [
        "The cache of the API lives for 30 minutes.",
        "The cache of the API lives for 20 seconds.",
        "The cache of the API does not live for 20 minutes.",
        "The cache of the CLI lives for 20 minutes.",
        "The cache of the API lived for 20 minutes until 2024-05-01.",
    ],
)
def test_a_number_a_unit_a_negation_a_name_or_a_date_makes_another_fact(other: str) -> None:
    assert not compare("The cache of the API lives for 20 minutes.", other, ENCODER.encode).same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A depends on B.", "B depends on A."),
        ("Run the migration before the deploy.", "Run the migration after the deploy."),
        ("Debug logging is enabled in staging.", "Debug logging is disabled in staging."),
        ("We moved from Jenkins to Buildkite.", "We moved from Buildkite to Jenkins."),
        ("Read `config/app.toml` first.", "Read `config/web.toml` first."),
        ("The limit rose from 5 to 10.", "The limit fell from 10 to 5."),
        ("Videos over 2 GB fail on boxes with 4 GB.", "Videos over 4 GB fail on boxes with 2 GB."),
        ("Call `parse_feed` first.", "Call `parse_feeds` first."),
        ("The flag is called retryOnce.", "The flag is called RetryOnce."),
        ("We split it by domain, not by layer.", "We split it by layer, not by domain."),
    ],
)
def test_exchanged_roles_and_opposites_make_another_fact(one: str, other: str) -> None:
    verdict = compare(one, other, ENCODER.encode)
    assert not verdict.same
    assert verdict.differ


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The DB is backed up every night.", "Every night the database is backed up."),
        ("Uploads time out after 90 seconds.", "Uploads time out after 1.5 minutes."),
        ("The scheduler retries failed jobs.", "Failed jobs are retried by the scheduler."),
        ("Released on 2025-03-05.", "Released on March 5, 2025."),
        ("The flag is not enabled.", "The flag is disabled."),
    ],
)
def test_another_order_voice_unit_or_abbreviation_says_the_same(one: str, other: str) -> None:
    verdict = compare(one, other, ENCODER.encode)
    assert verdict.same, verdict.differ
    assert verdict.similarity >= THRESHOLD


def test_the_same_text_in_another_scope_or_kind_is_no_duplicate() -> None:
    one = Memory("a", Kind.DECISION, "Use tabs.", Scope("acme"), AT, AT)
    assert duplicate(one, Memory("b", Kind.DECISION, "Use tabs.", Scope("acme"), AT, AT)).same
    assert not duplicate(one, Memory("b", Kind.RISK, "Use tabs.", Scope("acme"), AT, AT)).same
    assert not duplicate(one, Memory("b", Kind.DECISION, "Use tabs.", Scope("acme", "web"), AT, AT)).same


def test_steps_in_another_order_are_another_runbook() -> None:
    one = Memory("a", Kind.RUNBOOK, "Stop the worker, drain the queue.", Scope(), AT, AT)
    other = Memory("b", Kind.RUNBOOK, "Drain the queue, stop the worker.", Scope(), AT, AT)
    assert not duplicate(one, other).same


def test_code_that_differs_makes_another_text() -> None:
    one, other = (f"Start it so:\n\n```sh\nserve --port {port}\n```\n" for port in (80, 81))
    assert not compare(one, other).same


def test_very_long_texts_are_duplicates_only_if_equal_word_by_word() -> None:
    text = "one two three. " * LONGEST
    assert compare(text, text.replace(" two", "\ntwo")).same
    assert not compare(text, text + "four").same


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=200)


@settings(max_examples=60)
@given(texts)
def test_a_text_is_always_its_own_duplicate_whatever_its_form_and_white_space(text: str) -> None:
    spaced = "  " + "\n ".join(unicodedata.normalize("NFD", text).split()) + "\t"
    verdict = compare(text, spaced)
    assert verdict.same
    assert verdict.similarity == 1.0


@settings(max_examples=60)
@given(texts, texts)
def test_any_two_texts_are_compared_alike_from_both_sides_or_kept_apart_for_a_reason(one: str, other: str) -> None:
    verdict = compare(one, other)
    assert 0.0 <= verdict.similarity <= 1.0
    assert verdict.same == (verdict.differ is None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A playlist holds ten thousand tracks.", "A playlist holds 10,000 tracks."),
        ("It is read by two hundred clients.", "It is read by 200 clients."),
        ("It is 1.7x as fast.", "It is 1.7 times as fast."),
        ("1. Pause the queue. 2. Drain it. 3. Resume the queue.", "- Pause the queue\n- Drain it\n- Resume the queue"),
        ("Why? Editors publish articles.", "Editors publish articles. Why?"),
    ],
)
def test_other_numbering_lists_or_openings_do_not_make_another_text(one: str, other: str) -> None:
    assert compare(one, other, ENCODER.encode).same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gateway filters inbound requests.", "Requests that come outbound are filtered by the gateway."),
        ("It makes the indexer quieter.", "It makes the indexer louder."),
        ("We serve images from the old cluster.", "We serve videos from the old cluster."),
    ],
)
def test_words_that_are_near_and_yet_another_thing_are_no_synonyms(one: str, other: str) -> None:
    assert not compare(one, other, ENCODER.encode).same
