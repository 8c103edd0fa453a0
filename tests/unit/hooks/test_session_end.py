"""A session that ends, or is compacted, is read and kept by a process that nobody waits for."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from autology.hooks.session_end import ARCHIVE_DELAY
from autology.wire import user
from tests.fakes.transcripts import Session
from tests.unit.hooks_kit import SESSION, command, project, run

GOES_ON = {"AUTOLOGY_DETACH": "on"}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="what outlives its parent there depends on the client's job")


@pytest.fixture
def here(tmp_path: Path, home: Path) -> Path:
    made = project(tmp_path / "here")
    session = Session(home, folder=str(made), session=SESSION)
    session.user("where does the cache live")
    session.assistant("below the home")
    return made


def waited(condition: object, seconds: float = 120.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.1)
    return False


def kept(home: Path) -> bool:
    return (
        bool(list((home / "data" / "archive").rglob(f"{SESSION}.jsonl.gz")))
        and sum(user.conversation_index().chunk_counts().values()) == 1
    )


@pytest.mark.parametrize(
    ("event", "more"), [("session-end", {"reason": "other"}), ("pre-compact", {"trigger": "auto"})]
)
def test_a_session_is_archived_soon_after_it_ends(here: Path, home: Path, event: str, more: dict[str, str]) -> None:
    run(event, here, GOES_ON, **more)
    assert waited(lambda: kept(home))


def test_the_session_end_hook_does_not_wait_for_archiving(here: Path, home: Path) -> None:
    began = time.monotonic()
    run("session-end", here, GOES_ON, reason="other")
    # It begins when the client has written its last lines; a busy machine may let the hook end no earlier.
    assert not kept(home) or time.monotonic() - began > float(ARCHIVE_DELAY)
    assert waited(lambda: kept(home))


def test_archiving_survives_killing_the_hooks_process_group(here: Path, home: Path) -> None:
    values = f'{{"session_id": "{SESSION}", "cwd": "{here}"}}'.encode()
    with subprocess.Popen(
        command("session-end"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=here,
        env={**os.environ, **GOES_ON},
        start_new_session=True,
    ) as hook:
        hook.communicate(values, timeout=600)
        with contextlib.suppress(ProcessLookupError):  # nobody of the group is left: that is what outliving takes
            os.killpg(hook.pid, signal.SIGKILL)
    assert waited(lambda: kept(home))


def test_a_session_without_a_transcript_leaves_nothing(tmp_path: Path, home: Path) -> None:
    here = project(tmp_path / "there")
    assert run("session-end", here, GOES_ON, reason="other") == ""
    assert not (home / "data" / "archive").exists()
