"""What a decision governs is read from its text: files, names of code, and what it ruled out."""

from __future__ import annotations

import pytest

from autology.text.language.governing import TEXT, WORDS, rules, text_hash
from tests.labelled.reading import HERE

ADR = "## Context\n\n{}\n\n## Decision\n\n{}\n\n## Alternatives\n\n{}\n\n## Consequences\n\n{}\n"


def of(
    decision: str, alternatives: str = "None.", context: str = "Because.", after: str = "Fine."
) -> set[tuple[str, str]]:
    stated = rules("A title", ADR.format(context, decision, alternatives, after), ("src/a.py",))
    return {(kind, term) for kind, term, _ in stated if kind not in (TEXT, WORDS)}


@pytest.mark.parametrize(
    ("decision", "wanted"),
    [
        ("`src/a.py` holds it.", ("file", "src/a.py")),
        ("It is measured elsewhere.", ("scope", "src/a.py")),
        ("It goes through `fetch_json`.", ("symbol", "fetch_json")),
        ("It goes through `Store.resolve()`.", ("symbol", "Store.resolve")),
        ("Use httpx, never use `requests`.", ("call", "requests")),
        ("MySQL is not used.", ("name", "mysql")),
        ("We use SQLite instead of MongoDB.", ("name", "mongo")),
    ],
)
def test_a_decision_says_what_it_governs(decision: str, wanted: tuple[str, str]) -> None:
    assert wanted in of(decision)


@pytest.mark.parametrize(
    ("alternatives", "wanted"),
    [
        ("- Redis: one more service.", ("import", "redis")),
        ("* **MySQL** - weaker.", ("name", "mysql")),
        ("1. RabbitMQ loses the transaction.", ("name", "rabbitmq")),
        ("Celery beat, APScheduler.", ("name", "apscheduler")),
        ("### Moment.js\n\nLarge.", ("name", "momentjs")),
    ],
)
def test_alternatives_were_ruled_out_by_name(alternatives: str, wanted: tuple[str, str]) -> None:
    assert wanted in of("We do.", alternatives)


@pytest.mark.parametrize("after", ["See `src/a.py`.", "It was in `src/a.py`.", "Compare src/a.py."])
def test_a_file_that_is_mentioned_in_passing_is_not_governed(after: str) -> None:
    assert not {what for what, _ in of("We do.", after=after)} & {"file", "scope"}
    assert not {what for what, _ in of(after)} & {"file", "scope"}


def test_the_chosen_option_is_not_listed_as_ruled_out() -> None:
    content = ADR.format("Two.", 'Chosen option: "PostgreSQL", because.', "- PostgreSQL\n- MySQL", "Fine.")
    result = {term for _, term, _ in rules("Which database", content, ())}
    assert "mysql" in result
    assert "postgresql" not in result


@pytest.mark.parametrize("alternatives", ["- Doing nothing.", "- A list.", "- Keep it as it is.", "- JSON over HTTP."])
def test_ordinary_words_are_no_names(alternatives: str) -> None:
    assert of("We do.", alternatives) == {("scope", "src/a.py")}


def test_the_hash_of_a_text_is_of_its_words() -> None:
    assert text_hash("A", "one two\nthree") == text_hash("A", "one  two three\n")
    assert text_hash("A", "one two") != text_hash("A", "one three")


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Never print in `api/`.", ("call", "print", "", "api/")),
        ("Do not call `datetime.utcnow()`.", ("literal", "utcnow", "datetime.utcnow()", "")),
        ("Do not call `datetime.now()` without a zone.", ("literal", "now", "datetime.now( )", "")),
        ("`os.environ` only in `app/settings.py`.", ("literal", "environ", "os.environ", "!app/settings.py")),
        ("Only `app/payments` imports `stripe`.", ("call", "stripe", "", "!app/payments")),
        ("No `console.log` in `web/src`.", ("literal", "log", "console.log", "web/src")),
        ("Never use OFFSET in SQL.", ("literal", "offset", "OFFSET", "")),
        ("`unwrap()` is for tests.", ("literal", "unwrap", "unwrap()", "!@tests")),
        ("In Go code `pkg/errors` is not used any more.", ("literal", "errors", "pkg/errors", "*.go")),
        ("Nobody edits `gen/` by hand: run `make gen`.", ("untouched", "gen/", "", "")),
        ("We wait: `timeout = 10`.", ("value", "timeout", "timeout=10", "")),
        ("Use pnpm, never npm install.", ("command", "npm", "install", "")),
        ("Migrations run only through `make migrate`.", ("command", "alembic", "upgrade", "")),
        ("migrations only through make migrate", ("command", "alembic", "upgrade", "")),
        ("Never commit with `--no-verify`.", ("command", "git", "commit --no-verify", "")),
        ("`terraform apply` is run only by the pipeline.", ("command", "terraform", "apply", "")),
        ("Don't force-push.", ("command", "git", "push --force", "")),
        ("Never use the stdlib logging module or `print` in `src/`.", ("call", "print", "", "src/")),
        ("Kein `console.log` in `web/`.", ("literal", "log", "console.log", "web/")),
        ("Ne jamais utiliser `pickle`.", ("call", "pickle", "", "")),
        ("Nunca usar `moment` en `web/`.", ("call", "moment", "", "web/")),
        ("不要使用 `moment`。", ("call", "moment", "", "")),
        ("`moment` は使わない。", ("call", "moment", "", "")),
    ],
)
def test_a_sentence_says_what_it_rules_out_and_where(sentence: str, wanted: tuple[str, str, str, str]) -> None:
    stated = {(kind, term, *details.split("\t")[:2]) for kind, term, details in rules("Title", sentence, ())}
    assert wanted in stated


@pytest.mark.parametrize(
    "sentence",
    [
        "Never deploy without `make check`.",
        "Never commit secrets.",
        "No more than three retries.",
        "Never push to main directly.",
        "Do not add new dependencies without asking.",
        "No card numbers or IBAN in logs.",
        "Use `httpx`.",
    ],
)
def test_what_is_asked_for_or_is_no_code_is_not_ruled_out(sentence: str) -> None:
    kinds = {kind for kind, _, _ in rules("Title", sentence, ())}
    assert not kinds & {"name", "call", "import", "literal", "command", "value", "untouched"}


def test_reading_rules_from_any_text_is_bounded() -> None:
    for file in HERE.glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines()[:50]:
            assert len(rules(line[:90], line.replace("\\n", "\n"), ())) <= 60
