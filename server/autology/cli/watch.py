"""``autology watch``: keep the index up to date and report changes."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from contextlib import suppress

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.content.files import Stamp
from autology.core.documents.library import Library
from autology.core.long_work import Progress
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import EncodingError

EXAMPLES = """\
autology watch
autology watch --every 5"""
JSON = "one object per line for each change: {change: added | changed | removed | unreadable, path}"
EVERY = 1.0
"""Seconds between two scans: a scan of 10,000 files takes 0.05."""

Stamps = Mapping[str, Stamp]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the interval."""
    parser.add_argument("--every", type=float, default=EVERY, metavar="SECONDS", help="seconds between scans (1)")
    parser.add_argument("--times", type=int, default=0, metavar="N", help="stop after N scans; default: at Ctrl-C")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Scan repeatedly until stopped."""
    library = project_of(args).library
    with screen.progress("reading documents") as progress:
        _scan(library, progress=progress)
    before = _stamps(library)
    scans = 0
    try:
        if not screen.json:
            screen.line(f"Watching {len(before):,} files. Press Ctrl-C to stop.")
            screen.flush()
        while not args.times or scans < args.times:
            time.sleep(max(args.every, 0.05))
            scans += 1
            _scan(library)
            # A server may have indexed a change first: compare the index, not our own updates.
            after = _stamps(library)
            _report(before, after, library, screen)
            before = after
            with suppress(EncodingError):  # searches report it
                library.graph.embed(args.every)
    except KeyboardInterrupt:
        screen.say("stopped watching; the index includes all reported changes")
    return 0


def _scan(library: Library, progress: Progress | None = None) -> None:
    if library.graph.files.exists():
        library.graph.refresh(walk=True)
    library.refresh(walk=True, progress=progress)


def _stamps(library: Library) -> Stamps:
    index = library.graph.index
    return {**index.stamps(NODE), **index.stamps(DOCUMENT)}


def _unreadable(library: Library) -> dict[str, str]:
    index = library.graph.index
    return dict([*index.faults(NODE), *index.faults(DOCUMENT)])


def _report(before: Stamps, after: Stamps, library: Library, screen: Screen) -> None:
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
    # A file read while it was new has no time yet; adding it is not a change.
    return before is None or before.size != after.size or before.mtime_ns not in (0, after.mtime_ns)
