"""From words on a command line to the command they name, and from whatever goes wrong to an exit code."""

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
from autology.model.errors import AutologyError, ValidationError
from autology.signals import Ended

FINE, FINDINGS, USAGE, UNEXPECTED, STOPPED = 0, 1, 2, 3, 130


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, the module that does it ("" for one that starts elsewhere), and what it is for.

    What one that *writes* wrote goes to the team's hub, if there is one.
    """

    name: str
    module: str
    about: str
    writes: bool = False


COMMANDS = (
    Command("init", "init", "set up .autology and bring in the decision records that are there"),
    Command("doctor", "doctor", "check everything; each finding with its fix"),
    Command("status", "status", "how many nodes and relations, and what needs attention"),
    Command("capture", "capture", "create a node", writes=True),
    Command("query", "query", "search the notes"),
    Command("search", "search", "search documents and notes together"),
    Command("context", "context", "what matters to a file or a task, and why"),
    Command("analyze", "analyze", "what is wrong with the notes, why it matters, and what mends it"),
    Command("lint", "lint", "the same a line each, with an exit code for continuous integration"),
    Command("review", "review", "what waits for a review: keep, amend, supersede or leave it", writes=True),
    Command("recall", "recall", "find what was said in past sessions"),
    Command("show", "show", "print a node, a document or a passage of a conversation"),
    Command("graph", "graph", "draw what surrounds a node, or what matters most"),
    Command("path", "path", "how two nodes or documents are connected"),
    Command("clusters", "clusters", "what belongs together, and what connects it"),
    Command("memory", "memory", "store, find, show and purge memories: items with a kind, a scope and a lifetime"),
    Command("audit", "audit", "what was done with memories, by whom and with what outcome"),
    Command("update", "update", "change fields of a node", writes=True),
    Command("delete", "delete", "move a node to the trash, with its relations", writes=True),
    Command("restore", "restore", "bring a deleted node or document back, or list the trash", writes=True),
    Command("relate", "relate", "relate two nodes", writes=True),
    Command("unrelate", "unrelate", "take a relation back", writes=True),
    Command("import", "import_", "bring in decision records, or what another tool remembered", writes=True),
    Command("export", "export", "write the graph for other tools: GraphML, Cytoscape, DOT, Mermaid, JSON, CSV"),
    Command("merge-driver", "merge_driver", "merge two branches' versions of a note, for git to start"),
    Command("sync", "sync", "bring the index up to date with the files", writes=True),
    Command("archive", "archive", "keep past sessions before the client deletes them"),
    Command("hub", "hub", "a team's hub: shared notes, memories for all, what others discussed"),
    Command("models", "models", "search by meaning with a better model: list, install, use, remove"),
    Command("languages", "languages", "what the code graph reads besides Python: list, install, remove"),
    Command("bench", "bench", "rank a labelled set with this engine"),
    Command("web", "web", "look at everything and edit it on a local page in the browser", writes=True),
    Command("watch", "watch", "keep the index up with what is edited, and say what changed"),
    Command("completion", "completion", "print a completion script for bash, zsh or fish"),
    Command("serve", "", "be the MCP server, for a client to start"),
    Command("hook", "", "run one hook, for Claude Code to start"),
)


OPTIONS = frozenset(
    "limit offset depth max_depth resolution since until min_confidence confidence kind model expand".split()
)
"""What is given by options alone, and refused as an option that there is not: a number out of its range, no time."""

EVENTS = ("post-commit", "pre-compact", "pre-edit", "prompt-submit", "session-end", "session-start")
"""What Claude Code starts a hook for."""


class Module(Protocol):
    """What a command's module has."""

    EXAMPLES: str
    JSON: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what the command takes."""

    def run(self, asked: argparse.Namespace, screen: Screen) -> int:
        """Do it; return the exit code."""


def run(argv: Sequence[str], page: Page | None = None) -> int:
    """Run the command that *argv* names; return the exit code. *page* is what serves the local page."""
    screen = Screen(json="--json" in argv)
    code = FINE
    try:
        code = _answered(argv, screen, page)
        screen.flush()  # here, not as Python ends: there it would be an exit code of 120 and a complaint
    except UnwrittenError as error:
        return _unwritten(error, screen)
    except BrokenPipeError:  # whoever reads has read enough, which changes no code
        _unheard()
    return code


def _answered(argv: Sequence[str], screen: Screen, page: Page | None) -> int:
    """Run the command and return the exit code, with whatever went wrong said but for output that nobody takes."""
    try:
        return _run([_as_utf8(word) for word in argv], screen, page)
    except (UnwrittenError, BrokenPipeError):
        raise
    except AutologyError as error:
        return _refused(error, screen)
    except KeyboardInterrupt as stop:
        return _stopped(stop, screen)
    except SystemExit as end:  # argparse: help, or wrong usage
        return end.code if isinstance(end.code, int) else USAGE
    except Exception as error:  # noqa: BLE001 - the last place that can still say it in words
        return _unexpected(error, argv, screen)


def _run(argv: list[str], screen: Screen, page: Page | None) -> int:
    leading, name, rest = _taken_apart(argv)
    if name == "help":  # as other programs have it
        leading, name, rest = ([], rest[0], ["--help"]) if rest else (["--help"], None, [])
    if name == "version":
        leading, name = [*leading, "--version"], None
    if name is None:
        return _about_all(leading, screen)
    command = next((each for each in COMMANDS if each.name == name), None)
    if command is None:
        return _unknown(name, screen)
    if not command.module:
        return _started_elsewhere(command, [*leading, *rest], screen)
    module = load(command)
    asked = parser(command, module, screen).parse_args([*leading, *rest])
    asked.page = page
    code = module.run(asked, screen)
    if getattr(asked, "writes", command.writes):
        _share_soon(asked)
    return code


def _share_soon(asked: argparse.Namespace) -> None:
    """Have what was written sent to the team's hub by a process that goes on, where one is set up."""
    from autology import wire

    with suppress(OSError):  # there is no such folder any more
        wire.send_on(wire.project_root(asked.project))


def load(command: Command) -> Module:
    """Return the module of *command*; only what a command needs is loaded."""
    module: Module = importlib.import_module(f"autology.cli.{command.module}")
    return module


class _WronglyReadError(Exception):
    """The arguments do not fit, read like this."""


class _Parser(argparse.ArgumentParser):
    """Says wrong usage as every other refusal is said, and which of the values was meant."""

    def __init__(self, *, screen: Screen | None, **options: Any) -> None:
        super().__init__(**options)
        self._screen = screen
        self._trying = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the arguments. Of the values behind a last option that takes many, the last may be what to look for."""
        given = list(sys.argv[1:] if args is None else args)
        parted = self._parted(given)
        if parted is None:
            return super().parse_known_args(given, namespace)
        self._trying = True
        try:
            found = super().parse_known_args(given, copy(namespace))
        except _WronglyReadError:
            self._trying = False
            return super().parse_known_args(parted, namespace)
        finally:
            self._trying = False
        asks = getattr(found[0], "words", None) == [] and " " in given[-1].strip()  # no tag or path of theirs has one
        return super().parse_known_args(parted, namespace) if asks else found

    def _parted(self, given: list[str]) -> list[str] | None:
        """Return the arguments with the last value taken from the option before it, which took many; else None."""
        options = [at for at, word in enumerate(given) if word.startswith("-") and len(word) > 1]
        action = self._option_string_actions.get(given[options[-1]]) if options else None
        if action is None or action.nargs not in ("+", "*") or len(given) - options[-1] < 3:
            return None
        return [*given[:-1], "--", given[-1]]

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        if self._trying:
            raise _WronglyReadError
        if self._screen and self._screen.json:
            _print_refusal(UsageError.__name__, f"{self.prog}: {message}", self._screen)
        super().error(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help, or what is wrong; where nobody reads that, argparse would leave it to be written at the end."""
        with suppress(AttributeError, OSError):
            super()._print_message(message, file)
            (file or sys.stderr).flush()
            return
        if file is None or file is sys.stderr:
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        else:
            _unheard()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the arguments; of those that nobody takes the first is named, with what was meant."""
        found, left = self.parse_known_args(args, namespace)
        option = next((each for each in left if each.startswith("-") and len(each) > 1), "").partition("=")[0]
        if option:
            near = meant(option, [each for each in self._option_string_actions if each.startswith("--")])
            self.error(
                f"there is no option {option[:40]}{near or f'. `{self.prog} --help` lists those that there are.'}"
            )
        if left:
            step = "Put what belongs together into quotes."
            self.error(f"'{left[0][:40]}' is a word more than is taken. {step}")
        return found

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type not in (int, float):
                raise
            what = "whole number" if action.type is int else "number"
            taken = _RANGE.fullmatch(str(action.metavar))
            fits = f"from {taken[1]} to {taken[2]}" if taken else "in digits"
            problem = f"{_name(action)}: '{arg_string[:40]}' is no {what}. Give one {fits}."
            raise argparse.ArgumentError(None, problem) from None

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            named = _name(action)
            choices = [str(each) for each in action.choices]
            raise argparse.ArgumentError(
                None, f"{named}: '{str(value)[:40]}' is none of {', '.join(choices)}{meant(str(value), choices)}"
            )


def meant(given: str, known: Sequence[str]) -> str:
    """Return the one of the *known* words that was meant, as the end of a sentence; nothing where none is near."""
    near = _nearest(given, known)
    return f". Did you mean {near}?" if near else ""


def _nearest(given: str, known: Sequence[str]) -> str:
    """Return the one that alone begins with what was *given*, else the one that is written nearly so."""
    import difflib

    word = given.lower()
    begun = [each for each in known if each.startswith(word)]
    return begun[0] if len(begun) == 1 else next(iter(difflib.get_close_matches(word, known, 1)), "")


def _name(action: argparse.Action) -> str:
    return "/".join(action.option_strings) or str(action.metavar or action.dest)


_RANGE = re.compile(r"([0-9.]+)-([0-9.]+)")
"""What stands for a number that has bounds."""


def parser(command: Command, module: Module, screen: Screen | None = None) -> argparse.ArgumentParser:
    """Return what reads the arguments of *command*."""
    made = _Parser(screen=screen, prog=f"autology {command.name}", **_described(command, module))
    module.arguments(made)
    _with_usual(made, module)
    return made


def add_parts(parser: argparse.ArgumentParser, parts: Sequence[Command]) -> None:
    """Have *parser* take one of *parts* with its own arguments, each with its own help; its name is ``part`` then."""
    screen = parser._screen if isinstance(parser, _Parser) else None
    adder = parser.add_subparsers(dest="part", metavar="ACTION", required=True, title="actions")
    for part in parts:
        module = load(part)
        made = adder.add_parser(part.name, screen=screen, help=part.about, **_described(part, module))
        module.arguments(made)
        made.set_defaults(writes=part.writes)
        _with_usual(made, module, default=argparse.SUPPRESS)  # what stands before the part holds, too


def _described(command: Command, module: Module) -> dict[str, Any]:
    said = f"examples:\n{_indented(module.EXAMPLES)}"
    if module.JSON:
        said += f"\nwith --json:\n{_indented(module.JSON)}"
    return {
        "description": command.about[0].upper() + command.about[1:] + ".",
        "epilog": said,
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }


def _with_usual(made: argparse.ArgumentParser, module: Module, **options: Any) -> None:
    """Add what every command takes."""
    every = made.add_argument_group("every command")
    usual = "the project; else the one that this folder lies in"
    every.add_argument("--project", metavar="DIR", help=getattr(module, "PROJECT", usual), **options)
    every.add_argument("--json", action="store_true", help="print one JSON object, for programs", **options)


def _as_utf8(word: str) -> str:
    """Return *word* as it was typed, where the locale knew no such characters."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return os.fsencode(word).decode("utf-8", "replace")
    return word


def _taken_apart(argv: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Return the options before the command, the command, and what follows it."""
    leading: list[str] = []
    rest = list(argv)
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        leading.append(rest.pop(0))
        if leading[-1] == "--project" and rest:
            leading.append(rest.pop(0))
    if rest and not {"-h", "--help", "-V", "--version"} & set(leading):
        return leading, rest[0], rest[1:]
    return leading, None, rest


def _about_all(leading: list[str], screen: Screen) -> int:
    if {"-V", "--version"} & set(leading):
        screen.data({"version": __version__}) if screen.json else screen.line(f"autology {__version__}")
        return FINE
    unknown = [option for option in leading if option not in ("-h", "--help")]
    screen.line(usage())
    if unknown:
        screen.say(f"unknown option: {unknown[0]}. The options stand behind a command.")
    return FINE if leading and not unknown else USAGE


def usage() -> str:
    """Return the help on all commands."""
    listed = "\n".join(f"  {command.name:<13} {command.about}" for command in COMMANDS)
    return (
        "usage: autology COMMAND [--project DIR] [--json] ...\n\n"
        "The memory of a software project: decisions, components, conventions and known problems\n"
        "as linked markdown notes in its repository.\n\n"
        f"commands:\n{listed}\n\n"
        "options:\n"
        "  --project DIR   the project; else the one that this folder lies in\n"
        "  --json          print one JSON object, for programs\n"
        "  -V, --version   print the version\n"
        "  -h, --help      this, or a command's own help: autology query --help\n\n"
        "example:\n"
        "  autology init --yes && autology query why this database\n\n"
        "exit codes:\n"
        "  0  fine; that a search finds nothing is fine\n"
        "  1  findings, nothing of that name, or a refusal, which says the next step\n"
        "  2  wrong usage: an option, a value or a command that there is not\n"
        "  3  unexpected; 130 stopped"
    )


def _started_elsewhere(command: Command, rest: list[str], screen: Screen) -> int:
    """Say what a command is that a client starts."""
    asked = bool({"-h", "--help"} & set(rest))
    taken = {"serve": "[--project DIR]", "hook": "EVENT < input.json"}.get(command.name, "")
    example = "autology serve --project ."
    events = ""
    if command.name == "hook":
        example = """echo '{"cwd": "."}' | autology hook session-start"""
        events = f" The events are {', '.join(EVENTS)}."
    if not asked:
        raise UsageError(command.name, f"takes {taken}", f"A client starts it, as: {example}{events and '.'}{events}")
    screen.line(f"usage: autology {command.name} {taken}\n\n{command.about[0].upper()}{command.about[1:]}.{events}")
    screen.line(f"\nexample:\n  {example}")
    return FINE


def _unknown(name: str, screen: Screen) -> int:
    near = _nearest(name, [command.name for command in COMMANDS])
    step = f"Did you mean `autology {near}`?" if near else "`autology --help` lists what there is."
    message = f"there is no command '{name[:40]}'. {step}"
    _say_refusal(UsageError.__name__, message, screen)
    return USAGE


def _stopped(stop: KeyboardInterrupt, screen: Screen) -> int:
    with suppress(OSError):  # the terminal may be closed
        screen.say("stopped; what was done is done whole, and running it again completes it")
    return stop.code if isinstance(stop, Ended) else STOPPED


def _refused(error: AutologyError, screen: Screen) -> int:
    _say_refusal(type(error).__name__, _as_commands(str(error)), screen)
    wrong = isinstance(error, UsageError) or (isinstance(error, ValidationError) and error.field in OPTIONS)
    return USAGE if wrong else FINDINGS


def _as_commands(message: str) -> str:
    """Return *message*, which names tools, with the commands that do the same."""
    import re

    named = re.sub(r"\bautology_(\w+)", r"`autology \1`", message)
    for tool, command in (("search_documents", "search"), ("memory_find", "memory find")):
        named = re.sub(rf"\b{tool}\b", f"`autology {command}`", named)
    return named.replace("``", "`")


def _unheard() -> None:
    # Python would complain once more when it flushes on its way out.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _say_refusal(kind: str, message: str, screen: Screen) -> None:
    if screen.json:
        _print_refusal(kind, message, screen)
    screen.say(message)


def _print_refusal(kind: str, message: str, screen: Screen) -> None:
    try:
        screen.data({"error": {"kind": kind, "message": message}})
        screen.flush()
    except BrokenPipeError:  # a refusal stays one though nobody reads it
        _unheard()


def _unwritten(error: UnwrittenError, screen: Screen) -> int:
    screen.say(f"{error}. What was to be done is done; only the answer is lost.")
    _unheard()
    return UNEXPECTED


def _unexpected(error: Exception, argv: Sequence[str], screen: Screen) -> int:
    from autology import log
    from autology.text.redact import redact

    where = log.write(argv[0] if argv else "start", error, whole=True)
    kept = "`autology doctor --log` shows where." if where else "The log could not be written either."
    told, _ = redact(f"{type(error).__name__}: {' '.join(str(error).split())}")
    screen.say(f"unexpected: {told[:300]}. {kept}")
    return UNEXPECTED


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.strip("\n").split("\n"))


class UsageError(ValidationError):
    """Arguments that do not go together."""
