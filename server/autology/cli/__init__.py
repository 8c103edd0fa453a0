"""Front: the command line, one module per command."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def main(argv: list[str], page: Callable[[str, int, Callable[[str], None]], None] | None = None) -> int:
    """Run ``autology``; return its exit code: 0 success, 1 findings or refusal, 2 usage, 3 unexpected.

    *page* serves the local page of a project until it is stopped.
    """
    from autology.cli import program

    return program.run(argv, page)
