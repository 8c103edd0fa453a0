"""A command's output: text for people, JSON for programs, progress bars."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from autology.core.long_work import Progress
from autology.render.next_steps import for_terminal, worded
from autology.text.line_wrap import wrapped
from autology.text.sanitising import clean_block, clean_line, escaped

LONGEST_BLOCK = 2_000_000
"""Maximum characters of a text: twice the longest note."""
PATIENCE = 0.3
"""Seconds before a progress bar appears."""
WIDEST = 140
"""Maximum characters of a snippet's line: longer ones are hard to read."""
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class UnwrittenError(Exception):
    """Standard output cannot be written, for instance because the disk is full."""


class Screen:
    """Standard output and standard error, in UTF-8 whatever the locale."""

    def __init__(self, json: bool = False) -> None:
        self.json = json
        _replace_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        self._colours = not json and _shows_colours(sys.stdout)
        self._clock: _Clock | None = None

    # ---- printing --------------------------------------------------------------------------------

    def line(self, text: str = "", style: str | None = None) -> None:
        """Print a line of our own text; text from files must pass through :meth:`safe` first."""
        self._print(self.styled(text, style) if style else text, wraps=True)

    def fields(self, values: Mapping[str, str]) -> None:
        """Print a line for each of *values* that is not empty, after its name."""
        for name, value in values.items():
            if value:
                self.line(f"{name:<9} {self.safe(value, 1_000)}")

    def notes(self, notes: Iterable[str]) -> None:
        """Print the notices about degraded results."""
        for note in notes:
            self.line(f"Note: {self.safe(note, 500)}")

    def data(self, value: dict[str, Any]) -> None:
        """Print a JSON object."""
        # Invisible characters are escaped: they could act on a terminal, or be read by a model.
        self._print(escaped(json.dumps(worded(value), ensure_ascii=is_terminal(sys.stdout), indent=2)))

    def report(self, value: dict[str, Any], *lines: str) -> int:
        """Print *value* as a JSON object, or else *lines* of our own text; return the exit code for success."""
        if self.json:
            self.data(value)
        for line in () if self.json else lines:
            self.line(line)
        return 0

    def record(self, value: dict[str, Any]) -> None:
        """Print one JSON object on one line."""
        self._print(escaped(json.dumps(value, ensure_ascii=is_terminal(sys.stdout))))

    def block(self, text: str) -> None:
        """Print a text from a file, without terminal control characters."""
        self._print(clean_block(text, LONGEST_BLOCK))

    def raw(self, data: bytes) -> None:
        """Print bytes unchanged, but on a terminal only safe text."""
        self._rest()
        if is_terminal(sys.stdout):
            self.block(data.decode("utf-8", "replace"))
            return
        self.flush()
        with _writing():
            sys.stdout.buffer.write(data)

    @property
    def is_watched(self) -> bool:
        """Whether a person sees standard error."""
        return is_terminal(sys.stderr)

    def error(self, kind: str, message: str) -> None:
        """Print an error as a JSON object; a closed pipe is ignored."""
        try:
            self.data({"error": {"kind": kind, "message": message}})
            self.flush()
        except BrokenPipeError:
            drop_output()

    def say(self, text: str) -> None:
        """Print a message on standard error."""
        self._rest()
        message = f"autology: {clean_block(text, 4_000)}"
        try:
            print(wrapped(message, columns()) if is_terminal(sys.stderr) else message, file=sys.stderr, flush=True)
        except OSError:  # nobody reads it, or the disk is full: the command continues
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115

    def flush(self) -> None:
        """Write out buffered output.

        Raises:
            BrokenPipeError: the reader closed the pipe.
            UnwrittenError: it cannot be written.
        """
        self._rest()
        with _writing():
            sys.stdout.flush()

    def _print(self, text: str, wraps: bool = False) -> None:
        self._rest()
        with _writing():
            print(wrapped(text, columns()) if wraps and is_terminal(sys.stdout) else text)

    def safe(self, text: str, limit: int = 200) -> str:
        """Return *text* as one line without terminal control characters, its next steps as commands."""
        return clean_line(for_terminal(text), limit)

    def styled(self, text: str, style: str) -> str:
        """Return *text* in a style, if styles are enabled."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colours else text

    def marked(self, text: str) -> str:
        """Return a matching word, highlighted."""
        return f"\x1b[1;33m{text}\x1b[0m" if self._colours else f"*{text}*"

    @property
    def width(self) -> int:
        """The usable width of a line in characters."""
        return min(columns(), WIDEST)

    # ---- asking and waiting ----------------------------------------------------------------------

    def can_ask(self) -> bool:
        """Whether a person can answer questions."""
        return is_terminal(sys.stdin) and is_terminal(sys.stdout) and not self.json

    def confirm(self, question: str, default: bool) -> bool:
        """Ask a yes/no question on the terminal; *default* is the answer for an empty line."""
        self._rest()
        print(f"{question} [{'Y/n' if default else 'y/N'}] ", end="", flush=True)
        answer = sys.stdin.readline().strip().lower()
        return default if not answer else answer in ("y", "yes", "j", "ja", "o", "oui", "s", "si")

    @contextmanager
    def progress(self, label: str) -> Iterator[Progress]:
        """Show a progress bar on standard error, if that is a terminal."""
        self._rest()
        bar = _Bar(sys.stderr, label) if is_terminal(sys.stderr) else None
        try:
            yield bar.show if bar else _no_progress
        finally:
            if bar:
                bar.clear()

    def begin(self, label: str) -> None:
        """Show on a terminal, until the next output, that work of unknown length goes on, and for how long."""
        self._rest()
        if is_terminal(sys.stderr):
            self._clock = _Clock(sys.stderr, label)
            self._clock.start()

    def _rest(self) -> None:
        """Stop the clock of :meth:`begin`."""
        if self._clock:
            self._clock.stop()
            self._clock = None


def columns() -> int:
    """Return the width of the terminal, or a usual one without any."""
    return shutil.get_terminal_size((100, 24)).columns


def drop_output() -> None:
    """Discard buffered output: Python would report a second error when it flushes that at exit."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UnwrittenError(f"standard output cannot be written: {error.strerror or error}") from None


class _Bar:
    def __init__(self, stream: TextIO, label: str) -> None:
        self._stream, self._label = stream, label
        self._started = self._drawn = time.monotonic()
        self._visible = False

    def show(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._started < PATIENCE or (now - self._drawn < 0.1 and done < total):
            return
        self._drawn, self._visible = now, True
        filled = 24 * done // max(total, 1)
        self._stream.write(f"\r{self._label} [{'#' * filled}{'.' * (24 - filled)}] {done:,}/{total:,}\x1b[K")
        self._stream.flush()

    def clear(self) -> None:
        if self._visible:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class _Clock(threading.Thread):
    """Writes a label and the elapsed seconds, every second, until it is stopped."""

    def __init__(self, stream: TextIO, label: str) -> None:
        super().__init__(daemon=True)
        self._stream, self._label = stream, label
        self._is_over = threading.Event()

    def run(self) -> None:
        started, wait = time.monotonic(), PATIENCE
        is_visible = False
        while not self._is_over.wait(wait):
            is_visible, wait = True, 1.0
            self._write(f"\r{self._label}… {time.monotonic() - started:.0f} s\x1b[K")
        if is_visible:
            self._write("\r\x1b[K")

    def stop(self) -> None:
        self._is_over.set()
        self.join()

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the terminal is gone
            self._stream.write(text)
            self._stream.flush()


def _no_progress(done: int, total: int) -> None:  # noqa: ARG001 - no terminal
    return


def _replace_closed_streams() -> None:
    """Replace standard streams that the caller closed (`>&-`) by the null device."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def is_terminal(stream: TextIO) -> bool:
    """Whether a person sees *stream*."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _shows_colours(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    capable = os.name != "nt" or any(os.environ.get(name) for name in ("WT_SESSION", "ANSICON", "TERM"))
    return capable and is_terminal(stream)
