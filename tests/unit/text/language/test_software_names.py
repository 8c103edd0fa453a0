"""What was named or said in another language is described by other words."""

from __future__ import annotations

import pytest

from autology.text.language.software_names import descriptions, names_described_by


@pytest.mark.parametrize(
    ("word", "language", "meant"),
    [
        ("grafana", "", "dashboard"),
        ("401", "", "unauthorised"),
        ("rechnungen", "de", "invoice"),
        ("factura", "es", "invoice"),
        ("发票", "", "invoice"),
    ],
)
def test_a_word_is_described_by_what_it_is_or_means(word: str, language: str, meant: str) -> None:
    assert meant in descriptions(word, language)


def test_a_word_is_not_looked_up_in_languages_that_are_not_spoken() -> None:
    assert descriptions("alarm") == descriptions("rechnungen", "fr") == ()
    assert "database" in descriptions("postgres")


def test_an_unknown_word_is_described_by_nothing() -> None:
    assert descriptions("qqxyzzy", "de") == ()


def test_the_names_come_first_that_more_of_the_words_describe() -> None:
    names = names_described_by(["dashboards", "monitoring", "qqxyzzy"])
    assert names.index("grafana") < names.index("prometheus")
    assert names_described_by([]) == []
