"""``autology merge-driver``: merge two branches' versions of a note, for git to start."""

from __future__ import annotations

import argparse
import os
import threading
from pathlib import Path

from autology import wire
from autology.cli.screen import Screen
from autology.core import merging
from autology.text.notemerge import UnmergeableError

EXAMPLES = """\
autology merge-driver base.md ours.md theirs.md
git config merge.autology.driver "'/path/to/autology.pyz' merge-driver %O %A %B %L %P"  # `autology init` does it"""
JSON = "{path, conflicts, as_any_text: why it was merged as any text, or null}"
GAVE_UP = 2
SECONDS = 15.0
"""Seconds until the merge is left to git: it takes milliseconds, and comparing two texts ends itself after five."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what git tells a merge driver."""
    parser.add_argument("base", metavar="BASE", help="the version that both come from (%%O); empty if there is none")
    parser.add_argument("ours", metavar="OURS", help="the version here (%%A); the merged file is written there")
    parser.add_argument("theirs", metavar="THEIRS", help="the version of the other branch (%%B)")
    parser.add_argument("marker", nargs="?", type=int, default=7, metavar="SIZE", help="of conflict markers (%%L)")
    parser.add_argument("path", nargs="?", default="", metavar="PATH", help="what the file is called (%%P)")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Merge into OURS: 0 if whole, 1 with conflict markers in it, 2 if it is left as it was."""
    files = [Path(name) for name in (asked.base, asked.ours, asked.theirs)]
    why = None
    decided = _given_up_after(SECONDS, screen)
    try:
        base, ours, theirs = (file.read_bytes() for file in files)
        data, merged = merging.merged(base, ours, theirs, asked.marker)
        decided.acquire()
        conflicts = merged.conflicts
        if data != ours:
            _put(files[1], data)
    except UnmergeableError as error:
        decided.acquire()
        why = str(error)
        # Two that git cannot merge either, as two binary files, are one conflict; OURS stays as it is.
        conflicts = wire.merge_as_text(str(files[1]), str(files[0]), str(files[2]), asked.marker)
    except OSError as error:
        screen.say(f"{error.filename}: {error.strerror or error}. Give three files that can be read and written.")
        return GAVE_UP
    _tell(asked.path or asked.ours, conflicts, why, screen)
    if not conflicts and why is None and b"\nfrozen: " in data and _is_broken(data):
        step = "`autology review` keeps or takes back what was changed."
        screen.say(f"{screen.safe(asked.path)}: accepted, and the branches changed its frozen text. {step}")
    return 1 if conflicts else 0


def _given_up_after(seconds: float, screen: Screen) -> threading.Lock:
    """End the process with GAVE_UP after so long, for git to merge the file; whoever holds the lock prevents it."""
    decided = threading.Lock()

    def give_up() -> None:
        decided.acquire()
        screen.say(f"not merged within {seconds:g} s. Merge the three files with `git merge-file`.")
        os._exit(GAVE_UP)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    return decided


def _is_broken(data: bytes) -> bool:
    from autology.core import freeze  # git starts this for each note, and most hold no frozen text

    return freeze.is_broken_text(data)


def _put(file: Path, data: bytes) -> None:
    # In one step: git merges the file by itself if this gives up, and must find it as it was.
    made = file.with_name(f"{file.name}.merged")
    made.write_bytes(data)
    made.replace(file)


def _tell(path: str, conflicts: int, why: str | None, screen: Screen) -> None:
    if screen.json:
        screen.data({"path": path, "conflicts": conflicts, "as_any_text": why})
    elif why:
        screen.say(f"{screen.safe(path)}: merged as any text: {screen.safe(why)}")
