"""``autology hub history``: all versions of a memory on the hub, and who wrote them."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub history 171a8767-8f4b-4f0e-9f0a-6a2f4d7f2f10 --whole"""
JSON = "{id, versions: [{version, login, at, file: its text, null if deleted}]}, newest first"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory."""
    parser.add_argument("id", help="the memory's id, in full")
    hub_space.add_options(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print its versions."""
    history = hub_space.hub_of(args).history(args.id)
    if screen.json:
        versions = [
            {"version": stored.version, "login": stored.login, "at": stored.at, "file": stored.file}
            for stored in history
        ]
        screen.data({"id": args.id, "versions": versions})
        return 0
    for stored in history:
        deleted = " (deleted)" if stored.file is None else ""
        screen.line(f"version {stored.version}, {screen.safe(stored.login)}, {stored.at}{deleted}", "bold")
        if stored.file is not None:
            screen.block(stored.file)
    if not history:
        screen.line("This space has no such memory; with --whole, the organisation's space is searched.")
    return 0
