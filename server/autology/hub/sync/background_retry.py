"""Sending in the background: shortly after a write, and again while changes are still queued."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PAUSE = 2.0
"""Seconds before sending, because writes often come several at a time."""
RETRY, LONGEST_RETRY = 5.0, 600.0
"""Seconds before the first retry; doubled for each further one up to the second number."""


class BackgroundSender:
    """A thread that calls *send* after each :meth:`wake`, and again as long as it returns True.

    An exception counts as True and is passed to *on_error*, once until its message changes.
    """

    def __init__(
        self,
        send: Callable[[], bool],
        on_error: Callable[[Exception], object],
        pause: float | None = None,
        retry: float | None = None,
    ) -> None:
        self._send = send
        self._on_error = on_error
        self._pause = PAUSE if pause is None else pause
        self._retry = RETRY if retry is None else retry
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Send soon; returns at once."""
        with self._lock:
            self._woken.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="autology-hub", daemon=True)
                self._thread.start()

    @property
    def pending(self) -> bool:
        """Whether changes still have to be sent."""
        return self._thread is not None

    def _run(self) -> None:
        wait, last_message = self._retry, ""
        while True:
            time.sleep(self._pause)
            self._woken.clear()
            try:
                waiting, failure = self._send(), None
            except Exception as error:  # noqa: BLE001 - later writes must still be sent
                waiting, failure = True, error
            if failure is not None and str(failure) != last_message:
                self._on_error(failure)
            last_message = str(failure or "")
            if waiting:
                wait = min(wait * 2, LONGEST_RETRY) if not self._woken.wait(wait) else self._retry
                continue
            wait = self._retry
            with self._lock:
                if not self._woken.is_set():
                    self._thread = None
                    return
