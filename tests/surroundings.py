"""The same surroundings for every test and all that it starts, whatever the run itself inherited.

A script's ``&`` and ``nohup`` hand ignored signals down, a git hook its GIT_DIR, a desktop its locale and time zone.
"""

from __future__ import annotations

import os
import signal
import time

SETTINGS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm",
    "TZ": "UTC",
}
REMOVED = ("CLICOLOR", "FORCE_COLOR", "GIT_", "LC_", "NO_COLOR", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONWARNINGS")
REMOVED += ("BROWSER", "COLUMNS", "EDITOR", "EMAIL", "LANGUAGE", "LINES", "PAGER", "VISUAL")
"""Beginnings of variables that change what programs print, whom git takes for the author, or where git works."""
UMASK = 0o022


def settle() -> None:
    """Set signals, environment, time zone and file mode mask of this process, which all that it starts inherit."""
    for name in [name for name in os.environ if name.startswith(REMOVED)]:
        del os.environ[name]
    os.environ.update(SETTINGS)
    os.umask(UMASK)
    if hasattr(time, "tzset"):
        time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for name in ("SIGHUP", "SIGQUIT", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            # A handler, unlike SIG_IGN, is not inherited: the run goes on ignoring it, and what it starts does not.
            signal.signal(number, lambda *_: None)
