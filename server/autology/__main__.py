"""The entry point of the program: the server, a hook, a worker or a command."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal


def main(argv: list[str]) -> int:
    """Run the part of the program that *argv* names, and load only that part; return the exit code."""
    try:
        if argv[:1] == ["serve"] and (start := _project(argv[1:])) is not False:
            import gc

            gc.disable()  # What is loaded stays: to look for garbage among it takes a tenth of a start.
            from autology.tools.server import serve

            gc.freeze()
            gc.enable()
            serve(start)
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


def _page(root: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page of the project at *root*; passed to the command line because fronts do not import each other."""
    from autology.web.server import serve

    serve(root, port, ready)


def _project(options: list[str]) -> str | Literal[False] | None:
    """Return the folder that the options of ``serve`` name, None without options, False for any other option."""
    if not options:
        return None
    if len(options) == 2 and options[0] == "--project":
        return options[1]
    if len(options) == 1 and options[0].startswith("--project="):
        return options[0].removeprefix("--project=")
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
