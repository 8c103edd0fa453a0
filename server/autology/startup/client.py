"""The client at the other end of standard input and output, from its first line to its last."""

from __future__ import annotations

import os
import select
import threading

from autology.startup.line_queue import LineQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from autology.startup.early_answers import EarlyAnswers

MAX_LINE = 16_000_000
"""Maximum bytes of a line: a note's million characters, each escaped as two surrogates of six bytes, and a reserve."""
SKIP_SIZE = 1_000_000
"""Bytes read at once of an overlong line; they are dropped."""
MAX_EARLY_LINES = 256
"""Lines that wait while the server is loaded; a client sends some ten."""
MAX_EARLY_BYTES = 64_000_000
"""Bytes of those lines: four of maximum length."""


class Client:
    """Reads the client's lines in a thread, which answers those with a known answer until :meth:`hand_over`."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, answers: EarlyAnswers | None) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._answers = answers
        self._answering = threading.Lock()
        self._handed_over = False
        self._lines = LineQueue(MAX_EARLY_LINES, MAX_EARLY_BYTES)

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="client", daemon=True).start()

    @property
    def handed_over(self) -> bool:
        """Whether another server has taken over."""
        return self._handed_over

    def hand_over(self) -> bool:
        """Answer nothing more: :meth:`take` returns all lines. Return whether the client has the list of tools."""
        with self._answering:
            answers, self._answers = self._answers, None
            self._handed_over = True
        self._lines.limit(1)
        return answers is not None and answers.tools_listed

    def take(self) -> bytes:
        """Return the next line with its end, of an overlong line MAX_LINE bytes, and b"" at the end of the input."""
        return self._lines.take()

    def take_at_once(self) -> bytes | None:
        """Return the same if it has arrived, else None."""
        return self._lines.take_at_once()

    def notify(self, on_line: Callable[[], object]) -> None:
        """Call *on_line* now, and whenever a line or the end of the input has arrived, in the thread that reads."""
        self._lines.notify(on_line)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines until the input ends."""
        return iter(self.take, b"")

    def write(self, data: bytes) -> None:
        """Write *data* at once. Raises OSError if the client is gone."""
        self._outgoing.write(data)
        self._outgoing.flush()

    def output(self) -> BinaryIO:
        """Return the stream that :meth:`write` writes to, for a process that takes over."""
        return self._outgoing

    def hung_up(self) -> bool:
        """Whether the client closed its end of the input; False if the platform cannot tell."""
        if not hasattr(select, "poll"):
            return False
        poll = select.poll()
        poll.register(self._incoming, 0)
        return bool(poll.poll(0))

    def _read(self) -> None:
        try:
            while line := self._line():
                with self._answering:
                    forward = self._answer(line, self._answers) if self._answers is not None else line
                if forward is not None:
                    self._lines.put(forward)
            with self._answering:
                if self._answers is not None and not self._answers.waiting:
                    os._exit(0)  # Nothing was asked that needs the rest of the program.
        finally:
            self._lines.put(b"")  # Whatever happens: a server that waits for more would never end.

    def _answer(self, line: bytes, answers: EarlyAnswers) -> bytes | None:
        answer, forward = answers.reply(line)
        if answers.cancelled is not None and self._lines.remove(answers.cancelled):
            return None
        if answer is not None:
            try:
                self.write(answer)
            except OSError:
                os._exit(0)  # The client closed its end.
        return forward

    def _line(self) -> bytes:
        try:
            line = rest = self._incoming.readline(MAX_LINE)
            if len(line) == MAX_LINE:
                while rest and not rest.endswith(b"\n"):
                    rest = self._incoming.readline(SKIP_SIZE)
        except OSError:
            return b""  # The client died: a socket, for instance, is reset.
        return line
