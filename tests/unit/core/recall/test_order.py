"""The order of what is recalled, what is kept of answers, and how a summary is worded."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.core.recall.amendment import Replacing
from autology.core.recall.conversation_results import Judged, Recollection, in_order, once
from autology.core.recall.discussions import times_of_event
from autology.core.recall.request import RecallRequest, parsed, ranged
from autology.core.recall.summary import ago, summary
from autology.core.recall.tool_output_weight import trusted
from autology.core.recall.unified_answer import KNOWLEDGE, UnifiedResult
from autology.core.recall.unified_candidates import of_conversation
from autology.core.recall.unified_merge import in_force
from autology.core.ttl_cache import TtlCache
from autology.embedding.caching import CachingEncoder
from autology.model.conversation import Chunk
from autology.model.query import Filter
from autology.ranking.coverage import FederatedHit, SessionPassage, comparable, relevances
from autology.ranking.recency import ALIKE, ordered
from autology.text.language.calendar_spans import Clock
from tests.fakes.encoder import Thesaurus

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)
CHUNK = Chunk(
    id="a" * 24, kind="conversation", text="● Retries back off.", trust="assistant", at="2026-03-16T12:00:00Z",
    until="2026-03-16T12:00:00Z", transcript="t", position=0, session="s", project="p", folder="/p", exchange="e",
    turn="e", question="how should payments retry?",
)  # fmt: skip


# ---- order ---------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0, 1), st.dates().map(str)), max_size=30))
def test_recollections_are_ordered_by_relevance_and_similar_ones_by_age(found: list[tuple[float, str]]) -> None:
    placed = ordered((relevance, at, at) for relevance, at in found)
    assert sorted(placed) == sorted((relevance, at, at) for relevance, at in found)
    for (one, earlier, _), (other, later, _) in pairwise(placed):
        if abs(one - other) <= ALIKE:
            assert earlier >= later
        else:
            assert one > other


def test_overlapping_passages_of_a_session_are_returned_once() -> None:
    part = replace(CHUNK, id="b" * 24, kind="decision", text="Retries back  off.")
    elsewhere = replace(part, id="c" * 24, session="other")
    kept = once([(CHUNK, 0.9), (part, 0.8), (elsewhere, 0.5)])
    assert [chunk.id for chunk, _ in kept] == [CHUNK.id, elsewhere.id]
    newer = replace(part, at="2026-03-17T00:00:00Z")
    assert [hit.chunk for hit in in_order([Judged(CHUNK, 0.5, 0.9), Judged(newer, 0.45, 0.9)])][1] == CHUNK


SETTLES = (
    "❯ is one retry enough?\n\n● By the log, two took all but one of 40 jobs through; one took 31.\n\n❯ two then\n\n"
    "± jobs.py: RETRIES = 1 → RETRIES = 2\n\n● Jobs are tried twice again."
)


def test_newer_talk_that_settles_nothing_does_not_pass_talk_that_is_about_as_relevant() -> None:
    mention = replace(
        CHUNK, id="b" * 24, session="other", text="❯ a retry failed\n\n● Fixed.", at="2026-03-17T12:00:00Z"
    )
    settled = replace(mention, text=SETTLES)
    for newer, first in ((mention, CHUNK), (settled, settled)):
        assert in_order([Judged(CHUNK, 0.5, 0.9), Judged(newer, 0.45, 0.9)])[0].chunk == first


def test_of_talk_in_unified_search_the_newer_of_two_that_are_about_as_relevant_comes_first() -> None:
    newer = replace(CHUNK, id="b" * 24, session="other", text=SETTLES, at="2026-03-17T12:00:00Z")
    note = UnifiedResult("n", "decision", "Queues", "One queue.", "2026-03-18T12:00:00Z", 0.85, KNOWLEDGE, "n.md")
    results = [of_conversation(replace(CHUNK, text="Colours."), 0.9), note, of_conversation(newer, 0.82)]
    assert [result.id for result in in_force(results, None, Filter(kind=None))] == [newer.id, note.id, CHUNK.id]


def test_tool_output_ranks_below_equally_relevant_conversation() -> None:
    output = replace(CHUNK, id="b" * 24, trust="tool", at="2026-03-17T12:00:00Z")
    assert [hit.chunk.trust for hit in in_order([Judged(output, 0.8, 0.9), Judged(CHUNK, 0.75, 0.9)])] == [
        "assistant",
        "tool",
    ]
    assert [hit.chunk.trust for hit in in_order([Judged(output, 0.8, 0.9), Judged(CHUNK, 0.6, 0.9)])] == [
        "tool",
        "assistant",
    ]
    assert trusted(1.0, output, "retries") < trusted(1.0, CHUNK, "retries") == 1.0
    assert trusted(1.0, output, "sessions in Redis") < trusted(1.0, output, "retries") / 2


def test_the_turn_that_holds_the_question_makes_a_passage_relevant() -> None:
    together = SessionPassage(0.5, "the mail queue has one worker", "a")
    apart = SessionPassage(0.52, "mail is sent\n\nthe queue\n\nworker", "b")
    first, second = relevances("mail queue worker", [apart, together])
    assert second > first
    assert relevances("x", []) == []


def test_the_best_of_hits_that_hold_little_of_a_question_is_not_sure() -> None:
    [sure] = relevances("mail queue worker", [SessionPassage(1.0, "mail queue worker", "a")])
    [unsure] = relevances("mail sharks volcano opera", [SessionPassage(1.0, "a mail came", "a")])
    assert sure == 1.0
    assert unsure < 0.9


def test_hits_of_two_indexes_are_weighed_by_what_they_hold_of_the_question() -> None:
    holds, shares = comparable(
        "payment gateway limits", [FederatedHit(0.8, "limits of the payment gateway"), FederatedHit(1.0, "a payment")]
    )
    assert holds > shares


# ---- questions -----------------------------------------------------------------------------------


def test_a_week_and_a_month_back_are_counted_from_now() -> None:
    clock = Clock(datetime(2026, 3, 31, 12, tzinfo=UTC), UTC)
    assert ranged("week", clock).stamps == ("2026-03-24T12:00:00Z", None)
    assert ranged("month", clock).stamps == ("2026-02-28T12:00:00Z", None)
    assert ranged("today", clock).stamps == ("2026-03-31T00:00:00Z", None)
    assert not ranged("all", clock)


def test_a_time_at_which_something_was_done_does_not_filter_recall() -> None:
    clock = Clock(NOW, UTC)
    result = parsed(RecallRequest("What did Caroline paint in July 2023?"), clock, list)
    assert (result.where.since, result.where.until) == (None, None)
    assert "was not used as a filter" in result.notes[0]
    assert "ranks higher" in result.notes[0]
    assert [span.stamps for span in result.times] == [("2023-07-01T00:00:00Z", "2023-08-01T00:00:00Z")]
    ours = parsed(RecallRequest("What did we decide with Caroline in July 2023?"), clock, list)
    assert ours.where.since == "2023-07-01T00:00:00Z"


def test_a_time_after_all_that_was_said_is_as_of_the_end_of_the_talk() -> None:
    result = parsed(RecallRequest("What did Caroline paint in July?"), Clock(NOW, UTC), list)
    [span] = times_of_event(result, ["2023-05-08T13:56:00Z", "2023-10-22T09:55:00Z", ""])
    assert span.since is not None
    assert (span.since.year, span.since.astimezone().month) == (2023, 7)
    assert times_of_event(result, ["2025-07-08T13:56:00Z"]) == result.times
    assert times_of_event(result, [""]) == result.times


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2026-03-04", "2026-03-05", ("2026-03-04T00:00:00Z", "2026-03-06T00:00:00Z")),
        ("yesterday", None, ("2026-03-17T00:00:00Z", None)),
        ("2026-03-04T10:00:00Z", "2026-03-04T11:00:00+01:00", ("2026-03-04T10:00:00Z", "2026-03-04T10:00:00Z")),
        ("monday", None, ("2026-03-16T00:00:00Z", None)),
        ("March", "last week", ("2026-03-01T00:00:00Z", "2026-03-16T00:00:00Z")),
    ],
)
def test_bounds_are_days_moments_or_words(since: str, until: str | None, expected: tuple[str, str | None]) -> None:
    result = parsed(RecallRequest("x", since=since, until=until), Clock(NOW, UTC), list)
    assert (result.where.since, result.where.until) == expected


def test_a_bound_that_is_no_time_says_what_is_one() -> None:
    from autology.model.errors import ValidationError

    with pytest.raises(ValidationError, match="is not a time"):
        parsed(RecallRequest("x", since="soonish"), Clock(NOW, UTC), list)


# ---- words ---------------------------------------------------------------------------------------


def test_a_summary_names_number_topics_projects_and_time_span() -> None:
    other = replace(
        CHUNK, id="b" * 24, project="q", at="2025-12-01T12:00:00Z", question="which backoff do payments use?"
    )
    results = [Recollection(CHUNK, 0.95), Recollection(other, 0.5)]
    assert summary("retry", results, 7, NOW) == (
        'I found 7 relevant discussions about "retry" covering payments retry, backoff, payments across 2 projects'
        " spanning 4 months."
        " The most relevant discussion was 2 days ago where we discussed “how should payments retry”."
    )
    assert summary("retry", [Recollection(CHUNK, 0.9)], 1, NOW) == (
        'I found 1 relevant discussions about "retry" covering payments retry.'
    )


def test_filler_words_are_not_topics() -> None:
    message = [replace(CHUNK, question=question) for question in ("ok go with jitter", "Let's, now")]
    result = summary("retry", [Recollection(chunk, 0.5) for chunk in message], 2, NOW)
    assert result == 'I found 2 relevant discussions about "retry" covering jitter.'


@pytest.mark.parametrize(
    ("kind", "text", "action"),
    [
        ("decision", "Then we chose SQLite.", "we chose SQLite."),
        ("decision", "Let's go with SQLite.", "we decided: Let's go with SQLite."),
        ("code", "def f(): ...", "we worked on src/f.py."),
    ],
)
def test_a_summary_ends_with_what_was_done(kind: str, text: str, action: str) -> None:
    chunk = replace(CHUNK, kind=kind, text=text, path="src/f.py")
    assert summary("x", [Recollection(chunk, 1.0)], 1, NOW).endswith(action)


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-03-18T11:59:40Z", "just now"),
        ("2026-03-18T11:00:00Z", "1 hour ago"),
        ("2026-03-15T12:00:00Z", "3 days ago"),
        ("2026-02-18T12:00:00Z", "4 weeks ago"),
        ("2024-03-18T12:00:00Z", "2 years ago"),
        ("2027-01-01T00:00:00Z", "just now"),
    ],
)
def test_ages_are_worded_in_one_unit(at: str, told: str) -> None:
    assert ago(at, NOW) == told


# ---- kept ----------------------------------------------------------------------------------------


def test_cache_entries_expire_and_the_least_recently_used_goes_first() -> None:
    now = [0.0]
    kept: TtlCache[int] = TtlCache(2, 10.0, now=lambda: now[0])
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)
    now[0] = 10.0
    assert kept.get("a") is None
    kept.clear()
    assert len(kept) == 0


def test_renewed_cache_entries_expire_after_their_last_use() -> None:
    now = [0.0]
    kept: TtlCache[int] = TtlCache(2, 10.0, renewed=True, now=lambda: now[0])
    kept.put("a", 1)
    for moment in (9.0, 18.0, 27.0):
        now[0] = moment
        assert kept.get("a") == 1
    now[0] = 37.0
    assert kept.get("a") is None


def test_a_question_is_encoded_once() -> None:
    received: list[str] = []

    class Counting(Thesaurus):
        def encode(self, texts: list[str]) -> list[bytes]:  # type: ignore[override]
            received.extend(texts)
            return super().encode(texts)

    encoder = CachingEncoder(Counting())
    assert encoder.encode(["retry"]) == encoder.encode(["retry"])
    assert received == ["retry"]
    encoder.encode(["retry", "queue"])
    assert received == ["retry", "retry", "queue"]


def test_where_it_is_known_what_replaces_what_only_that_comes_before_what_is_about_as_relevant() -> None:
    newer = replace(CHUNK, id="b" * 24, session="other", text=SETTLES, at="2026-03-17T12:00:00Z")
    hits = [Judged(CHUNK, 0.5, 0.9), Judged(newer, 0.45, 0.9)]
    assert in_order(hits, replacing=Replacing(frozenset({(newer.id, CHUNK.id)})))[0].chunk == newer
    assert in_order(hits, replacing=Replacing(frozenset({(CHUNK.id, newer.id)})))[0].chunk == CHUNK
    assert in_order(hits, replacing=Replacing(frozenset()))[0].chunk == CHUNK
    assert in_order(hits, oldest_first=True, replacing=Replacing(frozenset({(newer.id, CHUNK.id)})))[0].chunk == CHUNK
    unencoded = Replacing(frozenset(), frozenset({newer.id}))
    assert in_order(hits, replacing=unencoded)[0].chunk == newer, "what has no vector yet goes by its age"
    code = [replace(hit, chunk=replace(hit.chunk, kind="code")) for hit in hits]
    assert in_order(code, replacing=Replacing(frozenset()))[0].chunk.id == newer.id, (
        "of code the newer is what is there now"
    )
