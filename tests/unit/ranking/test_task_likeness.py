"""Past work resembles a request by its words, by the kind of task and by its form; own work comes before others'."""

from __future__ import annotations

import pytest

from autology.ranking.prompt_similarity import ERROR, FEATURE, HOW_TO
from autology.ranking.task_forms import PastWork, form_of, has_form
from autology.ranking.task_likeness import likenesses

EXPORT = PastWork(
    "can we export the orders as csv?", "❯ can we export the orders as csv?\n\n● Written by csv.writer.", edits=True
)
LIMIT = PastWork("one client floods the API", "❯ one client floods the API\n\n● A token bucket: 429.", edits=True)
CRASH = PastWork("the export crashes: KeyError: 'total'", "❯ the export crashes: KeyError: 'total'", edits=True)
RELEASE = PastWork("walk me through a release", "❯ walk me through a release\n\n● 1. Tag it. 2. Run `make release`.")


@pytest.mark.parametrize(
    ("request_text", "form"),
    [
        ("TypeError: 'NoneType' object is not iterable", ERROR),
        ("the worker hangs after a restart", ERROR),
        ("how do we rotate the signing key", HOW_TO),
        ("steps for moving the bucket to another region", HOW_TO),
        ("let customers download their orders as a spreadsheet", FEATURE),
    ],
)
def test_a_request_is_an_error_a_feature_or_how_something_is_done(request_text: str, form: str) -> None:
    assert form_of(request_text) == form


def test_past_work_has_the_form_of_what_it_left_behind() -> None:
    assert [has_form(work, FEATURE) for work in (EXPORT, LIMIT, CRASH, RELEASE)] == [True, True, False, False]
    assert [has_form(work, ERROR) for work in (EXPORT, CRASH)] == [False, True]
    assert [has_form(work, HOW_TO) for work in (EXPORT, RELEASE)] == [False, True]


def best(request: str, *works: PastWork) -> PastWork:
    scores = likenesses(request, works, None)
    return max(zip(scores, works, strict=True), key=lambda pair: pair[0])[1]


def test_a_feature_of_the_same_kind_is_found_in_other_words() -> None:
    assert best("throttle the uploads of each account", EXPORT, LIMIT, CRASH, RELEASE) is LIMIT
    assert best("let customers download their invoices as pdf", LIMIT, EXPORT, CRASH, RELEASE) is EXPORT


def test_an_error_finds_the_work_on_an_error_before_that_on_the_feature() -> None:
    assert best("the export of orders fails with a KeyError", EXPORT, LIMIT, CRASH) is CRASH


def test_work_of_the_project_at_hand_comes_before_equal_work_elsewhere() -> None:
    elsewhere = PastWork(EXPORT.asks, EXPORT.talk, edits=True, own=False)
    assert best("export the invoices", elsewhere, EXPORT) is EXPORT
    assert best("export the invoices", elsewhere, LIMIT) is elsewhere


def test_nothing_resembles_nothing() -> None:
    assert likenesses("export", [], None) == []
