"""What a session settled is mined from its turns: what the user says, how it is answered, and what came before."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence

from autology.core.conversations.mining import mined, moments
from autology.model.conversation import ASSISTANT, USER, Turn


def talk(*texts: str) -> list[Turn]:
    """Return a session in which the user begins and the assistant answers, in turn; "" for no answer."""
    return [
        Turn(str(at), (USER, ASSISTANT)[at % 2], text, f"2026-03-02T09:{at:05d}", at, "s", "")
        for at, text in enumerate(texts)
    ]


def found(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    return [(one.kind, one.quote) for one in mined(turns)]


def test_the_moments_of_a_long_session_take_memory_in_proportion_to_it() -> None:
    turns = talk(*(text for at in range(400) for text in (f"go on {at}", " ".join(f"zarq{at}x{n}" for n in range(10)))))
    tracemalloc.start()
    try:
        whole = list(moments(turns))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(whole) == 399
    assert kept < 10_000_000  # 1.4 MB; 36 MB if each had its own set of the words named before


def test_a_moment_knows_the_words_that_were_named_before_it_and_no_later_ones() -> None:
    whole = list(moments(talk("hi", "Blenk or grunk.", "how so", "Grunk or zarquon.", "grunk", "Fine.")))
    named = [moment.named.among(frozenset(("blenk", "grunk", "zarquon", "plonk"))) for _, moment in whole]
    assert named == [{"blenk", "grunk"}, {"blenk", "grunk", "zarquon"}]


FAILURE = "the import is broken again"
CHANGE = (
    "The pool never closed its connections, and after a hundred of them the server refused more. The import now closes"
    " each connection after its run, also when a row fails, and at night it counts them."
)
LASTED = "two weeks of night runs, no import missed"


def test_a_fix_is_confirmed_by_for_how_long_all_has_been_well() -> None:
    assert found(talk(FAILURE, CHANGE, LASTED)) == [("fix", CHANGE[CHANGE.index("The import") :])]


def test_for_how_long_all_has_been_well_confirms_nothing_if_it_does_not_end_the_session() -> None:
    assert found(talk(FAILURE, CHANGE, LASTED, "Good to hear.")) == []


def test_that_all_times_are_of_one_zone_confirms_no_fix() -> None:
    assert found(talk(FAILURE, CHANGE, "all times of night runs are UTC, no import missed")) == []


WHERE = ("where does the zarquon go", "Blenk would be simpler, it needs no server; grunk has three nodes.")
CARRIED = "The zarquon lies in blenk.toml, one file a node, read at the start with load() by --read."
LATER = ("how large can it get?", "As large as the disk.")


def test_a_choice_in_words_of_its_own_is_likely_if_what_was_offered_is_carried_out_with_code() -> None:
    choice = "the little one without a server"
    assert found(talk(*WHERE, choice, CARRIED, *LATER)) == [("settled", choice)]
    assert found(talk(*WHERE, choice, "Blenk.", *LATER)) == []


def test_a_likely_choice_may_be_longer_than_others() -> None:
    choice = (
        "the little one without a server of its own, and for each of the parts a file that reads well, which even we"
        " can keep"
    )
    assert found(talk(*WHERE, choice, CARRIED, *LATER)) == [("settled", choice)]
    assert found(talk(*WHERE, choice, "Blenk.", *LATER)) == []


def test_a_choice_without_an_answer_is_likely_if_it_takes_up_what_was_offered() -> None:
    choice = "no grunk and no server, blenk"
    assert found(talk(*WHERE, choice)) == [("settled", choice)]
    assert found(talk(WHERE[0], "Wherever.", choice)) == []


def test_what_was_said_before_a_plain_agreement_is_likely_an_offer_if_it_is_carried_out_with_code() -> None:
    answer = "Grunk has three nodes and a server of its own. Blenk needs none, it reads its files when it starts."
    carried = "It lies in `blenk.toml` now, see load() and --quick, of 3 parts."
    before = ("where does the zarquon go", answer)
    assert found(talk(*before, "yes do so", carried, *LATER)) == [("settled", answer[answer.index("Blenk") :])]
    assert found(talk(*before, "yes do so", "Blenk.", *LATER)) == []


def test_a_choice_that_says_a_rule_once_more_is_not_offered_beside_it() -> None:
    rule = "never put a name into a job"
    again = "no name in a job of the report either, only numbers"
    turns = ("we need a queue", "Ready.", rule, "Jobs hold ids only.")
    assert found(talk(*turns, again, "Numbers it is.", *LATER)) == [("rule", rule)]
    assert found(talk(*turns[:2], "go on", "Jobs hold ids only.", again, "Numbers it is.", *LATER)) == [
        ("settled", again)
    ]
