"""The scripts that let a shell complete commands: read by the shells themselves."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from autology.cli import commands, main, program

COMPLETED = {
    "autology qu": "query",
    "autology query --rel": "--related-to",
    "autology query --type dec": "decision",
    "autology update x --status sup": "superseded",
    "autology memory stor": "store",
}
PATIENCE = 30.0
"""Seconds for a shell to start and to complete, which take a fraction of one."""


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def needs(shell: str) -> str:
    """Where *shell* is; without it the test says so."""
    result = shutil.which(shell)
    if os.name == "nt" or not result:
        pytest.skip(f"{shell} is not installed here: its completion was not tried")
    return result


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = script(shell, capsys)
    assert len(commands.commands()) > 30
    assert all(
        name in message for name in [*(command.name for command in commands.commands()), *program.CLIENT_COMMANDS]
    )
    assert "related-to" in message


def test_bash_completes(capsys: pytest.CaptureFixture[str]) -> None:
    bash, read = needs("bash"), script("bash", capsys)
    for line, expected in COMPLETED.items():
        ask = f"COMP_WORDS=({line}); COMP_CWORD={line.count(' ')}; _autology; echo ${{COMPREPLY[@]}}"
        done = subprocess.run([bash, "-c", f"{read}\n{ask}"], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [expected]


def test_fish_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fish = needs("fish")
    (tmp_path / "autology.fish").write_text(script("fish", capsys), encoding="utf-8")
    for line, expected in COMPLETED.items():
        ask = f"source autology.fish; complete -C '{line}'"
        home = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        done = subprocess.run([fish, "--no-config", "-c", ask], env=home, cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout.split()[:1] == [expected], done.stderr


def test_zsh_completes_at_the_first_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zsh = needs("zsh")
    (tmp_path / "_autology").write_text(script("zsh", capsys), encoding="utf-8")
    for line, expected in COMPLETED.items():
        assert typed(zsh, tmp_path, line + "\t", expected)


def typed(zsh: str, folder: Path, keys: str, wanted: str) -> bool:
    """Type *keys* into a zsh that finds functions in *folder*; say whether it then shows *wanted*."""
    import pty

    outer, inner = pty.openpty()
    surroundings = {**os.environ, "HOME": str(folder), "TERM": "dumb", "PS1": "> "}
    command = [zsh, "-f", "-i"]
    with subprocess.Popen(
        command, env=surroundings, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
    ) as shell:
        os.close(inner)
        try:
            load = "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; echo rea''dy\n"
            os.write(outer, f"cd {folder}; {load}".encode())
            return shows(outer, "ready") and os.write(outer, keys.encode()) > 0 and shows(outer, wanted)
        finally:
            shell.kill()
            os.close(outer)


def shows(screen: int, wanted: str) -> bool:
    """Wait until *wanted* is on the *screen*."""
    message, until = "", time.monotonic() + PATIENCE
    while wanted not in message.replace("\b", "").replace("\a", "") and time.monotonic() < until:
        if select.select([screen], [], [], 0.1)[0]:
            message += os.read(screen, 65_536).decode("utf-8", "replace")
    return wanted in message.replace("\b", "").replace("\a", "")
