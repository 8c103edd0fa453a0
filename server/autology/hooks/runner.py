"""Running a hook so that it never breaks, blocks or slows a session."""

from __future__ import annotations

import os
import sys

from autology.hooks.project import Project, find_root

LIMIT = 10_000
"""Characters of an answer; the client puts a longer one into a file and shows its beginning."""

SECONDS = 4.0
"""Seconds after which a hook ends and says nothing; the client stops it after five, and tells the user so.

What it waits for by itself is bounded to a twentieth of a second; this is for a machine that has no time for it.
"""
EVENTS = ("post-commit", "pre-compact", "pre-edit", "prompt-submit", "session-end", "session-start")
_ACTIVE = "AUTOLOGY_HOOK_ACTIVE"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def run(event: str, raw: bytes) -> int:
    """Answer the hook *event*, whose input is *raw*, on standard output; returns 0.

    Whatever fails leaves a line in the log and nothing on standard output. Only who typed a wrong
    *event* on a terminal is told so, with 2.
    """
    if event not in EVENTS and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(f"autology: there is no hook '{event[:40]}'. There are {', '.join(EVENTS)}.\n")
        return 2
    try:
        _end_after(SECONDS)
        said = _answer(event, raw)
        if said:
            sys.stdout.buffer.write(said.encode("utf-8", "replace"))
            sys.stdout.buffer.flush()
    except BaseException as problem:
        from autology import log

        log.write(f"hook {event}", problem)
    finally:
        _end_after(0)
    return 0


def _end_after(seconds: float) -> None:
    """End this process silently after so long; 0 takes that back. Does nothing where the system has no such timer."""
    import _signal  # type: ignore[import-not-found]  # `signal` takes a hook 2 ms

    if hasattr(_signal, "setitimer"):
        if seconds:
            _signal.signal(_signal.SIGALRM, lambda *_: os._exit(0))
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def enabled(event: str) -> bool:
    """Whether the user lets the hook *event* speak."""
    del event  # One switch for all of them.
    from autology import switches

    return switches.hooks_on()


def _answer(event: str, raw: bytes) -> str:
    # A program that a hook starts, and a session that such a program starts, would come back here.
    if os.environ.get(_ACTIVE) or not enabled(event):
        return ""
    os.environ[_ACTIVE] = "1"
    try:
        import json

        given = json.loads(raw.decode("utf-8-sig", "replace"))
        if not isinstance(given, dict):
            raise TypeError(f"the input is {type(given).__name__}, not an object")
        root = find_root(given.get("cwd"))
        if root is None:
            return ""
        answer = _module(event)(given, Project(root, given))
        if not answer:
            return ""
        said = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        if len(said) > LIMIT:
            raise ValueError(f"the answer has {len(said):,} characters")
        return said
    finally:
        del os.environ[_ACTIVE]


def _module(event: str) -> Callable[[dict[str, object], Project], object]:
    """Return what answers *event*; only that is loaded."""
    if event == "post-commit":
        from autology.hooks import post_commit

        return post_commit.answer
    if event == "prompt-submit":
        from autology.hooks import prompt_submit

        return prompt_submit.answer
    if event == "pre-edit":
        from autology.hooks import pre_edit

        return pre_edit.answer
    if event == "session-start":
        from autology.hooks import session_start

        return session_start.answer
    if event == "session-end":
        from autology.hooks import session_end

        return session_end.answer
    if event == "pre-compact":
        from autology.hooks import pre_compact

        return pre_compact.answer
    raise LookupError(f"no hook of that name; there are {', '.join(EVENTS)}")
