"""Wording tells who asks for the past, whatever the subject."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.ranking.asking_form import asking_form
from autology.ranking.past_wording import READ, past_wording
from bench.wording import learn


def wording(text: str) -> float:
    return past_wording(text, asking_form(text))


@pytest.mark.parametrize(
    ("past", "order"),
    [
        ("what made us leave zarquon for blenk", "replace zarquon by blenk in the compose file"),
        ("zarquon retries: who settled on three?", "set the zarquon retries to three"),
        ("dig out what you told me about the blenk quota", "add a blenk quota to the settings page"),
        ("the zarquon leak, what was the cause in the end", "fix the zarquon leak"),
        ("warum sind wir damals von zarquon weg?", "ersetze zarquon durch blenk"),
        ("pourquoi avions-nous abandonné zarquon ?", "remplace zarquon par blenk"),
        ("¿por qué dejamos zarquon?", "cambia zarquon por blenk"),
        ("当时为什么放弃了zarquon?", "把zarquon换成blenk"),
        ("なぜzarquonをやめたんだっけ?", "zarquonをblenkに置き換えて"),
    ],
)
def test_who_asks_for_the_past_of_an_unknown_thing_is_told_from_who_orders_work_on_it(past: str, order: str) -> None:
    assert wording(past) > 0 > wording(order)


@pytest.mark.parametrize(
    "question", ["explain how zarquon works", "what does zarquon mean in blenk", "is zarquon fast"]
)
def test_a_question_of_general_knowledge_is_not_about_the_past(question: str) -> None:
    assert wording(question) < 0


def test_a_long_prompt_is_not_more_certain_for_its_length() -> None:
    once = wording("what did we settle on for zarquon")
    assert abs(wording("what did we settle on for zarquon. " * 20) - once) < abs(once)
    assert wording("x " * READ) == wording("x " * 10 * READ)


@given(st.text())
def test_any_text_has_a_wording(text: str) -> None:
    assert -100 < wording(text) < 100


def test_the_weights_are_those_that_the_prompts_teach() -> None:
    assert learn.as_text(learn.weights_of(learn.all_prompts())) == learn.WEIGHTS.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["drag.js", "graceMs", "flush()", "max_len", "src/drag.js"])
def test_a_question_about_a_name_of_code_asks_less_for_the_past(name: str) -> None:
    assert wording(f"and what is the limit in {name}") < wording("and what is the limit in zarquon")
