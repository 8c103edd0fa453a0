"""``autology hub consent``: share your conversations of this project, or withdraw them all."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError

EXAMPLES = """\
autology hub consent
autology hub consent give
autology hub consent withdraw
autology hub consent withdraw --login ada"""
JSON = "{space, shares, removed?: chunks deleted, remains: {sources, texts, chunks, …}}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the decision."""
    decision = "agree, or withdraw and delete everything shared; by default only show the state"
    parser.add_argument("decision", nargs="?", choices=("give", "withdraw", "show"), default="show", help=decision)
    parser.add_argument("--login", metavar="NAME", default="", help="with withdraw: for another login, as an admin")
    hub_space.add_options(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Record the decision; print what remains on the hub."""
    if args.login and args.decision != "withdraw":
        raise UsageError("--login", "is for withdraw only", "Leave it out: you can only give your own consent.")
    hub = hub_space.hub_of(args)
    result: dict[str, object] = {"space": str(hub.space)}
    if args.decision == "give":
        hub.give_consent()
    elif args.decision == "withdraw":
        result["removed"] = hub.withdraw_consent(args.login)
    remaining = hub.remaining(args.login)
    result |= {"shares": not args.login and hub.role() is not None and hub.has_consent(), "remains": remaining}
    owner = f"{screen.safe(args.login)}'s" if args.login else "Your"
    state = "are shared by `autology hub push`, without secrets" if result["shares"] else "are not shared"
    lines = [f"{owner} conversations of {screen.safe(str(hub.space))} {state}."]
    if "removed" in result:
        lines.append(f"✓ deleted {result['removed']} passages.")
    lines.append(f"On the hub: {', '.join(f'{count} {name}' for name, count in remaining.items())}.")
    return screen.report(result, *lines)
