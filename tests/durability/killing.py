"""Ending a process at any call of what it does, as a power cut or a kill would."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

KILLED = 137
DECISIVE = frozenset(("replace", "rename", "unlink", "fsync"))
"""Calls that change what is on disk: every one of them is tried, just before and just after."""


@dataclass(frozen=True)
class Course:
    """The calls that an action makes, counted; *decisive* are those that change the disk."""

    calls: int
    decisive: tuple[int, ...]

    def stops(self, most: int) -> list[int]:
        """Return at most about *most* points to stop at, evenly spread, and around each decisive call besides."""
        step = max(1, self.calls // most)
        around = {at + shift for at in self.decisive for shift in (0, 1)}
        spread = set(range(1, self.calls + 1, step))
        return sorted(at for at in spread | around if 1 <= at <= self.calls)


def killed_at(stop: int, action: Callable[[], object]) -> bool:
    """Run *action* in a child that dies at its *stop*-th call; true if it got that far."""
    child = _fork()
    if child == 0:
        left = stop

        def tick(frame: FrameType, event: str, argument: object) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os._exit(KILLED)

        _run(action, tick)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED), f"the action failed by itself at {stop}: {status}"
    return status == KILLED


def course(action: Callable[[], object], decisive: frozenset[str] = DECISIVE) -> Course:
    """Return what *action* does, run to its end in a child."""
    reader, writer = os.pipe()
    child = _fork()
    if child == 0:
        os.close(reader)
        calls = 0
        received: list[int] = []

        def tick(frame: FrameType, event: str, argument: object) -> None:
            nonlocal calls
            calls += 1
            if event in ("c_call", "c_return") and getattr(argument, "__name__", "") in decisive:
                received.append(calls)

        def whole() -> None:
            action()
            sys.setprofile(None)
            os.write(writer, ",".join(map(str, (calls, *received))).encode())

        _run(whole, tick)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read().decode()
    assert os.waitpid(child, 0)[1] == 0, "the action failed by itself"
    total, *at = (int(number) for number in answer.split(","))
    return Course(total, tuple(at))


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the test runner's own threads hold nothing we need
        return os.fork()


def _run(action: Callable[[], object], tick: Callable[[FrameType, str, object], None]) -> None:
    status = 1
    try:
        sys.setprofile(tick)
        action()
        sys.setprofile(None)
        status = 0
    except BaseException:
        sys.setprofile(None)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)
