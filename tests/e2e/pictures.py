"""The picture of a session in README.md, taken anew: `python3 build.py test tests/e2e/pictures.py`. It needs tmux.

It is the real client in a terminal, with the plugin; for the model stands a script, which asks the plugin and answers
by what it found. Above it stands what the plugin's hook told the model at the start, as the model got it.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.browser.browser import Browser
from tests.e2e.driving import ALLOWED, ROOT, SERVER, Claude, contexts
from tests.e2e.messages_api import MessagesApi
from tests.e2e.terminal import KEY, known

PICTURE = ROOT / "docs" / "guide" / "session.png"
COLUMNS, ROWS = 104, 36
PATIENCE = 120.0
CONNECTED = 30.0
"""Seconds after which the server is connected, on a busy machine too; nothing on the screen says so."""
ASKED = "The report is slow. Can we move the orders to MySQL?"
ENDED = "we record why"
WHY = "MySQL lost orders in a failover, and nobody could say which; PostgreSQL did not in three rehearsals."
ANSWER = (
    "That was tried and given up: **{title}** is in force since {date}, because\n{why}\n\n"
    "I would look at the report's query first. If the decision is to fall after all, {ended}."
)
RECORD = (
    "## Context\n\n{why}\n\n## Decision\n\n{what}\n\n## Alternatives\n\n- {other}\n\n## Consequences\n\nOne to run.\n"
)
COLOURS = "#5c6370 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d7dae0".split()
STYLE = """
body { margin: 0; width: WIDTHpx; background: #1b1d23; color: #d7dae0; font: 14px/19px "DejaVu Sans Mono", monospace }
section { padding: 14px 20px } pre { margin: 0; font: inherit; white-space: pre-wrap }
h2 { margin: 0 0 8px; font: bold 13px/18px "DejaVu Sans", sans-serif; color: #9aa2b1 }
section.told { background: #23262e; color: #b9c0cc; border-bottom: 1px solid #373b45 }
"""


def test_a_session(start: Callable[[], Claude], tmp_path: Path) -> None:
    assert shutil.which("tmux"), "the terminal is tmux's: apt-get install -y tmux"
    claude = start()
    sections = {"why": "Orders need a home.", "what": "MySQL, which we know.", "other": "PostgreSQL."}
    old = claude.capture("Keep orders in MySQL", RECORD.format(**sections), "--type", "decision")
    sections = {"why": WHY, "what": "Orders move to PostgreSQL.", "other": "MySQL with another replication."}
    new = claude.capture("Keep orders in PostgreSQL", RECORD.format(**sections), "--type", "decision")
    claude.capture("Errors end in the next step", "Whoever reads one wants to go on.", "--type", "convention")
    claude.autology("relate", new, old, "supersedes")
    shown, result = session(claude)
    assert "Keep orders in PostgreSQL" in result
    page = tmp_path / "session.html"
    page.write_text(drawn(shown, result), encoding="utf-8")
    taken(page, tmp_path / "browser")


def session(claude: Claude) -> tuple[str, str]:
    """Hold the session; return the screen with its colours, and what the model was told at its start."""
    known(claude)
    call = {"tool": f"{SERVER}__autology_query", "input": {"query": "orders in MySQL or PostgreSQL"}}

    def answer(request: Any) -> list[dict[str, str]]:
        [result] = request.tool_results().values()
        assert result.startswith("{"), result
        results = [each["node"] for each in json.loads(result)["results"]]
        first = next(node for node in results if node["status"] == "active")
        message = {"title": first["title"], "date": first["created"][:10], "why": WHY, "ended": ENDED}
        return [{"text": ANSWER.format(**message)}]

    rules = [
        {"name": "ask", "when": {"last_text": ASKED, "subagent": False}, "reply": [call]},
        {"name": "say", "when": {"fn": lambda request: bool(request.tool_results())}, "reply": answer},
    ]
    model = MessagesApi(rules, default="Orders")
    environment = {**claude.harness.base_env, "ANTHROPIC_BASE_URL": model.start(), "ANTHROPIC_API_KEY": KEY}
    command = [claude.harness.client, "--plugin-dir", str(claude.plugin), "--permission-mode", "manual", *ALLOWED]
    terminal = Tmux(claude.project, command, environment)
    try:
        terminal.wait("manual mode on")
        time.sleep(CONNECTED)
        terminal.type(ASKED)
        terminal.wait(ENDED)
        time.sleep(1)
        requests = next(request for request in model.model_requests() if request.rule == "ask")
        [outcome] = [message for event, message in contexts(requests.any_text) if event == "SessionStart"]
        return terminal.screen("-e"), outcome
    finally:
        terminal.end()
        model.stop()


class Tmux:
    """A terminal that can say what is on its screen."""

    def __init__(self, folder: Path, command: Sequence[object], environment: Mapping[str, str]) -> None:
        self._tmux = ["tmux", "-S", str(folder.parent / "tmux"), "-f", "/dev/null"]
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        program = [*self._tmux, "new-session", "-d", *size, "-c", str(folder), "--", *(str(word) for word in command)]
        subprocess.run(program, env={**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}, check=True)

    def type(self, words: str) -> None:
        """Type *words* and press return."""
        for keys in (["-l", words], ["Enter"]):
            subprocess.run([*self._tmux, "send-keys", *keys], check=True)
            time.sleep(1)  # What arrives at once counts as pasted.

    def screen(self, *options: str) -> str:
        """What is on it."""
        done = subprocess.run([*self._tmux, "capture-pane", "-p", *options], capture_output=True, check=True)
        return done.stdout.decode()

    def wait(self, text: str) -> None:
        """Wait until *text* is on it."""
        until = time.monotonic() + PATIENCE
        while text not in " ".join(self.screen().split()):
            assert time.monotonic() < until, self.screen()
            time.sleep(0.2)

    def end(self) -> None:
        """Close it, with what runs in it."""
        subprocess.run([*self._tmux, "kill-server"], check=False)


def drawn(shown: str, told: str) -> str:
    """The page that is photographed."""
    style = STYLE.replace("WIDTH", str(int(COLUMNS * 8.43) + 40))
    lines = shown.splitlines()
    # Neither the greeting, which names a temporary folder and a model that was not asked, nor the empty rest.
    begun, ended = (next(at for at, line in enumerate(lines) if words in line) for words in (ASKED, ENDED))
    lines = lines[begun : ended + 1]
    parts = [
        ("<section class=told><h2>", "What Autology tells Claude as the session starts"),
        ("</h2><pre>", html.escape(told)),
        ("</pre></section><section><pre>", "".join(coloured(line) for line in lines)),
    ]
    body = "".join(before + text for before, text in parts)
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{body}</pre></section>"


def coloured(line: str) -> str:
    """A line of the terminal as HTML: its colours and weights."""
    made, style = "", ""
    for codes, text in re.findall(r"(?:\x1b\[([0-9;]*)m)?([^\x1b]*)", line):
        style = styled(style, codes) if codes else style
        made += f'<span style="{style}">{html.escape(text)}</span>' if text else ""
    return made + "\n"


def styled(style: str, codes: str) -> str:
    """The style after the terminal's *codes*, which add to it or begin anew."""
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        one = numbers.pop(0)
        if one == 0:
            style = ""
        elif one in (1, 2, 3, 7):
            style += {1: "font-weight:bold;", 2: "opacity:.65;", 3: "font-style:italic;", 7: "background:#3b4048;"}[one]
        elif one in (38, 48) and numbers[:1] == [2]:
            style += f"{'color' if one == 38 else 'background'}:rgb({','.join(map(str, numbers[1:4]))});"
            numbers = numbers[4:]
        elif one in (38, 48):
            at = numbers[1]
            numbers = numbers[2:]
            style += f"{'color' if one == 38 else 'background'}:{indexed(at)};"
        elif one == 39:
            style += "color:inherit;"
        elif one == 49:
            style += "background:none;"
        elif 30 <= one <= 37 or 90 <= one <= 97:
            style += f"color:{COLOURS[one % 10]};"
        elif one in (22, 27):
            style += "font-weight:normal;opacity:1;"
    return style


def indexed(at: int) -> str:
    """One of a terminal's 256 colours."""
    if at < 16:
        return COLOURS[at % 8]
    if at >= 232:
        return f"rgb({','.join([str(8 + (at - 232) * 10)] * 3)})"
    steps = (0, 95, 135, 175, 215, 255)
    return f"rgb({','.join(str(steps[(at - 16) // power % 6]) for power in (36, 6, 1))})"


def taken(page: Path, profile: Path) -> None:
    """Photograph *page* as high as it is."""
    browser = Browser(profile)
    try:
        shown = browser.page(page.as_uri(), width=int(COLUMNS * 8.43) + 40, height=900)
        size = {"width": int(COLUMNS * 8.43) + 40, "height": shown.tell("document.body.offsetHeight")}
        shown.call("Emulation.setDeviceMetricsOverride", {**size, "deviceScaleFactor": 2, "mobile": False})
        shown.picture(PICTURE)
    finally:
        browser.close()
