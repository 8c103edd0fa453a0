"""The eval cases can mean what they say, there are some for each skill and agent, and a bad one is refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from autology.tools.server import TOOLS
from evals.cases import HERE, Case, CaseError, load

ROOT = Path(__file__).resolve().parents[2]
PARTS = [
    *sorted(menu.parent.name for menu in ROOT.glob("skills/*/SKILL.md")),
    *sorted(file.stem for file in ROOT.glob("agents/*.md")),
]
NAMES = [tool.name for tool in TOOLS]
GOOD = HERE / "triggers" / "capture-a-decision" / "case.yaml"


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return load(HERE, PARTS, NAMES)


@pytest.mark.parametrize("part", PARTS)
def test_every_skill_and_agent_has_cases_that_want_it_and_one_that_does_not(cases: list[Case], part: str) -> None:
    about = [case.negative for case in cases if case.about == part and case.kind == "trigger"]
    assert about.count(False) >= 2
    assert about.count(True) >= 1


def test_the_stand_in_has_an_answer_for_every_case_that_needs_one(cases: list[Case]) -> None:
    answers = yaml.safe_load((HERE / "answers.yaml").read_text(encoding="utf-8"))
    assert set(answers) == {case.name for case in cases if not case.negative}


Change = Callable[[dict[str, Any]], object]
WRONG: dict[str, tuple[str, Change]] = {
    "a skill that is not there": (
        "autology:forget",
        lambda case: case["graders"][0].update(input_match="autology:forget"),
    ),
    "a grader of a tool that is not granted": ("never be used", lambda case: case["graders"][0].update(tool="Write")),
    "a tool that is not there": (
        "autology_guess",
        lambda case: grant(case, "mcp__plugin_autology_autology__autology_guess"),
    ),
    "a tool that writes": ("there is no tool Write", lambda case: grant(case, "Write")),
    "a prompt that names the skill": (
        "as a user would",
        lambda case: case["execution"].update(prompt="/autology:capture x"),
    ),
    "no prompt": ("needs a prompt", lambda case: case["execution"].update(prompt="  ")),
    "no grader": ("needs a grader", lambda case: case.update(graders=[])),
    "a grader of no kind": ("no type guess", lambda case: case["graders"][0].update(type="guess")),
    "a word in a grader that nobody reads": ("unknown: maximum", lambda case: case["graders"][0].update(maximum=0)),
    "a word that nobody reads": ("unknown: promt", lambda case: case.update(promt="x")),
    "a pattern that JavaScript cannot read": (
        "JavaScript",
        lambda case: case["graders"][0].update(input_match="(?i)capture"),
    ),
    "another name than its folder's": ("name it as its folder", lambda case: case.update(name="other")),
    "no kind": ("one of the tags", lambda case: case.update(tags=["capture"])),
    "nothing that it is about": ("it is about", lambda case: case.update(tags=["trigger"])),
    "a negative that wants the skill": ("only then", lambda case: case["tags"].append("negative")),
    "a scaffold that is not there": ("no scaffold", lambda case: case.update(context={"scaffold_script": "gone.sh"})),
}


def grant(case: dict[str, Any], tool: str) -> None:
    case["execution"]["allowed_tools"].append(tool)


@pytest.mark.parametrize("wrong", WRONG)
def test_an_inconsistent_eval_case_is_refused(tmp_path: Path, wrong: str) -> None:
    message, change = WRONG[wrong]
    case = yaml.safe_load(GOOD.read_text(encoding="utf-8"))
    change(case)
    file = tmp_path / GOOD.parent.name / "case.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump(case), encoding="utf-8")
    with pytest.raises(CaseError, match=message) as refused:
        load(tmp_path, PARTS, NAMES)
    assert str(file) in str(refused.value)


def test_no_case_at_all_and_two_of_one_prompt_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="holds no case"):
        load(tmp_path, PARTS, NAMES)
    shutil.copytree(GOOD.parent, tmp_path / "a" / GOOD.parent.name)
    shutil.copytree(GOOD.parent, tmp_path / "b" / GOOD.parent.name)
    with pytest.raises(CaseError, match="two cases"):
        load(tmp_path, PARTS, NAMES)
