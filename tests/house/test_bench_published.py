"""Replays of others' measurements say how to get what is absent, and score as their protocols do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.published import _checkouts, deja_vu, long_mem_code, mempalace

SCRIPTS = [file.stem for file in sorted(Path(_checkouts.__file__).parent.glob("*.py")) if file.stem[0] != "_"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_without_the_checkout_it_fails_with_the_command_that_makes_it(tmp_path: Path, name: str) -> None:
    assert len(SCRIPTS) == 5
    paths = os.pathsep.join([str(_checkouts.ROOT / "server"), str(_checkouts.ROOT)])
    environment = {**os.environ, "PYTHONPATH": paths, _checkouts.VARIABLE: str(tmp_path)}
    script = str(_checkouts.ROOT / "bench" / "published" / f"{name}.py")
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(str(tmp_path))
    assert "does not exist; run: git clone --depth 1 https://github.com/" in line


def test_mempalace_counts_the_share_of_the_sessions_and_a_question_without_evidence_as_found() -> None:
    assert mempalace.recall(["3", "7"], ("D3:1", "D3:9", "D5:2", "D")) == 0.5
    assert mempalace.recall([*map(str, range(11))], ("D10:1",)) == 0.0
    assert mempalace.recall([], ()) == 1.0


def test_deja_vu_takes_the_first_session_that_any_evidence_stands_in_within_twenty() -> None:
    assert deja_vu.place(["4", "2", "9"], {"9", "2"}) == 2
    assert deja_vu.place([str(number) for number in range(30)], {"20"}) is None


@pytest.mark.parametrize(
    ("expected", "ids", "score"),
    [
        ({"kind": "exact_symbol", "stable_id": "a"}, ["a", "b"], 1.0),
        ({"kind": "exact_symbol", "stable_id": "a"}, ["b", "a"], 0.0),
        ({"kind": "contains", "required": ["a", "b"]}, ["c", "b"], 0.5),
        ({"kind": "exact_set", "stable_ids": []}, [], 1.0),
        ({"kind": "exact_set", "stable_ids": []}, ["a"], 0.0),
        ({"kind": "exact_set", "stable_ids": ["a", "b"]}, ["a", "c"], 0.5),
    ],
)
def test_longmemcode_scores_an_answer_by_what_is_expected(
    expected: dict[str, object], ids: list[str], score: float
) -> None:
    assert long_mem_code.scored(expected, ids) == score
