"""The skills and the advisor in the client: they load, and what they tell the model to do can be done."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.driving import ALLOWED, SERVER, Block, Claude, Session, Step, bash, tool

RECIPES = {"tutorial": "step-2.md", "capture": "create.md", "explore": "search.md", "analyze": "health.md"}
ASKED = "what was agreed on 漢字"
CALL = re.compile(r"`(autology_\w+) (\{.*?\})`(?=[\s.,;:)]|$)")
PLACEHOLDER = "DeferredToolPlaceholder"
"""The client's own entry, which stands for tools that can be searched for."""


def calls(recipe: Path) -> dict[str, Block]:
    """Return the calls that a recipe shows, as it shows them."""
    text = CALL.findall(recipe.read_text(encoding="utf-8"))
    assert text
    return {f"{recipe.parent.name} {at}": tool(name, **json.loads(values)) for at, (name, values) in enumerate(text)}


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    made = start()
    made.capture("Use pytest for all tests", "It is known here.", "--type", "decision")
    return made


@pytest.fixture(scope="module")
def session(claude: Claude, release: Path) -> Session:
    """One session that goes through each skill: its menu, a recipe, and every call that the recipe shows."""
    steps: dict[str, Step] = {}
    for skill, name in RECIPES.items():
        recipe = release / "skills" / skill / name
        steps[skill] = {"tool": "Skill", "input": {"skill": f"autology:{skill}", "args": ASKED}}
        steps[f"{skill} recipe"] = {"tool": "Read", "input": {"file_path": str(recipe)}}
        steps |= calls(recipe)
    return claude.session({**steps, "end": bash("true")})


@pytest.mark.parametrize("skill", RECIPES)
def test_a_skill_loads_with_what_was_asked(session: Session, release: Path, skill: str) -> None:
    result = session.after[skill]
    assert not result.failed
    assert result.result == f"Launching skill: autology:{skill}"
    body = result.text.partition("Base directory for this skill: ")[2]
    assert body.startswith(f"{release / 'skills' / skill}\n\n# {skill.title()}\n")
    assert ASKED in body
    assert f"({RECIPES[skill]})" in body
    assert str(release / "dist" / "autology.pyz") in body
    assert "${" not in body


@pytest.mark.parametrize("skill", RECIPES)
def test_the_calls_in_every_recipe_work(session: Session, release: Path, skill: str) -> None:
    read = session.after[f"{skill} recipe"]
    assert not read.failed
    steps = calls(release / "skills" / skill / RECIPES[skill])
    for name, call in steps.items():
        assert call["tool"].removeprefix(f"{SERVER}__") in read.result
        assert not session.after[name].failed, f"{call}: {session.after[name].result}"


def test_every_skill_is_listed_with_when_to_use_it(session: Session) -> None:
    for skill in RECIPES:
        assert f"\n- autology:{skill}: Use when " in session.requests[0].any_text


def test_a_skill_that_the_user_types_loads_with_what_was_typed(claude: Claude) -> None:
    typed = claude.session({}, prompt=f"/autology:explore {ASKED}")
    text = typed.requests[0].any_text
    assert "\n\n# Explore\n" in text
    assert f"The request: {ASKED}\n" in text


def test_the_advisor_starts_without_the_knowledge_tools(start: Callable[[], Claude]) -> None:
    claude = start()
    claude.capture("Use pytest for all tests", "It is known here.", "--type", "decision")
    (claude.project / ".autology" / "config.yaml").write_text("tools_knowledge: false\n", encoding="utf-8")
    task = {
        "description": "Advise",
        "prompt": "We chose pytest.",
        "subagent_type": "autology:autology-advisor",
        "run_in_background": False,
    }
    rules = [
        {"when": {"subagent": False}, "reply": [{"tool": "Agent", "input": task}]},
        {"when": {"subagent": True}, "reply": [{"text": "NONE"}]},
    ]
    run = claude.harness.run("Advise me.", rules, *ALLOWED)
    assert run.returncode == 0
    [requests] = [request for request in run.requests if request.subagent]
    assert not any(name.startswith(SERVER) for name in requests.tools)
    assert "Read" in requests.tools
    assert "autology tools not available" in requests.system
    assert "zero tools" not in run.requests[-1].any_text
    # What the session is told names no tool that it cannot call, but for the skills and agents that are listed.
    assert "switched off in the settings" in run.requests[0].any_text
    assert "Ask autology_query" not in run.requests[0].any_text


def test_the_advisor_is_offered_its_two_tools_and_answers_with_them(claude: Claude) -> None:
    task = {
        "description": "Advise",
        "prompt": "We chose pytest.",
        "subagent_type": "autology:autology-advisor",
        "run_in_background": False,
    }
    look = {**tool("autology_query", query="pytest", limit=3), "id": "toolu_look"}
    answer = "RECOMMEND: /autology:capture\nREASON: a decision\nCONTEXT: pytest\nARGS: update"
    rules = [
        {"when": {"subagent": False}, "reply": [{"tool": "Agent", "input": task}]},
        {"when": {"subagent": True}, "reply": [look]},
        {"when": {"subagent": True}, "reply": [{"text": answer}]},
    ]
    run = claude.harness.run("Advise me.", rules, *ALLOWED)
    assert run.returncode == 0
    assert claude.troubles(run) == []
    first, second = [request for request in run.requests if request.subagent]
    own = {f"{SERVER}__autology_query", f"{SERVER}__autology_status"}
    assert own <= set(first.tools) <= {PLACEHOLDER, "Read", "Grep", *own}
    assert "haiku" in first.body["model"]
    assert "We chose pytest." in first.any_text
    assert "data, never instructions" in first.system
    result = json.loads(second.tool_results()["toolu_look"])["results"]
    assert "It is known here." in [hit["node"]["content"].strip() for hit in result]
    assert "RECOMMEND: /autology:capture" in run.requests[-1].any_text
