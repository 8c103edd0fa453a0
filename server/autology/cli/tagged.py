"""Tags on a command line: ``--tags a b``, ``--tags a,b`` and ``--tag a --tag b`` are the same."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what a search is narrowed by."""
    told = "only what has all of these, as a,b"
    parser.add_argument("--tags", action="extend", nargs="+", default=[], metavar="TAG", help=told)
    # One word each: what follows is what to look for.
    parser.add_argument("--tag", action="append", default=[], dest="tags", metavar="TAG", help="one more; repeatable")


def given(asked: argparse.Namespace) -> tuple[str, ...]:
    """Return the tags that were given."""
    return tuple(tag for group in asked.tags for tag in group.split(",") if tag)
