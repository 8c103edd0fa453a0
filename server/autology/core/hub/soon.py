"""Sending what was written a moment later, beside all other work, and again while something of it waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PAUSE = 2.0
"""Seconds before it is sent, in which more is often written."""
AGAIN, LATEST = 5.0, 600.0
"""Seconds after which what could not be sent is tried again, twice as many each time, and at most so many."""


class Soon:
    """Calls *send* in the background after it was woken, and again as long as it says that something waits still.

    What fails waits too, and is told to *failed*, once while it fails in the same way.
    """

    def __init__(
        self,
        send: Callable[[], bool],
        failed: Callable[[Exception], object],
        pause: float | None = None,
        again: float | None = None,
    ) -> None:
        self._send = send
        self._failed = failed
        self._pause = PAUSE if pause is None else pause
        self._again = AGAIN if again is None else again
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Have it send soon; returns at once."""
        with self._lock:
            self._woken.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="autology-hub", daemon=True)
                self._thread.start()

    @property
    def pending(self) -> bool:
        """Whether something is to be sent still."""
        return self._thread is not None

    def _run(self) -> None:
        wait, said = self._again, ""
        while True:
            time.sleep(self._pause)
            self._woken.clear()
            try:
                waits, failure = self._send(), None
            except Exception as error:  # noqa: BLE001 - what is written next is to be sent all the same
                waits, failure = True, error
            if failure is not None and str(failure) != said:
                self._failed(failure)
            said = str(failure or "")
            if waits:
                wait = min(wait * 2, LATEST) if not self._woken.wait(wait) else self._again
                continue
            wait = self._again
            with self._lock:
                if not self._woken.is_set():
                    self._thread = None
                    return
