"""Prompts through the executable as it is shipped: what they ask of the past, from the archive itself."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.plugin.executable_standin import base_python
from tests.unit.past_kit import encode, past

ROOT = Path(__file__).resolve().parents[2]
SAID = {
    "question": "how should deleting a customer work, other tables point at it",
    "answer": "We decided on soft deletes: deleted_at on customers and a purge job after 90 days.",
}
ASKED = "what did we decide about soft deletes of customers?"


@pytest.fixture(scope="session")
def executable() -> Path:
    """The executable, which `build.py test` has built."""
    file = Path(os.environ.get("AUTOLOGY_EXECUTABLE") or ROOT / "dist" / "autology.pyz")
    if not file.is_file():
        pytest.fail(f"there is no executable at {file}: `python3 build.py build` makes it")
    return file


@pytest.fixture
def here(tmp_path: Path, home: Path) -> Path:
    made = tmp_path / "projekt ä"
    (made / ".autology").mkdir(parents=True)
    past(home, made, [SAID])
    return made


def prompted(executable: Path, here: Path, prompt: str, session: str = "s") -> str:
    values = {"cwd": str(here), "session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    raw = json.dumps(values, ensure_ascii=False).encode()
    command = [base_python(), "-I", "-S", str(executable), "hook", "prompt-submit"]
    done = subprocess.run(command, cwd=here, input=raw, capture_output=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    text = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    return text


def test_a_prompt_recalls_text_once_without_unpacking_the_executable(executable: Path, here: Path, home: Path) -> None:
    text = prompted(executable, here, ASKED)
    assert "We decided on soft deletes: deleted_at on customers" in text
    assert text.count("</autology-recalled>") == 1
    assert prompted(executable, here, ASKED) == ""
    assert not (home / "cache").exists()


def test_eight_prompts_at_once_are_all_answered(executable: Path, here: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        texts = list(threads.map(lambda number: prompted(executable, here, ASKED, f"s{number}"), range(8)))
    assert all("We decided on soft deletes" in text for text in texts)


def test_of_eight_concurrent_prompts_of_a_session_one_mentions_past_work(executable: Path, here: Path) -> None:
    close = "add soft deletes to customers with a deleted_at and a purge job"
    with ThreadPoolExecutor(8) as threads:
        texts = list(threads.map(lambda _: prompted(executable, here, close), range(8)))
    assert sum(bool(text) for text in texts) == 1


@pytest.mark.parametrize(
    "prompt",
    ["now run the tests again", "/compact what did we decide about soft deletes?", "<task-notification>x y z", "\x00"],
)
def test_prompts_unrelated_to_the_past_add_no_context(executable: Path, here: Path, prompt: str) -> None:
    assert prompted(executable, here, prompt) == ""


def test_once_the_executable_was_unpacked_passages_of_the_same_words_are_ordered_by_meaning(
    executable: Path, tmp_path: Path, home: Path
) -> None:
    (tmp_path / ".autology").mkdir()
    answers = (
        "The retry timeout of the worker is 5 s. A thumbnail that is not scaled by then stays blank.",
        "The retry timeout of the worker is 90 s. Banks are slow to give buyers their money back.",
        "The proxy closed idle sockets. The client now sends chunks, retries each and resumes.",
    )
    past(home, tmp_path, [{"question": "the timeout", "answer": answer} for answer in answers])
    encode(home)

    def first_of(session: str) -> str:
        prompt = "which retry timeout did the worker get for payments in the end?"
        text = prompted(executable, tmp_path, prompt, session)
        return next(line for line in text.splitlines() if "retry timeout of" in line)

    assert "thumbnail" in first_of("before")
    unpacking = [base_python(), "-I", "-S", str(executable), "status"]
    subprocess.run(unpacking, cwd=tmp_path, capture_output=True, check=True)
    assert "Banks are slow" in first_of("after")
