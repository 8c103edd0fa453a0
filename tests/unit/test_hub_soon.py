"""Sending in the background: what is written is sent, whatever became of the time before."""

from __future__ import annotations

import threading

from autology.core.hub.soon import Soon


def test_after_a_failure_of_any_kind_it_sends_what_is_written_next() -> None:
    sent, failed = threading.Semaphore(0), threading.Semaphore(0)
    errors: list[Exception] = []

    def send() -> None:
        if not errors:
            raise TypeError("not what was expected")
        sent.release()

    def tell(error: Exception) -> None:
        errors.append(error)
        failed.release()

    soon = Soon(send, tell, pause=0.01)
    soon.wake()
    assert failed.acquire(timeout=600)
    soon.wake()
    assert sent.acquire(timeout=600)
    assert [type(error) for error in errors] == [TypeError]
