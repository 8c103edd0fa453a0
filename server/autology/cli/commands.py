"""The commands: every module of this package whose docstring begins with a command's name."""

from __future__ import annotations

import argparse
import importlib.util
import keyword
import pkgutil
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from autology.cli.screen import Screen

ORDER = (
    "init doctor status records capture query search context analyze lint review recall sessions show graph path"
    " clusters memory audit enforce "
    "update delete restore relate unrelate import export merge-driver sync archive hub models languages bench web "
    "watch connect disconnect mirror completion uninstall"
).split()
"""The order of commands in the help, by purpose; any others come last."""
_DESCRIPTION = re.compile(r"``autology ([a-z -]+)``: (.+)\.$", re.MULTILINE)


class CommandModule(Protocol):
    """The interface of a command's module; one with actions may have no *run*.

    It may also have ``arguments``, a function that adds them to a parser, and ``WRITES = True``: its changes are then
    sent to the team hub, if there is one.
    """

    EXAMPLES: str
    JSON: str

    def run(self, args: argparse.Namespace, screen: Screen) -> int:
        """Run the command; return the exit code."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, or an action of one such as ``memory find``: its full name, its description and its module."""

    name: str
    about: str
    module: str

    def load(self) -> CommandModule:
        """Import the module of this command, and only that."""
        module: CommandModule = importlib.import_module(self.module)
        return module


def find(name: str) -> Command | None:
    """Return the command called *name*, None if there is none."""
    module = _module(name)
    command = _command_of(module) if module.isidentifier() else None
    return command if command and command.name == name else None


def commands() -> list[Command]:
    """Return every command in the order of the help, without actions."""
    listed = [command for command in _with_prefix("") if " " not in command.name]
    return sorted(listed, key=lambda command: [*ORDER, command.name].index(command.name))


def actions(name: str) -> list[Command]:
    """Return the actions of the command *name*."""
    return [command for command in _with_prefix(f"{_module(name)}_") if command.name.startswith(f"{name} ")]


def _with_prefix(prefix: str) -> Iterator[Command]:
    """Yield the commands of the modules whose names start with *prefix*: from their docstrings."""
    for module in pkgutil.iter_modules(sys.modules[__package__].__path__):
        if module.name.startswith(prefix) and (command := _command_of(module.name)):
            yield command


def _module(name: str) -> str:
    """Return the name of the module of the command *name*."""
    module = re.sub("[ -]", "_", name)
    return module + "_" if keyword.iskeyword(module) else module


@cache
def _command_of(module: str) -> Command | None:
    """Return the command of *module* from its docstring; importing all modules would take half a second."""
    full = f"{__package__}.{module}"
    spec = importlib.util.find_spec(full)
    loader: Any = spec and spec.loader
    code = loader and loader.get_code(full)
    texts = (constant for constant in code.co_consts if isinstance(constant, str)) if code else iter(())
    match = _DESCRIPTION.match(next(texts, ""))
    return Command(match[1], match[2], full) if match else None
