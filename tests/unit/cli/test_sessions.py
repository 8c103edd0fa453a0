"""Finding past sessions in a terminal, to resume them or to hand them over."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from autology.cli import main
from autology.core.conversations.session_facts import session_facts
from autology.core.conversations.transcripts import Ends
from autology.wire.project import Project
from tests.fakes.talk import Edit, Said, write

NIGHT, CACHE, OLD, GRAPHS, BILLS, LONG = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abcdef")
KEY = "AKIA" + "QX3TZ7PLMNB2WRD5"
TEXTS = [
    Said("2026-03-12T09:00:00Z", "hi", "Hello!"),
    Said(
        "2026-03-12T09:10:00Z",
        f"customers must not be texted while they sleep, the gateway key is {KEY}",
        "We decided to hold messages between 20:00 and 08:00. Weekends are still to do.",
        (Edit("app/quiet.py", "HOURS = (20, 8)\n"), Edit("app/quiet.py", "HOURS = (21, 8)\n")),
    ),
    Said("2026-03-12T11:00:00Z", "later we do the mails", "Shall I note that?"),
]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(tmp_path / name))
    folder, other = tmp_path / "shop", tmp_path / "depot"
    folder.mkdir()
    other.mkdir()
    monkeypatch.chdir(folder)
    write(tmp_path / "claude", str(folder), NIGHT, TEXTS, branch="quiet")
    caching = [Said("2026-03-14T09:00:00Z", "which cache do the product pages use", "Redis keeps the pages.")]
    write(tmp_path / "claude", str(folder), CACHE, caching)
    packing = [Said("2026-03-10T09:00:00Z", "how are parcels packed", "By size, the largest first.")]
    write(tmp_path / "claude", str(other), OLD, packing)
    return folder


def data(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["sessions", *words, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def ids(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    return [session["id"] for session in data(capsys, *words)["sessions"]]


def test_without_words_the_latest_sessions_come_first(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ids(capsys) == [CACHE, NIGHT, OLD]
    assert ids(capsys, "--limit", "1") == [CACHE]
    assert ids(capsys, "--since", "2026-03-11") == [CACHE, NIGHT]
    assert ids(capsys, "--project", ".") == [CACHE, NIGHT]
    assert ids(capsys, "--project", "depot") == [OLD]


def test_a_description_finds_a_session_that_uses_other_words(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ids(capsys, "no messages at night")[0] == NIGHT
    assert ids(capsys, "storing web pages in memory")[0] == CACHE


def test_a_description_finds_a_session_by_what_the_names_in_it_are(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graphs = [Said("2026-03-13T09:00:00Z", "grafana shows a 401 since this morning", "Its token has expired.")]
    write(tmp_path / "claude", str(shop), GRAPHS, graphs)
    bills = [Said("2026-03-13T10:00:00Z", "wie lange heben wir Rechnungen auf", "Zehn Jahre, als PDF/A.")]
    write(tmp_path / "claude", str(shop), BILLS, bills)
    assert ids(capsys, "dashboards suddenly unauthorised on the pages")[0] == GRAPHS
    assert ids(capsys, "keeping invoices as PDF")[0] == BILLS


def test_a_misspelt_description_finds_what_is_meant(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ids(capsys, "who packs the parcles")[0] == OLD
    assert ids(capsys, "custmers who sleeep")[0] == NIGHT


def test_a_description_that_nothing_comes_near_finds_no_session(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ids(capsys, "qqxyzzy") == []


def test_each_session_is_shown_with_what_it_was_about_and_how_to_resume_it(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [session] = data(capsys, "texted", "sleep", "--limit", "1")["sessions"]
    assert session["title"].startswith("customers must not be texted while they sleep")  # "hi" tells nothing
    assert KEY not in session["title"]
    assert session["outcome"] == "We decided to hold messages between 20:00 and 08:00."
    assert (session["branch"], session["prompts"], session["files"]) == ("quiet", 3, 1)
    assert session["began"] < session["ended"]
    if os.name != "nt":
        assert session["resume"] == f"cd {shop} && claude --resume {NIGHT}"
    assert main(["sessions", "texted", "sleep"]) == 0
    shown = capsys.readouterr().out
    assert f"claude --resume {NIGHT}" in shown
    assert "· shop · quiet · 3 prompts · 2 hours · 1 file\n" in shown


def test_a_session_whose_folder_is_gone_is_handed_over_instead(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(tmp_path / "depot")
    [session] = data(capsys, "parcels", "--limit", "1")["sessions"]
    assert (session["id"], session["resume"]) == (OLD, None)
    assert main(["sessions", "parcels", "--limit", "1"]) == 0
    assert f"  autology sessions --handoff {OLD}\n" in capsys.readouterr().out


def test_a_session_that_only_the_archive_has_is_found_and_handed_over(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["archive"]) == 0
    for transcript in (tmp_path / "claude").rglob(f"{CACHE}.jsonl"):
        transcript.unlink()
    capsys.readouterr()
    [session] = data(capsys, "cache", "--limit", "1")["sessions"]
    assert (session["id"], session["resume"]) == (CACHE, None)
    assert main(["sessions", "--handoff", CACHE]) == 0
    assert "> which cache do the product pages use\n" in capsys.readouterr().out


def test_a_handoff_quotes_goal_state_decisions_open_ends_and_files(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handoff = data(capsys, "--handoff", NIGHT[:8])
    assert handoff["session"]["id"] == NIGHT
    assert [quote["text"][:29] for quote in handoff["goal"]] == ["customers must not be texted "]
    assert [quote["text"] for quote in handoff["decisions"]] == ["We decided to hold messages between 20:00 and 08:00."]
    assert [quote["text"] for quote in handoff["state"]] == ["later we do the mails", "Shall I note that?"]
    ends = ["Weekends are still to do.", "later we do the mails", "Shall I note that?"]
    assert [quote["text"] for quote in handoff["open_ends"]] == ends
    assert handoff["files"] == [{"path": "app/quiet.py", "edits": 2}]
    text = handoff["text"]
    assert KEY not in text
    assert f"session {NIGHT}" in text
    assert "> Weekends are still to do.\n(assistant, 2026-03-12 09:10 UTC)\n" in text
    assert main(["sessions", "--handoff", NIGHT[:8]]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--handoff", "ab"], "is too short"),
        (["--handoff", "ffffffff"], "begins no session's id"),
        (["--handoff", "aaaa", "texts"], "cannot be combined with words"),
        (["--limit", "0"], "is outside 1-50"),
    ],
)
def test_a_wrong_argument_is_answered_with_the_next_step(
    shop: Path, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    assert main(["sessions", *words]) != 0
    assert problem in capsys.readouterr().err


def long_session(claude: Path, folder: Path) -> None:
    """Write 25 MB of talk, which the archive packs to less, with the bookkeeping of the client."""
    filler = [Said(f"2026-03-15T{hour:02}:{minute:02}:00Z", f"question {hour} {minute}", "An answer. " * 2_000)
              for hour in range(10, 20) for minute in range(60)]  # fmt: skip
    begin = Said("2026-03-15T09:00:00Z", "move the whole depot to barcodes", "We decided on one barcode a shelf.")
    middle = Said("2026-03-15T15:00:30Z", "in between", "Labels.", (Edit("app/label.py", "WIDTH = 4\n"),))
    end = Said("2026-03-15T21:00:00Z", "is it done", "All shelves have their barcodes now.")
    write(claude, str(folder), LONG, [begin, *filler[:300], middle, *filler[300:], *filler, end])


def test_a_long_session_is_read_at_its_ends_and_says_so(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long_session(tmp_path / "claude", shop)
    answer = data(capsys, "--limit", "2")
    [long, other] = answer["sessions"]
    assert (long["id"], long["partly"], long["files"]) == (LONG, True, 0)
    assert long["title"] == "move the whole depot to barcodes"
    assert long["outcome"] == "All shelves have their barcodes now."
    assert 2 < long["prompts"] < 100
    assert (long["began"][:16], long["ended"][:13]) == ("2026-03-15T09:00", "2026-03-15T21")
    assert "partly" not in other
    assert any("1 long session was read at the beginning and the end only" in note for note in answer["degraded"])
    assert main(["sessions", "--limit", "1"]) == 0
    assert f"· at least {long['prompts']} prompts ·" in capsys.readouterr().out
    handoff = data(capsys, "--handoff", LONG)
    assert [quote["text"] for quote in handoff["decisions"]] == ["We decided on one barcode a shelf."]
    assert handoff["state"][-1]["text"] == "All shelves have their barcodes now."
    assert "It is long: 9 MB of its beginning and its end were read, and 18 MB in between were not." in handoff["text"]


def test_the_archive_of_a_long_session_is_read_at_its_ends_too(shop: Path, tmp_path: Path) -> None:
    long_session(tmp_path / "claude", shop)
    project = Project(str(shop))
    project.conversations.keep()
    whole = session_facts(project.conversations, LONG)
    (tmp_path / "claude" / "projects").rename(tmp_path / "gone")
    archived = session_facts(Project(str(shop)).conversations, LONG, Ends(300_000, 300_000, 100_000))
    assert whole
    assert archived
    assert (archived.title, archived.outcome, archived.ended) == (whole.title, whole.outcome, whole.ended)
    assert archived.left_out > 20_000_000
    assert archived.prompts < 100 < whole.prompts
