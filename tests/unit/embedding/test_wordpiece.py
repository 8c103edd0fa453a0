"""Words to pieces."""

from __future__ import annotations

from autology.embedding.wordpiece import LONGEST, pieces, words

ROWS = {word: number for number, word in enumerate(["write", "boolean", "javascript", "em", "##bed", "##ding", "cafe"])}


def test_words_are_runs_of_letters_and_digits_of_any_script() -> None:
    assert words("def write_boolean(self): pass  # Привет, 世界!") == [
        "def",
        "write",
        "boolean",
        "self",
        "pass",
        "Привет",
        "世界",
    ]


def test_words_are_the_same_in_plain_text_as_in_any_other() -> None:
    every = "".join(map(chr, range(128))) + " a_b c-d e1f"
    assert words(every) == words(every + " ü")[:-1]


def test_a_word_the_table_has_is_one_piece_in_any_case() -> None:
    assert pieces("Write", ROWS) == pieces("WRITE", ROWS) == [0]
    assert pieces("JavaScript", ROWS) == [2], "a known whole is not parted at its humps"
    assert pieces("Café", ROWS) == [6], "accents are no part of the table"


def test_an_unknown_name_is_parted_at_its_humps() -> None:
    assert pieces("writeBoolean", ROWS) == [0, 1]
    assert pieces("WRITEBoolean", ROWS) == [0, 1]


def test_an_unknown_word_is_split_into_its_longest_pieces_first() -> None:
    assert pieces("embedding", ROWS) == [3, 4, 5]


def test_a_word_no_row_knows_has_no_pieces() -> None:
    assert pieces("embezzle", ROWS) == []
    assert pieces("Привет", ROWS) == []
    assert pieces("世界", ROWS) == []
    assert pieces("em" + "bed" * LONGEST, ROWS) == []
