"""Where every run of the program begins: the server, a hook or a command."""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Run what *argv* asks for and return the exit code; only that part of the program is loaded."""
    try:
        if argv[:1] == ["serve"] and argv[1:] == []:
            from autology.tools.server import serve

            serve()
        if argv[:1] == ["hook"] and len(argv) > 1 and not argv[1].startswith("-"):
            from autology.hooks.runner import run

            return run(argv[1], sys.stdin.buffer.read())
        from autology.cli import main as command

        return command(argv)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
