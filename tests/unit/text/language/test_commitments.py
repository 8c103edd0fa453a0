"""What people commit themselves to in talk is read by its words, however long a text is."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from autology.text.language.commitments import content, lasted, undone


def test_the_words_of_long_texts_are_not_kept_in_memory() -> None:
    content("the first text loads what is needed")
    tracemalloc.start()
    try:
        for number in range(30):
            assert content(f"kiln {'and ' * 50_000}{number}")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000  # the texts have 6 MB together


def test_long_texts_have_the_same_words_as_short_ones() -> None:
    text = "The kiln overheats at 900 degrees. "
    assert content(text * 100) == content(text)


@pytest.mark.parametrize(
    "text",
    [
        "two weeks, none missed",
        "quiet all night",
        "all week without a gap",
        "all seven days were fine",
        "42 runs since",
        "not a peep since Tuesday",
        "seit drei Tagen Ruhe",
        "depuis trois nuits, rien",
        "tre giorni tranquilli",
    ],
)
def test_a_text_that_says_for_how_long_something_has_been_so_says_that_it_lasted(text: str) -> None:
    assert lasted(text)


@pytest.mark.parametrize(
    "text",
    ["all times are UTC", "it is due Monday", "change all the hours fields", "show all hours", "la fattura da ore"],
)
def test_a_text_that_names_times_and_days_does_not_say_that_something_lasted(text: str) -> None:
    assert not lasted(text)


@pytest.mark.parametrize("word", ["a", "a-", '"'])
def test_an_answer_with_a_very_long_word_is_asked_quickly_for_what_was_undone(word: str) -> None:
    begun = time.process_time()
    undone(f"We removed the kiln {word * 40_000}")
    assert time.process_time() - begun < 2, word  # 0.04 s; 8 s and more if names in code are sought from each character


def test_names_in_code_are_not_what_was_undone() -> None:
    assert undone("We removed the kiln in (src/glaze.py), and the oven.") == [content("removed kiln oven")]
