"""Front: the command line, one module a command."""

from __future__ import annotations


def main(argv: list[str]) -> int:
    """Run ``autology``; return its exit code: 0 fine, 1 findings or refusal, 2 usage, 3 unexpected."""
    from autology.cli import program

    return program.run(argv)
