"""Markers stand for secrets and hidden characters, and lead back to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.notes.secret_markers import UnknownMarkerError, marked, note_on, unmarked
from autology.text.secrets.query_log import logged

FIRST, SECOND = "npm_" + "a1B2c3D4e5F6" * 3, "npm_" + "z9Y8x7W6v5U4" * 3


def test_two_secrets_of_a_kind_have_two_markers_and_the_same_one_has_one() -> None:
    shown = marked(f"{FIRST} {SECOND} {FIRST}")
    assert shown.text == "[redacted:npm-token] [redacted:npm-token 2] [redacted:npm-token]"
    assert shown.originals == {"[redacted:npm-token]": FIRST, "[redacted:npm-token 2]": SECOND}
    assert note_on(shown).startswith("3 secrets of the file are shown as markers in brackets: [redacted:npm-token]")


def test_a_marker_that_the_file_holds_itself_stands_for_no_secret() -> None:
    was = f"It says [redacted:npm-token]. The token is {FIRST}."
    shown = marked(was)
    assert shown.text == "It says [redacted:npm-token]. The token is [redacted:npm-token 2]."
    assert unmarked(shown.text, was) == (was, ())


PARTS = [FIRST, SECOND, "\u202e", "\u200b", "\x1b[31m", "\r\n", "x", " ", "[redacted:npm-token]"]


@given(st.lists(st.sampled_from(PARTS)))
def test_a_text_with_all_its_markers_is_the_text_again(parts: list[str]) -> None:
    was = " ".join(parts)
    assert unmarked(marked(was).text, was) == (was, ())


def test_a_new_secret_is_left_out_and_one_that_the_file_has_stays() -> None:
    text, kinds = unmarked(f"old {FIRST}, new {SECOND}", f"It is {FIRST}.")
    assert text == f"old {FIRST}, new [redacted:npm-token]"
    assert kinds == ("npm-token",)


def test_a_marker_that_stands_for_nothing_is_refused_only_where_something_could_be_lost() -> None:
    assert unmarked("see [redacted:secret]", "plain") == ("see [redacted:secret]", ())
    with pytest.raises(UnknownMarkerError, match="secret"):
        unmarked("see [redacted:secret]", f"It is {FIRST}.")


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("where did we set Tr0ub4dor&3x?", "where did we set [redacted:word]?"),
        ("who uses spruce7781 and why", "who uses [redacted:word] and why"),
        ("why does parse_http2_frame fail in v1.2.3", "why does parse_http2_frame fail in v1.2.3"),
        ("session 550e8400-e29b-41d4-a716-446655440000", "session 550e8400-e29b-41d4-a716-446655440000"),
    ],
)
def test_a_log_keeps_a_question_without_words_that_may_be_secrets(question: str, kept: str) -> None:
    assert logged(question) == kept
