"""The log of searches, as lines of JSON: two files of at most 1 MB in the user's data folder."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping

from autology import places, private_files

LIMIT = 1024 * 1024
"""Bytes of a file; a line has about 200, so that each of the two files contains some five thousand searches."""
QUERY_LIMIT = 500
"""Characters of a query that are logged."""


def path() -> str:
    """Return the path of the log."""
    return os.path.join(places.data_dir(), "log", "searches.jsonl")


def note(tool: str, query: str, filters: Mapping[str, object], count: int, milliseconds: float) -> None:
    """Add a line about a search; a log that cannot be written is not an error."""
    line = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "tool": tool,
        "query": query[:QUERY_LIMIT],
        "filters": {name: value[:QUERY_LIMIT] if isinstance(value, str) else value for name, value in filters.items()},
        "results": count,
        "ms": round(milliseconds, 1),
    }
    text = json.dumps(line, ensure_ascii=False) + "\n"
    try:
        file = path()
        private_files.folder(os.path.dirname(file))
        if os.path.exists(file) and os.path.getsize(file) > LIMIT:
            os.replace(file, f"{file}.1")
        # A single write: lines of several processes do not mix.
        with open(file, "ab", opener=private_files.opener) as log:
            log.write(text.encode("utf-8", "backslashreplace"))
    except OSError:
        return
