"""Starts other processes: the editor, the browser, and the server for a check."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from autology.model.errors import StorageError, ValidationError

PATIENCE = 20.0
"""Seconds for the server's first answer: unpacking on the first start takes about 5 on a slow disk."""


def edit(text: str) -> str:
    """Return *text* after the user edited it.

    Raises:
        ValidationError: there is no editor, or it ended with an error.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    handle, name = tempfile.mkstemp(".md", "autology-")
    file = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as draft:
            draft.write(text)
        words = shlex.split(command, posix=os.name != "nt")
        process = subprocess.run([*words, name], check=False)
        if process.returncode != 0:
            step = "Nothing was changed. Save and close the file without an error."
            raise ValidationError("editor", f"'{command}' exited with {process.returncode}", step)
        return file.read_text(encoding="utf-8-sig")  # an editor may add a byte order mark
    except OSError as error:
        step = "Set EDITOR to an editor that waits until the file is closed."
        raise ValidationError("editor", f"'{command}' cannot be started: {error.strerror}", step) from None
    finally:
        file.unlink(missing_ok=True)


def open_file(path: str) -> None:
    """Open the file at *path* in the user's editor, or in the platform's default application.

    Raises:
        ValidationError: no application could be started.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor and sys.platform == "win32":
        os.startfile(path)  # noqa: S606
        return
    words = shlex.split(editor, posix=os.name != "nt") if editor else [_OPENERS.get(sys.platform, "xdg-open")]
    try:
        subprocess.run([*words, path], check=False)
    except OSError as error:
        step = "Set EDITOR to an editor."
        raise ValidationError("editor", f"'{words[0]}' cannot be started: {error.strerror}", step) from None


_OPENERS = {"darwin": "open"}


def open_url(url: str) -> None:
    """Open *url* in a graphical browser, if any: a text browser would take over the terminal."""
    has_display = (
        os.name == "nt" or sys.platform == "darwin" or any(os.environ.get(name) for name in _DISPLAY_VARIABLES)
    )
    if has_display:
        import webbrowser

        with suppress(webbrowser.Error, OSError):
            webbrowser.open(url)


_DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")


def executable() -> str | None:
    """Return the path of the running executable, or None if run from source."""
    started = sys.argv[0]
    return started if started.endswith(".pyz") and Path(started).is_file() else None


def server_answer(archive: str, root: str) -> str:
    """Start the server in *root* as a client does, and return its name and version.

    Raises:
        StorageError: it did not answer; the message gives the reason.
    """
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "autology-doctor", "version": "1"},
        },
    }
    command = [sys.executable, "-I", "-S", archive, "serve"]
    try:
        process = subprocess.run(
            command,
            input=json.dumps(request).encode() + b"\n",
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            cwd=root,
            env={**os.environ, "CLAUDE_PROJECT_DIR": root},
        )
        answer = json.loads(process.stdout.splitlines()[0])["result"]["serverInfo"]
        return f"{answer['name']} {answer['version']}"
    except subprocess.TimeoutExpired:
        raise StorageError("the server", f"did not answer within {PATIENCE:g} seconds", STEP) from None
    except (OSError, ValueError, IndexError, KeyError, TypeError):
        raise StorageError("the server", "did not answer like a server", STEP) from None


STEP = "Run `autology serve` in a terminal to see its output; press Ctrl-C to stop it."
