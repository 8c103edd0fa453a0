"""What a session settled is mined from its turns: by what the user says, how it is answered, and what was said before."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence

from autology.core.conversations.mining import Candidate, mined, moments
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
