"""What a hit loses for being unsure or old, and near-identical hits shown once."""

from __future__ import annotations

from autology.model.hit import Source
from autology.ranking.fold_same_texts import folded
from autology.ranking.fusion import Ranked
from autology.ranking.penalties import AGE, with_penalties

TEXT = (
    "We keep every decision as a markdown file in the repository, because files outlive the tools that made them. " * 3
)


def hit(id: str, score: float, modified: str = "2026-03-01T00:00:00Z", confidence: float = 0.9) -> Ranked:
    source = Source(id, "decision", id, "active", confidence, modified, modified, f"{id}.md")
    return Ranked(source, score, None, {"words": score})


def test_of_two_equally_good_hits_the_newer_comes_first() -> None:
    old, new = with_penalties([hit("old", 0.8, "2025-03-01T00:00:00Z"), hit("new", 0.8)])
    assert new.score == 0.8
    assert 0.8 * (1 - AGE) <= old.score < 0.8


def test_age_outweighs_no_better_answer() -> None:
    old, new = with_penalties([hit("old", 0.82, "2020-01-01T00:00:00Z"), hit("new", 0.8)])
    assert old.score > new.score


def test_low_confidence_lowers_the_score() -> None:
    sure, unsure, surer = with_penalties([hit("a", 0.8), hit("b", 0.8, confidence=0.5), hit("c", 0.8, confidence=1.0)])
    assert unsure.score < sure.score == surer.score == 0.8


def test_penalties_appear_in_the_parts_of_the_score() -> None:
    for one in with_penalties([hit("a", 0.8, "2024-01-01T00:00:00Z", 0.3), hit("b", 0.5)]):
        assert abs(sum(one.parts.values()) - one.score) < 1e-9


def test_hits_of_one_age_and_confidence_stay_as_they_are() -> None:
    hits = [hit("a", 0.8), hit("b", 0.5)]
    assert with_penalties(hits) == hits
    assert with_penalties([]) == []


def test_an_invalid_timestamp_brings_no_penalty() -> None:
    for text in ("some day", "", "2020-01-01", "2020-01-01T00:00:00"):
        assert [one.score for one in with_penalties([hit("a", 0.8, text), hit("b", 0.8)])] == [0.8, 0.8]


def test_a_text_that_was_shown_already_is_folded_into_the_better_one() -> None:
    other = TEXT.replace("markdown", "plain text").replace("tools", "people").replace("decision", "minute")
    assert folded([TEXT, other, TEXT.upper() + "\n", TEXT]) == [None, None, 0, 0]


def test_short_texts_are_never_folded() -> None:
    assert folded(["Use SQLite.", "Use SQLite.", "", ""]) == [None, None, None, None]


def test_a_text_is_not_folded_into_a_much_longer_one_that_quotes_it() -> None:
    assert folded([TEXT + " ".join(f"word{n} and{n} more{n}" for n in range(100)), TEXT]) == [None, None]
