"""``autology hub history``: every version of a memory that the hub keeps."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub history 171a8767-8f4b-4f0e-9f0a-6a2f4d7f2f10 --whole"""
JSON = "{id, versions: [{version, login, at, file: its text, null where it was taken away}]}, the last first"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory."""
    parser.add_argument("id", help="the memory's id, in full")
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print its versions."""
    versions = hubbed.seen(asked).history(asked.id)
    if screen.json:
        told = [{"version": one.version, "login": one.login, "at": one.at, "file": one.file} for one in versions]
        screen.data({"id": asked.id, "versions": told})
        return 0
    for one in versions:
        taken = " (taken away)" if one.file is None else ""
        screen.line(screen.styled(f"version {one.version}, {screen.safe(one.login)}, {one.at}{taken}", "bold"))
        if one.file is not None:
            screen.block(one.file)
    if not versions:
        screen.line("The hub keeps no such memory in this space; --whole asks for those of the organisation.")
    return 0
