"""Memories of two machines: joined where they agree, kept as a conflict where not, whatever the clocks say."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from autology.model.errors import ValidationError
from tests.fakes.mirrored import START, Machine, copied

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4eF6"


class Pair:
    """Two machines that mirror with one folder; the second one's clock is a month behind."""

    def __init__(self, root: Path) -> None:
        self.shared = root / "shared"
        self.a = Machine(root / "a", "laptop")
        self.b = Machine(root / "b", "desktop", timedelta(days=-30))

    def sync(self, *machines: Machine) -> None:
        for machine in machines or (self.a, self.b, self.a):
            machine.sync(self.shared)


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def test_changes_of_different_paragraphs_tags_and_fields_are_joined(pair: Pair) -> None:
    pair.a.store("m1", "First.\n\nSecond.", tags=("x",), metadata={"by": "Ada"})
    pair.sync()
    pair.a.store("m1", "First, changed.\n\nSecond.", tags=("x", "a"))
    pair.b.store("m1", "First.\n\nSecond, changed.", tags=("x", "b"), metadata={"by": "Ada", "at": "home"})
    pair.sync()
    pair.sync()
    assert pair.a.text("m1") == pair.b.text("m1")
    assert pair.a.content("m1") == "First, changed.\n\nSecond, changed."
    for part in ("  - a\n", "  - b\n", "at: home"):
        assert part in pair.a.text("m1")
    assert pair.a.conflict("m1") == pair.b.conflict("m1") == ""


def test_a_clock_that_is_behind_does_not_make_a_change_older(pair: Pair) -> None:
    pair.a.store("m1", "Old.")
    pair.sync()
    pair.b.store("m1", "New, by a clock that is a month behind.")
    pair.sync(pair.b, pair.a)
    assert pair.a.content("m1") == "New, by a clock that is a month behind."


def test_a_field_that_both_changed_is_a_conflict_and_not_the_later_one_s(pair: Pair) -> None:
    pair.a.store("m1", "Text.", metadata={"port": 1})
    pair.sync()
    pair.a.store("m1", "Text.", metadata={"port": 2})
    pair.b.store("m1", "Text.", metadata={"port": 3})
    pair.sync()
    assert "port: 2" in pair.a.text("m1")
    assert "port: 3" in pair.b.text("m1")
    assert "port: 2" in pair.b.conflict("m1")


def test_an_edit_during_a_conflict_drops_nothing(pair: Pair) -> None:
    pair.a.store("m1", "Old.")
    pair.sync()
    pair.a.store("m1", "By a.")
    pair.b.store("m1", "By b.")
    pair.sync()
    pair.a.store("m1", "By a, and edited without knowing of the conflict.")
    pair.sync()
    assert "By b." in pair.a.conflict("m1")
    assert "edited without knowing" in pair.b.conflict("m1")
    pair.a.store("m1", "By a and b.")
    pair.a.sync(pair.shared, keep="m1")
    pair.sync(pair.b)
    assert pair.b.content("m1") == pair.a.content("m1") == "By a and b."
    assert pair.b.conflict("m1") == ""


def test_a_conflict_that_does_not_exist_cannot_be_ended(pair: Pair) -> None:
    pair.a.store("m1", "Text.")
    for choice in ({"keep": "m1"}, {"take": "m"}):
        with pytest.raises(ValidationError, match="names no memory in conflict"):
            pair.a.sync(pair.shared, **choice)


def test_a_deletion_travels_into_the_trash_of_the_other(pair: Pair) -> None:
    pair.a.store("m1", "Text.")
    pair.a.store("m2", "Stays.")
    pair.sync()
    pair.a.delete("m1")
    pair.sync()
    assert pair.b.ids() == ["m2"]
    (trashed,) = (pair.b.data / ".autology" / "trash" / "memory").glob("*.md")
    assert "Text." in trashed.read_text(encoding="utf-8")


def test_a_memory_deleted_here_and_changed_there_is_restored_and_said_to_be(pair: Pair) -> None:
    pair.a.store("m1", "Text.")
    pair.a.store("m2", "Stays.")
    pair.sync()
    pair.a.delete("m1")
    pair.b.store("m1", "Text, changed meanwhile.")
    pair.sync(pair.b)
    assert pair.a.sync(pair.shared).memories.restored == ["m1"]
    pair.sync()
    assert pair.a.content("m1") == pair.b.content("m1") == "Text, changed meanwhile."
    pair.a.delete("m1")
    pair.sync()
    assert pair.a.ids() == pair.b.ids() == ["m2"]


def test_one_that_is_purged_by_this_machine_s_clock_stays_on_the_other(pair: Pair) -> None:
    pair.a.skew = timedelta(days=100)
    pair.b.store("m1", "Text.", expires_at="2026-04-01T00:00:00Z")
    pair.b.store("m2", "Stays.")
    pair.sync(pair.b, pair.a)
    pair.a.delete("m1")  # as its purge does
    pair.sync()
    assert pair.b.ids() == ["m1", "m2"]
    assert pair.a.ids() == ["m2"]
    pair.b.store("m1", "Text that lives longer.", expires_at=None)
    pair.sync(pair.b, pair.a)
    assert pair.a.content("m1") == "Text that lives longer."


def test_memories_that_are_all_gone_were_lost_and_come_back(pair: Pair) -> None:
    for number in range(3):
        pair.a.store(f"m{number}", "Text.")
    pair.sync()
    for number in range(3):
        pair.a.file(f"m{number}").unlink()
    pair.sync()
    assert pair.a.ids() == pair.b.ids() == ["m0", "m1", "m2"]
    for number in range(3):
        pair.a.delete(f"m{number}")
    pair.sync()
    assert pair.a.ids() == pair.b.ids() == []


def test_an_unreadable_file_deletes_nothing_and_is_named(pair: Pair) -> None:
    pair.a.store("m1", "Text.")
    pair.a.store("m2", "Text.")
    pair.sync()
    pair.a.file("m1").write_text("<<<<<<< torn by an editor", encoding="utf-8")
    report = pair.a.sync(pair.shared)
    assert any("m1.md" in note for note in report.memories.notes)
    pair.sync()
    assert pair.b.content("m1") == "Text."
    assert pair.a.file("m1").read_text(encoding="utf-8") == "<<<<<<< torn by an editor"


def test_secrets_stay_on_their_machine_through_changes_of_the_other(pair: Pair) -> None:
    pair.a.store("m1", f"The token = {SECRET}\n\nSecond.")
    pair.sync()
    assert SECRET not in pair.b.text("m1")
    pair.b.store("m1", (pair.b.content("m1") or "").replace("Second.", "Second, changed."))
    pair.sync()
    assert pair.a.content("m1") == f"The token = {SECRET}\n\nSecond, changed."
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in pair.shared.rglob("*") if path.is_file())


def test_a_lost_state_is_found_out_again(pair: Pair) -> None:
    pair.a.store("m1", "Text.")
    pair.sync()
    pair.a.store("m1", "Changed.")
    pair.sync()
    (pair.a.data / "mirror" / "state.json").write_text("{torn", encoding="utf-8")
    pair.b.store("m1", "Changed again.")
    pair.sync()
    assert pair.a.content("m1") == "Changed again."
    assert pair.a.conflict("m1") == pair.b.conflict("m1") == ""
    assert len(list(pair.shared.iterdir())) == 3


def test_copied_homes_never_write_into_one_folder(pair: Pair, tmp_path: Path) -> None:
    pair.a.store("m1", "Text.")
    pair.a.say("s1", "What is it?", "It is it.")
    pair.sync()
    clone = copied(pair.a, tmp_path / "clone")
    pair.a.store("m1", "By the original.")
    clone.store("m1", "By the clone.")
    pair.sync(pair.a)
    clone.sync(pair.shared)
    pair.sync()
    clone.sync(pair.shared)
    assert clone.name() != pair.a.name()
    assert "By the clone." in pair.a.text("m1") + pair.a.conflict("m1")
    assert "By the original." in clone.text("m1") + clone.conflict("m1")
    for machine in (pair.a, pair.b, clone):
        assert len(machine.transcripts()) == 1


def test_three_machines_agree_and_a_retired_one_s_folder_may_go(pair: Pair, tmp_path: Path) -> None:
    pair.a.store("m1", "By the first.")
    pair.sync()
    for path in sorted(pair.shared.glob("laptop-*/*")):
        path.unlink()
    for path in pair.shared.glob("laptop-*"):
        path.rmdir()
    late = Machine(tmp_path / "c", "late")
    late.sync(pair.shared)
    assert late.content("m1") == "By the first."


def test_answers_to_mined_candidates_travel_once(pair: Pair) -> None:
    pair.a.answers.add("abc123", "dismissed")
    pair.b.answers.add("def456", "accepted")
    pair.sync()
    pair.sync()
    for machine in (pair.a, pair.b):
        assert sorted(machine.answers.lines()) == ["abc123 dismissed", "def456 accepted"]


def test_the_clocks_of_the_test_are_apart(pair: Pair) -> None:
    assert pair.b.now() < START.isoformat() < pair.a.now()
