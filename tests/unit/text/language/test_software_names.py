"""What was named or said in another language is described by other words."""

from __future__ import annotations

import pytest

from autology.text.language.software_names import descriptions, names_described_by


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("grafana", "dashboard"),
        ("401", "unauthorised"),
        ("rechnungen", "invoice"),
        ("factura", "invoice"),
        ("发票", "invoice"),
    ],
)
def test_a_word_is_described_by_what_it_is_or_means(word: str, meant: str) -> None:
    assert meant in descriptions(word, False)


def test_an_english_word_is_not_looked_up_in_other_languages() -> None:
    assert descriptions("alarm", True) == ()
    assert "database" in descriptions("postgres", True)


def test_an_unknown_word_is_described_by_nothing() -> None:
    assert descriptions("qqxyzzy", False) == ()


def test_the_names_come_first_that_more_of_the_words_describe() -> None:
    names = names_described_by(["dashboards", "monitoring", "qqxyzzy"])
    assert names.index("grafana") < names.index("prometheus")
    assert names_described_by([]) == []
