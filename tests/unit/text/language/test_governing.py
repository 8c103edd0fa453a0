"""What a decision governs is read from its text: files, names of code, and what it ruled out."""

from __future__ import annotations

import pytest

from autology.text.language.governing import rules
from tests.labelled.reading import HERE

ADR = "## Context\n\n{}\n\n## Decision\n\n{}\n\n## Alternatives\n\n{}\n\n## Consequences\n\n{}\n"


def of(
    decision: str, alternatives: str = "None.", context: str = "Because.", after: str = "Fine."
) -> set[tuple[str, str]]:
    return set(rules("A title", ADR.format(context, decision, alternatives, after), ("src/a.py",)))


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
    result = {term for _, term in rules("Which database", content, ())}
    assert "mysql" in result
    assert "postgresql" not in result


@pytest.mark.parametrize("alternatives", ["- Doing nothing.", "- A list.", "- Keep it as it is.", "- JSON over HTTP."])
def test_ordinary_words_are_no_names(alternatives: str) -> None:
    assert of("We do.", alternatives) == {("scope", "src/a.py")}


def test_reading_rules_from_any_text_is_bounded() -> None:
    for file in HERE.glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines()[:50]:
            assert len(rules(line[:90], line.replace("\\n", "\n"), ())) <= 60
