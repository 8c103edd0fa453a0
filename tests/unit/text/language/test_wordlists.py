"""The lists of words that texts are compared by are whole, whoever adds to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.text import wordlists
from autology.text.wordlists import exclusive, forms, opposites, phrases, root, software_names, synonyms, words

FOLDER = Path(wordlists.__file__).parent


def lines(name: str) -> list[str]:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_every_list_says_at_its_head_how_to_add_to_it() -> None:
    lists = sorted(FOLDER.glob("*.txt"))
    assert len(lists) == 13
    assert all(path.read_text(encoding="utf-8").startswith("# ") for path in lists)


@pytest.mark.parametrize("name", ["synonyms", "exclusive", "forms"])
def test_a_line_has_two_words_or_more_and_stands_once(name: str) -> None:
    some = lines(name)
    assert len(some) > 50
    assert all(len(line.split()) > 1 for line in some)
    assert len(set(some)) == len(some)


def test_an_opposite_has_two_sides_and_no_word_on_both() -> None:
    for line in lines("opposites"):
        one, other = (set(side.split()) for side in line.removeprefix("! ").split(" / "))
        assert one
        assert other
        assert not one & other


def test_a_phrase_has_two_words_or_more_and_a_meaning() -> None:
    assert len(phrases()) == len(lines("phrases"))
    assert all(len(message) > 1 and meant for message, meant in phrases().items())


def test_a_kind_of_word_is_named_before_its_words() -> None:
    for line in lines("kinds"):
        kind, _, some = line.partition(": ")
        assert set(some.split()) <= words(kind)


def test_synonyms_share_a_group_in_any_form() -> None:
    assert synonyms()[root("databases")] & synonyms()[root("db")]
    assert synonyms()[root("wrote")] & synonyms()[root("recording")]


def test_mutually_exclusive_words_share_a_group() -> None:
    assert exclusive()[root("staging")] & exclusive()[root("production")]
    assert exclusive()[root("staging")].isdisjoint(exclusive()[root("json")])


def test_an_opposite_names_what_both_sides_are_about() -> None:
    on, off = opposites()[root("enabled")], opposites()[root("disables")]
    assert on.about == off.about
    assert (on.sign, off.sign) == (1, -1)
    assert on.stateful


def test_irregular_forms_are_forms_of_one_word() -> None:
    assert forms()["written"] == "write"
    assert root("added") == root("adding") == root("add")


def test_a_name_is_told_in_other_words_and_stands_on_few_lines() -> None:
    some = lines("software_names")
    assert len(some) > 150
    for line in some:
        named, _, told = line.partition(": ")
        assert named
        assert told
        assert not set(named.split()) & set(told.split())
    assert {"dashboard", "monitoring"} <= set(software_names()["grafana"])
