"""On labelled secrets and look-alikes, nearly every secret is taken out and hardly anything else."""

from __future__ import annotations

import pytest

from tests.labelled.secret_forms.halves import DEV, UNSEEN, cases
from tests.labelled.secret_forms.kinds import ARMOURED, SHAPED
from tests.labelled.secret_forms.scoring import score

RECALL, PRECISION = 0.98, 0.95


@pytest.mark.parametrize("half", [DEV, UNSEEN])
def test_nearly_every_secret_is_taken_out_and_hardly_anything_else(half: str) -> None:
    score_ = score(case for case in cases() if case.half == half)
    assert score_.recall >= RECALL, f"{len(score_.missed)} missed"
    assert score_.precision >= PRECISION, f"{len(score_.wronged)} wronged"


def test_the_labelled_set_of_secrets_is_large_and_varied() -> None:
    result = cases()
    assert len(SHAPED) + len(ARMOURED) >= 40
    for half in (DEV, UNSEEN):
        assert sum(case.secret is not None for case in result if case.half == half) >= 150
        assert sum(case.secret is None for case in result if case.half == half) >= 150
    assert len({case.text for case in result}) == len(result)
