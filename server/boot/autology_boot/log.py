"""The small log of problems before the program ran: one line each, two files of at most 256 KB."""

import os
import time
import traceback

from autology_boot import places

LIMIT = 256 * 1024  # Bytes; a line is some 200, so each of the two files has a thousand problems.


def path():
    return os.path.join(places.data_folder(), "log", "autology.log")


def write(where, problem):
    """Append a line for the exception *problem*, raised in *where*."""
    file = path()
    own = places.data_folder()
    os.makedirs(os.path.dirname(own), exist_ok=True)
    for folder in (own, os.path.dirname(file)):  # Its contents are the user's alone.
        os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.path.exists(file) and os.path.getsize(file) > LIMIT:
        os.replace(file, file + ".1")
    frames = traceback.extract_tb(problem.__traceback__)
    at = " (%s:%s)" % (frames[-1].filename, frames[-1].lineno) if frames else ""
    message = " ".join(("%s: %s" % (type(problem).__name__, problem)).split())[:1000]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "ab") as log:  # A single write, so that lines of several processes do not mix.
        log.write(("%s ERROR %s: %s%s\n" % (stamp, where, message, at)).encode("utf-8", "backslashreplace"))
