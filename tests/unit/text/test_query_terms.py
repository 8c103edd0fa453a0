"""The terms of a query: its words without those that say nothing of its subject."""

from __future__ import annotations

from autology.text.tokens import query_pairs, query_terms


def test_a_pronoun_stands_for_a_person_who_is_named_and_is_no_term() -> None:
    assert query_terms("What did Ada say about her garden?") == (("ada",), ("say",), ("about",), ("garden",))
    assert query_pairs("Did she sell her bike to him?") == ()


def test_a_query_of_nothing_but_pronouns_keeps_them() -> None:
    assert query_terms("she") == (("she",),)
