"""``autology hub prune``: delete old audit lines and old versions of memories."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError

EXAMPLES = """\
autology hub prune --audit-days 365
autology hub prune --versions 20 --whole --really"""
JSON = "{space, done: whether anything was deleted, and the numbers by name}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the limits."""
    parser.add_argument("--audit-days", type=int, metavar="N", help="delete audit lines older than N days")
    parser.add_argument("--versions", type=int, metavar="N", help="delete all but the last N versions of each memory")
    parser.add_argument("--really", action="store_true", help="delete; by default only count")
    hub_space.add_options(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Delete and print the numbers; without --really only print them."""
    if args.audit_days is None and args.versions is None:
        raise UsageError("--audit-days", "is missing, and --versions", "Give one of them, or both.")
    hub = hub_space.hub_of(args)
    counts = hub.prune(args.audit_days, args.versions, args.really)
    outcome = "✓ deleted" if args.really else "would delete"
    lines = [f"{outcome}: {count:,} {name}" for name, count in counts.items()]
    if not args.really:
        lines.append("Dry run. Pass --really to delete; this can only be undone from a backup.")
    return screen.report({"space": str(hub.space), "done": args.really, **counts}, *lines)
