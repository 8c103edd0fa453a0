"""One project for every front: its parts are made when they are needed, and once."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autology.tools.project import ServedProject
from autology.web.project import PageProject
from autology.wire.part import part
from autology.wire.project import Project


class Owner:
    """Counts how often its parts are made; *slow* waits until it may go on."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.go_on = threading.Event()

    @part
    def slow(self) -> str:
        """A part that takes a while."""
        self.made.append("slow")
        assert self.go_on.wait(10)
        return "slow"

    @part
    def quick(self) -> str:
        """A part that needs nothing."""
        self.made.append("quick")
        return "quick"


def test_a_part_that_many_threads_need_is_made_once() -> None:
    owner, values = Owner(), list[str]()
    threads = [threading.Thread(target=lambda: values.append(owner.slow)) for _ in range(8)]
    for thread in threads:
        thread.start()
    owner.go_on.set()
    for thread in threads:
        thread.join()
    assert (owner.made, values) == (["slow"], ["slow"] * 8)


def test_a_part_does_not_wait_for_another_that_is_being_made() -> None:
    owner = Owner()
    thread = threading.Thread(target=lambda: owner.slow)
    thread.start()
    assert owner.quick == "quick"
    owner.go_on.set()
    thread.join()


def test_a_part_that_failed_is_made_again(tmp_path: Path) -> None:
    class Failing(Project):
        """A project whose graph cannot be opened the first time."""

        tries = 0

        def _open_graph(self):  # type: ignore[no-untyped-def]
            self.tries += 1
            if self.tries == 1:
                raise OSError(self.root)
            return super()._open_graph()

    project = Failing(str(tmp_path))
    with pytest.raises(OSError, match=re.escape(str(tmp_path))):
        _ = project.graph
    assert project.graph is project.graph
    assert project.tries == 2


def test_every_front_opens_the_same_parts(tmp_path: Path) -> None:
    for project in (Project(str(tmp_path)), ServedProject(str(tmp_path)), PageProject(str(tmp_path))):
        assert project.root == str(tmp_path)
        assert project.library.graph is project.memories.graph is project.graph
        assert project.audited_memories.memories is project.memories
        assert project.overseen.memories is project.memories
        assert not project.team.has_hub
        assert project.team.search is None
    assert not (tmp_path / ".autology").exists()


def test_what_hooks_use_loads_no_other_part_of_the_composition() -> None:
    program = "import sys; from autology import wire; print(*(name for name in sys.modules if 'autology' in name))"
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, 'server'); {program}"]
    done = subprocess.run(
        command, cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.split() == ["autology", "autology.wire"]
