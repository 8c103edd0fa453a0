"""Background work that outlives a hook or a command, in a detached process that exits by itself."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def start(arguments: Sequence[str], folder: str) -> None:
    """Start the program with *arguments* in *folder*, detached: without waiting, without output."""
    if os.environ.get("AUTOLOGY_DETACH", "").lower() in ("off", "0", "no", "false"):
        return
    command = program(arguments)
    environment = {name: value for name, value in os.environ.items() if name != "AUTOLOGY_HOOK_ACTIVE"}
    if sys.platform == "win32":
        # Detached from the console; a job object of the client may still end it.
        words = [_quoted(word) for word in command]
        os.spawnve(os.P_DETACH, sys.executable, words, environment)  # noqa: S606
        return
    if child := os.fork():
        os.waitpid(child, 0)
        return
    try:
        # A double fork: a killed hook takes its child with it, but not its grandchild.
        os.setsid()
        if os.fork():
            os._exit(0)
        os.nice(10)
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.execve(sys.executable, command, environment)  # noqa: S606 - as it was started itself
    finally:
        os._exit(127)


def program(arguments: Sequence[str]) -> list[str]:
    """Return the command that runs the program with *arguments*, as this process was started."""
    return [sys.executable, "-I", "-S", *_program(), *arguments]


def _program() -> list[str]:
    """Return the argument for the interpreter: the executable, or the source folder of this code."""
    started = sys.argv[0]
    if started.endswith(".pyz") and os.path.isfile(started):
        return [os.path.abspath(started)]
    server = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    packages = [path for path in sys.path if os.path.isabs(path)]  # `-S` leaves out installed packages
    code = f"import sys; sys.path[:0] = {[server, *packages]!r}; from autology.__main__ import main"
    return ["-c", f"{code}; sys.exit(main(sys.argv[1:]))"]


def _quoted(argument: str) -> str:
    """Return *argument* quoted for a Windows command line, which each program parses itself."""
    if argument and not set(argument) & set(' \t"'):
        return argument
    # Backslashes are doubled before a quotation mark only.
    parts = [part + "\\" * (len(part) - len(part.rstrip("\\"))) for part in argument.split('"')]
    return '"' + '\\"'.join(parts) + '"'
