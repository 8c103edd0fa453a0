"""What words of other languages mean in English."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.text import wordlists
from autology.text.language.translation import LANGUAGES, SPACED, meanings, meanings_within
from autology.text.tokens import fold

FOLDER = Path(wordlists.__file__).parent


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_is_a_word_and_its_english_words_in_order(language: str) -> None:
    lines = (FOLDER / f"translations_{language}.txt").read_text(encoding="utf-8").splitlines()
    entries = [line.partition(": ") for line in lines if not line.startswith("# ")]
    assert len(entries) > 500
    assert all(word and separator and english for word, separator, english in entries)
    listed = [word for word, _, _ in entries]
    assert [f"{word}:" for word in listed] == sorted({f"{word}:" for word in listed})
    if language in SPACED:
        assert [word for word in listed if fold(word) != word or not word.isalpha()] == []
        assert all(meanings(word, language) == (tuple(rest.split()),) for word, _, rest in entries)
    else:
        assert all(meanings_within(word, language) == [(word, tuple(rest.split()))] for word, _, rest in entries)
