"""The log of what should not have happened: a line each, beside those of hooks and commands."""

from __future__ import annotations

import os
import time
import traceback

from autology import places
from autology.text.redact import redact

LIMIT = 256 * 1024
"""Bytes; some thousand lines. What was there before is kept in a second file of that size."""


def path() -> str:
    """Return where the log lies."""
    return os.path.join(places.data_dir(), "log", "autology.log")


def write(where: str, problem: Exception) -> None:
    """Add a line for *problem*, met in *where*; a log that cannot be written is no second problem."""
    frames = traceback.extract_tb(problem.__traceback__)
    at = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    message = " ".join(redact(f"{type(problem).__name__}: {problem}"[:2000])[0].split())[:1000]
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} ERROR {where}: {message}{at}\n"
    try:
        file = path()
        os.makedirs(os.path.dirname(file), exist_ok=True)
        if os.path.exists(file) and os.path.getsize(file) > LIMIT:
            os.replace(file, f"{file}.1")
        with open(file, "ab") as log:  # One write of whole bytes: lines of several processes stay whole.
            log.write(line.encode("utf-8", "backslashreplace"))
    except OSError:
        return
