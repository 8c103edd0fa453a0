"""The client runs the eval cases: all are passed by what does them right, and not by what does nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evals import run
from tests.e2e.driving import ROOT


@pytest.fixture(scope="module")
def plugin(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin as users get it, with the cases beside."""
    folder = tmp_path_factory.mktemp("evals") / "autology"
    shutil.copytree(release, folder, symlinks=True)
    shutil.copytree(ROOT / "evals", folder / "evals", ignore=shutil.ignore_patterns("results", "*.py"))
    return folder


def results(folder: Path, plugin: Path, client: Path, *options: str) -> tuple[int, dict[str, dict[str, Any]]]:
    values = ["--offline", "--plugin", str(plugin), "--client", str(client), "--results", str(folder), *options]
    code = run.main(values)
    cases = [case for file in folder.glob("*.json") for case in json.loads(file.read_bytes())["cases"]]
    return code, {
        case["name"]: {arm: [r["score"] for r in runs] for arm, runs in case["arms"].items()} for case in cases
    }


def test_a_correct_agent_passes_every_eval_case_only_with_the_plugin(
    plugin: Path, client: Path, tmp_path: Path
) -> None:
    code, scores = results(tmp_path, plugin, client)
    assert set(scores) == {case.name for case in run.every(plugin)}
    assert {name: arms["with"] for name, arms in scores.items() if arms["with"] != [1]} == {}
    assert [arms["without"] for arms in scores.values() if "without" in arms] == [[0]] * 3
    assert code == 0


def test_a_silent_agent_passes_only_the_eval_cases_that_expect_nothing(
    plugin: Path, client: Path, tmp_path: Path
) -> None:
    code, scores = results(tmp_path, plugin, client, "--silent", "--case", "advisor-*")
    assert len(scores) == 4
    assert all(arms["with"] == [1 if "-not-" in name else 0] for name, arms in scores.items())
    assert code == 1
