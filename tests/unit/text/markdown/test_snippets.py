"""The stretch of a text that answers best, whatever the text is made of."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from autology.text.markdown.snippets import covering, excerpt, words_in

PIECES = (
    "connection connections Connected reconnect max_len maxLen a__b a_b max-len HTTPServer http v1 v12 in ing étude "
    "Étude naive naïve 漢字 runs. run's runner Ⓐ — CASE_OF"
).split()


def test_a_text_that_is_one_word_all_over_is_cut_in_one_pass() -> None:
    # With each place compared to each other this would take an hour.
    assert excerpt("a " * 300_000, "a", 300).startswith("a a")


def test_words_that_differ_in_their_number_are_no_forms_of_one() -> None:
    assert words_in("word052 stands here", "word051") == []
    assert words_in("standing there", "stands") != []


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.lists(st.sampled_from(PIECES), min_size=1, max_size=3))
@example(["connected"] * 30 + ["maxlen", "max__len"], ["connection", "max_len"])
def test_a_text_covers_what_its_words_cover_one_by_one(pieces: list[str], asked: list[str]) -> None:
    _, covered = covering(" ".join(asked), 32)
    for text in (" ".join(pieces), " — ".join(pieces), " étude ".join(pieces)):
        assert covered(text) == frozenset[int]().union(*map(covered, text.split()))
