"""What people commit themselves to in talk is read by its words, however long a text is."""

from __future__ import annotations

import tracemalloc

from autology.text.language.commitments import content


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
