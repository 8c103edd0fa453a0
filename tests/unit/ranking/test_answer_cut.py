"""What answers a question, of a ranked list: what is near the best, or holds as much of the subject."""

from __future__ import annotations

from autology.ranking.answer_cut import TALK, answering
from autology.ranking.answer_wording import left_out
from autology.ranking.coverage import FederatedHit


def answers(query: str, *hits: tuple[float, str], **more: object) -> list[str]:
    hits_ranked = [FederatedHit(score, text) for score, text in hits]
    return answering(query, hits_ranked, [text for _, text in hits], **more)  # type: ignore[arg-type]


def test_the_list_ends_at_the_first_hit_much_weaker_than_the_best_or_than_the_one_before() -> None:
    slow = ((1.0, "retry limit"), (0.7, "retry"), (0.41, "limit"), (0.39, "retry"))
    assert len(answers("retry limit", *slow)) == 3
    steep = ((1.0, "retry limit"), (0.6, "retry"), (0.55, "limit"))
    assert len(answers("retry limit", *steep)) == 1
    assert len(answers("retry limit", *steep, cut=TALK)) == 3


def test_a_hit_that_holds_as_much_of_the_subject_as_the_best_answers_whatever_its_score() -> None:
    assert answers("retry limit", (1.0, "retry limits"), (0.5, "a retry"), (0.1, "limit of retries")) == [
        "retry limits",
        "limit of retries",
    ]


def test_words_of_asking_make_no_hit_beside_one_of_the_subject() -> None:
    assert answers("which cache do we use?", (1.0, "the cache"), (0.9, "which we use")) == ["the cache"]


def test_what_is_only_near_in_meaning_answers_if_nothing_holds_a_word() -> None:
    assert answers("vehicle", (1.0, "a car"), (0.9, "a lorry")) == ["a car", "a lorry"]


def test_nothing_answers_with_nothing() -> None:
    assert answers("retry") == []


def test_the_number_left_out_is_in_words() -> None:
    assert (left_out(1), left_out(7)) == ("1 weaker one left out", "7 weaker ones left out")
