"""How a prompt asks is known by its function words, in six languages."""

from __future__ import annotations

import pytest

from autology.ranking.asking_form import asking_form, misspelt_sorts, other_language, subject_of


@pytest.mark.parametrize(
    ("prompt", "language", "sorts", "subject"),
    [
        ("why did we drop Redis", "en", {"why", "we", "past"}, ["drop", "Redis"]),
        ("warum haben wir Redis abgeschafft?", "de", {"why", "we", "past", "matter"}, ["Redis"]),
        ("pourquoi on a abandonné Redis ?", "fr", {"why", "we", "past", "matter"}, ["Redis"]),
        ("¿por qué descartamos Redis?", "es", {"why", "ask", "matter"}, ["Redis"]),
        ("我们为什么放弃 Redis", "zh", {"we", "why", "matter"}, ["Redis"]),
        ("なぜ Redis をやめたんだっけ", "ja", {"why", "matter", "past"}, ["Redis"]),
    ],
)
def test_asking_words_are_told_from_the_subject(
    prompt: str, language: str, sorts: set[str], subject: list[str]
) -> None:
    form = asking_form(prompt)
    assert form.language == language
    assert sorts <= form.sorts
    assert [word for word in subject_of(prompt, language) if word.isascii()] == subject


@pytest.mark.parametrize(
    "prompt", ["streaming replica lag limit", "war room dashboards", "price plus tax", "solo mode"]
)
def test_a_word_of_another_language_that_is_english_too_makes_no_question_foreign(prompt: str) -> None:
    assert asking_form(prompt).language == "en"
    assert subject_of(prompt, "en") == prompt.split()


def test_a_contraction_is_no_part_of_the_subject() -> None:
    assert subject_of("why didn't we keep the predictor", "en") == ["keep", "predictor"]


def test_how_something_is_done_is_told_from_how_it_was_done() -> None:
    assert asking_form("how should I mock the clock?").asks_how
    assert not asking_form("how did we mock the clock?").asks_how


def test_a_misspelt_question_word_asks() -> None:
    assert "ask" in asking_form("waht is in the queue").sorts
    assert "matter" in misspelt_sorts("decsion", "en")
    assert misspelt_sorts("decsion", "ja") == []


@pytest.mark.parametrize("prompt", ["", "?", "rename Button", "\ud800", "🙂 🙂"])
def test_a_prompt_without_asking_words_has_no_sorts(prompt: str) -> None:
    assert not asking_form(prompt).sorts


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("der kunde hat sich beschwert dass die farben nicht stimmen weil der drucker zu langsam war", "de"),
        ("le client a dit que les couleurs ne sont pas dans la facture", "fr"),
        ("el cliente dijo que los colores no se ven en la pantalla como antes", "es"),
        ("please change the final place where the die war dans was, and comment on the plus sign", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text_is_told_by_its_asking_words(text: str, language: str) -> None:
    assert other_language(text.split()) == language
