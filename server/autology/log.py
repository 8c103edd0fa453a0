"""The error log: two files of at most 256 KB in the user's data folder."""

from __future__ import annotations

import os
import time

from autology import places, private_files

LIMIT = 256 * 1024
"""Bytes of a file; a line has about 200, so that each of the two files contains some thousand lines."""


def path() -> str:
    """Return the path of the log."""
    return os.path.join(places.data_dir(), "log", "autology.log")


def write(where: str, problem: BaseException, whole: bool = False) -> str | None:
    """Add a line for *problem*, raised in *where*, with its traceback if *whole*; return the log's path.

    Return None if the log cannot be written: that is not an error.
    """
    import traceback

    from autology.text.redaction import redact
    from autology.text.sanitising import clean_line

    frames = traceback.extract_tb(problem.__traceback__)
    at = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    message, _ = redact(clean_line(f"{type(problem).__name__}: {problem}", 1000))
    text = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} ERROR {clean_line(where, 60)}: {message}{at}\n"
    if whole:
        text += redact("".join(traceback.format_exception(problem)))[0]
    try:
        private_files.append(path(), text, LIMIT)
    except OSError:
        return None
    return path()


def tail(lines: int) -> list[str]:
    """Return the last *lines* of the log, or an empty list if there is no log."""
    entries: list[str] = []
    for file in (f"{path()}.1", path()):
        try:
            with open(file, encoding="utf-8", errors="replace") as log:
                entries += log.read().splitlines()
        except OSError:
            continue
    return entries[-lines:]
