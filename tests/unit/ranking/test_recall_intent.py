"""A prompt that asks for the past is known by how people speak of it, and not by its single words."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology import hook_events
from autology.ranking.recall_intent import DISCUSSION, ENOUGH, IMPLEMENTATION, PROBLEM, WORK, by_phrase, recall_intent
from autology.ranking.recall_phrases import KEYS, evidence, lists
from autology.text.user_words import by_machine, errors, named_inside, own_words
from tests.labelled.reading import halves

BOOT = Path(__file__).resolve().parents[3] / "server" / "boot" / "__main__.py"
spec = importlib.util.spec_from_file_location("boot", BOOT)
assert spec
assert spec.loader
boot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(boot)

PRECISION, RECALL = 0.95, 0.9


def judged(rows: list[dict[str, Any]]) -> tuple[int, int, int]:
    """Return how many were rightly found, wrongly found and missed."""
    result = [row["past"] for row in rows if by_phrase(recall_intent(row["prompt"]))]
    return sum(result), len(result) - sum(result), sum(row["past"] for row in rows) - sum(result)


@pytest.mark.parametrize("half", [0, 1])
def test_two_hundred_labelled_prompts_are_classified_well_in_both_halves(half: int) -> None:
    rows = halves("prompts")[half]
    assert len(rows) == 100
    assert 40 <= sum(row["past"] for row in rows) <= 60
    right, wrong, missed = judged(rows)
    assert right / (right + wrong) >= PRECISION
    assert right / (right + missed) >= RECALL


def test_prompts_written_after_the_phrases_are_classified_as_well() -> None:
    rows = halves("prompts")[1] + halves("prompts_later")[1]
    assert len(rows) == 140
    right, wrong, missed = judged(rows)
    assert right / (right + wrong) >= PRECISION
    assert right / (right + missed) >= RECALL


@pytest.mark.parametrize(
    "prompt",
    [
        "how did we paginate the orders before",
        "Remember when we moved the queue?",
        "last time we worked on the importer",
        "What was that parser we discussed?",
        "how did we validate tokens",
        "remember when we split the module",
        "last time you split the module",
        "previously we kept the logs for a week",
        "before we agreed on Postgres, what did we try?",
        "earlier you said the cache was cold",
        "in our last session you found the leak",
        "we discussed two ways to shard the table",
    ],
)
def test_the_phrases_that_the_design_names_ask_for_the_past(prompt: str) -> None:
    assert by_phrase(recall_intent(prompt))


@pytest.mark.parametrize(
    ("prompt", "wants", "about"),
    [
        ("how did we handle retries in the upload client before?", IMPLEMENTATION, "handle retries upload client"),
        ("what did we decide about soft deletes?", DISCUSSION, "soft deletes"),
        ("this error again: `SerializationFailure: retry the transaction`, we fixed that in march", PROBLEM, None),
        ("where did we leave off with the search refactor", WORK, None),
        ("What did we do yesterday", WORK, ""),
        ("how did we decide to retry failed webhooks?", DISCUSSION, "retry failed webhooks"),
        ("how did we retry failed webhooks before?", IMPLEMENTATION, "retry failed webhooks"),
        ("what did we agree on for error codes in the public api?", DISCUSSION, None),
        ("how did we do the error pages last time?", IMPLEMENTATION, None),
        ("how have we been mocking s3 in tests? I know we settled on something", DISCUSSION, None),
        ("what did we decide about the timeout of uploads?", DISCUSSION, None),
        ("the login test is flaky again, we have seen this before", PROBLEM, None),
        ("remember when we had that deadlock in the payments queue?", PROBLEM, None),
        ("how did we fix the memory leak of the worker?", PROBLEM, None),
        ("we decided on something here, but now: TypeError: x is undefined. what was it?", PROBLEM, None),
        ("Just do it the same way as last time.", WORK, ""),
    ],
)
def test_intent_and_subject_of_a_prompt_are_separated_from_its_wording(
    prompt: str, wants: str, about: str | None
) -> None:
    result = recall_intent(prompt)
    assert result
    assert result.wants == wants
    if about is not None:
        assert result.about == about


def test_quoted_text_in_a_prompt_is_searched_but_does_not_trigger_recall() -> None:
    result = recall_intent("have you seen this one before in this repo? `RuntimeError: Event loop is closed`")
    assert result
    assert {"RuntimeError", "Event", "loop", "closed"} <= set(result.about.split())
    assert not recall_intent('rename the test "have we seen this before" to "seen_before"')


@pytest.mark.parametrize("length", [1_000, 100_000, 3_000_000])
def test_a_paste_of_any_length_is_looked_past_quickly(length: int) -> None:
    paste = ("    again = remember(previously)  # how did we do it before\n" * (length // 50))[:length]
    assert not recall_intent(f"format this:\n{paste}")
    assert not recall_intent("how did we do it before " * (length // 10))
    assert not recall_intent("x" * length)
    assert not recall_intent("`" * length + "'" * length)


@pytest.mark.parametrize("prompt", ["", " ", "\n\n", "?", "`", "```", "```\nopen", "\x00", "\ud800", "…", "- " * 50])
def test_a_prompt_without_content_has_no_recall_intent(prompt: str) -> None:
    assert recall_intent(prompt) is None


NASTY = (
    "`",
    '"',
    "'",
    "«",
    "“",
    "«a",
    "a.",
    "a/",
    "- ",
    "# ",
    "> ",
    "```\n",
    "at (",
    "error:",
    "Error ",
    "we did ",
    "0:",
    "\ud83d\ude00",
)


@pytest.mark.parametrize("part", NASTY)
def test_no_prompt_takes_longer_than_its_length(part: str) -> None:
    for length in (50, 3_000, 200_000):
        for text in (part * length, f"when {part * length}", f"{part * length}\n" * 3):
            recall_intent(text)
            errors(text)
            list(named_inside(text))


@given(st.text())
def test_recall_intent_of_any_text_is_computed_without_errors(text: str) -> None:
    content = recall_intent(text)
    assert content is None or content.wants in (DISCUSSION, IMPLEMENTATION, PROBLEM, WORK)
    assert all(len(line) <= 240 for line in errors(text))


def test_own_words_are_what_is_left_of_a_prompt() -> None:
    pasted = "2024-01-01 10:00:00 WARN again\n> we discussed it\n    code again\nTraceback (most recent call last):\n"
    prompt = f"Look at this:\n{pasted}```\nremember = 1\n```\nwhy 'again and again' twice?"
    assert own_words(prompt) == "Look at this:\nwhy   twice?"


def test_a_prompt_without_a_key_word_could_not_ask_for_the_past() -> None:
    named = lists()
    most = {name: max(worth for worth, _ in sort) for name, sort in evidence().items()}
    assert most["time"] + most["asks"] < ENOUGH
    for name in evidence().keys() - {"time", "asks", "in sight"}:
        for worth, text in evidence()[name]:
            parts = [part for part in text.split() if part not in ("^", "$", "..", "~")]
            words = [
                {each for word in part.split("|") for each in (named[word[1:-1]].split() if word[0] == "<" else [word])}
                for part in parts
            ]
            assert any(part <= KEYS for part in words), (name, worth, text)


def test_no_prompt_that_asks_for_the_past_is_turned_away_by_its_bytes() -> None:
    for row in (*halves("prompts")[0], *halves("prompts")[1], *halves("prompts_later")[0], *halves("prompts_later")[1]):
        if row["past"]:
            assert boot.may_ask_for_the_past(json.dumps({"cwd": "/x", "prompt": row["prompt"]}).encode())


def test_the_entry_point_drops_by_their_bytes_what_the_table_says() -> None:
    prefilters = {name: event.prefilter for name, event in hook_events.EVENTS.items() if event.prefilter}
    assert {name: prefilter.__name__ for name, prefilter in boot.PREFILTERS.items()} == prefilters


def test_every_prompt_that_is_dropped_by_its_bytes_is_a_machines() -> None:
    for beginning in boot.BY_MACHINE:
        assert by_machine(beginning.decode() + "notice> and so on")


def test_a_noun_phrase_asks_by_its_wording_and_a_longer_order_is_not_weighed() -> None:
    intent = recall_intent("retention of raw logs, the figure after the audit")
    assert intent
    assert intent.about == "retention raw logs figure audit"
    assert recall_intent("each retention of the raw logs, a figure above the table, one column for an audit") is None
