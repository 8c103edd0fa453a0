"""``autology web``: browse and edit notes, documents and memories on a local page."""

from __future__ import annotations

import argparse

from autology.cli import spawn
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.model.errors import StorageError

EXAMPLES = """\
autology web
autology web --no-open
autology web --port 8765"""
JSON = "{url, project}, once the page is served; the command runs until it is stopped"
WRITES = True
LAST_PORT = 65_535


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the port, and whether to open a browser."""
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port to listen on (default: any free port)")
    parser.add_argument("--no-open", action="store_true", help="only print the address, do not open a browser")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Serve the page until Ctrl-C or until the terminal closes."""
    root = project_of(args).root
    if args.page is None:
        raise StorageError("the page", "cannot be served from here", "Run `autology web` in a terminal.")
    if not 0 <= args.port <= LAST_PORT:
        raise UsageError("--port", f"{args.port} is not a port", f"Give a number from 1 to {LAST_PORT}.")

    def ready(url: str) -> None:
        if screen.json:
            screen.record({"url": url, "project": root})
        else:
            screen.line(f"Serving {screen.safe(root)} at (one-time link):")
            screen.line(f"  {screen.styled(url, 'cyan')}")
            screen.line("Press Ctrl-C to stop.")
        screen.flush()
        if not args.no_open:
            spawn.open_url(url)

    args.page(root, args.port, ready)
    screen.say("the page is closed")
    return 0
