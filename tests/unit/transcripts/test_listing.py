"""A listing that is kept up to date by the system's reports is the same as a new one."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

from autology.file_notifications import Notices, Watches
from autology.transcripts.listing import Listing, files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports every change")


def act(folder: Path, chance: random.Random, number: int) -> None:
    """Change something below *folder*, as the client or a person may."""
    folders = [folder, *sorted(path for path in folder.rglob("*") if path.is_dir())]
    transcripts = sorted(folder.rglob("*.jsonl"))
    inside = chance.choice(folders)
    match chance.randrange(7):
        case 0:
            (inside / f"{number}.jsonl").write_text("{}\n", "utf-8")
        case 1 | 2 if transcripts:
            with chance.choice(transcripts).open("a", encoding="utf-8") as file:
                file.write("{}\n")
        case 3 if transcripts:
            chance.choice(transcripts).unlink()
        case 4:
            (inside / f"s{number}" / "subagents").mkdir(parents=True)
            (inside / f"s{number}" / "subagents" / "agent-1.jsonl").write_text("{}\n", "utf-8")
        case 5 if len(folders) > 1:
            chance.choice(folders[1:]).rename(folder / f"m{number}")
        case 6 if len(folders) > 6:
            shutil.rmtree(chance.choice(folders[1:]))
        case _:
            (inside / f"{number}.txt").write_text("none", "utf-8")


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_same_as_a_new_one_after_any_change(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "projects"
    listing = Listing(str(folder), ".jsonl", Notices(str(folder), Watches()))
    assert listing.stamps() == {}
    folder.mkdir()
    chance = random.Random(seed)
    for number in range(300):
        act(folder, chance, number)
        if chance.random() < 0.5:
            assert listing.stamps() == dict(files(str(folder), ".jsonl"))


def test_a_transcript_that_grows_takes_no_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/a.jsonl").write_text("{}\n", "utf-8")
    listing = Listing(str(tmp_path), ".jsonl", Notices(str(tmp_path), Watches()))
    before = listing.stamps()
    (tmp_path / "two").mkdir(mode=0o700)
    assert listing.stamps() == before
    with (tmp_path / "one/a.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    monkeypatch.setattr("autology.transcripts.listing.walk", None)
    assert listing.stamps()["one/a.jsonl"].size == 6
