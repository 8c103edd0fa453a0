"""The log of what went wrong in a hook: a line a problem, two files of at most 256 KB."""

from __future__ import annotations

import os
import time

from autology import places

LIMIT = 256 * 1024
"""Bytes; a line is some 200, so each of the two files keeps a thousand."""


def path() -> str:
    """Return where the log lies."""
    return os.path.join(places.data_dir(), "log", "autology.log")


def write(where: str, problem: BaseException) -> None:
    """Add a line for *problem*, met in *where*; a log that cannot be written is no second problem."""
    import traceback

    from autology.text.fence import clean_line
    from autology.text.redact import redact

    frames = traceback.extract_tb(problem.__traceback__)
    at = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    message, _ = redact(clean_line(f"{type(problem).__name__}: {problem}", 1000))
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} ERROR {clean_line(where, 60)}: {message}{at}\n"
    try:
        file = path()
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        if os.path.exists(file) and os.path.getsize(file) > LIMIT:
            os.replace(file, f"{file}.1")
        with open(file, "ab") as log:  # One write of whole bytes: lines of several processes stay whole.
            log.write(line.encode("utf-8", "backslashreplace"))
    except OSError:
        return
