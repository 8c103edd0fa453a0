"""The stretch of a text that answers best, whatever the text is made of."""

from __future__ import annotations

from autology.text.markdown.snippets import excerpt, words_in


def test_a_text_that_is_one_word_all_over_is_cut_in_one_pass() -> None:
    # With each place compared to each other this would take an hour.
    assert excerpt("a " * 300_000, "a", 300).startswith("a a")


def test_words_that_differ_in_their_number_are_no_forms_of_one() -> None:
    assert words_in("word052 stands here", "word051") == []
    assert words_in("standing there", "stands") != []
