"""What words of other languages mean in English."""

from __future__ import annotations

import pytest

from autology.text.language.translation import LANGUAGES, meanings, meanings_within
from autology.text.wordlists import translated


@pytest.mark.parametrize(
    ("word", "language", "english"),
    [
        ("Rechnung", "de", "invoice"),
        ("Rechnungen", "de", "invoice"),
        ("gespeichert", "de", "store"),
        ("bibliothèques", "fr", "library"),
        ("journalisation", "fr", "logging"),
        ("contraseñas", "es", "password"),
        ("imprimen", "es", "print"),
    ],
)
def test_a_word_is_known_in_any_form(word: str, language: str, english: str) -> None:
    ((*meant,),) = meanings(word, language)
    assert english in meant


def test_a_german_compound_means_both_its_parts_or_the_known_one() -> None:
    assert [words[0] for words in meanings("Druckerpuffer", "de")] == ["print", "buffer"]
    assert [words[0] for words in meanings("Bestandsmatrix", "de")] == ["inventory"]


@pytest.mark.parametrize(("word", "language"), [("rust", "fr"), ("Nächstes", "de"), ("borrowers", "es"), ("", "de")])
def test_a_word_that_only_begins_alike_is_unknown(word: str, language: str) -> None:
    assert meanings(word, language) == ()


def test_in_scripts_without_spaces_the_longest_words_are_found_in_order() -> None:
    assert [word for word, _ in meanings_within("数据库备份多久一次", "zh")] == ["数据库", "备份"]
    assert [word for word, _ in meanings_within("請求書のタイムアウト設定", "ja")] == ["請求書", "タイムアウト", "設定"]
    assert meanings_within("", "ja") == []


def test_each_line_has_a_column_for_each_language_and_stands_once() -> None:
    rows = translated()
    assert len(rows) > 300
    assert all(english and len(others) == len(LANGUAGES) for english, others in rows)
    assert len({english for english, _ in rows}) == len(rows)
