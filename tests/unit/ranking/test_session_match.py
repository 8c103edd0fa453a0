"""Sessions are compared as a whole with a description of their matter."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autology.embedding.static import StaticEncoder
from autology.ranking.session_match import Description, SessionText, scores
from autology.wire import user

TALK = "❯ which map library\n\n● Leaflet draws the map."


class Words:
    """What the built-in table knows of words."""

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        return encode(words)

    def ranks(self, words: Sequence[str]) -> Sequence[int | None]:
        return StaticEncoder().ranks(words)


def encode(texts: Sequence[str]) -> Sequence[bytes]:
    encoder = user.encoder()
    assert encoder is not None
    return encoder.encode(list(texts))


def scored(written: str, sessions: Sequence[SessionText], meaning: str = "") -> list[float]:
    return scores(Description(written, meaning or written), sessions, encode, Words())


def session(text: str, began: str, prompts: str = "") -> SessionText:
    return SessionText(0.5, text, prompts, (text,), began)


@pytest.mark.parametrize(
    "description", ["the first map library", "the original choice of a map library", "day one of the map"]
)
def test_a_description_of_the_beginning_prefers_the_earliest_of_equal_sessions(description: str) -> None:
    texts = [session(TALK, "2026-05-01"), session(TALK, "2026-02-01"), session(TALK, "2026-03-01")]
    late, early, between = scored(description, texts)
    assert early > between > late


def test_other_descriptions_have_no_preference_in_time() -> None:
    early, late = scored("the map library", [session(TALK, "2026-02-01"), session(TALK, "2026-05-01")])
    assert early == late


def test_of_a_session_that_is_far_from_the_description_the_age_does_not_count() -> None:
    texts = [session(TALK, "2026-05-01"), session("❯ bake bread\n\n● Flour, water, salt.", "2026-01-01")]
    map_library, bread = scored("the first map library", texts)
    assert map_library > bread


def test_what_the_user_asked_counts_beside_what_was_answered() -> None:
    long = "Rows, columns, pages, locks, plans, costs, buffers, segments and files. " * 20
    by_user = session(f"❯ how long may invoices wait\n\n● {long}", "2026-05-01", "how long may invoices wait")
    without = session(f"❯ how long may invoices wait\n\n● {long}", "2026-05-01", "go on")
    first, second = scored("patience with unpaid bills", [by_user, without])
    assert first > second


def test_nothing_to_compare_is_no_error() -> None:
    assert scored("the first one", []) == []
    assert len(scored("the first one", [session("", "")])) == 1


@pytest.mark.parametrize(
    ("description", "spoken"),
    [
        ("dashboards that refused everybody", "❯ grafana shows a 401"),
        ("static analysis thrown out", "❯ dialyzer takes 14 min, away with it"),
        ("keeping an invoice for ten years", "❯ wie lange heben wir Rechnungen auf"),
        ("keeping an invoice for ten years", "❯ 发票保存多久"),
    ],
)
def test_a_name_or_a_foreign_word_is_found_by_what_it_means(description: str, spoken: str) -> None:
    other = session("❯ the charts of the weekly mail have no legend\n\n● Added below each picture.", "2026-05-01")
    found, beside = scored(description, [session(spoken, "2026-05-01"), other])
    assert found > beside


def test_a_word_that_was_said_counts_more_than_one_that_describes_what_was_said() -> None:
    spoken, named = session("❯ which cache", "2026-05-01"), session("❯ which redis", "2026-05-01")
    by_word, by_name = scored("the cache", [spoken, named])
    assert by_word > by_name


def test_a_session_in_another_language_is_found_by_an_english_description() -> None:
    german = "❯ warum wurde die Stornierung nicht gespeichert, obwohl sie hochgeladen ist\n\n● Weil die Sperre fehlt."
    english = "❯ which map library\n\n● Leaflet draws the rare tiles."
    of_german, of_english = scored(
        "saving a cancellation", [session(german, "2026-01-01"), session(english, "2026-01-02")]
    )
    assert of_german > of_english


def test_a_name_with_signs_in_it_is_found_by_what_it_is() -> None:
    spoken = session("❯ clang-tidy complains in every header", "2026-05-01")
    other = session("❯ the charts of the weekly mail have no legend", "2026-05-01")
    found, beside = scored("static analysis of our code", [spoken, other])
    assert found > beside


def test_a_foreign_word_counts_as_it_is_written_though_its_meaning_is_unknown_or_another() -> None:
    spoken = session("❯ Schaltsekunden machen Ärger\n\n● Dann mit einer Tabelle.", "2026-05-01")
    other = session("❯ Zeitzonen machen Ärger\n\n● Dann mit einer Tabelle.", "2026-05-01")
    found, beside = scored("wie rechnen wir Schaltsekunden", [spoken, other], "arithmetic customer")
    assert found > beside


def test_a_session_in_another_language_is_compared_by_its_english_words_alone() -> None:
    beginning = "❯ wie machen wir das mit der Rechnung, und wer darf sie sehen"
    short, long = session(beginning, ""), session(f"{beginning}\n\n● {'auch wenn aber dann noch nicht oder ' * 20}", "")
    of_short, of_long = scored("who may see an invoice", [short, long])
    assert of_short == pytest.approx(of_long, abs=0.02)


def test_words_that_only_ask_tell_little() -> None:
    matter, asking = session("❯ the kiln overheats", ""), session("❯ again, what happened before, any evidence", "")
    of_matter, of_asking = scored("what happened before when the furnace overheated again", [matter, asking])
    assert of_matter > of_asking


def test_words_that_engineers_use_for_each_other_are_near() -> None:
    spoken, other = session("❯ the repo grows", ""), session("❯ the cat sleeps", "")
    found, beside = scored("size of the repository", [spoken, other])
    assert found > beside


def test_a_session_is_near_to_a_description_if_one_exchange_in_it_is() -> None:
    asked, others = (
        "❯ how long may invoices wait\n\n● Thirty days.",
        "❯ rows and pages\n\n● Locks, plans and buffers. " * 9,
    )
    text = f"{asked}\n\n{others}"
    apart, together = (SessionText(0.5, text, text, some, "2026-05-01") for some in ((asked, others), (text,)))
    first, second = scored("patience with unpaid bills", [apart, together])
    assert first > second
