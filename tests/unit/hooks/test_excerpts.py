"""Which sentences of past talk are shown where not all has room."""

from __future__ import annotations

from autology.hooks.excerpts import cost, excerpt

TALK = """user: the tests take too long, can you look
and tell me what it is
assistant: The headers of the test library are rebuilt each time. I looked at every target of the build with care.
The linker is not slow, and the disk is idle for most of it. A second machine would not change much about that."""


def test_what_fits_is_shown_whole() -> None:
    assert excerpt(TALK, ["tests"], cost(TALK)) == TALK


def test_the_first_sentence_of_a_reply_is_shown_before_others_that_name_as_much() -> None:
    shown = excerpt(TALK, ["zarquon"], 100)
    assert shown == "... assistant: The headers of the test library are rebuilt each time. ..."


def test_a_sentence_that_names_what_is_asked_is_shown_wherever_it_stands() -> None:
    assert "the disk is idle" in excerpt(TALK, ["disk", "linker", "idle"], 150)
