"""The better the past answers a prompt, the less it has to sound like asking for it."""

from __future__ import annotations

import pytest

from autology.ranking.asking_form import asking_form
from autology.ranking.past_wording import past_wording
from autology.ranking.recall_gate import NOTHING, Knowledge, is_note_worth_answering, is_worth_answering
from autology.ranking.recall_intent import recall_intent

CELERY = Knowledge(weight=0.8, share=1.0, rare=1, unknown=0)
CELERY_RETRIES = Knowledge(weight=1.6, share=1.0, rare=2, unknown=0)


def answers(prompt: str, knowledge: Knowledge) -> bool:
    form = asking_form(prompt)
    return is_worth_answering(past_wording(prompt, form), form.language, knowledge)


def test_one_rare_word_answers_who_asks_for_a_reason_and_not_who_orders_work() -> None:
    assert answers("why not celery?", CELERY)
    assert answers("warum kein celery?", CELERY)
    assert not answers("start celery", CELERY)


def test_without_knowledge_no_wording_is_answered() -> None:
    assert not answers("why did we decide that?", NOTHING)


@pytest.mark.parametrize("unknown", [2, 3, 9])
def test_english_words_that_the_index_lacks_speak_against_an_answer(unknown: int) -> None:
    assert not answers("is celery able to mock the clock?", Knowledge(0.8, 1.0, 1, unknown))


def test_a_coincidence_of_one_word_is_never_an_answer() -> None:
    assert not answers("what did we decide about celery?", Knowledge(0.8, 0.3, 1, 0))
    assert answers("what did we decide about celery and its retries?", CELERY_RETRIES)


def test_what_was_said_at_the_time_that_a_prompt_names_is_answered_with_less() -> None:
    everywhere = Knowledge(weight=0.01, share=1.0, rare=0, unknown=0)
    assert is_worth_answering(2.0, "en", everywhere, is_in_time=True)
    assert not is_worth_answering(2.0, "en", everywhere)


@pytest.mark.parametrize("prompt", ["почему мы отказались от celery?", "perché abbiamo abbandonato celery?"])
def test_a_phrase_of_a_language_that_was_not_learned_asks_for_the_past(prompt: str) -> None:
    intent = recall_intent(prompt)
    assert intent
    assert is_worth_answering(intent.wording, intent.form.language, CELERY)


def test_a_note_by_itself_has_to_know_more_than_talk() -> None:
    known = Knowledge(weight=1.2, share=0.6, rare=2, unknown=0)
    assert is_worth_answering(0.5, "en", known)
    assert not is_note_worth_answering(0.5, "en", known)
    assert is_note_worth_answering(2.5, "en", known)
