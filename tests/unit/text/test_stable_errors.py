"""An error is known by what it has in common with its next occurrence."""

from __future__ import annotations

import pytest

from autology.text.stable_errors import stable


@pytest.mark.parametrize(
    ("error", "other"),
    [
        (
            "ConnectionError: http://10.2.3.4:8080/v1/users timed out after 30s",
            "ConnectionError: http://api.example.com/v2/orders timed out after 5s",
        ),
        (
            'File "/srv/app/jobs/pay.py", line 12: KeyError: iban',
            'File "/home/ann/src/app/pay.py", line 340: KeyError: iban',
        ),
        (
            "lock 0c77d1fe-1b2a-44d0-8a6e-900f6d7e1d22 is held by pid 4711",
            "lock 1d88e2af-2c3b-55e1-9b7f-011a7e8f2e33 is held by pid 12",
        ),
        ("object at 0x7f3a9c is gone", "object at 0x11ab00 is gone"),
    ],
)
def test_two_occurrences_of_an_error_have_the_same_stable_parts(error: str, other: str) -> None:
    assert stable(error).split() == stable(other).split()


@pytest.mark.parametrize(
    ("error", "part"),
    [
        ("container killed (exit code 137)", "137"),
        ("HTTP 413 from the proxy", "413"),
        ("error[E0502]: cannot borrow", "E0502"),
        ("TS2345: Argument of type string", "TS2345"),
        ("[Errno 111] Connection refused", "111"),
        ("psycopg.errors.DeadlockDetected: deadlock detected", "psycopg.errors.DeadlockDetected"),
    ],
)
def test_types_messages_and_the_tools_own_codes_are_stable(error: str, part: str) -> None:
    assert part in stable(error)


def test_words_without_an_error_stay() -> None:
    assert stable("let users and/or guests export a tour").split() == "let users and/or guests export a tour".split()
