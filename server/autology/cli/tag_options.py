"""Tags on the command line: ``--tags a b``, ``--tags a,b`` and ``--tag a --tag b`` are the same."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the tag filters."""
    about = "only results with all of these tags, such as a,b"
    parser.add_argument("--tags", action="extend", nargs="+", default=[], metavar="TAG", help=about)
    # A single word each: the following words are the query.
    parser.add_argument("--tag", action="append", default=[], dest="tags", metavar="TAG", help="a tag; may be repeated")


def tags(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the tags."""
    return tuple(tag for group in args.tags for tag in group.split(",") if tag)
