"""Which signals end this process, and how: those that its starter ignored stay ignored, as in any background job."""

from __future__ import annotations

import signal
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ENDING = ("SIGTERM", "SIGHUP")
"""What asks a process to end, besides Ctrl-C: `kill`, and a terminal that is closed."""


class Ended(KeyboardInterrupt):
    """A signal asked this process to end; *code* is the exit code that says so."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


def on(names: tuple[str, ...], act: Callable[[int], None]) -> None:
    """Call *act* with the number of each signal of *names* that comes, unless whoever started this process ignores it.

    A shell's background job, or what `nohup` starts, inherits that SIGINT or SIGHUP is ignored.
    """
    for name in names:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(ValueError):  # only the main thread may
                signal.signal(number, lambda number, _: act(number))


def stop() -> None:
    """Let a signal that asks this process to end stop it as Ctrl-C does: what is open is closed on the way out."""

    def end(number: int) -> None:
        raise Ended(number)

    on(ENDING, end)
