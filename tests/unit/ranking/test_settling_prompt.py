"""How a prompt is led to, worded, answered and followed tells whether it settles something, in whatever words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.core.conversations.mining import SETTLES
from autology.ranking.settling_prompt import Moment, Named, features, settling
from autology.text.language.commitments import content
from bench.wording import learn_settling_prompt as learning

OFFER = "The zarquon could go into blenk, which needs no server, or into grunk with three nodes."


def moment(prompt: str, answer: str, follows: str = "", before: str = OFFER) -> Moment:
    return Moment(prompt, before, answer, follows, Named(dict.fromkeys(content(before), 0), 1))


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("aye, bung the lot in blenk", "The zarquon lies in blenk.toml, one file a node, read at the start."),
        ("Blenk, nos da igual lo demás", "El zarquon está en blenk.toml y se lee al arrancar."),
        ("va pour blenk, on verra bien", "Le zarquon est dans blenk.toml, lu au démarrage, avec deux tests."),
    ],
)
def test_what_was_offered_taken_up_and_carried_out_settles_something_in_whatever_words(
    prompt: str, answer: str
) -> None:
    doubted = settling(moment("what does blenk cost us?", "Nothing, blenk is free.", before=OFFER))
    assert settling(moment(prompt, answer, "how large can it get?")) > max(0.0, doubted)


def test_a_prompt_that_is_answered_by_a_question_settles_less() -> None:
    done = settling(moment("blenk for the zarquon", "The zarquon lies in blenk.toml."))
    assert settling(moment("blenk for the zarquon", "The zarquon in blenk.toml, is that so?")) < done


def test_longer_answers_are_not_more_certain() -> None:
    answer = "The zarquon lies in blenk, " + "one file a node and " * 10
    assert abs(settling(moment("blenk", answer * 9)) - settling(moment("blenk", answer))) < 1


@pytest.mark.parametrize("word", ["a-", "-a", "-.", "a.-", "a_", "`a", "aB"])
def test_an_answer_with_a_very_long_word_is_read_quickly(word: str) -> None:
    begun = time.process_time()
    features(moment("blenk", word * 16_000, before=word * 16_000))
    assert time.process_time() - begun < 2, word  # 0.02 s; 7 s if the word was read again from each hyphen


def test_of_a_very_long_answer_what_is_nearest_to_the_prompt_counts() -> None:
    far = "So it goes on and on. " * 1_000
    near = features(moment("blenk", f"Blenk it is, see blenk.toml. {far}", before=f"{far}{OFFER}"))
    assert near["takes up"] == features(moment("blenk", "Done."))["takes up"] > 0
    assert near["code in the answer"] > 0
    assert features(moment("blenk", f"{far} See blenk.toml?", before=f"{OFFER} {far}")) == {
        **features(moment("blenk", far, before=far)),
        "answered by a question": 1.0,
        "named earlier and carried out": 0.0,
    }


def test_names_in_code_are_recognised_by_their_form() -> None:
    def share(answer: str) -> float:
        return features(moment("blenk", answer))["code in the answer"]

    names = (
        "`a b`",
        "blenk.toml",
        "src/blenk",
        "long-blenk_name",
        "-Dblenk.size",
        "load()",
        "loadBlenk",
        "--blenk",
        "7",
    )
    assert [share(f"So {name} then") for name in names] == [0.25] * len(names)
    assert share("a well-known and long-winded answer - no code in it") == 0
    assert share(" ".join(names)) == 1


NAMED = st.builds(Named, st.dictionaries(st.text(), st.integers()), st.integers())


@given(st.builds(Moment, st.text(), st.text(), st.text(), st.text(), NAMED))
def test_any_prompt_has_features_in_0_to_1_and_settles_something_or_not(one: Moment) -> None:
    assert all(0 <= value <= 1 for value in features(one).values())
    assert -100 < settling(one) < 100


def test_prompts_of_a_world_that_was_left_out_are_told_apart() -> None:
    *others, world = learning.WORLDS
    weights, prompts = learning.weights_of(others), learning.prompts(world)
    odds = [sum(value * weights[name] for name, value in values.items()) for values, _, _ in prompts]
    sure = [settles for (_, settles, _), value in zip(prompts, odds, strict=True) if value >= SETTLES]
    assert len(sure) > 20
    assert sum(sure) / len(sure) > 0.75


def test_the_weights_are_those_that_the_labelled_sessions_teach() -> None:
    weights = learning.weights_of(learning.WORLDS)
    assert learning.as_text(weights) == learning.WEIGHTS.read_text(encoding="utf-8")
