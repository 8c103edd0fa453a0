"""What words alone tell about two texts, and that comparing them whole never says otherwise."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from autology.ranking.replaced_words import names_something_else, replaces_a_word
from autology.ranking.same_statement import compare, says_the_same

LABELLED = Path(__file__).resolve().parents[2] / "labelled" / "duplicates.jsonl"
PAIRS = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("Use Redis for sessions", "Use Postgres for sessions", True),
        ("Use Redis for sessions", "Use Redis for the sessions of users", False),  # only one has a word of its own
        (
            "Sessions expire after 60 minutes",
            "Sessions expire after an hour",
            False,
        ),  # numbers are left to it
        ("The café closes", "The cafe\u0301 closes", False),
        ("We don't cache answers", "We do not cache answers", False),
        ("Deploy on 5 March 2026", "Deploy on 2026-03-05", False),
        ("缓存会话", "缓存答案", True),
        ("", "", False),
    ],
)
def test_texts_that_each_have_a_word_of_their_own_say_different_things(one: str, other: str, differ: bool) -> None:
    assert replaces_a_word(one, other) is differ
    assert replaces_a_word(other, one) is differ


def test_no_labelled_pair_that_is_found_the_same_is_told_apart_by_its_words() -> None:
    same = 0
    for pair in PAIRS:
        one, other = pair["one"]["content"], pair["other"]["content"]
        verdict = compare(one, other).same
        assert says_the_same(one, other) is verdict
        same += verdict
    assert same > 500


def test_what_words_tell_apart_is_never_found_the_same_after_an_edit() -> None:
    chance = random.Random(1)
    texts = [pair[side]["content"] for pair in PAIRS for side in ("one", "other")]
    apart = 0
    for _ in range(2_000):
        one = chance.choice(texts)
        words = one.split()
        words[chance.randrange(len(words))] = chance.choice(chance.choice(texts).split())
        other = " ".join(words)
        if replaces_a_word(one, other):
            apart += 1
            assert not compare(one, other).same
    assert apart > 100


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("Store text as utf8mb4", "Store the text as latin1", True),
        ("Hash with sha256", "Hash with SHA256", False),
        ("Deploy v2", "Deploy 2", False),
        ("Scale n2x", "Scale n2 times", False),
        ("Take 3x as long", "Take three times as long", False),
        ("Encode it as utf8", "Encode it as `utf8`", False),
        ("Run it on k8s", "Run it on Kubernetes", False),
        ("Run it", "Run it", False),
    ],
)
def test_a_text_with_an_identifier_that_the_other_lacks_says_something_else(one: str, other: str, differ: bool) -> None:
    assert names_something_else(one, other) is differ
    assert names_something_else(other, one) is differ


def test_texts_with_identifiers_of_their_own_are_never_found_the_same() -> None:
    chance = random.Random(2)
    texts = [pair[side]["content"] for pair in PAIRS for side in ("one", "other")]
    identifiers = ["n12x", "utf8mb4", "k8s", "sha256", "s3", "ipv6only", "May5", "x2", "a10ms", "T1000s", "one1"]
    apart = 0
    for _ in range(2_000):
        text, other = chance.choice(texts), chance.choice(identifiers)
        one = text.split(" ")
        one.insert(chance.randrange(len(one) + 1), chance.choice(identifiers))
        pair = " ".join(one), chance.choice((text, f"{text} {other}", f"{other} {text}"))
        if names_something_else(*pair):
            apart += 1
            assert not compare(*pair).same
    assert apart > 1_000
