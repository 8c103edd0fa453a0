"""Localised copies are told by their paths, and the language of a question by its script or its commonest words."""

from __future__ import annotations

import pytest

from autology.text.language.translated_copies import is_in, originals


@pytest.mark.parametrize(
    ("path", "language", "original"),
    [
        ("README-zh_CN.adoc", "zh", "README.adoc"),
        ("docs/api.ja.mdx", "ja", "docs/api.mdx"),
        ("docs/api.pt-BR.md", "pt", "docs/api.en.md"),
        ("docs/fr/guide/start.md", "fr", "docs/guide/start.md"),
        ("content/de/a.md", "de", "content/en/a.md"),
        ("README_jp.md", "ja", "README.md"),
    ],
)
def test_a_copy_names_its_language_and_its_original(path: str, language: str, original: str) -> None:
    found = originals(path)
    assert found is not None
    assert found[0] == language
    assert original in found[1]


@pytest.mark.parametrize("path", ["README.md", "docs/en/a.md", "docs/api.en-US.md", "src/ui/x.md", "docs/ad-hoc.md"])
def test_a_text_in_the_main_language_is_not_a_copy(path: str) -> None:
    assert originals(path) is None


def test_a_question_is_in_a_language_by_script_or_words() -> None:
    assert is_in("如何安装", "zh")
    assert is_in("データの取得", "ja")
    assert is_in("wie werden die Daten geladen", "de")
    assert not is_in("how is data fetched", "zh")
    assert not is_in("how is data fetched", "de")
    assert not is_in("die hard cache", "de")
