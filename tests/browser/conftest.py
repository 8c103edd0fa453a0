"""One browser for all, and for each module the page of a project of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from buildtools import programs
from buildtools.project import Project
from tests.browser import projects
from tests.browser.browser import ROOT, Browser, Page
from tests.conftest import places

collect_ignore_glob = ["test_*.py"] if os.name == "nt" else []  # no descriptors can be handed over there
SERVER = Path(__file__).resolve().parents[2] / "server"


@dataclass
class Served:
    """A page that is served: the project's folder, the ids of its nodes by title, the process, its address."""

    root: Path
    ids: dict[str, str]
    process: subprocess.Popen[bytes]
    url: str

    def file(self, title: str) -> Path:
        """Return the file of a node."""
        return next((self.root / ".autology" / "nodes").glob(f"*/{self.ids[title]}.md"))

    def end(self) -> None:
        """End it as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(120)


def serve(root: Path, home: Path, command: list[str] | None = None) -> tuple[subprocess.Popen[bytes], str]:
    """Start the page of the project at *root*; return the process and the address that it prints."""
    environment = {**os.environ, **places(home), "PYTHONPATH": str(SERVER), "CLAUDE_CONFIG_DIR": str(home / ".claude")}
    started = [*(command or [sys.executable, "-m", "autology"]), "web", "--no-open", "--json", "--project", str(root)]
    process = subprocess.Popen(started, env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout as output:
        return process, json.loads(output.readline())["url"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A real browser."""
    made = Browser(tmp_path_factory.mktemp("browser"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that finds violations."""
    return programs.axe(Project.at(ROOT)).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of a small project with something of everything."""
    root, home = tmp_path_factory.mktemp("shop"), tmp_path_factory.mktemp("shop-home")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**places(home), "CLAUDE_CONFIG_DIR": str(home / ".claude")}.items():
            patch.setenv(name, value)
        ids = projects.small(root, home)
    process, url = serve(root, home)
    made = Served(root, ids, process, url)
    yield made
    made.end()


@pytest.fixture(scope="module")
def window(shop: Served, browser: Browser) -> Iterator[Page]:
    """The page in a window; its address opens once."""
    made = browser.page(shop.url)
    made.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    yield made
    made.close()


@pytest.fixture
def page(window: Page) -> Iterator[Page]:
    """The same window, in the graph, with nothing chosen; whatever goes wrong on it is a failure."""
    # Again and again: a browser ignores addresses that are set too fast, as tests in a row do.
    window.until("(location.hash = '#/', document.querySelector('#view > .graph'))")
    window.troubles.clear()
    yield window
    assert window.troubles == []


@pytest.fixture
def go(page: Page) -> Callable[[str, str], None]:
    """Go to a view and wait until *text* can be read."""

    def to(address: str, text: str) -> None:
        page.tell(f"location.hash = {json.dumps(address)}")
        page.sees(text)

    return to
