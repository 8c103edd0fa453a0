"""The page from start to end: its process, its address, its life as long as the terminal's."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.error import URLError

import pytest

from autology.cli import main
from tests.browser.conftest import SERVER, serve

SOON = 120.0
"""Seconds within which it must have ended: it looks twice a second, and a busy machine lets it seldom."""


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url.partition("#")[0], timeout=SOON) as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError, TimeoutError):
        return False


def ends(url: str) -> bool:
    """Whether nobody answers at *url* any more, soon."""
    until = time.monotonic() + SOON
    while answers(url):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def test_the_page_is_served_only_on_localhost_and_until_ctrl_c(tmp_path: Path, home: Path) -> None:
    process, url = serve(tmp_path, home)
    assert url.startswith("http://127.0.0.1:")
    assert answers(url)
    port = int(url.rpartition(":")[2].partition("/")[0])
    with socket.socket() as link:
        link.settimeout(2)
        assert link.connect_ex(("127.0.0.2", port)) != 0  # this machine too, by another address
    process.send_signal(signal.SIGINT)
    assert process.wait(SOON) == 0
    assert not answers(url)


def test_the_executable_holds_the_whole_page(tmp_path: Path, home: Path) -> None:
    process, url = serve(tmp_path, home, [sys.executable, "-I", "-S", os.environ["AUTOLOGY_EXECUTABLE"]])
    origin = url.partition("/#")[0]
    for path in ("/", "/page/app.js", "/page/page.css", "/picture/canvas.js"):
        with urllib.request.urlopen(origin + path, timeout=SOON) as answer:
            assert answer.read()
    process.send_signal(signal.SIGTERM)
    assert process.wait(SOON) == 0


def test_the_page_server_ends_when_its_parent_process_dies(tmp_path: Path, home: Path) -> None:
    command = ["/bin/sh", "-c", '"$0" -m autology "$@"; true', sys.executable]
    shell, url = serve(tmp_path, home, command)
    assert answers(url)
    shell.kill()
    shell.wait(SOON)
    assert ends(url)


def test_the_page_server_ends_when_its_terminal_closes(tmp_path: Path, home: Path) -> None:
    import pty  # Windows has none

    child, terminal = pty.fork()
    if child == 0:
        os.environ["PYTHONPATH"] = str(SERVER)
        command = [sys.executable, "-m", "autology", "web", "--no-open", "--json", "--project", str(tmp_path)]
        os.execv(sys.executable, command)
    message = b""
    while b"\n" not in message:
        message += os.read(terminal, 4_096)
    url = json.loads(message.partition(b"\n")[0])["url"]
    assert answers(url)
    os.close(terminal)
    assert ends(url)
    os.waitpid(child, 0)


def test_a_port_in_use_is_reported_and_a_requested_one_is_used(tmp_path: Path, home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = {**os.environ, "PYTHONPATH": str(SERVER)}
        command = [
            sys.executable,
            "-m",
            "autology",
            "web",
            "--no-open",
            "--port",
            str(port),
            "--project",
            str(tmp_path),
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SOON)
    assert done.returncode == 1
    assert f"port {port}" in done.stderr
    assert "Give a different --port" in done.stderr


def test_a_browser_is_opened_where_there_are_windows_and_not_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    visited: list[str] = []
    monkeypatch.setattr("webbrowser.open", visited.append)

    def page(root: str, port: int, ready: Callable[[str], None]) -> None:
        ready(f"http://127.0.0.1:1/#enter={root == str(tmp_path)}{port}")

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform == "linux":
        assert main(["web", "--project", str(tmp_path)], page) == 0
        assert visited == []
    monkeypatch.setenv("DISPLAY", ":0")
    assert main(["web", "--no-open", "--project", str(tmp_path)], page) == 0
    assert visited == []
    assert main(["web", "--project", str(tmp_path)], page) == 0
    assert visited == ["http://127.0.0.1:1/#enter=True0"]
    output = capsys.readouterr()
    assert output.out.count("http://127.0.0.1:1/#enter=True0") >= 2
    assert "the page is closed" in output.err


def test_an_invalid_port_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def page(*_: object) -> None:
        raise AssertionError

    assert main(["web", "--port", "70000", "--project", str(tmp_path)], page) == 2
    assert "70000 is not a port" in capsys.readouterr().err
    assert main(["web", "--project", str(tmp_path)]) == 1
