"""``autology web``: look at everything and edit it on a local page in the browser."""

from __future__ import annotations

import argparse

from autology.cli import project, spawn
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.model.errors import StorageError

EXAMPLES = """\
autology web
autology web --no-open
autology web --port 8765"""
JSON = "{url, project}, once the page answers; it is served until the command is ended"
LAST_PORT = 65_535


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add where, and whether a browser is opened."""
    parser.add_argument("--port", type=int, default=0, metavar="N", help="where to listen; else a free port by chance")
    parser.add_argument("--no-open", action="store_true", help="print the address alone, and open no browser")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Serve the page until Ctrl-C, or until the terminal closes."""
    root = project.root(asked)
    if asked.page is None:
        raise StorageError("the page", "cannot be served from here", "Run `autology web` in a terminal.")
    if not 0 <= asked.port <= LAST_PORT:
        raise UsageError("--port", f"{asked.port} is no port", f"Give a number from 1 to {LAST_PORT}.")

    def ready(url: str) -> None:
        if screen.json:
            screen.record({"url": url, "project": root})
        else:
            screen.line(f"The page of {screen.safe(root)}:")
            screen.line(f"  {screen.styled(url, 'cyan')}")
            screen.line("The address opens once. Ctrl-C ends the page, and so does closing this terminal.")
        screen.flush()
        if not asked.no_open:
            spawn.visited(url)

    asked.page(root, asked.port, ready)
    screen.say("the page is closed")
    return 0
