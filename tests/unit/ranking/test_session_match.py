"""Sessions are compared as a whole with a description of their matter."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autology.ranking.session_match import SessionText, scores
from autology.wire import user

TALK = "❯ which map library\n\n● Leaflet draws the map."


def encode(texts: Sequence[str]) -> Sequence[bytes]:
    encoder = user.encoder()
    assert encoder is not None
    return encoder.encode(list(texts))


def session(text: str, began: str, prompts: str = "") -> SessionText:
    return SessionText(0.5, text, prompts, began)


@pytest.mark.parametrize(
    "description", ["the first map library", "the original choice of a map library", "day one of the map"]
)
def test_a_description_of_the_beginning_prefers_the_earliest_of_equal_sessions(description: str) -> None:
    texts = [session(TALK, "2026-05-01"), session(TALK, "2026-02-01"), session(TALK, "2026-03-01")]
    late, early, between = scores(description, texts, encode)
    assert early > between > late


def test_other_descriptions_have_no_preference_in_time() -> None:
    early, late = scores("the map library", [session(TALK, "2026-02-01"), session(TALK, "2026-05-01")], encode)
    assert early == late


def test_of_a_session_that_is_far_from_the_description_the_age_does_not_count() -> None:
    texts = [session(TALK, "2026-05-01"), session("❯ bake bread\n\n● Flour, water, salt.", "2026-01-01")]
    map_library, bread = scores("the first map library", texts, encode)
    assert map_library > bread


def test_what_the_user_asked_counts_beside_what_was_answered() -> None:
    long = "Rows, columns, pages, locks, plans, costs, buffers, segments and files. " * 20
    by_user = session(f"❯ how long may invoices wait\n\n● {long}", "2026-05-01", "how long may invoices wait")
    without = session(f"❯ how long may invoices wait\n\n● {long}", "2026-05-01", "go on")
    first, second = scores("patience with unpaid bills", [by_user, without], encode)
    assert first > second


def test_nothing_to_compare_is_no_error() -> None:
    assert scores("the first one", [], encode) == []
    assert len(scores("the first one", [session("", "")], encode)) == 1
