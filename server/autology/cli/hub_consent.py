"""``autology hub consent``: share the conversations of this project, or take all of them back."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub consent
autology hub consent give
autology hub consent withdraw"""
JSON = "{space, shares, removed?: chunks that went, remains: {sources, texts, chunks, …}}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is decided."""
    told = "say yes, or take it back with everything that was shared; left out, only say how it is"
    parser.add_argument("decision", nargs="?", choices=("give", "withdraw", "show"), default="show", help=told)
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Do it; print what the hub holds then."""
    hub = hubbed.seen(asked)
    told: dict[str, object] = {"space": str(hub.space)}
    if asked.decision == "give":
        hub.agree()
    elif asked.decision == "withdraw":
        told["removed"] = hub.withdraw()
    told |= {"shares": hub.shares(), "remains": hub.remains()}
    if screen.json:
        screen.data(told)
        return 0
    shares = "are shared, secrets taken out, by `autology hub push`" if told["shares"] else "are not shared"
    screen.line(f"Your conversations of {screen.safe(str(hub.space))} {shares}.")
    if "removed" in told:
        screen.line(f"✓ {told['removed']} passages were removed.")
    screen.line(f"The hub holds of them: {', '.join(f'{many} {what}' for what, many in hub.remains().items())}.")
    return 0
