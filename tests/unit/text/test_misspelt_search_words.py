"""A misspelling is one slip away from what was meant."""

from __future__ import annotations

import pytest

from autology.text.misspelt_search_words import beginnings, is_misspelt


@pytest.mark.parametrize(
    ("word", "meant"),
    [("deadlok", "deadlock"), ("exprot", "export"), ("zsutand", "zustand"), ("jtw", "jwt"), ("retriees", "retries")],
)
def test_a_letter_missing_added_wrong_or_swapped_is_a_misspelling(word: str, meant: str) -> None:
    assert is_misspelt(word, meant)
    assert meant[:2] in beginnings(word)


@pytest.mark.parametrize(
    ("word", "other"),
    [("export", "export"), ("cat", "car"), ("queue", "quote"), ("mod", "mode"), ("a", "b"), ("redis", "radius")],
)
def test_short_words_and_two_slips_are_not(word: str, other: str) -> None:
    assert not is_misspelt(word, other)
