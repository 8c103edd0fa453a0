"""Signals that end this process; those that its parent ignores stay ignored, as in any background job."""

from __future__ import annotations

import signal
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TERMINATION_SIGNALS = ("SIGTERM", "SIGHUP")
"""Signals that ask a process to end, besides Ctrl-C: sent by `kill`, and when the terminal closes."""


class Ended(KeyboardInterrupt):
    """A signal asked this process to end; *code* is the exit code for it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


def on(names: tuple[str, ...], act: Callable[[int], None]) -> None:
    """Call *act* with the number of each received signal among *names*, except those that the parent process ignores.

    A background job of a shell inherits an ignored SIGINT, and a command under `nohup` an ignored SIGHUP.
    """
    for name in names:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(ValueError):  # only the main thread may
                signal.signal(number, lambda number, _: act(number))


def stop() -> None:
    """Make the signals in TERMINATION_SIGNALS stop this process as Ctrl-C does, so that open files are closed first."""

    def end(number: int) -> None:
        raise Ended(number)

    on(TERMINATION_SIGNALS, end)
