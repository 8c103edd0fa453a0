"""How likely a passage answers a question, from what it itself holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autology.ranking.evidence import Question, Text, absent, is_english, matches, question, words_of_subject
from autology.text.stemmer import stem

RANKS = {"database": 5_800, "orders": 4_000, "usually": 800}


def ranks(words: Sequence[str]) -> list[int | None]:
    return [RANKS.get(word) for word in words]


def rows(_: Sequence[str]) -> list[bytes]:
    return []


def asked(
    subject: str,
    known: Sequence[str],
    foreign: Sequence[str] = (),
    size: int = 300,
    asked_for: Sequence[str] = (),
    compounds: Sequence[str] = (),
) -> Question:
    weights = dict.fromkeys(map(stem, known), 0.8)
    words = words_of_subject(subject)
    return question(words, weights, ranks, rows, foreign, 1.0, size=size, asked_for=asked_for, compounds=compounds)


def likelihood(of: Question, text: str, heading: str = "", cosine: float = 0.0) -> float:
    (match,) = matches(of, [Text(heading, text, cosine)])
    return match.likelihood


def test_a_passage_that_holds_more_of_the_question_is_likelier() -> None:
    of = asked("PgBouncer pool size", ["pgbouncer", "pool", "size"])
    scores = [likelihood(of, text) for text in ("", "the pool", "the pool of PgBouncer", "the pool size of PgBouncer")]
    assert scores == sorted(scores)
    assert scores[0] < 0.25 < 0.8 < scores[-1]


def test_a_score_does_not_depend_on_the_other_passages() -> None:
    of = asked("PgBouncer pool", ["pgbouncer", "pool"])
    text = Text("", "the pool of PgBouncer", 0.3)
    assert matches(of, [text])[0] == matches(of, [Text("", "nothing", 0.0), text, Text("", "pool", 0.9)])[1]


def test_closeness_in_meaning_and_a_heading_count() -> None:
    of = asked("PgBouncer pool", ["pgbouncer", "pool"])
    assert likelihood(of, "the pool", cosine=0.5) > likelihood(of, "the pool")
    assert likelihood(of, "the pool", heading="PgBouncer") == likelihood(of, "the pool of PgBouncer")


@pytest.mark.parametrize(("subject", "reason"), [("ingest Kafka", "a name"), ("ingest kafka", "a rare word")])
def test_a_name_that_the_index_does_not_hold_speaks_against_every_passage(subject: str, reason: str) -> None:
    of = asked(subject, ["ingest"])
    assert likelihood(of, "we ingest readings") < likelihood(
        asked("ingest database", ["ingest"]), "we ingest readings"
    ), reason


def test_an_unknown_word_of_another_language_does_not() -> None:
    foreign = asked("Redis Warteschlange", ["redis"], foreign=["warteschlange"])
    assert likelihood(foreign, "Redis holds the queue") > likelihood(asked("redis warteschlange", ["redis"]), "Redis")


def test_that_few_passages_do_not_hold_an_ordinary_word_says_little() -> None:
    few, many = (asked("ingest database orders", ["ingest"], size=size) for size in (5, 300))
    assert likelihood(few, "we ingest readings") > likelihood(many, "we ingest readings")


def test_a_plural_is_as_frequent_as_its_singular() -> None:
    (one,), (several,) = (asked(word, []).terms for word in ("database", "databases"))
    assert (several.weight, several.is_name) == (one.weight, False)


@pytest.mark.parametrize(
    ("written", "rank", "language", "expected"),
    [
        ("Kafka", None, "fr", True),
        ("Warteschlange", None, "de", False),
        ("LiveView", None, "de", True),
        ("limit", 4_000, "de", True),
        ("kafka", None, "ja", True),
        ("分页", None, "zh", False),
        ("Pourquoi", None, "fr", False),
    ],
)
def test_names_and_frequent_words_are_the_same_in_english(
    written: str, rank: int | None, language: str, expected: bool
) -> None:
    assert is_english(written, rank, language, "Pourquoi") is expected


def test_that_a_passage_lacks_what_is_asked_for_says_little() -> None:
    known, passage = ["android", "app"], "the Android app is written in Kotlin"
    which_framework = asked("framework Android app", known, asked_for=["framework"])
    plain = asked("framework Android app", known)
    assert likelihood(which_framework, passage) > likelihood(plain, passage) + 0.05
    naming_it = f"{passage}, without a framework"
    assert likelihood(which_framework, naming_it) == likelihood(plain, naming_it)


def test_a_name_of_several_words_is_not_held_by_its_parts_alone() -> None:
    of = asked("SpecAugment", ["spec", "augment"], compounds=["SpecAugment"])
    assert likelihood(of, "the spec says to augment") < 0.25 < likelihood(of, "spec_augment is on")
    assert absent(of, matches(of, [Text("", "the spec says to augment", 0.0)])) == ("SpecAugment",)
    assert absent(of, matches(of, [Text("", "spec-augment", 0.0), Text("", "spec", 0.0)])) == ()


def test_a_plural_of_capitals_is_one_word() -> None:
    assert words_of_subject("PDFs") == [("pdfs", "PDFs")]


def test_words_far_apart_count_less_than_words_together() -> None:
    of = asked("PgBouncer pool", ["pgbouncer", "pool"])
    assert likelihood(of, f"PgBouncer {'and more ' * 100} pool") < likelihood(of, "PgBouncer pool")


def test_what_no_passage_holds_is_told_as_it_was_written() -> None:
    of = asked("Kafka ingest InfluxDB", ["ingest"])
    assert absent(of, matches(of, [Text("", "the ingest", 0.0)])) == ("Kafka", "InfluxDB")


def test_a_question_without_words_is_answered_by_nothing() -> None:
    assert likelihood(asked("", []), "anything at all") < 0.25
    assert matches(asked("pool", ["pool"]), []) == []
