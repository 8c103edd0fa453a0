"""Front: the command line, one module a command."""

from __future__ import annotations

from collections.abc import Callable

Page = Callable[[str, int, Callable[[str], None]], None]
"""What serves the page of a project at a port, having told its address."""


def main(argv: list[str], page: Page | None = None) -> int:
    """Run ``autology``; return its exit code: 0 fine, 1 findings or refusal, 2 usage, 3 unexpected.

    *page* serves the local page of a project at a port until it is ended, having told its address.
    """
    from autology.cli import program

    return program.run(argv, page)
