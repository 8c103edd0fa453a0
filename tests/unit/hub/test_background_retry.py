"""Sending in the background: what is written is sent, whatever became of the time before."""

from __future__ import annotations

import threading
import time

from autology.hub.sync.background_retry import BackgroundSender


def test_after_a_failure_of_any_kind_it_sends_what_is_written_next() -> None:
    sent, failed = threading.Semaphore(0), threading.Semaphore(0)
    errors: list[Exception] = []

    def send() -> bool:
        if not errors:
            raise TypeError("not what was expected")
        sent.release()
        return False

    def tell(error: Exception) -> None:
        errors.append(error)
        failed.release()

    soon = BackgroundSender(send, tell, pause=0.01)
    soon.wake()
    assert failed.acquire(timeout=600)
    soon.wake()
    assert sent.acquire(timeout=600)
    assert [type(error) for error in errors] == [TypeError]


def test_unsent_changes_are_retried_without_another_write() -> None:
    tried: list[int] = []
    done = threading.Event()

    def send() -> bool:
        tried.append(1)
        if len(tried) == 3:
            done.set()
        return len(tried) < 3

    soon = BackgroundSender(send, errors_are_none, pause=0.01, retry=0.01)
    soon.wake()
    assert done.wait(20)
    until = time.monotonic() + 20
    while soon._thread is not None and time.monotonic() < until:
        time.sleep(0.01)
    assert soon._thread is None  # and nothing goes on where nothing waits
    assert len(tried) == 3


def test_a_repeated_failure_is_reported_once() -> None:
    tried, result = threading.Semaphore(0), []

    def send() -> bool:
        tried.release()
        raise OSError("the same")

    soon = BackgroundSender(send, result.append, pause=0.01, retry=0.01)
    soon.wake()
    for _ in range(3):
        assert tried.acquire(timeout=20)
    assert len(result) == 1


def errors_are_none(error: Exception) -> None:
    raise AssertionError(error)
