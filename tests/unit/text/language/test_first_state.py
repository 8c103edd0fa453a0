"""Recognising a question about how something was before it changed."""

from __future__ import annotations

import pytest

from autology.text.language.first_state import asks_for_the_first_state


@pytest.mark.parametrize(
    "question",
    [
        "Why did we choose Postgres in the first place?",
        "what was the original limit for uploads",
        "how did we first store sessions",
        "which queue did the importer use from the start?",
        "Warum haben wir uns ursprünglich für Kafka entschieden?",
        "au départ, quelle base de données avait-on prise ?",
        "¿con qué empezamos al principio?",
        "なぜ最初にRedisを選んだのですか",
        "一开始为什么用单体架构？",
    ],
)
def test_a_question_about_the_beginning_asks_for_the_first_state(question: str) -> None:
    assert asks_for_the_first_state(question)


@pytest.mark.parametrize(
    "question",
    [
        "which database do we use?",
        "the limit was 5 MB at first, what is it now?",
        "where do we store the original images?",
        "does the first day of the week depend on the locale?",
        "Anfangs war es eine Stunde, was gilt heute?",
        "au début c'était dix, combien maintenant ?",
    ],
)
def test_a_question_about_what_holds_now_does_not(question: str) -> None:
    assert not asks_for_the_first_state(question)
