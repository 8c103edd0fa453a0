"""``autology hub prune``: take old lines out of the audit, and old versions out of the history, of a space."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.program import UsageError
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub prune --audit-days 365
autology hub prune --versions 20 --whole --really"""
JSON = "{space, done: whether anything was taken out, what: how many}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what goes."""
    parser.add_argument(
        "--audit-days", type=int, metavar="N", help="lines of the audit that are older than so many days"
    )
    parser.add_argument("--versions", type=int, metavar="N", help="of each memory all versions but the last so many")
    parser.add_argument("--really", action="store_true", help="do it; without it, only say how much that is")
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Say how much goes, and with --really have it go."""
    if asked.audit_days is None and asked.versions is None:
        raise UsageError("--audit-days", "is missing, and --versions", "Say what goes: one of them, or both.")
    hub = hubbed.seen(asked)
    gone = hub.prune(asked.audit_days, asked.versions, asked.really)
    if screen.json:
        screen.data({"space": str(hub.space), "done": asked.really, **gone})
        return 0
    for what, many in gone.items():
        screen.line(f"{'✓ removed' if asked.really else 'would go'}: {many:,} {what}")
    if not asked.really:
        screen.line("Nothing was changed: --really does it, and nothing brings it back but a backup.")
    return 0
