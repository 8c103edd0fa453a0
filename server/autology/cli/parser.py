"""The parser of a command's arguments: its errors state what was expected."""

from __future__ import annotations

import argparse
import os
import re
import sys
from copy import copy
from typing import Any, NoReturn

from autology.cli import commands
from autology.cli.commands import Command
from autology.cli.did_you_mean import did_you_mean
from autology.cli.exit_codes import USAGE
from autology.cli.screen import Screen, columns, drop_output, is_terminal
from autology.cli.usage_error import UsageError
from autology.text.line_wrap import wrapped


class _MisreadError(Exception):
    """The arguments are invalid when interpreted in this way."""


class Parser(argparse.ArgumentParser):
    """Reports usage errors like all other errors, and suggests similar values.

    Its private parts are argparse's: there is no public way to list the options or to change a message.
    """

    def __init__(self, *, screen: Screen | None, **options: Any) -> None:
        super().__init__(**options)
        self.screen = screen
        self._is_attempt = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments. If the last option takes many values, its last value may be the query."""
        words = list(sys.argv[1:] if args is None else args)
        separated = self._separated(words)
        if separated is None:
            return super().parse_known_args(words, namespace)
        self._is_attempt = True
        try:
            result = super().parse_known_args(words, copy(namespace))
        except _MisreadError:
            self._is_attempt = False
            return super().parse_known_args(separated, namespace)
        finally:
            self._is_attempt = False
        has_query = getattr(result[0], "words", None) == [] and " " in words[-1].strip()  # their values have none
        return super().parse_known_args(separated, namespace) if has_query else result

    def _separated(self, words: list[str]) -> list[str] | None:
        """Return the arguments with the last value separated from the multi-value option before it, else None."""
        options = [at for at, word in enumerate(words) if word.startswith("-") and len(word) > 1]
        action = self._option_string_actions.get(words[options[-1]]) if options else None
        if action is None or action.nargs not in ("+", "*") or len(words) - options[-1] < 3:
            return None
        return [*words[:-1], "--", words[-1]]

    def error(self, message: str) -> NoReturn:
        """Report a usage error."""
        if self._is_attempt:
            raise _MisreadError
        if self.screen and self.screen.json:
            self.screen.error(UsageError.__name__, f"{self.prog}: {message}")
        missing = message.startswith("the following arguments are required")
        step = f". `{self.prog} --help` lists them." if missing else ""
        self.exit(USAGE, f"{self.prog}: {message}{step}\n")

    def print_help(self, file: Any = None) -> None:
        """Print the help at once; argparse would leave unread output to be written at exit."""
        try:
            text = self.format_help()
            is_shown = file is None and is_terminal(sys.stdout)
            print(wrapped(text, columns()) if is_shown else text, end="", file=file, flush=True)
        except (AttributeError, OSError):
            drop_output()

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Exit; a *message* that cannot be printed is dropped."""
        try:
            print(message or "", end="", file=sys.stderr, flush=True)
        except (AttributeError, OSError):
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        raise SystemExit(status)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; report the first unknown one, with a suggestion."""
        result, unknown = self.parse_known_args(args, namespace)
        option = next((word for word in unknown if word.startswith("-") and len(word) > 1), "").partition("=")[0]
        if option:
            suggestion = did_you_mean(option, [word for word in self._option_string_actions if word.startswith("--")])
            self.error(f"unknown option {option[:40]}{suggestion or f'. `{self.prog} --help` lists the options.'}")
        if unknown:
            step = "Quote values that contain spaces."
            self.error(f"unexpected argument '{unknown[0][:40]}'. {step}")
        return result

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type not in (int, float):
                raise
            expected = "whole number" if action.type is int else "number"
            bounds = _RANGE.fullmatch(str(action.metavar))
            limits = f" from {bounds[1]} to {bounds[2]}" if bounds else ""
            problem = f"invalid {_name(action)} '{arg_string[:40]}': expected a {expected}{limits}"
            raise argparse.ArgumentError(None, problem) from None

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            problem = f"invalid {_name(action)} '{str(value)[:40]}' (choose from {', '.join(choices)})"
            raise argparse.ArgumentError(None, problem + did_you_mean(str(value), choices))


def _name(action: argparse.Action) -> str:
    return "/".join(action.option_strings) or str(action.metavar or action.dest)


_RANGE = re.compile(r"([0-9.]+)-([0-9.]+)")
"""The placeholder of a number with bounds."""


def build(command: Command, screen: Screen | None = None) -> argparse.ArgumentParser:
    """Return the argument parser of *command*: the arguments have its function, or its action's, as ``run``."""
    parser = Parser(screen=screen, prog=f"autology {command.name}", **_help_options(command))
    _add_arguments(parser, command)
    if actions := commands.actions(command.name):
        # A command that runs by itself, as doctor, needs no action.
        needs_action = not hasattr(command.load(), "run")
        subparsers = parser.add_subparsers(dest="action", metavar="ACTION", required=needs_action, title="actions")
        for action in actions:
            name = action.name.rpartition(" ")[2]
            sub = subparsers.add_parser(name, screen=screen, help=action.about, **_help_options(action))
            _add_arguments(sub, action, default=argparse.SUPPRESS)  # options before the action apply too
    return parser


def _add_arguments(parser: argparse.ArgumentParser, command: Command, **options: Any) -> None:
    """Add the arguments of *command*, and the options of every command."""
    module = command.load()
    if add := getattr(module, "arguments", None):
        add(parser)
    common = parser.add_argument_group("every command")
    about = "project folder (default: the current one)"
    common.add_argument("--project", metavar="DIR", help=getattr(module, "PROJECT", about), **options)
    common.add_argument("--json", action="store_true", help="output JSON", **options)
    parser.set_defaults(run=getattr(module, "run", None), writes=getattr(module, "WRITES", False))


def _help_options(command: Command) -> dict[str, Any]:
    module = command.load()
    epilog = f"examples:\n{_indented(module.EXAMPLES)}"
    if module.JSON:
        epilog += f"\nwith --json:\n{_indented(module.JSON)}"
    return {
        "description": command.about[0].upper() + command.about[1:] + ".",
        "epilog": epilog,
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.strip("\n").split("\n"))
