"""Which sentences of past talk are shown where not all has room."""

from __future__ import annotations

import pytest

from autology.hooks.excerpts import SHORTEST, cost, excerpt, excerpts, rooms

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


TWO_MATTERS = """user: the label of the door is crooked
assistant: The label hangs on one screw only. A second screw holds it. That was done at once. The door is heavy.
user: now the watchdog. the firmware resets while it erases the flash
assistant: The erase takes long. That blocks the loop. It goes in pieces of a page."""


def test_of_a_session_about_several_matters_the_one_asked_about_is_shown() -> None:
    shown = excerpt(TWO_MATTERS, ["watchdog", "firmware", "flash"], 130)
    assert "The erase takes long" in shown
    assert "screw" not in shown


@pytest.mark.parametrize("room", [*range(40, 460, 20)])
def test_no_excerpt_takes_more_than_its_room(room: int) -> None:
    assert cost(excerpt(TALK, ["disk", "tests", "headers"], room)) <= room
    assert cost(excerpt(TWO_MATTERS, ["watchdog"], room)) <= room


@pytest.mark.parametrize(
    "words", [["disk", "linker"], ["disk", "tests", "headers"], ["zarquon"], ["watchdog", "pieces"]]
)
@pytest.mark.parametrize("text", [TALK, TWO_MATTERS])
def test_from_the_shortest_room_on_an_excerpt_shows_something(text: str, words: list[str]) -> None:
    shown = {room: excerpt(text, words, room) for room in range(cost(text) + 2)}
    assert [room for room, part in shown.items() if room >= SHORTEST and not part] == []
    assert [room for room, part in shown.items() if part and cost(part) > room] == []


def test_passages_share_the_room_by_rank_and_leave_what_they_do_not_need() -> None:
    assert rooms([900, 900, 900, 900], 1_000) == sorted(rooms([900, 900, 900, 900], 1_000), reverse=True)
    assert sum(rooms([900, 900, 900, 900], 1_000)) == 1_000
    assert rooms([50, 900, 20], 500) == [50, 430, 20]


def test_all_passages_together_take_no_more_than_the_room() -> None:
    parts = excerpts([TALK, TWO_MATTERS, TALK], [False, False, False], "watchdog erase tests", 400)
    assert all(parts)
    assert sum(map(cost, parts)) <= 400
