"""A session is compared with a description as a whole, and by each exchange in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from autology.cli import main
from autology.core.recall.request import RecallRequest
from autology.core.recall.session_search import SessionSearch
from autology.wire import user
from autology.wire.project import Project
from tests.fakes.talk import Said, write

ID = "aaaaaaaa-0000-4000-8000-000000000000"


def test_each_prompt_is_compared_together_with_its_answer_and_apart_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, folder in (
        ("CLAUDE_CONFIG_DIR", "claude"),
        ("AUTOLOGY_DATA_DIR", "data"),
        ("AUTOLOGY_CACHE_DIR", "cache"),
    ):
        monkeypatch.setenv(name, str(tmp_path / folder))
    shop = tmp_path / "shop"
    shop.mkdir()
    monkeypatch.chdir(shop)
    talk = [
        Said("2026-03-12T09:00:00Z", "which cache do pages use", "Redis keeps the pages.\n\nIt needs 2 GB."),
        Said("2026-03-12T09:01:00Z", "how are parcels packed", "By size, the largest first."),
    ]
    write(tmp_path / "claude", str(shop), ID, talk)
    assert main(["sessions", "packing parcels"]) == 0
    encoder = user.encoder()
    assert encoder is not None
    compared: list[str] = []

    def encode(texts: Sequence[str]) -> Sequence[bytes]:
        compared.extend(texts)
        return encoder.encode(texts)

    project = Project(str(shop))
    search = SessionSearch(project.conversation_search_from(lambda: None), project.conversations, encode)
    assert [one.id for one in search.find(RecallRequest("packing parcels", limit=5)).sessions] == [ID]
    first = "❯ which cache do pages use\n\n● Redis keeps the pages.\n\nIt needs 2 GB."
    second = "❯ how are parcels packed\n\n● By size, the largest first."
    texts = [text.rpartition("\n")[0] for text in compared]  # without what describes their words
    assert {f"{first}\n\n{second}", first, second} <= set(texts)
