"""The small log of what went unexpectedly wrong: two files of at most 256 KB in the user's data folder."""

from __future__ import annotations

import time
import traceback
from pathlib import Path

from autology import places
from autology.text.redact import redact

LIMIT = 256 * 1024
"""Bytes after which the log begins anew; the one before is kept."""


def path() -> Path:
    """Return where the log lies."""
    return Path(places.data_dir()) / "log" / "autology.log"


def add(where: str, error: BaseException) -> Path | None:
    """Add *error*, raised in the command *where*, with its traceback; return the log, None if it cannot be written."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    first = " ".join(f"{type(error).__name__}: {error}".split())[:1000]
    text, _ = redact(f"{stamp} ERROR {where}: {first}\n{''.join(traceback.format_exception(error))}")
    file = path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size > LIMIT:
            file.replace(file.with_suffix(".log.1"))
        with file.open("ab") as log:
            log.write(text.encode("utf-8", "backslashreplace"))
    except OSError:
        return None
    return file


def tail(lines: int) -> list[str]:
    """Return the last *lines* of the log, an empty list where there is none."""
    found: list[str] = []
    for file in (path().with_suffix(".log.1"), path()):
        try:
            found += file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    return found[-lines:]
