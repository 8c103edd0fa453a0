"""Of transcripts that the real client wrote, unabridged, every turn is found once, and nothing that was injected."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autology import wire
from autology.core.conversations.conversations import Conversations
from tests.fakes.transcripts import client_folder
from tests.unit.test_transcripts import INJECTED, TURNS, everything, text
from trials.texts import TRANSCRIPTS


@pytest.fixture
def samples(home: Path) -> Conversations:
    for folder in TRANSCRIPTS.iterdir():
        shutil.copytree(folder, client_folder(home) / "projects" / f"-home-dev-{folder.name}")
    conversations = wire.conversations(str(home))
    assert conversations.refresh() == 4
    return conversations


@pytest.mark.parametrize("turn", TURNS)
def test_every_turn_of_a_real_session_is_found_once(samples: Conversations, turn: str) -> None:
    assert text(samples).count(turn) == 1


@pytest.mark.parametrize("injected", INJECTED)
def test_nothing_that_was_injected_into_a_real_session_is_found(samples: Conversations, injected: str) -> None:
    assert len(everything(samples)) == 8
    assert injected not in text(samples)


def test_both_parts_of_a_session_that_was_compacted_and_resumed_are_found(samples: Conversations) -> None:
    (chunk,) = [c for c in everything(samples) if "compact-resume" in c.transcript and c.trust != "tool"]
    assert chunk.text == "❯ turn one\n\n● ANSWER-ONE\n\n❯ turn two\n\n● ANSWER-TWO"
    assert (chunk.folder, chunk.branch, chunk.participants) == ("/home/dev/t12", "master", ("user", "assistant"))


def test_what_a_tool_put_out_stands_apart_and_is_trusted_least(samples: Conversations) -> None:
    (chunk,) = [c for c in everything(samples) if "ls /nonexistent" in c.text]
    assert "ls: cannot access '/nonexistent': No such file or directory" in chunk.text
    assert (chunk.trust, chunk.participants) == ("tool", ("tool",))
