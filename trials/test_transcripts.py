"""The tests on recorded transcripts, on those of the real client as they were written, unabridged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autology.core.conversations.conversations import Conversations
from autology.wire.project import Project
from tests.fakes.transcripts import client_folder
from tests.unit.transcripts.test_transcripts import (
    test_both_parts_of_a_session_that_was_compacted_and_resumed_are_found,
    test_every_turn_of_a_real_session_is_found_once,
    test_nothing_that_was_injected_into_a_real_session_is_found,
    test_tool_output_is_indexed_separately_with_the_lowest_trust,
)
from trials.texts import TRANSCRIPTS

__all__ = [
    "test_both_parts_of_a_session_that_was_compacted_and_resumed_are_found",
    "test_every_turn_of_a_real_session_is_found_once",
    "test_nothing_that_was_injected_into_a_real_session_is_found",
    "test_tool_output_is_indexed_separately_with_the_lowest_trust",
]


@pytest.fixture
def samples(home: Path) -> Conversations:
    """Take in the transcripts of the trials, instead of those of the tests."""
    for folder in TRANSCRIPTS.iterdir():
        shutil.copytree(folder, client_folder(home) / "projects" / f"-home-dev-{folder.name}")
    conversations = Project(str(home)).conversations
    assert conversations.refresh() == 4
    return conversations
