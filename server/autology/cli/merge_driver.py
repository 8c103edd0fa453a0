"""``autology merge-driver``: merge two branches' versions of a note (run by git)."""

from __future__ import annotations

import argparse
import os
import threading
from pathlib import Path

from autology.cli.screen import Screen
from autology.core.nodes import branch_merge
from autology.text.notes.note_merge import UnmergeableError
from autology.wire.user import merge_as_text

EXAMPLES = """\
autology merge-driver base.md ours.md theirs.md
git config merge.autology.driver "'/path/to/autology.pyz' merge-driver %O %A %B %L %P"  # `autology init` does it"""
JSON = "{path, conflicts, as_any_text: why it was merged as plain text, or null}"
LEFT_TO_GIT = 2
TIME_LIMIT = 15.0
"""Seconds until the merge is left to git. It usually takes milliseconds; comparing two texts stops after five."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add git's arguments for a merge driver."""
    parser.add_argument("base", metavar="BASE", help="the common ancestor (%%O); empty if there is none")
    parser.add_argument("ours", metavar="OURS", help="our version (%%A); the result is written there")
    parser.add_argument("theirs", metavar="THEIRS", help="the other branch's version (%%B)")
    parser.add_argument("marker", nargs="?", type=int, default=7, metavar="SIZE", help="length of the markers (%%L)")
    parser.add_argument("path", nargs="?", default="", metavar="PATH", help="path of the file (%%P)")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Merge into OURS: 0 without conflicts, 1 with conflict markers, 2 if it is left unchanged."""
    files = [Path(name) for name in (args.base, args.ours, args.theirs)]
    fallback_reason = None
    finishing = _deadline(TIME_LIMIT, screen)
    try:
        base, ours, theirs = (file.read_bytes() for file in files)
        data, merged = branch_merge.merged(base, ours, theirs, args.marker)
        finishing.acquire()
        conflicts = merged.conflicts
        if data != ours:
            _replace(files[1], data)
    except UnmergeableError as error:
        finishing.acquire()
        fallback_reason = str(error)
        # Files that git cannot merge either, such as two binary files, are one conflict; OURS stays unchanged.
        conflicts = merge_as_text(str(files[1]), str(files[0]), str(files[2]), args.marker)
    except OSError as error:
        screen.say(f"{error.filename}: {error.strerror or error}. Give three files that can be read and written.")
        return LEFT_TO_GIT
    _report(args.path or args.ours, conflicts, fallback_reason, screen)
    if not conflicts and fallback_reason is None and b"\nfrozen: " in data and _is_broken(data):
        step = "`autology review` accepts or reverts the change."
        screen.say(f"{screen.safe(args.path)}: it is accepted, but the branches changed its frozen text. {step}")
    return 1 if conflicts else 0


def _deadline(seconds: float, screen: Screen) -> threading.Lock:
    """Exit with LEFT_TO_GIT after *seconds*, so that git merges the file; acquiring the returned lock prevents it."""
    finishing = threading.Lock()

    def give_up() -> None:
        finishing.acquire()
        screen.say(f"not merged within {seconds:g} s. Merge the three files with `git merge-file`.")
        os._exit(LEFT_TO_GIT)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    return finishing


def _is_broken(data: bytes) -> bool:
    from autology.core.nodes import sealing

    return sealing.is_broken_text(data)


def _replace(file: Path, data: bytes) -> None:
    # Atomically: git merges the file itself if this gives up, and must find it unchanged.
    staged = file.with_name(f"{file.name}.merged")
    staged.write_bytes(data)
    staged.replace(file)


def _report(path: str, conflicts: int, fallback_reason: str | None, screen: Screen) -> None:
    if screen.json:
        screen.data({"path": path, "conflicts": conflicts, "as_any_text": fallback_reason})
    elif fallback_reason:
        screen.say(f"{screen.safe(path)}: merged as plain text: {screen.safe(fallback_reason)}")
