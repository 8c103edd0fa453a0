"""`autology mirror` between two homes: what one stored and said is found in the other, and nothing leaves before."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from autology.cli import main
from tests.conftest import places
from tests.fakes.transcripts import Session


class TwoHomes:
    """Two homes of a user, each with a folder to stand in; commands run in one or the other."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capsys = capsys
        self.shared = root / "shared"
        self.homes = {name: root / name for name in ("laptop", "desktop")}
        for home in self.homes.values():
            (home / "app" / ".git").mkdir(parents=True)
            url = '[remote "origin"]\n\turl = https://example.org/ada/app.git\n'
            (home / "app" / ".git" / "config").write_text(url, encoding="utf-8")

    def run(self, name: str, *arguments: str) -> tuple[int, str, str]:
        for variable, value in places(self.homes[name]).items():
            self._patch.setenv(variable, value)
        self._patch.chdir(self.homes[name] / "app")
        self._capsys.readouterr()
        code = main(list(arguments))
        output = self._capsys.readouterr()
        return code, output.out, output.err

    def data(self, name: str, *arguments: str) -> Any:
        return json.loads(self.run(name, *arguments, "--json")[1])

    def mirror(self, name: str, *arguments: str) -> Any:
        return self.data(name, "mirror", str(self.shared), "--name", name, *arguments)

    def remember(self, name: str, id: str, text: str) -> None:
        fields = ("--scope", "org=acme", "--kind", "observation", "--id", id)
        assert self.data(name, "memory", "store", *fields, text)["success"]


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> TwoHomes:
    return TwoHomes(tmp_path, monkeypatch, capsys)


def test_a_memory_and_a_session_of_one_machine_are_found_on_the_other(two: TwoHomes) -> None:
    two.remember("laptop", "m1", "The mailer retries three times.")
    begin = datetime.now(UTC) - timedelta(days=3, hours=1)
    session = Session(two.homes["laptop"], folder=str(two.homes["laptop"] / "app"), begin=begin)
    session.user("how long does the invoice cache live")
    session.assistant("We decided to keep invoices for 40 minutes, because prices change hourly.")
    sent = two.mirror("laptop")
    assert (sent["memories"]["changed"], sent["sessions"]["sent"]) == (["m1"], 1)
    received = two.mirror("desktop")
    assert (received["memories"]["received"], received["sessions"]["received"]) == (["m1"], 1)
    hits = two.data("desktop", "memory", "find", "mailer retries")["items"]
    assert [hit["id"] for hit in hits] == ["m1"]
    result = two.data("desktop", "recall", "invoice cache")["results"][0]
    assert result["context"]["machine"] == "laptop"
    assert "3 days ago on laptop" in two.run("desktop", "recall", "invoice cache")[1]
    assert "3 days ago · on laptop" in two.run("desktop", "sessions", "invoice")[1]
    assert two.data("desktop", "recall", "invoice cache", "--project", ".")["results"]
    audited = two.data("desktop", "audit")["entries"]
    (entry,) = (entry for entry in audited if entry["event"] == "memory_mirror_complete")
    assert (entry["received_ids"], entry["place"]) == (["m1"], str(two.shared))
    again = two.mirror("desktop")
    assert again["memories"]["received"] == []
    assert again["sessions"] == {"sent": 0, "received": 0, "sent_bytes": 0}


def test_a_session_that_goes_on_is_recalled_with_what_followed_and_once(two: TwoHomes) -> None:
    session = Session(two.homes["laptop"], folder=str(two.homes["laptop"] / "app"))
    session.user("how long does the invoice cache live")
    session.assistant("It keeps invoices for 40 minutes.")
    two.mirror("laptop")
    two.mirror("desktop")
    session.later(minutes=9).user("and the voucher cache")
    session.assistant("Vouchers stay for two days.")
    assert two.mirror("laptop")["sessions"]["sent"] == 1
    assert two.mirror("desktop")["sessions"]["received"] == 1
    texts = [hit["content"] for hit in two.data("desktop", "recall", "invoice voucher cache")["results"]]
    assert sum("Vouchers stay" in text for text in texts) == 1
    assert sum("for 40 minutes" in text for text in texts) == 1


def test_a_conflict_is_shown_and_ended_by_the_user_s_choice(two: TwoHomes) -> None:
    two.remember("laptop", "m1", "The cache holds 40 entries.")
    two.mirror("laptop")
    two.mirror("desktop")
    two.remember("laptop", "m1", "The cache holds 50 entries.")
    two.remember("desktop", "m1", "The cache holds 60 entries.")
    two.mirror("laptop")
    code, out, _ = two.run("desktop", "mirror")
    assert code == 1
    assert "Conflict: m1 was changed here and on laptop" in out
    (conflict,) = two.data("desktop", "mirror", "--status")["conflicts"]
    assert "1 memory is in conflict with another machine's" in two.run("desktop", "doctor")[1]
    shown = Path(conflict["file"]).read_text(encoding="utf-8")
    assert "<<<<<<< here\nThe cache holds 60 entries.\n=======\nThe cache holds 50 entries.\n>>>>>>> laptop" in shown
    assert two.data("desktop", "memory", "show", "m1")["memory"]["content"] == "The cache holds 60 entries."
    code, out, _ = two.run("desktop", "mirror", "--take", "m1")
    assert (code, "Conflict" in out) == (0, False)
    two.run("laptop", "mirror")
    for name in two.homes:
        assert two.data(name, "memory", "show", "m1")["memory"]["content"] == "The cache holds 50 entries."
    assert not Path(conflict["file"]).exists()


def test_nothing_leaves_before_it_is_asked_for_and_a_dry_run_writes_nothing(two: TwoHomes, tmp_path: Path) -> None:
    two.remember("laptop", "m1", "The cache holds 40 entries.")
    code, _, err = two.run("laptop", "mirror")
    assert (code, "nothing was mirrored yet" in err) == (2, True)
    assert two.data("laptop", "mirror", "--status") == {"machine": None, "places": [], "conflicts": []}
    assert "mirror " not in two.run("laptop", "doctor")[1]
    report = two.mirror("laptop", "--dry-run")
    assert (report["dry_run"], report["memories"]["changed"]) == (True, ["m1"])
    assert not two.shared.exists()
    assert not (two.homes["laptop"] / "data" / "mirror").exists()


def test_the_first_time_says_what_protects_the_folder_and_files_are_the_user_s_alone(two: TwoHomes) -> None:
    two.remember("laptop", "m1", "The cache holds 40 entries.")
    assert any("Nothing is encrypted" in note for note in two.mirror("laptop")["notes"])
    assert two.mirror("laptop")["notes"] == []
    traces = [trace["path"] for trace in two.data("laptop", "uninstall")["traces"]]
    assert str(next(two.shared.iterdir())) in traces
    paths = [two.shared, *two.shared.rglob("*")]
    assert len(paths) > 2
    if os.name != "nt":
        assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600, 0o700}
    help_text = two.run("laptop", "mirror", "--help")[1]
    assert "Nothing is encrypted" in " ".join(help_text.split())


def test_without_a_place_the_last_one_is_taken_and_one_that_is_away_is_refused(two: TwoHomes) -> None:
    two.remember("laptop", "m1", "The cache holds 40 entries.")
    two.mirror("laptop")
    two.remember("laptop", "m2", "Mail goes through a queue.")
    assert two.data("laptop", "mirror")["memories"]["changed"] == ["m2"]
    assert two.data("laptop", "mirror", "--status")["places"] == [str(two.shared)]
    two.shared.rename(two.shared.with_name("elsewhere"))
    code, _, err = two.run("laptop", "mirror")
    assert (code, "does not exist" in err) == (1, True)
    two.shared.mkdir()
    code, _, err = two.run("laptop", "mirror")
    assert (code, "--again" in err) == (1, True)
    assert list(two.shared.iterdir()) == []
    assert two.run("laptop", "mirror", "--again")[0] == 0
    assert len(list(two.shared.glob("*/memories-*"))) == 2


def test_memories_of_a_project_travel_only_if_git_does_not_carry_them(two: TwoHomes) -> None:
    root = two.homes["laptop"] / "app"
    assert two.data("laptop", "memory", "store", "--kind", "observation", "--id", "p1", "Of the project.")["success"]
    assert two.mirror("laptop")["memories"]["changed"] == []
    (root / ".git" / "config").unlink()
    (root / ".git").rmdir()
    assert two.mirror("laptop")["memories"]["changed"] == ["p1"]
    assert two.mirror("desktop")["memories"]["received"] == ["p1"]
    shown = two.data("desktop", "memory", "show", "p1")["memory"]
    assert shown["content"] == "Of the project."


def test_a_memory_that_git_brings_to_a_project_here_is_not_written_twice(two: TwoHomes) -> None:
    config = two.homes["laptop"] / "app" / ".git" / "config"
    config.unlink()
    config.parent.rmdir()  # no repository here, but one on the other machine
    two.data("laptop", "memory", "store", "--kind", "observation", "--id", "p1", "Of the project.")
    two.mirror("laptop")
    two.data("desktop", "memory", "store", "--kind", "observation", "--id", "p1", "Of the project, by git.")
    for _ in range(2):
        assert two.mirror("desktop")["memories"]["received"] == []
        assert two.mirror("laptop")["memories"] == two.mirror("desktop")["memories"]
    assert not (two.homes["desktop"] / "data" / ".autology" / "memory").exists()
    assert two.data("desktop", "memory", "show", "p1")["memory"]["content"] == "Of the project, by git."
