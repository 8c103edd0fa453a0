"""``autology watch``: keep the index up with what is edited, and say what changed."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from contextlib import suppress

from autology.cli import project
from autology.cli.screen import Screen
from autology.core.documents.library import Library
from autology.core.ports import Progress, Stamp
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import EncodingError

EXAMPLES = """\
autology watch
autology watch --every 5"""
JSON = "one object a line for each change: {change: added | changed | removed | unreadable, path}"
EVERY = 1.0
"""Seconds between two looks: a look at 10,000 files takes 0.05."""

Stamps = Mapping[str, Stamp]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add how often to look."""
    parser.add_argument("--every", type=float, default=EVERY, metavar="SECONDS", help="how often to look (default 1)")
    parser.add_argument("--times", type=int, default=0, metavar="N", help="end after so many looks; else with Ctrl-C")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Look again and again until it is ended."""
    library = project.library(asked)
    with screen.progress("reading documents") as progress:
        _look(library, progress=progress)
    before = _stamps(library)
    looks = 0
    try:
        if not screen.json:
            screen.line(f"Watching {len(before):,} files. Ctrl-C ends it.")
            screen.flush()
        while not asked.times or looks < asked.times:
            time.sleep(max(asked.every, 0.05))
            looks += 1
            _look(library)
            # A server may have taken a change in before we looked: what the index holds tells, not what we did.
            after = _stamps(library)
            _tell(before, after, library, screen)
            before = after
            with suppress(EncodingError):  # searches say it
                library.graph.embed(asked.every)
    except KeyboardInterrupt:
        screen.say("stopped watching; the index is up to date with what was told")
    return 0


def _look(library: Library, progress: Progress | None = None) -> None:
    if library.graph.files.exists():
        library.graph.refresh(walk=True)
    library.refresh(walk=True, progress=progress)


def _stamps(library: Library) -> Stamps:
    index = library.graph.index
    return {**index.stamps(NODE), **index.stamps(DOCUMENT)}


def _unreadable(library: Library) -> dict[str, str]:
    index = library.graph.index
    return dict([*index.faults(NODE), *index.faults(DOCUMENT)])


def _tell(before: Stamps, after: Stamps, library: Library, screen: Screen) -> None:
    changed = [path for path in sorted(after) if _differs(before.get(path), after[path])]
    unreadable = _unreadable(library) if changed else {}
    for path in [*changed, *sorted(before.keys() - after.keys())]:
        change = "removed" if path not in after else "added" if path not in before else "changed"
        change = "unreadable" if path in unreadable and change != "removed" else change
        if screen.json:
            screen.record({"change": change, "path": path})
        else:
            reason = f": {screen.safe(unreadable[path])}" if change == "unreadable" else ""
            screen.line(f"{time.strftime('%H:%M:%S')}  {change:<10} {screen.safe(path)}{reason}")
    screen.flush()


def _differs(before: Stamp | None, after: Stamp) -> bool:
    # A file read while it was young has no time yet; that it gets one is no change.
    return before is None or before.size != after.size or before.mtime_ns not in (0, after.mtime_ns)
