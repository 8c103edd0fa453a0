"""The mined candidates that wait for the user, a line each: for a session's start, which must not mine."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from autology import private_files
from autology.core.conversations.mining import Candidate
from autology.files import atomic
from autology.text.language.timestamps import stamp

MOST = 50
"""Candidates in the file: a session's start offers the newest of them."""
QUOTE = 300
"""Characters of a quote: more than a line shows."""


class OfferedCandidates:
    """The :class:`~autology.core.recall.mined_queue.Offer` in the private file at *path*."""

    def __init__(self, path: str) -> None:
        self._path = path

    def written(self) -> str:
        """Return when the file was written, as a stamp; "" if there is none."""
        try:
            return stamp(datetime.fromtimestamp(os.lstat(self._path).st_mtime, UTC))
        except (OSError, ValueError, OverflowError):
            return ""

    def replace(self, candidates: Sequence[Candidate]) -> None:
        """Replace the file, if possible: it can be written again at any time."""
        rows = [
            {"id": one.id, "kind": one.kind, "quote": one.quote[:QUOTE], "at": one.at, "session": one.session}
            for one in candidates[:MOST]
        ]
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        with suppress(OSError):
            atomic.write(self._path, text.encode(), durable=False)
            private_files.restrict(self._path)
