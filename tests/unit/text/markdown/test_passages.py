"""Texts are cut into passages where a reader would: every character kept, nothing cut in mid-thought."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autology.text.markdown.passages import LINES, LONGEST, passages


@given(st.text(alphabet="ab .\n#-", max_size=6_000))
def test_joined_passages_are_the_text_again(text: str) -> None:
    cut = passages(text)
    assert "".join(passage.text for passage in cut) == text
    assert all(len(passage.text) <= LONGEST + LINES for passage in cut)


def test_a_dialogue_without_blank_lines_is_split_between_lines() -> None:
    talk = "".join(f"- **Ann:** I said {number}, and meant every word of what I said.\n" for number in range(60))
    cut = passages(talk)
    assert len(cut) > 2
    assert all(passage.text.startswith("- **Ann:**") and len(passage.text) <= LINES for passage in cut)


def test_running_text_in_short_lines_is_not_cut_within_a_sentence() -> None:
    line = "one line of a long sentence that goes on and on without a stop\n"
    text = (line * 7 + "and here at last it ends.\n") * 6
    assert all(passage.text.endswith("ends.\n") for passage in passages(text))


def test_a_paragraph_of_one_line_stays_whole_up_to_the_longest() -> None:
    text = "A sentence of a long paragraph. " * (LONGEST // 40)
    assert len(passages(text)) == 1
