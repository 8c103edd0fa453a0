"""Sentences end where a reader stops, and nowhere else; fenced code is found as markdown has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.adr.record import parse
from autology.text.language.decision_sentences import decisions
from autology.text.language.sentences import sentence_ends, sentences
from autology.text.markdown.blocks import fences, with_fences_replaced
from autology.text.markdown.code_blocks import taken_apart


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("See e.g. `x.py`, vs. the other. Then Dr. No.", ["See e.g. `x.py`, vs. the other.", "Then Dr. No."]),
        ('He said "stop." Then left (early.) Really.', ['He said "stop."', "Then left (early.)", "Really."]),
        ("It has 24. That is all.", ["It has 24.", "That is all."]),
        ("1. First point. More.\n2. Second", ["1. First point.", "More.", "2. Second"]),
        ("Version 3.5 of a.b is out.", ["Version 3.5 of a.b is out."]),
        ("Ends with etc.\nAnother line", ["Ends with etc.", "Another line"]),
        ("好的。那么！“完了。”再见", ["好的。", "那么！", "“完了。”", "再见"]),
        (" \n\n", []),
    ],
)
def test_a_text_is_split_into_sentences_and_lines(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@given(st.text(alphabet='ab .!?\n"1)e.g。', max_size=60), st.booleans())
def test_the_ends_are_in_order_and_within_the_text(text: str, lines: bool) -> None:
    ends = list(sentence_ends(text, lines=lines))
    assert ends == sorted(set(ends))
    assert all(0 < end <= len(text) for end in ends)
    assert "".join(sentences(text)).split() == [] or "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_the_number_of_a_list_is_no_part_of_a_decision() -> None:
    assert decisions("3. We chose SQLite. Because it needs no server.\n") == (
        "We chose SQLite. Because it needs no server.",
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fenced_code_is_found_with_its_place_and_what_is_in_it(newline: str) -> None:
    text = newline.join(["before", "- ~~~ py", "  a = 1", "  ~~~", "```", "b", "c", "d", "```", "after"])
    first, second = fences(text)
    assert (first.info.strip(), first.code.split()) == ("py", ["a", "=", "1"])
    assert text[first.line :].startswith("- ~~~")
    assert text[first.start : first.stop].startswith("~~~ py")
    assert second.code == newline.join(["b", "c", "d", ""])
    assert with_fences_replaced(text, lambda fence: fence.info.strip()).split() == ["before", "-", "py", "after"]
    talk, (_, block) = taken_apart(text)
    assert block.code.split() == ["b", "c", "d"]
    assert talk.endswith(f"[code: 3 lines]{newline}after")


def test_a_footnote_defines_no_link() -> None:
    text = "# Use X\n\nSome[^1] text.\n\n[^1]: The reason.\n[guide]: ../guide.md\n"
    assert parse(text, "docs/adr/0001-x.md").mentions == ("docs/guide.md",)
