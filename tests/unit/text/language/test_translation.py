"""What words of other languages mean in English."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import autology
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
        ("gekauft", "de", "buy"),
        ("hochgeladen", "de", "upload"),
        ("abzubrechen", "de", "cancel"),
        ("Löschungen", "de", "delete"),
        ("leiser", "de", "quiet"),
        ("bibliothèques", "fr", "library"),
        ("journalisation", "fr", "logging"),
        ("achetons", "fr", "buy"),
        ("protégées", "fr", "protect"),
        ("recherchaient", "fr", "search"),
        ("chevaux", "fr", "horse"),
        ("finissons", "fr", "finish"),
        ("œufs", "fr", "egg"),
        ("noeuds", "fr", "node"),
        ("contraseñas", "es", "password"),
        ("imprimen", "es", "print"),
        ("compramos", "es", "buy"),
        ("compré", "es", "buy"),
        ("comprado", "es", "buy"),
        ("busqué", "es", "search"),
        ("aplazaron", "es", "postpone"),
        ("leyes", "es", "law"),
        ("luces", "es", "light"),
    ],
)
def test_a_word_is_known_in_any_form(word: str, language: str, english: str) -> None:
    ((*meant,),) = meanings(word, language)
    assert english in meant


def test_of_several_words_the_one_that_begins_most_alike_is_meant() -> None:
    assert "harbour" not in meanings("puertas", "es")[0]
    assert "harbour" in meanings("puertos", "es")[0]


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("Druckerpuffer", ["print", "buffer"]),
        ("Monatsende", ["month", "end"]),
        ("Kundenbeschwerden", ["customer", "complaint"]),
        ("Küchengeräte", ["kitchen", "device"]),
        ("Bestandsmatrix", ["inventory"]),
    ],
)
def test_a_german_compound_means_both_its_parts_or_the_known_one(word: str, english: list[str]) -> None:
    meant = meanings(word, "de")
    assert len(meant) == len(english)
    assert all(right in part for right, part in zip(english, meant, strict=True))


@pytest.mark.parametrize(("written", "word"), [("loeschen", "löschen"), ("Gebuehren", "Gebühren")])
def test_german_without_umlauts_means_the_same(written: str, word: str) -> None:
    assert meanings(written, "de") == meanings(word, "de") != ()


@pytest.mark.parametrize(
    ("word", "language"), [("rust", "fr"), ("Brumsel", "de"), ("borrowers", "es"), ("", "de"), ("#", "de"), (":", "es")]
)
def test_a_word_that_only_begins_alike_is_unknown(word: str, language: str) -> None:
    assert meanings(word, language) == ()


def test_a_name_is_no_form_of_a_word() -> None:
    assert "graph" in meanings("grafana", "es")[0]
    assert meanings("grafana", "es", is_name=True) == ()
    assert "speed" not in meanings("vite", "fr", is_name=True)[0]


def test_in_scripts_without_spaces_the_longest_words_are_found_in_order() -> None:
    assert [word for word, _ in meanings_within("数据库备份多久一次", "zh")] == ["数据库", "备份"]
    assert [word for word, _ in meanings_within("請求書のタイムアウト設定", "ja")] == ["請求書", "タイムアウト", "設定"]
    assert meanings_within("", "ja") == []


@pytest.mark.parametrize(
    ("text", "language", "english"),
    [
        ("商店卖猫粮", "zh", ["shop", "sell", "cat"]),
        ("投诉太吵", "zh", ["complaint", "loud"]),
        ("天気予報の画面で色を変えた", "ja", ["forecast", "screen", "color", "change"]),
        ("切符を買った人に送った", "ja", ["ticket", "buy", "send"]),
    ],
)
def test_a_verb_of_one_letter_is_known_with_any_ending(text: str, language: str, english: list[str]) -> None:
    found = meanings_within(text, language)
    assert len(found) == len(english)
    assert all(right in meant for right, (_, meant) in zip(english, found, strict=True))


def test_a_word_that_contains_an_asking_word_is_found_and_the_asking_word_is_not() -> None:
    found = meanings_within("用户说好的会议决定", "zh", frozenset(("用", "会", "决定", "说好")))
    assert [word for word, _ in found] == ["用户", "会议"]


def test_the_lists_are_read_from_an_archive_too(tmp_path: Path) -> None:
    """Hooks run from one."""
    package = Path(autology.__file__).parent
    with ZipFile(tmp_path / "packed", "w") as archive:
        for file in [*package.glob("text/**/*.py"), *FOLDER.glob("translations_*.txt"), package / "__init__.py"]:
            archive.write(file, f"autology/{file.relative_to(package).as_posix()}")
    code = "from autology.text.language import translation as t; print(t.__file__, t.meanings('ruidosos', 'es'))"
    command = [sys.executable, "-S", "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "packed")}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert "packed" in said
    assert "noisy" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_is_a_word_and_its_english_words_in_order(language: str) -> None:
    lines = (FOLDER / f"translations_{language}.txt").read_text(encoding="utf-8").splitlines()
    entries = [line.partition(": ") for line in lines if not line.startswith("# ")]
    assert len(entries) > 3500
    assert all(word and separator and english for word, separator, english in entries)
    listed = [word for word, _, _ in entries]
    assert [f"{word}:" for word in listed] == sorted({f"{word}:" for word in listed})
    if language in SPACED:
        assert [word for word in listed if fold(word) != word or not word.isalpha()] == []
        assert all(meanings(word, language) == (tuple(rest.split()),) for word, _, rest in entries)
    else:
        assert all(meanings_within(word, language) == [(word, tuple(rest.split()))] for word, _, rest in entries)
