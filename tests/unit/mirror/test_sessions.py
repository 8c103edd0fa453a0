"""Past sessions of two machines: each comes once and whole, in parts as it grows, and says where it is from."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.mirror import sessions
from autology.model import agents
from tests.fakes.mirrored import Machine, copied, everything_in

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4eF6"


class Pair:
    """Two machines that mirror with one folder."""

    def __init__(self, root: Path) -> None:
        self.shared = root / "shared"
        self.a = Machine(root / "a", "laptop")
        self.b = Machine(root / "b", "desktop")

    def sync(self) -> None:
        self.a.sync(self.shared)
        self.b.sync(self.shared)

    def parts(self) -> list[Path]:
        return sorted(self.shared.glob("*/session-*"))


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def test_only_what_follows_is_sent_of_a_session_that_goes_on(pair: Pair) -> None:
    for number in range(4):
        pair.a.say("s1", f"question {number}", f"answer {number}")
        pair.sync()
    assert len(pair.parts()) == 4
    assert pair.b.sessions() == pair.a.sessions()
    before = pair.parts()
    pair.sync()
    assert pair.parts() == before
    (name,) = pair.b.transcripts()
    assert pair.b.forgotten == [name] * 4


def test_a_long_session_comes_in_parts_of_bounded_size(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "PART_BYTES", 1_000)
    monkeypatch.setattr(sessions, "SENT_BYTES", 2_000)
    pair.a.say("s1", *(f"line {number} " + "x" * 200 for number in range(40)))
    pair.sync()
    assert len(pair.parts()) > 8
    assert pair.b.sessions() == pair.a.sessions()


def test_parts_up_to_a_torn_one_are_used_and_the_rest_when_it_is_whole(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "PART_BYTES", 1_000)
    pair.a.say("s1", *(f"line {number} " + "x" * 200 for number in range(20)))
    pair.a.sync(pair.shared)
    torn = sorted(pair.parts(), key=lambda path: int(path.name.split("-")[3]))[2]
    data = torn.read_bytes()
    torn.write_bytes(data[:50])
    for _ in range(2):
        assert pair.b.sync(pair.shared).received.waiting == 1
    assert 0 < len(pair.b.sessions()["s1"]) < len(pair.a.sessions()["s1"])
    torn.write_bytes(data)
    pair.b.sync(pair.shared)
    assert pair.b.sessions() == pair.a.sessions()


def test_a_session_whose_beginning_changed_is_sent_again_whole(pair: Pair) -> None:
    pair.a.say("s1", "one", "two")
    pair.sync()
    (name,) = pair.a.transcripts()
    pair.a.archive.adopt(name, [b'{"other":"beginning"}\n'], 1_700_000_000_000_000_000, False)
    pair.sync()
    assert pair.b.sessions() == pair.a.sessions()
    assert [path.name.split("-")[2] for path in pair.parts()] == ["1", "2"]


def test_sessions_of_excluded_folders_stay_here(pair: Pair) -> None:
    pair.a.say("s1", "one", "two", folder="/private/diary")
    pair.a.say("s2", "one", "two")
    (name,) = (name for name in pair.a.transcripts() if "s2" in name)
    lines = b'{"type":"autology-archive","identity":"x","root":"/work"}\n{"cwd":"/private/in/a/project"}\n'
    pair.a.archive.adopt(name.replace("s2", "s3"), [lines], 10**18, False)
    pair.sync()
    assert list(pair.b.sessions()) == ["s2"]


def test_no_secret_is_in_the_folder(pair: Pair) -> None:
    pair.a.say("s1", f"the key is {SECRET}", "thanks")
    pair.sync()
    assert b"the key is" in everything_in(pair.shared)
    assert SECRET.encode() not in everything_in(pair.shared)


def test_what_was_dropped_here_is_not_fetched_again_until_it_goes_on(pair: Pair) -> None:
    pair.a.say("s1", "one", "two")
    pair.sync()
    (name,) = pair.b.transcripts()
    pair.b.archive.remove(name)
    pair.sync()
    assert pair.b.transcripts() == []
    pair.a.say("s1", "three", "four")
    pair.sync()
    assert pair.b.sessions() == pair.a.sessions()


def test_a_session_of_a_copied_home_comes_once(pair: Pair, tmp_path: Path) -> None:
    pair.a.say("s1", "one", "two")
    clone = copied(pair.a, tmp_path / "clone")
    for machine in (pair.a, clone, pair.b, pair.a):
        machine.sync(pair.shared)
    assert len(pair.parts()) == 1
    for machine in (pair.a, clone, pair.b):
        assert len(machine.transcripts()) == 1


def test_a_mirrored_session_is_not_sent_on_as_an_own_one(pair: Pair) -> None:
    pair.a.say("s1", "one", "two")
    for _ in range(3):
        pair.sync()
    assert {path.parent.name.partition("-")[0] for path in pair.parts()} == {"laptop"}
    assert pair.a.transcripts() == ["-work-shop/s1.jsonl"]


@pytest.mark.parametrize(
    ("inner", "agent", "origin"),
    [
        ("-work-shop/s1.jsonl", "Claude Code", " on my-laptop"),
        ("@Codex/2026/03/rollout-1.jsonl", "Codex", " in Codex on my-laptop"),
    ],
)
def test_a_transcript_s_name_tells_agent_and_machine(inner: str, agent: str, origin: str) -> None:
    name = agents.on_machine("my-laptop-0123abcd", inner)
    assert agents.agent_of(name) == agents.agent_of(inner) == agent
    assert (agents.machine_of(name), agents.machine_of(inner)) == ("my-laptop", "")
    assert agents.origin_of(name) == origin
    assert agents.split_machine(name) == ("%my-laptop-0123abcd/", inner)


def test_sessions_of_other_agents_are_told_apart_on_the_other_machine(pair: Pair) -> None:
    name = "@Codex/2026/03/rollout-1.jsonl"
    pair.a.archive.adopt(name, [b'{"type":"autology-turn","role":"user","uuid":"1","text":"hi"}\n'], 10**18, False)
    pair.sync()
    (there,) = pair.b.transcripts()
    assert agents.origin_of(there) == " in Codex on laptop"
    assert [turn.text for turn in pair.b.archive.read(there)] == ["hi"]
