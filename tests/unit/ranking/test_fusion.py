"""Legs into one order, and a question moved towards what its words find."""

from __future__ import annotations

import pytest

from autology.model.hit import Candidate, Source
from autology.ranking.fusion import MIN_COSINE, Ranked, fuse, likely
from autology.ranking.lexical_score import order
from autology.ranking.quantized_vectors import SCALE, rescore, row
from autology.ranking.relevance_feedback import moved


def a_source(name: str) -> Source:
    return Source(name, "concept", name, "active", 1.0, "2026-01-01", "2026-01-01", f"{name}.md")


def by_words(**scores: float) -> list[Ranked]:
    return [Ranked(a_source(name), score, (0, 9), {"words": score}) for name, score in scores.items()]


def by_meaning(**cosines: float) -> list[Candidate]:
    return [Candidate(a_source(name), "meaning", near, (1, 5), cosine=near) for name, near in cosines.items()]


def names(hits: list[Ranked]) -> list[str]:
    return [hit.source.id for hit in hits]


def test_results_of_a_single_retriever_are_unchanged() -> None:
    words = by_words(a=1.0, b=0.2)
    assert fuse(words, []) == words
    assert [(hit.source.id, hit.score) for hit in fuse([], by_meaning(a=0.9, b=0.5, c=0.1))] == [("a", 0.9), ("b", 0.5)]
    assert fuse([], []) == []


def test_hits_of_both_retrievers_come_first_with_each_part_of_the_score() -> None:
    hits = fuse(by_words(a=0.8, b=0.8), by_meaning(b=0.9, c=0.5))
    assert names(hits)[:2] == ["b", "a"]
    assert set(hits[0].parts) == {"words", "meaning"}
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert 0.0 <= hit.score <= 1.0


def test_a_hit_without_lexical_match_needs_a_minimum_cosine() -> None:
    assert names(fuse(by_words(a=1.0), by_meaning(b=MIN_COSINE + 0.1, c=MIN_COSINE - 0.1))) == ["a", "b"]


def test_further_hits_by_words_stay_behind_in_their_order() -> None:
    words = by_words(**{f"w{n:03}": 1 - n / 200 for n in range(150)})
    hits = fuse(words, by_meaning(x=0.9))
    assert len(hits) == 151
    assert names(hits)[101:] == [f"w{n:03}" for n in range(100, 150)]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_many_passages_that_answer_count_beside_the_best_one() -> None:
    often = Candidate(a_source("often"), "body", 5.0, (0, 9), (4.9, 4.8, 4.7))
    once = Candidate(a_source("once"), "body", 5.1, (0, 9))
    assert names(order([once, often])) == ["often", "once"]


def test_a_source_that_matches_as_a_whole_comes_before_one_that_repeats_itself() -> None:
    spread = Candidate(a_source("spread"), "body", 5.0, (0, 9), (4.9,), document=9.0)
    repeated = Candidate(a_source("repeated"), "body", 5.1, (0, 9), (5.0,), document=6.0)
    assert names(order([repeated, spread])) == ["spread", "repeated"]


def test_the_title_breaks_a_tie() -> None:
    both = [Candidate(a_source(name), "body", 5.0, (0, 9)) for name in "ab"]
    assert names(order([*both, Candidate(a_source("b"), "title", 1.0)])) == ["b", "a"]


def test_the_query_vector_moves_towards_the_lexical_hits() -> None:
    requests, there = row([1.0, 0.0, 0.0, 0.0] * 8), row([1.0, 1.0, 0.0, 0.0] * 8)
    after = moved(requests, [(1.0, there)])
    before, now = rescore(requests, [there])[0], rescore(after, [there])[0]
    assert before < now <= SCALE**2 * 1.05
    assert moved(requests, []) == requests
    assert moved(requests, [(1.0, bytes(len(requests)))]) == requests
    assert moved(requests, [(1.0, there[:16])]) == requests  # of another encoder


def test_feedback_uses_the_first_hits_with_a_passage() -> None:
    hits = [Ranked(a_source("a"), 0.9), *by_words(b=0.8, c=0.7)]
    assert [place.id for place in likely(hits)] == ["b", "c"]
