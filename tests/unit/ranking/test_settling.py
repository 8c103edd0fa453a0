"""How talk goes tells whether it settles something, whatever it is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.ranking.settling import SETTLES, settling
from bench.wording import learn_settling

SETTLED = (
    "❯ where should the zarquon lie, blenk or grunk?\n\n● By blenk it takes 40 ms, by grunk 300; grunk needs no server."
    "\n\n❯ blenk then\n\n± store.py: open_grunk() → open_blenk()\n\n● The zarquon is in blenk, with two tests."
)


@pytest.mark.parametrize(
    "mention",
    [
        "❯ the zarquon page says 'blenk' twice, why?\n\n● The template had it too. Removed there.\n\n❯ thanks",
        "❯ a dealer has a zarquon for the blenk. Should we?\n\n● It does what yours does already.\n\n❯ then no",
        "❯ port 3000 is still open. for what?\n\n● It was the zarquon's. Nothing listens, rule removed.\n\n❯ ok",
    ],
)
def test_talk_that_settles_something_is_told_from_talk_that_only_mentions_it(mention: str) -> None:
    assert settling(SETTLED) >= SETTLES > settling(mention)


def test_long_talk_is_not_more_certain_for_its_length() -> None:
    said = SETTLED.split("\n\n")
    longer = "\n\n".join([*said[:-1], *said[1:2] * 9, said[-1]])
    assert abs(settling(longer) - settling(SETTLED)) < 2


@given(st.text() | st.text("❯●± \n?`a9").map("❯ ".__add__))
def test_any_text_settles_something_or_not(text: str) -> None:
    assert -100 < settling(text) < 100


def test_the_weights_are_those_that_the_labelled_sessions_teach() -> None:
    weights = learn_settling.weights_of(learn_settling.WORLDS)
    assert learn_settling.as_text(weights) == learn_settling.WEIGHTS.read_text(encoding="utf-8")
