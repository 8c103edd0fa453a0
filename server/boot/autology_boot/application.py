"""Starting the server or a command from the unpacked copy on a suitable Python, or reporting why that fails."""

import os
import sys

from autology_boot import target, unpacked
from autology_boot.hooks import use_utf8
from autology_boot.problem import Problem

RETRIED = "AUTOLOGY_BOOT_RETRIED"  # Set for the single retry after a damaged copy was deleted.


def run(archive, arguments):
    """Run the program; return its exit code. A server always starts, if only to report the problem."""
    use_utf8(sys.stdin, sys.stdout, sys.stderr)
    try:
        try:
            return _start(archive, arguments)
        except Problem as problem:
            return _explain(problem, arguments)
    except KeyboardInterrupt:
        return 130


def _start(archive, arguments):
    retried = os.environ.pop(RETRIED, "")
    members = unpacked.members(target.key())
    if not members:
        from autology_boot import interpreters

        return interpreters.hand_over(archive, arguments)
    folder = unpacked.folder(archive, target.key(), members)
    unpacked.enter(folder)
    try:
        from autology.__main__ import main

        return main(arguments)
    except Exception as problem:
        if not retried and not unpacked.sound(folder):
            unpacked.discard(folder)
            from autology_boot import interpreters

            return interpreters.replace_process(sys.executable, archive, arguments, {RETRIED: "1"})
        if not isinstance(problem, ImportError):
            raise
        raise Problem(
            "A part of Autology could not be loaded (%s)." % problem,
            "Install it again, or build it again with `python3 build.py build`.",
        ) from problem


def _explain(problem, arguments):
    if arguments[:1] == ["serve"]:
        from autology_boot import minimal_server

        _log(arguments, problem)
        return minimal_server.serve(problem, sys.stdin.buffer, sys.stdout.buffer)
    print("autology: %s" % problem, file=sys.stderr)
    return 3


def _log(arguments, problem):
    from autology_boot import log

    try:
        log.write(" ".join(arguments[:1]) or "start", problem)
    except OSError:
        pass  # The message itself still reaches the user.
