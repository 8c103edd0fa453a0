"""``autology hub consent``: share the conversations of this project, or take all of them back."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.program import UsageError
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub consent
autology hub consent give
autology hub consent withdraw
autology hub consent withdraw --login ada"""
JSON = "{space, shares, removed?: chunks that went, remains: {sources, texts, chunks, …}}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is decided."""
    told = "say yes, or take it back with everything that was shared; left out, only say how it is"
    parser.add_argument("decision", nargs="?", choices=("give", "withdraw", "show"), default="show", help=told)
    parser.add_argument("--login", metavar="NAME", default="", help="with withdraw: somebody else's, as an admin")
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Do it; print what the hub holds then."""
    if asked.login and asked.decision != "withdraw":
        raise UsageError("--login", "goes with withdraw alone", "Leave it out: everybody gives consent themselves.")
    hub = hubbed.seen(asked)
    told: dict[str, object] = {"space": str(hub.space)}
    if asked.decision == "give":
        hub.agree()
    elif asked.decision == "withdraw":
        told["removed"] = hub.withdraw(asked.login)
    remains = hub.remains(asked.login)
    told |= {"shares": not asked.login and hub.role() is not None and hub.shares(), "remains": remains}
    if screen.json:
        screen.data(told)
        return 0
    whose = f"{screen.safe(asked.login)}'s" if asked.login else "Your"
    shares = "are shared, secrets taken out, by `autology hub push`" if told["shares"] else "are not shared"
    screen.line(f"{whose} conversations of {screen.safe(str(hub.space))} {shares}.")
    if "removed" in told:
        screen.line(f"✓ {told['removed']} passages were removed.")
    screen.line(f"The hub holds of them: {', '.join(f'{many} {what}' for what, many in remains.items())}.")
    return 0
