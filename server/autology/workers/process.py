"""A worker process, seen from its parent: start, request, end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock

from autology.workers.frames import BrokenError, receive, send

_CREATE_NO_WINDOW = 0x08000000


class Process:
    """A worker started with *command* that sends *greeting* first; one thread uses it, another may end it."""

    def __init__(self, command: Sequence[str], greeting: bytes) -> None:
        self._command = command
        self._greeting = greeting
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def start(self) -> None:
        """Start the worker and wait for its greeting.

        Raises:
            OSError: it cannot be started.
            BrokenError: it is not a worker, or has a different version.
        """
        with self._lock:
            if self._ended:
                raise BrokenError("ended")
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=_CREATE_NO_WINDOW if sys.platform == "win32" else 0,
            )
        if self._answer() != self._greeting:
            raise BrokenError("different version")

    def ask(self, job: bytes) -> bytes:
        """Return the worker's reply to *job*. Raises OSError or BrokenError if it is gone."""
        assert self._process is not None
        assert self._process.stdin is not None
        send(self._process.stdin, job)
        return self._answer()

    def end(self) -> None:
        """Kill the worker; thread-safe. It holds no state that could be lost."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()

    def leave(self) -> None:
        """Kill the worker and release its resources."""
        self.end()
        if (process := self._process) is None:
            return
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # unwritten data has no reader
                if pipe is not None:
                    pipe.close()
        process.wait()

    def _answer(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        answer = receive(self._process.stdout)
        if answer is None:
            raise BrokenError("gone")
        return answer
