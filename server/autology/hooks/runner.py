"""Runs hooks so that they never break, block or slow down a session."""

from __future__ import annotations

import os
import sys

from autology.hook_events import EVENTS, hooks_on
from autology.hooks.project import HookProject, find_root

LIMIT = 10_000
"""Maximum characters of an answer; the client moves a longer one to a file and shows only its start."""

SECONDS = 4.0
"""The deadline in seconds, after which a hook exits silently; the client kills it after five and tells the user.

Lock timeouts are a twentieth of a second; this deadline is for an overloaded machine.
"""
_ACTIVE = "AUTOLOGY_HOOK_ACTIVE"


def run(event: str, raw: bytes) -> int:
    """Run the hook *event* on the input *raw* and write its answer to standard output; return 0.

    Another client than Claude Code is named after the event: ``session-start@codex``.
    Errors go to the log, never to standard output. Only an unknown *event* typed on a terminal is reported, with exit
    code 2.
    """
    event, _, client = event.partition("@")
    if event not in EVENTS and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(f"autology: unknown hook '{event[:40]}'. The hooks are {', '.join(EVENTS)}.\n")
        return 2
    try:
        _end_after(SECONDS)
        output = _answer(event, raw, client)
        if output:
            sys.stdout.buffer.write(output.encode("utf-8", "replace"))
            sys.stdout.buffer.flush()
    except BaseException as problem:
        from autology import log

        log.write(f"hook {event}", problem)
    finally:
        _end_after(0)
    return 0


def _end_after(seconds: float) -> None:
    """Exit this process silently after *seconds*; 0 cancels. Does nothing on systems without such a timer."""
    import _signal  # type: ignore[import-not-found]  # importing `signal` takes a hook 2 ms

    if hasattr(_signal, "setitimer"):
        if seconds:
            _signal.signal(_signal.SIGALRM, lambda *_: os._exit(0))
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _answer(event: str, raw: bytes, client: str) -> str:
    # Prevents recursion through a program, or a session of such a program, that a hook starts.
    if os.environ.get(_ACTIVE) or not hooks_on():
        return ""
    os.environ[_ACTIVE] = "1"
    try:
        import json

        request = json.loads(raw.decode("utf-8-sig", "replace"))
        if not isinstance(request, dict):
            raise TypeError(f"the input is {type(request).__name__}, not an object")
        root = find_root(request.get("cwd"))
        if root is None:
            return ""
        if event not in EVENTS:
            raise LookupError(f"unknown hook; the hooks are {', '.join(EVENTS)}")
        # Only this event's module is loaded; importing `importlib` would take longer.
        module = __import__(f"autology.hooks.{event.replace('-', '_')}", fromlist=("answer",))
        if client:
            from autology.hooks import other_clients

            request = other_clients.translated(request)
        answer = module.answer(request, HookProject(root, request))
        if client and answer:
            answer = other_clients.named(answer)
        output = _for_client(event, answer) if answer else ""
        if len(output) > LIMIT:
            raise ValueError(f"the answer has {len(output):,} characters")
        return output
    finally:
        del os.environ[_ACTIVE]


def _for_client(event: str, answer: str | tuple[str, ...]) -> str:
    """Return an answer as the client reads it: plain text for its summariser, else JSON.

    The JSON is made of a text for the model and a message for the user; either may be "". With a permission decision as
    the third, the text is its reason.
    """
    if isinstance(answer, str):
        return answer
    import json

    text, message, *decided = answer
    fields: dict[str, object] = {"systemMessage": message} if message else {}
    if text:
        spoken = {"permissionDecision": decided[0], "permissionDecisionReason": text} if decided else {}
        fields["hookSpecificOutput"] = {
            "hookEventName": EVENTS[event].client_event,
            **(spoken or {"additionalContext": text}),
        }
    return json.dumps(fields, ensure_ascii=False) if fields else ""
