"""Starting the server or a command from the unpacked copy on a suitable Python, or reporting why that fails."""

import os
import sys

from autology_boot import hooks, target, unpacked
from autology_boot.problem import Problem

RETRIED = "AUTOLOGY_BOOT_RETRIED"  # Set for the single retry after a damaged copy was deleted.


def run(archive, arguments):
    """Run the program; return its exit code. A server always starts, if only to report the problem."""
    hooks.use_utf8(sys.stdin, sys.stdout, sys.stderr)
    try:
        client = None
        try:
            members = unpacked.members(target.key())
            if not members or not unpacked.possible(target.key()):
                return _hand_over(archive, arguments)
            client = _greet(archive, arguments)
            return _start(archive, arguments, members, client)
        except Problem as problem:
            return _explain(problem, arguments, client)
    except KeyboardInterrupt:
        return 130


def _hand_over(archive, arguments):
    from autology_boot import interpreters

    return interpreters.hand_over(archive, arguments)


def _greet(archive, arguments):
    """Return the client of a server, answered from the archive while the program is unpacked and loaded; else None."""
    if arguments[:1] != ["serve"]:
        return None
    folders = hooks.module_folders(archive)
    sys.path[0:0] = folders
    from autology.startup import serving

    served = serving.served_folder(arguments[1:])
    client = serving.greet(served[0]) if served else None
    sys.path[:] = [folder for folder in sys.path if folder not in folders]
    return client


def _start(archive, arguments, members, client):
    retried = os.environ.pop(RETRIED, "")
    folder = unpacked.folder(archive, target.key(), members)
    unpacked.enter(folder)
    try:
        from autology.__main__ import main

        return main(arguments, client)
    except Exception as problem:
        damaged = not retried and not unpacked.sound(folder)
        if damaged:
            unpacked.discard(folder)
        if client is not None and client.handed_over:
            raise  # In the middle of a session, of which a second server would know nothing.
        if damaged:
            return _retry(archive, arguments, client)
        if client is None and not isinstance(problem, ImportError):
            raise
        raise Problem(
            "A part of Autology could not be loaded (%s)." % problem,
            "Install it again, or build it again with `python3 build.py build`.",
        ) from problem


def _retry(archive, arguments, client):
    from autology_boot import interpreters

    if client is None:
        return interpreters.replace_process(sys.executable, archive, arguments, {RETRIED: "1"})
    client.hand_over()
    return interpreters.pass_on(client, archive, arguments, {RETRIED: "1"})


def _explain(problem, arguments, client):
    if arguments[:1] == ["serve"]:
        from autology_boot import minimal_server

        _log(arguments, problem)
        if client is not None:
            client.hand_over()
            return minimal_server.serve(problem, client.lines(), client.write)
        return minimal_server.serve(problem, iter(sys.stdin.buffer.readline, b""), minimal_server.standard_output)
    print("autology: %s" % problem, file=sys.stderr)
    return 3


def _log(arguments, problem):
    from autology_boot import log

    try:
        log.write(" ".join(arguments[:1]) or "start", problem)
    except OSError:
        pass  # The message itself still reaches the user.
