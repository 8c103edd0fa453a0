"""Lines on a terminal: wrapped between words, under the text above them, and commands never broken."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autology.text.line_wrap import width, wrapped

TABLE = "left out          24 texts by the rule fixtures, which are the texts of tests"


def test_a_line_that_fits_is_unchanged() -> None:
    assert wrapped("a  b\n\n  c", 80) == "a  b\n\n  c"


def test_the_rest_of_a_line_begins_below_its_text() -> None:
    assert wrapped(TABLE, 50).split("\n") == [
        "left out          24 texts by the rule fixtures,",
        "                  which are the texts of tests",
    ]
    assert wrapped("   why: " + "word " * 12, 40).split("\n")[1].startswith("   word")
    assert wrapped("  - " + "word " * 12, 40).split("\n")[1].startswith("    word")
    assert wrapped("12. " + "word " * 12, 40).split("\n")[1].startswith("    word")


def test_a_command_is_never_broken_even_if_it_is_wider_than_the_terminal() -> None:
    command = "`autology relate 4c4593df-3c5f-4f8f-9a7c-e8d78185039f supersedes 2b410a51-77b5-4d65-9b7c-c5d2ce6267bf`"
    assert wrapped(f"  fix: then run {command}, and again.", 60).split("\n") == [
        *("  fix: then run", f"  {command},", "  and again.")
    ]


def test_styles_take_no_space_and_wide_characters_take_two() -> None:
    assert (width("\x1b[1mbold\x1b[0m"), width("文書"), width("e\u0301")) == (4, 4, 1)
    line = f"\x1b[1m{'word ' * 8}\x1b[0m".rstrip()
    assert "\n" not in wrapped(line, 40)


@given(st.lists(st.text("ab文 é`.", min_size=1, max_size=12), max_size=30), st.integers(40, 90))
def test_nothing_of_a_line_is_lost_and_no_line_is_wider_than_it_must_be(words: list[str], columns: int) -> None:
    line = " ".join(words)
    lines = wrapped(line, columns).split("\n")
    assert "".join(lines).replace(" ", "") == line.replace(" ", "")
    for each in lines:
        assert width(each.rstrip()) <= columns or "`" in each or " " not in each.strip()
