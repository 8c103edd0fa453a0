"""The client as a person has it: in a terminal, with keys to press and a screen to read."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fcntl import ioctl

from tests.e2e.driving import ALLOWED, Block, Claude
from tests.e2e.messages_api import MessagesApi

KEY = "made-up-not-a-key-0123456789abcdef"
ANSWER = "That-is-all."
PATIENCE = 120.0
"""Seconds for what takes one, on a machine where much else runs."""
SEEN = 5.0
"""Seconds that typed words may take to show before they count as shown: a menu or a line's end may hide them."""
SIZE = (60, 200)
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")


class Terminal:
    """A running client; *text* is all that it has drawn, without spaces, since it moves the cursor instead."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self._process = process
        self._screen = screen
        self._drawn = b""

    @property
    def text(self) -> str:
        return "".join(_ESCAPE.sub("", self._drawn.decode("utf-8", "replace")).split())

    def wait(self, text: str, after: int = 0) -> None:
        """Wait until *text* has been drawn, behind the first *after* letters."""
        wanted = "".join(text.split())
        until = time.monotonic() + PATIENCE
        while wanted not in self.text[after:]:
            assert time.monotonic() < until, f"no {text!r} on the screen: …{self.text[-2000:]}"
            self.rest(0.1)

    def rest(self, seconds: float) -> None:
        """Read what is drawn for that long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and select.select([self._screen], [], [], left)[0]:
            try:
                self._drawn += os.read(self._screen, 65_536)
            except OSError:  # The other end is closed.
                time.sleep(left)

    def ask(self, words: str) -> None:
        """Say *words* to the model and wait until it has answered."""
        before = len(self.text)
        self.enter(words)
        self.wait(ANSWER, before)
        self.rest(0.5)

    def enter(self, words: str) -> None:
        """Type *words* and press return."""
        before = len(self.text)
        os.write(self._screen, words.encode())
        until = time.monotonic() + SEEN
        # What the client reads at once counts as pasted, return included.
        while "".join(words.split())[-12:] not in self.text[before:] and time.monotonic() < until:
            self.rest(0.1)
        self.rest(0.5)
        os.write(self._screen, b"\r")
        self.rest(0.5)

    def leave(self) -> None:
        """End the session."""
        self.enter("/exit")
        until = time.monotonic() + PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < until, f"the client does not end: …{self.text[-2000:]}"
            self.rest(0.1)


@contextmanager
def terminal(claude: Claude, script: Mapping[str, Block], *options: str) -> Iterator[Terminal]:
    """Run the client in a terminal; asked for one of *script*, the model makes that call, then it ends its turn."""
    known(claude)
    rules = [{"when": {"last_text": words, "subagent": False}, "reply": [block]} for words, block in script.items()]
    model = MessagesApi(rules, default=ANSWER)
    environment = {**claude.harness.base_env, "ANTHROPIC_BASE_URL": model.start(), "ANTHROPIC_API_KEY": KEY}
    plugins = [word for folder in (claude.plugin, claude.harness.spy) for word in ("--plugin-dir", str(folder))]
    command = [claude.harness.client, *plugins, "--permission-mode", "manual", *options, *ALLOWED]
    screen, inner = pty.openpty()
    ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    process = subprocess.Popen(
        command, cwd=claude.project, env=environment, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
    )
    os.close(inner)
    try:
        running = Terminal(process, screen)
        running.wait("manual mode on")
        running.rest(1.0)
        yield running
        assert not claude.log()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(screen)
        model.stop()


def known(claude: Claude) -> None:
    """Let the client find everything answered that it asks a new user."""
    answered = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]]},
        "projects": {str(claude.project): {"hasTrustDialogAccepted": True}},
    }
    file = claude.harness.config / ".claude.json"
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps({**before, **answered}), encoding="utf-8")
