"""What later talk amends is told from what it says, never from its age alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.ranking.amendments import BEHIND, UNANSWERED, Text, in_force
from autology.ranking.recency import ALIKE

DECIDED = "❯ which broker do the jobs use\n● Decided: jobs run on Celery with Redis as the broker, five attempts each."


def amends(later: str, earlier: str = DECIDED) -> bool:
    return in_force([Text("1", earlier), Text("2", later)], [0.9, 0.8])[1].get(0, (None, ""))[0] == 1


@pytest.mark.parametrize(
    "later",
    [
        "We moved the jobs from Celery to Procrastinate.",
        "❯ ok, drop celery then, the jobs live in Postgres",
        "Procrastinate instead of Celery for the jobs.",
        "Celery is gone, jobs are rows in Postgres.",
        "Jobs no longer use Celery.",
        "We replaced Celery by a table of jobs.",
        "❯ für die Jobs nehmen wir Postgres statt Celery",
        "On remplace Celery par Procrastinate pour les jobs.",
        "Reemplazamos Celery por Procrastinate para los jobs.",
        "❯ make it three attempts for each job",
        "❯ jobs get three attempts instead of five",
        "We lowered the five attempts of the jobs to 3, the broker stays.",
    ],
)
def test_a_text_amends_what_it_replaces_drops_or_changes(later: str) -> None:
    assert amends(later)


@pytest.mark.parametrize(
    "later",
    [
        "The Celery workers are slow today, the jobs pile up.",
        "Should we move the jobs from Celery to Procrastinate?",
        "We should not replace Celery for the jobs.",
        "Maybe drop celery for the jobs some day.",
        "❯ Drop celery for the jobs.\n● No, Celery stays.",
        "I would replace Celery for jobs. Let us keep it for now.",
        "We moved the dashboards of the jobs from Flower to Grafana.",
        "The invoices are no longer printed with LaTeX.",
    ],
)
def test_a_text_that_mentions_asks_proposes_or_changes_something_else_amends_nothing(later: str) -> None:
    assert not amends(later)


def test_an_earlier_text_amends_nothing() -> None:
    assert in_force([Text("2", DECIDED), Text("1", "Drop Celery for the jobs.")], [0.9, 0.9])[1] == {}


def test_of_several_changes_the_latest_counts() -> None:
    texts = [
        Text("1", DECIDED),
        Text("2", "Jobs moved from Celery to RQ."),
        Text("3", "Jobs: Arq instead of RQ and Celery."),
    ]
    assert {earlier: later for earlier, (later, _) in in_force(texts, [0.9] * 3)[1].items()} == {0: 2, 1: 2}


def test_what_holds_now_takes_over_the_relevance_of_what_it_amends() -> None:
    texts = [
        Text("1", DECIDED),
        Text("2", "Drop celery, jobs go to Postgres."),
        Text("3", "The jobs of the night are slow."),
    ]
    relevances, changed, _ = in_force(texts, [0.8, 0.4, 0.7])
    assert relevances == pytest.approx([0.8 * BEHIND, 0.8, 0.7])
    assert changed == {0: (1, "Drop celery, jobs go to Postgres.")}


def test_a_text_of_the_same_matter_amends_although_it_hardly_answers_the_question() -> None:
    texts = [Text("1", DECIDED), Text("2", "Drop celery, jobs go to Postgres.")]
    assert in_force(texts, [0.8, 0.0])[0] == pytest.approx([0.8 * BEHIND, 0.8])


def test_a_text_about_another_matter_amends_nothing() -> None:
    assert not amends("We changed the colours of the login page, it is dark green from now on.")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "❯ rate limit of the api?\n\n● 60 requests per minute for each address.",
            "❯ one address for schools. limit 120",
        ),
        ("● Deploys to production: Tuesdays at 20:00.", "● Production deploys moved for the night shift: 05:30."),
        ("● Retries of uploads wait 250ms.", "● Uploads wait 2000 ms before retries."),
        (
            "● Search runs on tsvector in Postgres, with a GIN index.",
            "Search is Typesense\n## Alternatives\n- tsvector: no typos",
        ),
    ],
)
def test_a_new_value_and_a_rejected_alternative_amend(earlier: str, later: str) -> None:
    assert amends(later, earlier)


def test_a_text_that_says_that_the_earlier_one_holds_comes_after_it() -> None:
    texts = [
        Text("1", DECIDED),
        Text("2", "❯ jobs pile up on the broker\n● Celery and Redis stay as they are, a disk was full."),
    ]
    weighed, changed, _ = in_force(texts, [0.8, 1.0])
    assert changed == {}
    assert weighed[0] > weighed[1]


def test_talk_that_nobody_answers_amends_nothing() -> None:
    earlier = "❯ Ann: I bake cookies with butter and coconut milk.\n\n❯ Bob: Butter and coconut milk, yum!"
    later = "❯ Bob: I bake my cookies with coconut oil instead of butter.\n\n❯ Ann: Coconut milk is gone here, too."
    assert not amends(later, earlier)


def test_a_sentence_is_amended_by_what_was_said_after_it_in_its_talk() -> None:
    sentence = "We ship delta patches of the firmware."
    talk = f"● {sentence}\n\n❯ undo that\n\n● Undone: the firmware is shipped whole again, delta patches are gone."
    texts = [Text("2", sentence, "", "talk"), Text("1", talk, "", "talk")]
    assert set(in_force(texts, [0.9, 0.8])[1]) == {0}
    assert in_force([Text("2", sentence, "", "talk"), Text("1", f"● {sentence}", "", "talk")], [0.9, 0.8])[1] == {}


def test_talk_of_another_project_amends_nothing() -> None:
    texts = [Text("1", DECIDED, "shop"), Text("2", "Drop celery, jobs go to Postgres.", "blog")]
    assert in_force(texts, [0.8, 0.8])[1] == {}


def test_a_small_edit_amends_what_it_replaced() -> None:
    earlier = "● SILENT is raised after 45 minutes without an uplink of the buoy."
    later = "❯ false silent alarms of the buoy. 90 then\n\n± silent.go: 45 * time.Minute → 90 * time.Minute\n\n● Done."
    assert amends(later, earlier)
    earlier = "● Tablet scanning of labels uses QuaggaJS."
    later = "❯ scans on tablets fail for old labels\n\n± scan.js: import Quagga from 'quagga' → import 'zxing'\n\n● Ok."
    assert amends(later, earlier)


def test_an_edit_of_another_matter_amends_nothing_though_it_replaces_the_same_number() -> None:
    earlier = "● SILENT is raised after 45 minutes without an uplink of the buoy."
    later = "❯ the lock of the depot is held too long\n\n± lock.go: 45 * time.Second → 90 * time.Second\n\n● Done."
    assert not amends(later, earlier)


def test_an_alternative_that_the_assistant_offers_amends_nothing() -> None:
    assert not amends("Jobs may be rows of Postgres. Or drop Celery, if the broker of the jobs is down.")


def test_what_was_settled_comes_before_later_talk_that_comes_to_it_in_passing() -> None:
    settled = (
        "❯ how are jobs retried\n\n● By Celery, five attempts, or by hand.\n\n❯ celery\n\n● Retries: Celery's five."
    )
    passing = "❯ a job failed after its retries\n\n● Celery gave up after five attempts; wrong address.\n\n❯ thanks"
    texts = [Text("1", settled, "", "one"), Text("2", passing, "", "two")]
    weighed, changed, _ = in_force(texts, [0.7, 1.0])
    assert changed == {}
    assert weighed[0] > weighed[1]
    weighed = in_force(texts, [0.4, 1.0])[0]
    assert weighed[0] < weighed[1], "it answers much better"


GOALS = "❯ goal alerts on phones, what pushes them\n\n● OneSignal wraps FCM and web push, one REST call.\n\n❯ take it"
COOKIES = (
    "❯ the protection officer says no to its cookies\n\n● Then goal alerts go to FCM directly, a topic per team, one"
    " REST call less.\n\n❯ do\n\n● Goal alerts are pushed to phones by FCM topics."
)


def test_of_two_talks_that_settle_the_same_matter_the_later_one_comes_first_and_nothing_is_said_to_be_amended() -> None:
    texts = [Text("1", GOALS, "", "one"), Text("2", COOKIES, "", "two")]
    assert in_force(texts, [0.9, 0.6])[:2] == (pytest.approx([0.9 * BEHIND, 0.9]), {})


def test_talk_that_hardly_answers_the_question_does_not_come_first_for_settling_the_same_matter() -> None:
    texts = [Text("1", GOALS, "", "one"), Text("2", COOKIES, "", "two")]
    assert in_force(texts, [0.9, 0.4])[0] == [0.9, 0.4]


@pytest.mark.parametrize(
    "mention",
    [
        "❯ goal alerts on phones say OneSignal, what pushes them?\n\n● An old name in the REST call. Gone.\n\n❯ thanks",
        "❯ a fan got the goal alerts twice, what pushes them?\n\n● She has two phones with OneSignal.\n\n❯ I tell her",
    ],
)
def test_later_talk_that_only_mentions_the_matter_does_not_come_first_for_settling_it(mention: str) -> None:
    texts = [Text("1", GOALS, "", "one"), Text("2", mention, "", "two")]
    weighed, changed, _ = in_force(texts, [0.9, 0.8])
    assert weighed[0] == 0.9 > weighed[1]
    assert changed == {}


def test_an_edit_that_replaces_what_an_earlier_one_wrote_in_that_file_amends_it_whatever_else_is_said() -> None:
    earlier = (
        "❯ the mill wants our figures by a quarter to three\n\n± cutoff.py: '16:00' → '14:30'\n\n"
        "● The form closes before that, and the list is sorted by what a branch orders most often."
    )
    later = (
        "❯ my list of today: the calendar has no title, and that story is over\n\n"
        "± cutoff.py: '14:30' → '15:15'\n\n● The calendar has one."
    )
    assert amends(later, earlier)
    assert not amends(later.replace("cutoff.py", "report.py"), earlier)
    assert not amends(later.replace("'14:30'", "'09:00'"), earlier)


def test_talk_that_the_user_does_not_answer_is_less_relevant_unless_it_edits() -> None:
    unanswered = "❯ which batch size\n\n● 64, as it fills the memory."
    edited = "❯ which batch size\n\n± train.py: BATCH = 32 → BATCH = 64\n\n● 64, as it fills the memory."
    assert in_force([Text("1", unanswered, "", "one")], [0.9])[0] == [0.9 * UNANSWERED]
    assert in_force([Text("1", edited, "", "one")], [0.9])[0] == [0.9]
    sentence = Text("1", "64, as it fills the memory.", "", "one")
    assert in_force([Text("1", unanswered, "", "one"), sentence], [0.9, 0.8])[0][1] == 0.8 * UNANSWERED
    assert in_force([sentence], [0.8])[0] == [0.8]


def test_an_edit_of_a_value_whose_name_is_known_amends_although_little_else_is_shared() -> None:
    later = "❯ a new machine has arrived\n± train.py: BATCH = 64 → BATCH = 96\n● Set, and the fans are slower."
    assert amends(later, "❯ batch size?\n● 64 as it fills the 40 GB with fp32.")
    assert not amends(later.replace("BATCH", "WORKERS"), "❯ batch size?\n● 64 as it fills the 40 GB with fp32.")


def test_what_only_confirms_is_far_enough_behind_that_its_age_does_not_bring_it_ahead() -> None:
    later = "❯ the broker restarted at night\n● Disk was full. The jobs on Celery stay as they are."
    relevances = in_force([Text("1", DECIDED), Text("2", later)], [0.2, 0.3])[0]
    assert relevances[0] - relevances[1] > ALIKE


def test_what_amends_a_decision_amends_the_long_talk_that_it_was_taken_in() -> None:
    talk = (
        "❯ We need a place for the coverage baseline. What do you suggest?\n\n● Two options: JSON files in a branch,"
        " which grows without bound, or objects in S3. I would take S3 because checkouts stay small.\n\n❯ ok, S3 it"
        " is, name the bucket after the team\n\n● Done: the uploader writes to that bucket in Frankfurt, encrypted"
        " with the key of the account. Decision: baselines live in S3."
    )
    later = Text("2", "Let's store the baseline as an artifact of the build instead: S3 needs credentials.", "", "b")
    assert set(in_force([Text("1", talk, "", "a"), later], [0.9, 0.5])[1]) == {0}
    undecided = talk.replace("Decision: baselines live", "Baselines were tried")
    assert in_force([Text("1", undecided, "", "a"), later], [0.9, 0.5])[1] == {}


EDITED = "❯ the pdf is too wide\n\n± page.css: width: 300mm → width: 210mm\n\n● Done."


def test_talk_that_likely_replaces_earlier_talk_comes_first_although_nothing_says_so() -> None:
    later = "❯ phones miss goal alerts at night\n\n● Web push sleeps. A socket of the app does not.\n\n❯ a socket, then"
    texts = [Text("1", GOALS, "", "one"), Text("2", later, "", "two"), Text("3", EDITED, "", "three")]
    row, other = bytes([20] * 256), bytes([20, 236] * 128)
    near, far = ([row, row, other], [row, other, other])
    assert in_force(texts, [0.9, 0.8, 0.1], rows=near)[0][:2] == pytest.approx([0.9 * BEHIND, 0.9])
    assert in_force(texts, [0.9, 0.8, 0.1], rows=far)[0][:2] == [0.9, 0.8], "it is about something else"
    assert in_force(texts[:2], [0.9, 0.8], rows=near[:2])[0] == [0.9, 0.8], "nothing was ever edited: it is no work"
    elsewhere = [texts[0]._replace(project="shop"), texts[1]._replace(project="blog"), texts[2]]
    assert in_force(elsewhere, [0.9, 0.8, 0.1], rows=near)[0][:2] == [0.9, 0.8]


def test_talk_that_likely_settles_nothing_comes_after_what_settled_the_matter_and_answers_nearly_as_well() -> None:
    mention = (
        "❯ a fan in Kiel was woken by goal alerts of a match that she had left, angry mail\n\n● Her tablet was still"
        " subscribed, it had been given to her nephew. I unsubscribed it.\n\n❯ I write to her"
    )
    texts = [Text("1", GOALS, "", "one"), Text("2", mention, "", "two"), Text("3", EDITED, "", "three")]
    row, like_it, other = bytes([20] * 256), bytes([20, 20, 20, 236] * 64), bytes([20, 236] * 128)
    weighed = in_force(texts, [0.75, 0.9, 0.1], rows=[row, like_it, other])[0]
    assert weighed[0] > weighed[1]
    weighed = in_force(texts, [0.5, 0.9, 0.1], rows=[row, like_it, other])[0]
    assert weighed[0] < weighed[1], "it answers much better"


@given(st.lists(st.sampled_from([GOALS, COOKIES, EDITED, DECIDED, "", "± : →"]), max_size=6), st.booleans())
def test_any_texts_are_weighed_with_or_without_vectors(passages: list[str], have_rows: bool) -> None:
    texts = [Text(str(at), text, "", str(at)) for at, text in enumerate(passages)]
    rows = [bytes([at] * 256) if have_rows and at % 2 else b"" for at in range(len(passages))]
    weighed, _, replacing = in_force(texts, [0.5] * len(passages), rows=rows)
    assert len(weighed) == len(passages)
    assert all(0 <= likelihood <= 1 and later != earlier for (later, earlier), likelihood in replacing.items())
