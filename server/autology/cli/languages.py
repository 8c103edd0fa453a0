"""``autology languages``: which languages the code graph reads, and how to have it read more."""

from __future__ import annotations

import argparse
import os
from typing import Any

from autology import wire
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.model.errors import ParsingError

EXAMPLES = """\
autology languages list
autology languages install
autology languages install --wheels ~/wheels
autology languages remove"""
JSON = "{languages: [{name, endings, read}], installed, folder?, other_pythons?}; problem? where the parsers do not run"
ACTIONS = ("list", "install", "remove")
BUILT_IN = {"name": "Python", "endings": [".py"], "read": True}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to do."""
    told = "what to do, by default list; install and remove reach every project of yours"
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="list", help=told)
    parser.add_argument("--wheels", metavar="DIR", help="install out of this folder of wheels, without a network")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Do it; print how things are then."""
    if asked.wheels is not None and asked.action != "install":
        raise UsageError("languages", "takes --wheels with install only", f"The actions: {', '.join(ACTIONS)}.")
    {"list": _list, "install": _install, "remove": _remove}[asked.action](asked, screen)
    if screen.json:
        screen.data(_as_json())
    return 0


def _list(asked: argparse.Namespace, screen: Screen) -> None:
    del asked
    if screen.json:
        return
    state = _as_json()
    for each in state["languages"]:
        read = "built in" if each["name"] == BUILT_IN["name"] else "read" if each["read"] else "not read"
        screen.line(f"{screen.styled(each['name'], 'bold'):<12}  {read:<9} {' '.join(each['endings'])}")
    if "folder" in state:
        screen.line(screen.styled(f"The parsers are in {screen.safe(state['folder'])}", "dim"))
    elif state.get("other_pythons"):
        others = ", ".join(state["other_pythons"])
        screen.line(f"The parsers are installed for another Python: {others}. `autology languages install` adds yours.")
    else:
        screen.line("`autology languages install` has all of them read.")
    if "problem" in state:
        screen.line(f"Note: {screen.safe(state['problem'], 500)}")


def _install(asked: argparse.Namespace, screen: Screen) -> None:
    languages = wire.languages()
    if asked.wheels is not None and not os.path.isdir(asked.wheels):
        raise UsageError("--wheels", f"'{asked.wheels}' is no folder", "Give the folder that pip downloaded into.")
    named = ", ".join(each.name for each in languages.catalogue)
    megabytes = f"{languages.megabytes} MB there, a tenth of it to fetch"
    screen.say(f"installing the parsers of {named} into {languages.folder}: {megabytes}")
    place = languages.install(asked.wheels)
    if not screen.json:
        screen.line(f"✓ The parsers are installed, verified and run, in {screen.safe(place.folder)}.")
        screen.line("The next question of what calls or uses something is answered from these languages, too.")


def _remove(asked: argparse.Namespace, screen: Screen) -> None:
    del asked
    there = wire.languages().remove()
    if not screen.json:
        screen.line("✓ The parsers are removed; Python is read on." if there else "The parsers were not installed.")


def _as_json() -> dict[str, Any]:
    languages = wire.languages()
    place = languages.place
    others = [{"name": each.name, "endings": list(each.endings), "read": place.ready} for each in languages.catalogue]
    told: dict[str, Any] = {"languages": [BUILT_IN, *others], "installed": place.ready}
    told |= {"folder": place.folder} if place.ready else {}
    told |= {"other_pythons": list(place.others)} if place.others else {}
    try:
        languages.check()
    except ParsingError as error:
        told["problem"] = str(error)
    return told
