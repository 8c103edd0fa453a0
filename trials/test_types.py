"""Types are guessed right on records that real projects filed, well ahead of words alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest

from autology.core.nodes.classify import classify
from autology.core.nodes.type_keywords import by_keywords
from bench.classifier import LEAST_ACCURACY, LEAST_LEAD, LEAST_RECORDS, Record, accuracy, filed_records
from trials.texts import CORPORA


@pytest.fixture(scope="module")
def records() -> Sequence[Record]:
    return filed_records(CORPORA)


@pytest.fixture(scope="module")
def unseen(records: Sequence[Record]) -> Sequence[Record]:
    return [record for record in records if record.half == "unseen"]


def test_the_unseen_half_is_guessed_right_and_far_better_than_by_words(
    records: Sequence[Record], unseen: Sequence[Record]
) -> None:
    assert len(records) >= LEAST_RECORDS
    assert len(unseen) >= 150
    form = accuracy(unseen, classify)
    assert form >= LEAST_ACCURACY
    assert form - accuracy(unseen, by_keywords) >= LEAST_LEAD


def test_what_it_is_sure_of_is_right_and_every_answer_has_its_reasons(unseen: Sequence[Record]) -> None:
    sure = [record for record in unseen if classify(record.title, record.content).confident]
    assert len(sure) > len(unseen) / 2
    assert accuracy(sure, classify) >= 0.9
    assert all(classify(record.title, record.content).alternatives[0].words for record in sure)


def test_no_file_has_records_in_both_halves(records: Sequence[Record]) -> None:
    halves = defaultdict(set)
    for record in records:
        halves[record.path].add(record.half)
    assert {len(names) for names in halves.values()} == {1}
