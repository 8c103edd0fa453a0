"""Mirrored in any order, torn, killed, with clocks apart: nothing is lost, nothing doubled, no secret in the folder."""

from __future__ import annotations

import os
import random
import shutil
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from autology.model.errors import ValidationError
from tests.durability.killing import course, killed_at
from tests.fakes.mirrored import Machine, carry, everything_in

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

WAYS = int(os.environ.get("AUTOLOGY_MIRROR_WAYS", "200"))
STEPS = 12
POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "10"))
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4eF6"
TEXTS = ("The cache holds 40 entries.", "Mail goes through a queue.\n\nIt survives restarts.", "Prices are cached.")


class Story:
    """A random course of what a user does on two or three machines, and what must remain of it."""

    def __init__(self, root: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        count = self.chance.choice((2, 2, 3))
        skews = [timedelta(days=self.chance.uniform(-60, 60)) for _ in range(count)]
        self.machines = [Machine(root / f"m{number}", f"machine {number}", skew) for number, skew in enumerate(skews)]
        self.written: dict[str, str] = {}
        """The memory that each token was written into."""
        self.replaced: set[str] = set()
        """Tokens that the user saw and overwrote or deleted."""
        self.said: dict[str, list[str]] = {}
        self.kills = 0

    def tell(self) -> None:
        for _ in range(STEPS):
            machine = self.chance.choice(self.machines)
            act = self.chance.choice(
                (self.store, self.edit, self.edit, self.delete, self.say, self.sync, self.sync, self.decide)
            )
            act(machine)
        for _ in range(len(self.machines)):
            for machine in self.machines:
                for other in self.machines:
                    if other is not machine and other.shared.exists():
                        carry(other.shared, machine.shared)
                machine.sync(again=True)

    def token(self, memory: str) -> str:
        token = f"token{len(self.written):03d}x"
        self.written[token] = memory
        return token

    def store(self, machine: Machine) -> None:
        id = f"m{self.chance.randint(0, 3)}"
        if not machine.file(id).exists():
            secret = f"\n\nIts token = {SECRET}" if self.chance.random() < 0.3 else ""
            machine.store(id, f"{self.chance.choice(TEXTS)}\n\n{self.token(id)}{secret}")

    def edit(self, machine: Machine) -> None:
        ids = machine.ids()
        if not ids:
            return self.store(machine)
        id = self.chance.choice(ids)
        before = machine.content(id) or ""
        token = self.token(id)
        how = self.chance.randint(0, 3)
        if how == 0:
            after = f"{token}\n\n{before}"
        elif how == 1:
            after = f"{before}\n\n{token}"
        elif how == 2:
            after = f"Everything is new: {token}"
        else:
            first, *rest = before.split("\n\n")
            after = "\n\n".join((f"{first} {token}", *rest))
        self.replaced |= {known for known in self.written if known in before and known not in after}
        return machine.store(id, after)

    def delete(self, machine: Machine) -> None:
        if self.chance.random() < 0.5 and (ids := machine.ids()):
            id = self.chance.choice(ids)
            before = machine.text(id)
            self.replaced |= {known for known in self.written if known in before}
            machine.delete(id)

    def decide(self, machine: Machine) -> None:
        """End a conflict, with either text."""
        for id in machine.ids():
            if shown := machine.conflict(id):
                how = self.chance.choice(({"keep": id}, {"take": id}))
                before = machine.text(id)
                with suppress(ValidationError):  # several other texts
                    machine.sync(again=True, **how)
                    after = machine.text(id) + machine.conflict(id)
                    self.replaced |= {known for known in self.written if known in shown + before and known not in after}
                return

    def say(self, machine: Machine) -> None:
        own = [session for session in self.said if session.startswith(machine.root.name)]
        session = self.chance.choice([*own, f"{machine.root.name}-s{len(own)}"])
        texts = [f"saying{len(self.said)}{number} and password is {SECRET}" for number in range(2)]
        machine.say(session, *texts)
        self.said.setdefault(session, []).extend(texts)

    def sync(self, machine: Machine) -> None:
        for other in self.machines:
            if other is not machine and other.shared.exists() and self.chance.random() < 0.7:
                carry(other.shared, machine.shared, self.chance)
        if self.chance.random() < 0.3:
            stop = int(10 ** self.chance.uniform(2, 4.3))
            self.kills += killed_at(stop, lambda: machine.sync(again=True))
        else:
            machine.sync(again=True)

    # ---- what must hold ----------------------------------------------------------------------------

    def check(self) -> None:
        first = self.machines[0]
        for machine in self.machines:
            assert machine.ids() == first.ids()
            for id in machine.ids():
                shown = machine.text(id)
                assert machine.conflict(id) or shown == first.text(id) or SECRET in shown + first.text(id)
                assert all(shown.count(token) <= 1 for token in self.written), shown
            for token, memory in self.written.items():
                if token not in self.replaced:
                    place = machine.text(memory) if machine.file(memory).exists() else ""
                    assert token in place + machine.conflict(memory), (machine.label, token, memory)
            assert sorted(machine.sessions()) == sorted(self.said)
            assert len(machine.transcripts()) == len(self.said)
            for session in self.said:
                owner = next(one for one in self.machines if session.startswith(one.root.name))
                assert machine.sessions()[session] == owner.sessions()[session]
        report = first.sync()
        assert report.memories.changed == report.memories.received == report.memories.merged == []
        assert (report.sent.sent, report.received.received, report.sent_files) == (0, 0, 0)
        for machine in self.machines:
            assert SECRET.encode() not in everything_in(machine.shared)
            assert not list(machine.shared.rglob("*.tmp"))


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do without syncs to disk: a killed process leaves the system's buffers as they are."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def test_a_run_that_is_killed_anywhere_is_completed_by_the_next(tmp_path: Path) -> None:
    a, b = Machine(tmp_path / "a", "laptop"), Machine(tmp_path / "b", "desktop")
    shared = tmp_path / "shared"
    for number in range(4):
        a.store(f"m{number}", f"Text {number}.\n\nIts token = {SECRET}")
    a.say("s1", "one", "two")
    for machine in (a, b):
        machine.sync(shared)
    a.store("m0", "Changed by a.")
    a.delete("m1")
    a.store("new", "New.")
    a.say("s1", "three", "four")
    a.answers.add("abc", "dismissed")
    b.store("m2", "Changed by b.")
    b.say("s2", "one", "two")
    a.sync(shared)
    template = tmp_path / "template"
    shutil.copytree(b.root, template / "b")
    shutil.copytree(shared, template / "shared")

    def again(name: str) -> tuple[Machine, Path]:
        shutil.copytree(template, tmp_path / name)
        return Machine(tmp_path / name / "b", "desktop"), tmp_path / name / "shared"

    whole, place = again("whole")
    every = course(lambda: whole.sync(place, again=True)).stops(POINTS)
    stops = every[:: max(1, len(every) // (5 * POINTS))]
    for stop in stops:
        killed, place = again(f"at-{stop}")
        killed_at(stop, lambda killed=killed, place=place: killed.sync(place, again=True))  # type: ignore[misc]
        killed.sync(place, again=True)
        assert _memories(killed) == _memories(whole), stop
        assert killed.sessions() == whole.sessions(), stop
        assert killed.answers.lines() == whole.answers.lines()
        assert killed.conflict("m0") + killed.conflict("m1") + killed.conflict("m2") == ""
        assert SECRET.encode() not in everything_in(place)
        report = killed.sync(place, again=True)
        assert (report.sent_files, report.sent.sent, report.received.received) == (0, 0, 0), stop
        shutil.rmtree(tmp_path / f"at-{stop}")
    assert len(stops) > POINTS


def _memories(machine: Machine) -> dict[str, str | None]:
    return {id: machine.content(id) for id in machine.ids()}


def test_nothing_is_lost_or_doubled_whatever_happens_in_which_order(tmp_path: Path) -> None:
    kills = conflicts = 0
    for seed in range(WAYS):
        story = Story(tmp_path / str(seed), seed)
        story.tell()
        try:
            story.check()
        except AssertionError as error:
            raise AssertionError(f"the story of seed {seed}: {error}") from error
        kills += story.kills
        conflicts += any(machine.conflict(id) for machine in story.machines for id in machine.ids())
    assert kills >= WAYS / 10
    assert conflicts >= WAYS / 20
