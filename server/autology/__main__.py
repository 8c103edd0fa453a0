"""The entry point of the program: the server, a hook, a worker or a command."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from autology.startup.client import Client


def main(argv: list[str], client: Client | None = None) -> int:
    """Run the part of the program that *argv* names, and load only that part; return the exit code.

    For the server, *client* is the one that it serves, if its first requests are being answered already.
    """
    try:
        if argv[:1] == ["serve"]:
            from autology.startup import serving

            if folder := serving.served_folder(argv[1:]):
                _serve(folder[0], client or serving.greet(folder[0]))
        if argv[:1] == ["hook"] and len(argv) > 1 and not argv[1].startswith("-"):
            from autology.hooks.runner import run

            return run(argv[1], sys.stdin.buffer.read())
        if argv[:1] == ["worker"] and len(argv) == 2:
            from autology.wire.project import work

            return work(argv[1])
        from autology import signals
        from autology.cli import main as command

        signals.stop()
        return command(argv, _page)
    except KeyboardInterrupt as stop:
        return getattr(stop, "code", 130)


def _serve(folder: str | None, client: Client) -> None:
    import gc

    gc.disable()  # What is loaded stays: to look for garbage among it takes a tenth of a start.
    from autology.tools.lean_import import lean_import

    with lean_import():
        from autology.tools import heap
        from autology.tools.server import serve

    heap.share_between_threads()
    gc.freeze()
    gc.enable()
    serve(folder, client)


def _page(root: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page of the project at *root*; passed to the command line because fronts do not import each other."""
    from autology.web.server import serve

    serve(root, port, ready)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
