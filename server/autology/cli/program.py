"""Parses the command line, runs the command, and maps errors to exit codes."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from autology import __version__
from autology.cli import Page
from autology.cli.screen import Screen, UnwrittenError
from autology.hook_events import EVENTS
from autology.model.errors import AutologyError, ValidationError
from autology.signals import Ended

FINE, FINDINGS, USAGE, UNEXPECTED, STOPPED = 0, 1, 2, 3, 130


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, its module ("" for one that a client starts), and its description.

    Changes made by a command that *writes* are sent to the team hub, if there is one.
    """

    name: str
    module: str
    about: str
    writes: bool = False


COMMANDS = (
    Command("init", "init", "set up .autology and import existing decision records"),
    Command("doctor", "doctor", "check everything and suggest fixes"),
    Command("status", "status", "show counts and what needs attention"),
    Command("capture", "capture", "create a note", writes=True),
    Command("query", "query", "search the notes"),
    Command("search", "search", "search documents and notes together"),
    Command("context", "context", "show what matters to a file or a task, and why"),
    Command("analyze", "analyze", "find problems in the notes, with reasons and fixes"),
    Command("lint", "lint", "like analyze, one line per finding; for CI"),
    Command("review", "review", "review notes: keep, amend, supersede or skip them", writes=True),
    Command("recall", "recall", "search past sessions"),
    Command("show", "show", "print a note, a document or a passage of a conversation"),
    Command("graph", "graph", "draw a note's neighbourhood, or the most important notes"),
    Command("path", "path", "show how two notes or documents are connected"),
    Command("clusters", "clusters", "show groups of related notes, and what connects them"),
    Command("memory", "memory", "store, find, show and purge memories: items with a kind, a scope and a lifetime"),
    Command("audit", "audit", "show what was done with memories, by whom and with what outcome"),
    Command("update", "update", "change fields of a note", writes=True),
    Command("delete", "delete", "move a note to the trash, with its relations", writes=True),
    Command("restore", "restore", "restore a deleted note, document or memory, or list the trash", writes=True),
    Command("relate", "relate", "relate two notes", writes=True),
    Command("unrelate", "unrelate", "remove a relation", writes=True),
    Command("import", "import_", "import decision records, or another tool's memories", writes=True),
    Command("export", "export", "export the graph: GraphML, Cytoscape, DOT, Mermaid, JSON, CSV"),
    Command("merge-driver", "merge_driver", "merge two branches' versions of a note (run by git)"),
    Command("sync", "sync", "update the index from the files", writes=True),
    Command("archive", "archive", "back up Claude Code sessions before they are deleted"),
    Command("hub", "hub", "share notes, memories and conversations on a team hub"),
    Command("models", "models", "manage models for semantic search: list, install, use, remove"),
    Command("languages", "languages", "manage parsers for the code graph: list, install, remove"),
    Command("bench", "bench", "rank a labelled data set with this engine"),
    Command("web", "web", "browse and edit everything on a local web page", writes=True),
    Command("watch", "watch", "keep the index up to date and report changes"),
    Command("completion", "completion", "print a completion script for bash, zsh or fish"),
    Command("serve", "", "run the MCP server (started by a client)"),
    Command("hook", "", "run one hook (started by Claude Code)"),
)


OPTIONS = frozenset(
    "limit offset depth max_depth resolution since until min_confidence confidence kind model expand".split()
)
"""Fields whose ValidationError counts as a usage error: they can only come from an option."""


class Module(Protocol):
    """The interface of a command's module."""

    EXAMPLES: str
    JSON: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, args: argparse.Namespace, screen: Screen) -> int:
        """Run the command; return the exit code."""


def run(argv: Sequence[str], page: Page | None = None) -> int:
    """Run the command in *argv*; return the exit code. *page* serves the local page."""
    screen = Screen(json="--json" in argv)
    code = FINE
    try:
        code = _run_reporting(argv, screen, page)
        screen.flush()  # here, not at Python's exit, which would print an error and return 120
    except UnwrittenError as error:
        return _report_unwritten(error, screen)
    except BrokenPipeError:  # the reader has seen enough, which does not change the exit code
        _drop_output()
    return code


def _run_reporting(argv: Sequence[str], screen: Screen, page: Page | None) -> int:
    """Run the command and return the exit code; report every error except for output that cannot be written."""
    try:
        return _run([_as_utf8(word) for word in argv], screen, page)
    except (UnwrittenError, BrokenPipeError):
        raise
    except AutologyError as error:
        return _report_error(error, screen)
    except KeyboardInterrupt as stop:
        return _report_cancelled(stop, screen)
    except SystemExit as end:  # argparse: help or a usage error
        return end.code if isinstance(end.code, int) else USAGE
    except Exception as error:  # noqa: BLE001 - the last place that can report it
        return _report_unexpected(error, argv, screen)


def _run(argv: list[str], screen: Screen, page: Page | None) -> int:
    leading, name, rest = _split(argv)
    if name == "help":  # as in other programs
        leading, name, rest = ([], rest[0], ["--help"]) if rest else (["--help"], None, [])
    if name == "version":
        leading, name = [*leading, "--version"], None
    if name is None:
        return _general_help(leading, screen)
    command = next((candidate for candidate in COMMANDS if candidate.name == name), None)
    if command is None:
        return _report_unknown(name, screen)
    if not command.module:
        return _explain(command, [*leading, *rest], screen)
    module = load(command)
    args = parser(command, module, screen).parse_args([*leading, *rest])
    args.page = page
    code = module.run(args, screen)
    if getattr(args, "writes", command.writes):
        _share_soon(args)
    return code


def _share_soon(args: argparse.Namespace) -> None:
    """Start a process that sends changes to the team hub, if one is configured."""
    from autology import wire

    with suppress(OSError):  # the folder no longer exists
        wire.send_on(wire.project_root(args.project))


def load(command: Command) -> Module:
    """Import the module of *command*, and only that."""
    module: Module = importlib.import_module(f"autology.cli.{command.module}")
    return module


class _MisreadError(Exception):
    """The arguments are invalid in this interpretation."""


class _Parser(argparse.ArgumentParser):
    """Reports usage errors like all other errors, and suggests similar values."""

    def __init__(self, *, screen: Screen | None, **options: Any) -> None:
        super().__init__(**options)
        self._screen = screen
        self._trying = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments. If the last option takes many values, its last value may be the query."""
        words = list(sys.argv[1:] if args is None else args)
        separated = self._separated(words)
        if separated is None:
            return super().parse_known_args(words, namespace)
        self._trying = True
        try:
            result = super().parse_known_args(words, copy(namespace))
        except _MisreadError:
            self._trying = False
            return super().parse_known_args(separated, namespace)
        finally:
            self._trying = False
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
        if self._trying:
            raise _MisreadError
        if self._screen and self._screen.json:
            _print_error(UsageError.__name__, f"{self.prog}: {message}", self._screen)
        super().error(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or an error; argparse would leave unread output to be written at exit."""
        with suppress(AttributeError, OSError):
            super()._print_message(message, file)
            (file or sys.stderr).flush()
            return
        if file is None or file is sys.stderr:
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        else:
            _drop_output()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; report the first unknown one, with a suggestion."""
        result, left = self.parse_known_args(args, namespace)
        option = next((word for word in left if word.startswith("-") and len(word) > 1), "").partition("=")[0]
        if option:
            near = did_you_mean(option, [word for word in self._option_string_actions if word.startswith("--")])
            self.error(f"unknown option {option[:40]}{near or f'. `{self.prog} --help` lists the options.'}")
        if left:
            step = "Quote values that contain spaces."
            self.error(f"unexpected argument '{left[0][:40]}'. {step}")
        return result

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type not in (int, float):
                raise
            what = "whole number" if action.type is int else "number"
            bounds = _RANGE.fullmatch(str(action.metavar))
            fits = f" from {bounds[1]} to {bounds[2]}" if bounds else ""
            problem = f"invalid {_name(action)} '{arg_string[:40]}': expected a {what}{fits}"
            raise argparse.ArgumentError(None, problem) from None

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            problem = f"invalid {_name(action)} '{str(value)[:40]}' (choose from {', '.join(choices)})"
            raise argparse.ArgumentError(None, problem + did_you_mean(str(value), choices))


def did_you_mean(word: str, choices: Sequence[str]) -> str:
    """Return a suggestion for *word* among *choices*, to be appended to a sentence; "" if none is similar."""
    near = _nearest(word, choices)
    return f". Did you mean {near}?" if near else ""


def _nearest(typed: str, choices: Sequence[str]) -> str:
    """Return the only choice that begins with *typed*, else the most similar one."""
    import difflib

    word = typed.lower()
    begun = [choice for choice in choices if choice.startswith(word)]
    return begun[0] if len(begun) == 1 else next(iter(difflib.get_close_matches(word, choices, 1)), "")


def _name(action: argparse.Action) -> str:
    return "/".join(action.option_strings) or str(action.metavar or action.dest)


_RANGE = re.compile(r"([0-9.]+)-([0-9.]+)")
"""The placeholder of a number with bounds."""


def parser(command: Command, module: Module, screen: Screen | None = None) -> argparse.ArgumentParser:
    """Return the argument parser of *command*."""
    built = _Parser(screen=screen, prog=f"autology {command.name}", **_help_options(command, module))
    module.arguments(built)
    _add_common(built, module)
    return built


def add_parts(parser: argparse.ArgumentParser, parts: Sequence[Command]) -> None:
    """Add *parts* to *parser* as actions with their own arguments and help; the name goes to ``part``."""
    screen = parser._screen if isinstance(parser, _Parser) else None
    adder = parser.add_subparsers(dest="part", metavar="ACTION", required=True, title="actions")
    for part in parts:
        module = load(part)
        sub = adder.add_parser(part.name, screen=screen, help=part.about, **_help_options(part, module))
        module.arguments(sub)
        sub.set_defaults(writes=part.writes)
        _add_common(sub, module, default=argparse.SUPPRESS)  # options before the action apply too


def _help_options(command: Command, module: Module) -> dict[str, Any]:
    epilog = f"examples:\n{_indented(module.EXAMPLES)}"
    if module.JSON:
        epilog += f"\nwith --json:\n{_indented(module.JSON)}"
    return {
        "description": command.about[0].upper() + command.about[1:] + ".",
        "epilog": epilog,
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }


def _add_common(parser: argparse.ArgumentParser, module: Module, **options: Any) -> None:
    """Add the options of every command."""
    every = parser.add_argument_group("every command")
    usual = "project folder (default: the current one)"
    every.add_argument("--project", metavar="DIR", help=getattr(module, "PROJECT", usual), **options)
    every.add_argument("--json", action="store_true", help="output JSON", **options)


def _as_utf8(word: str) -> str:
    """Return *word* as typed, if the locale could not decode it."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return os.fsencode(word).decode("utf-8", "replace")
    return word


def _split(argv: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Split *argv* into the options before the command, the command, and the rest."""
    leading: list[str] = []
    rest = list(argv)
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        leading.append(rest.pop(0))
        if leading[-1] == "--project" and rest:
            leading.append(rest.pop(0))
    if rest and not {"-h", "--help", "-V", "--version"} & set(leading):
        return leading, rest[0], rest[1:]
    return leading, None, rest


def _general_help(leading: list[str], screen: Screen) -> int:
    if {"-V", "--version"} & set(leading):
        screen.data({"version": __version__}) if screen.json else screen.line(f"autology {__version__}")
        return FINE
    unknown = [option for option in leading if option not in ("-h", "--help")]
    screen.line(usage())
    if unknown:
        screen.say(f"unknown option: {unknown[0]}. Options go after the command.")
    return FINE if leading and not unknown else USAGE


def usage() -> str:
    """Return the help about all commands."""
    listed = "\n".join(f"  {command.name:<13} {command.about}" for command in COMMANDS)
    return (
        "usage: autology COMMAND [--project DIR] [--json] ...\n\n"
        "The memory of a software project: decisions, components, conventions and known problems\n"
        "as linked markdown notes in its repository.\n\n"
        f"commands:\n{listed}\n\n"
        "options:\n"
        "  --project DIR   project folder (default: the current one)\n"
        "  --json          output JSON\n"
        "  -V, --version   show the version\n"
        "  -h, --help      show help; for a command: autology query --help\n\n"
        "example:\n"
        "  autology init --yes && autology query why this database\n\n"
        "exit codes:\n"
        "  0  success, also if a search finds nothing\n"
        "  1  findings, not found, or refused; the message says what to do next\n"
        "  2  usage error: unknown option, value or command\n"
        "  3  unexpected error; 130 cancelled"
    )


def _explain(command: Command, rest: list[str], screen: Screen) -> int:
    """Explain a command that a client starts."""
    wants_help = bool({"-h", "--help"} & set(rest))
    bounds = {"serve": "[--project DIR]", "hook": "EVENT < input.json"}.get(command.name, "")
    example = "autology serve --project ."
    events = ""
    if command.name == "hook":
        example = """echo '{"cwd": "."}' | autology hook session-start"""
        events = f" The events are {', '.join(EVENTS)}."
    if not wants_help:
        raise UsageError(
            command.name, f"requires {bounds}", f"A client starts it, for example: {example}{events and '.'}{events}"
        )
    screen.line(f"usage: autology {command.name} {bounds}\n\n{command.about[0].upper()}{command.about[1:]}.{events}")
    screen.line(f"\nexample:\n  {example}")
    return FINE


def _report_unknown(name: str, screen: Screen) -> int:
    near = _nearest(name, [command.name for command in COMMANDS])
    step = f"Did you mean `autology {near}`?" if near else "`autology --help` lists the commands."
    message = f"unknown command '{name[:40]}'. {step}"
    _report(UsageError.__name__, message, screen)
    return USAGE


def _report_cancelled(stop: KeyboardInterrupt, screen: Screen) -> int:
    with suppress(OSError):  # the terminal may be closed
        screen.say("cancelled. Run the command again to resume")
    return stop.code if isinstance(stop, Ended) else STOPPED


def _report_error(error: AutologyError, screen: Screen) -> int:
    _report(type(error).__name__, for_terminal(str(error)), screen)
    wrong = isinstance(error, UsageError) or (isinstance(error, ValidationError) and error.field in OPTIONS)
    return USAGE if wrong else FINDINGS


def for_terminal(message: str) -> str:
    """Return *message* for a terminal: without its category, of notes, and with commands in place of tools."""
    import re

    named = re.sub(r"\A(validation|storage) error: ", "", message).replace("ode not found", "ote not found", 1)
    named = re.sub(r"\bautology_(\w+)", r"`autology \1`", named)
    for tool, command in (("search_documents", "search"), ("memory_find", "memory find")):
        named = re.sub(rf"\b{tool}\b", f"`autology {command}`", named)
    return named.replace("``", "`")


def _drop_output() -> None:
    # Python would report it once more when it flushes at exit.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _report(kind: str, message: str, screen: Screen) -> None:
    if screen.json:
        _print_error(kind, message, screen)
    screen.say(message)


def _print_error(kind: str, message: str, screen: Screen) -> None:
    try:
        screen.data({"error": {"kind": kind, "message": message}})
        screen.flush()
    except BrokenPipeError:  # the error stays the same even if nobody reads it
        _drop_output()


def _report_unwritten(error: UnwrittenError, screen: Screen) -> int:
    screen.say(f"{error}. The command completed; only its output is lost.")
    _drop_output()
    return UNEXPECTED


def _report_unexpected(error: Exception, argv: Sequence[str], screen: Screen) -> int:
    from autology import log
    from autology.text.redaction import redact

    where = log.write(argv[0] if argv else "start", error, whole=True)
    hint = "See `autology doctor --log`." if where else "The log could not be written either."
    summary, _ = redact(f"{type(error).__name__}: {' '.join(str(error).split())}")
    screen.say(f"unexpected: {summary[:300]}. {hint}")
    return UNEXPECTED


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.strip("\n").split("\n"))


class UsageError(ValidationError):
    """Arguments that cannot be combined, or are missing."""
