"""``autology languages``: manage parsers for the code graph: list, install, remove."""

from __future__ import annotations

import argparse
import os
from typing import Any

from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.model.errors import ParsingError
from autology.wire import user

EXAMPLES = """\
autology languages list
autology languages install
autology languages install --wheels ~/wheels
autology languages remove"""
JSON = "{languages: [{name, endings, read}], installed, folder?, other_pythons?}; problem? if the parsers do not run"
ACTIONS = ("list", "install", "remove")
BUILT_IN = {"name": "Python", "endings": [".py"], "read": True}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action."""
    about = "the action (default: list); install and remove affect all your projects"
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="list", help=about)
    parser.add_argument("--wheels", metavar="DIR", help="install from this folder of wheels, without a network")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; print the result."""
    if args.wheels is not None and args.action != "install":
        raise UsageError("languages", "accepts --wheels with install only", f"The actions are {', '.join(ACTIONS)}.")
    {"list": _list, "install": _install, "remove": _remove}[args.action](args, screen)
    if screen.json:
        screen.data(_as_json())
    return 0


def _list(args: argparse.Namespace, screen: Screen) -> None:
    del args
    if screen.json:
        return
    state = _as_json()
    for language in state["languages"]:
        read = "built in" if language["name"] == BUILT_IN["name"] else "read" if language["read"] else "not read"
        screen.line(f"{screen.styled(language['name'], 'bold'):<12}  {read:<9} {' '.join(language['endings'])}")
    if "folder" in state:
        screen.line(f"The parsers are in {screen.safe(state['folder'])}", "dim")
    elif state.get("other_pythons"):
        others = ", ".join(state["other_pythons"])
        screen.line(f"Parsers are installed for another Python: {others}. `autology languages install` adds this one.")
    else:
        screen.line("Run `autology languages install` to read all of them.")
    if "problem" in state:
        screen.line(f"Note: {screen.safe(state['problem'], 500)}")


def _install(args: argparse.Namespace, screen: Screen) -> None:
    languages = user.languages()
    if args.wheels is not None and not os.path.isdir(args.wheels):
        raise UsageError("--wheels", f"'{args.wheels}' is not a folder", "Give the folder that pip downloaded to.")
    names = ", ".join(language.name for language in languages.catalogue)
    megabytes = f"{languages.megabytes} MB installed, a tenth of it to download"
    screen.say(f"installing the parsers of {names} into {languages.folder}: {megabytes}")
    installation = languages.install(args.wheels)
    if not screen.json:
        screen.line(f"✓ The parsers are installed and tested, in {screen.safe(installation.folder)}.")
        screen.line("From now on the code graph covers these languages.")


def _remove(args: argparse.Namespace, screen: Screen) -> None:
    del args
    installed = user.languages().remove()
    if not screen.json:
        screen.line("✓ Removed the parsers; Python is still read." if installed else "The parsers were not installed.")


def _as_json() -> dict[str, Any]:
    languages = user.languages()
    installation = languages.place
    others = [
        {"name": language.name, "endings": list(language.endings), "read": installation.ready}
        for language in languages.catalogue
    ]
    data: dict[str, Any] = {"languages": [BUILT_IN, *others], "installed": installation.ready}
    data |= {"folder": installation.folder} if installation.ready else {}
    data |= {"other_pythons": list(installation.others)} if installation.others else {}
    try:
        languages.check()
    except ParsingError as error:
        data["problem"] = error.message
    return data
