"""A prompt comes close to past work where they share rare words, close together; not where words met by chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.hooks.project import HookProject
from autology.hooks.prompt_submit import near
from autology.ranking.prompt_similarity import (
    ERROR,
    FEATURE,
    FILES,
    HOW_TO,
    NEAR,
    PROBLEM,
    asks_for_knowledge,
    kind,
    match_share,
    shared,
)
from autology.text.stemmer import stem
from autology.text.user_words import errors, files_in, own_words, words_of
from tests.labelled.reading import halves
from tests.unit.past_kit import past

PRECISION, RECALL, SAME_RECALL = 0.95, 0.65, 0.5


@pytest.mark.parametrize("half", [0, 1])
def test_labelled_prompts_near_past_work_are_found_in_both_halves(half: int, tmp_path: Path, home: Path) -> None:
    work = [row for rows in halves("near_past") for row in rows]
    ids = past(home, tmp_path, [{"question": row["question"], "answer": row["answer"]} for row in work])
    known = {id: row["id"] for id, row in zip(ids, work, strict=True)}
    rows = halves("near")[half]
    assert len(rows) > 45
    right = wrong = 0
    for row in rows:
        _, result = near(row["prompt"], HookProject(str(tmp_path), {"session_id": "s"}))
        if result:
            right += known[result[0].id] == row["past"]
            wrong += known[result[0].id] != row["past"]
    assert right / (right + wrong) >= PRECISION
    assert right / sum(row["past"] is not None for row in rows) >= RECALL


@pytest.mark.parametrize(
    ("prompt", "what"),
    [
        ("how do I paginate?", HOW_TO),
        ("what's the best way to cache this", HOW_TO),
        ("how do I fix this?\nTypeError: x is undefined", HOW_TO),
        ("it says: TypeError: x is undefined", ERROR),
        ("fatal error: concurrent map writes", ERROR),
        ("set up error reporting", FEATURE),
        ("add retries for failed webhooks three times: at once, after a minute, after an hour", FEATURE),
        ("make the build pass: error TS2345: x is no string", ERROR),
        ("add a filter", FEATURE),
        ("the filter is slow", PROBLEM),
        ("", PROBLEM),
    ],
)
def test_the_kind_of_a_prompt_is_derived_from_its_first_words_and_errors(prompt: str, what: str) -> None:
    assert kind(own_words(prompt), errors(prompt)) == what


def test_a_question_that_names_no_error_and_no_task_gets_no_hint_of_similar_work() -> None:
    assert asks_for_knowledge("let's agree on a name first: is offer_hold fine?")
    assert not asks_for_knowledge("could you release the hold of an offer when it is refused?")
    assert not asks_for_knowledge("add a hold to the offers, can you?")
    assert not asks_for_knowledge("how should I hold an offer?")


@pytest.mark.parametrize(
    "prompt",
    [
        "please fix the login, it fails at https://x.y/?a=1",
        "the login fails at https://x.y/?",
        "is offer_hold a fine name? I took it, the upload must write it",
        "fix the login, or is it the session that fails?",
        "Please repair the upload. Is it the proxy?",
        "can you repair the login?",
        "hilfst du mir, den Login zu reparieren?",
        "Könntest du den Login reparieren?",
        "peux-tu réparer la connexion ?",
        "¿me ayudas a reparar el inicio de sesión?",
        "能帮我修一下登录吗？",
        "ログインを修正してもらえますか？",
    ],
)
def test_an_order_is_no_question_for_knowledge_whatever_mark_it_has(prompt: str) -> None:
    assert not asks_for_knowledge(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "the upload of large files hangs, why?",
        "When I save, the upload hangs. Any idea why?",
        "the upload fails, why is that?",
        "der Upload großer Dateien hängt, warum?",
        "l'envoi des gros fichiers échoue, pourquoi ?",
        "la subida de archivos falla, ¿por qué?",
        "上传大文件失败，为什么？",
        "アップロードが失敗します。なぜですか？",
    ],
)
def test_a_problem_before_a_bare_why_is_no_question_for_knowledge(prompt: str) -> None:
    assert not asks_for_knowledge(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "is https://x.y/?a=1 the right address?",
        "please tell me, is the upload in two parts?",
        "we took redis, why?",
        "it was changed to redis, why?",
        "(is the upload in two parts?)",
        "ist offer_hold ein guter Name?",
        "est-ce que offer_hold est un bon nom ?",
        "¿es offer_hold un buen nombre?",
        "offer_hold 这个名字好吗？",
        "offer_holdはいい名前ですか？",
        "?",
        "why?",
    ],
)
def test_a_question_that_orders_nothing_asks_for_knowledge_in_every_language(prompt: str) -> None:
    assert asks_for_knowledge(prompt)


@pytest.mark.parametrize("half", [0, 1])
def test_prompts_that_name_edited_files_find_that_work(half: int, tmp_path: Path, home: Path) -> None:
    work = [row for rows in halves("near_past") for row in rows]
    ids = past(
        home, tmp_path, [{**row, "id": f"{at:024x}", "files": tuple(row["files"])} for at, row in enumerate(work)]
    )
    known = {id: row["id"] for id, row in zip(ids, work, strict=True)}
    rows = halves("near_files")[half]
    assert len(rows) == 20
    judged = []
    for row in rows:
        _, result = near(row["prompt"], HookProject(str(tmp_path), {"session_id": "s"}))
        judged += [known[result[0].id] == row["past"]] if result else []
    assert sum(judged) / len(judged) >= PRECISION
    assert sum(judged) / sum(row["past"] is not None for row in rows) >= SAME_RECALL


def test_files_match_by_edits_and_not_by_mentions(tmp_path: Path, home: Path) -> None:
    talk = {"question": "why is client.ts so long", "answer": "The retry waits between attempts in client.ts."}
    work = {
        "question": "retry uploads",
        "answer": "The retry waits longer between attempts.",
        "files": ("src/client.ts",),
    }
    other = {
        "question": "retry hooks",
        "answer": "The retry waits longer between attempts.",
        "files": ("src/myclient.ts",),
    }
    _, touched, _ = past(home, tmp_path, [talk, work, other])
    project = HookProject(str(tmp_path), {"session_id": "s"})
    for name in ("client.ts", "src/client.ts", "`src/client.ts`"):
        what, result = near(f"in {name} the retry must wait less between attempts", project)
        assert (what, [each.id for each in result]) == (FILES, [touched])
    assert near("rename the retry attempts in src/client.ts", project)[0] == PROBLEM


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("see src/a-b.ts:14, web/x.css. And `.eslintrc.cjs`", ["src/a-b.ts", "web/x.css", "eslintrc.cjs"]),
        ("v1.2.3, e.g. and/or i.e 3.14 127.0.0.1 3.x", []),
        ("", []),
    ],
)
def test_file_names_in_a_prompt_are_distinguished_from_other_words(text: str, files: list[str]) -> None:
    assert files_in(words_of(text)) == files


def test_words_far_apart_are_not_shared() -> None:
    requests = [("alpha", 1.0), ("beta", 1.0)]
    assert shared(requests, "alpha beta") == (1.0, 2)
    assert shared(requests, f"alpha {'x ' * 200} beta") == (0.5, 1)
    assert shared(requests, "") == (0.0, 0)
    assert shared([], "alpha") == (0.0, 0)


def test_identifiers_and_endings_are_no_obstacle_and_other_scripts_neither() -> None:
    assert shared([(stem("retry"), 1.0), ("upload", 1.0)], "function uploadWithRetries()") == (1.0, 2)
    assert stem("retries") == stem("retry") == stem("retried")
    assert stem("cropping") == stem("crop")
    assert shared([("缓存", 1.0)], "我们讨论了缓存的设计") == (1.0, 1)


def test_a_few_words_that_say_nothing_reach_no_bar() -> None:
    usual = [(word, 0.1) for word in ("add", "test", "file", "page")]
    assert not any(match_share(bar, usual, "add a test file for the page") for bar in NEAR.values())
