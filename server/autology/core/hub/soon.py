"""Sending what was written a moment later, beside all other work: nobody waits for it, and one sends at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PAUSE = 2.0
"""Seconds before it is sent, in which more is often written."""


class Soon:
    """Calls *send* in the background after it was woken; what fails is told to *failed*, and sent the next time."""

    def __init__(
        self, send: Callable[[], object], failed: Callable[[Exception], object], pause: float | None = None
    ) -> None:
        self._send = send
        self._failed = failed
        self._pause = PAUSE if pause is None else pause
        self._lock = threading.Lock()
        self._wanted = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Have it send soon; returns at once."""
        with self._lock:
            self._wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="autology-hub", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(self._pause)
            with self._lock:
                if not self._wanted:
                    self._thread = None
                    return
                self._wanted = False
            try:
                self._send()
            except Exception as error:  # noqa: BLE001 - what is written next is to be sent all the same
                self._failed(error)
