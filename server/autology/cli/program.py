"""Parses the command line, runs the command, and maps errors to exit codes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from autology import __version__
from autology.cli import commands, parser
from autology.cli.commands import Command
from autology.cli.did_you_mean import nearest
from autology.cli.exit_codes import FINDINGS, FINE, STOPPED, UNEXPECTED, USAGE
from autology.cli.screen import Screen, UnwrittenError, drop_output
from autology.cli.usage_error import UsageError
from autology.hook_events import EVENTS
from autology.model.errors import AutologyError, ValidationError
from autology.render.next_steps import error_for_terminal
from autology.signals import Ended

Page = Callable[[str, int, Callable[[str], None]], None]
"""Serves a project's page on a port and reports its address once it is ready."""
CLIENT_COMMANDS = {
    "serve": Command("serve", "run the MCP server (started by a client)", ""),
    "hook": Command("hook", "run one hook (started by Claude Code)", ""),
}
OPTIONS = frozenset(
    "limit offset depth max_depth resolution since until min_confidence confidence kind model expand".split()
)
"""Fields whose ValidationError counts as a usage error: they can only come from an option."""


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
        drop_output()
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
    if name in CLIENT_COMMANDS:
        return _explain(CLIENT_COMMANDS[name], [*leading, *rest], screen)
    command = commands.find(name)
    if command is None:
        return _report_unknown(name, screen)
    args = parser.build(command, screen).parse_args([*leading, *rest])
    args.page = page
    code: int = args.run(args, screen)
    if args.writes:
        _share_soon(args)
    return code


def _share_soon(args: argparse.Namespace) -> None:
    """Start a process that sends changes to the team hub, if one is configured."""
    from autology.places import project_root
    from autology.wire.project import Project

    with suppress(OSError):  # the folder no longer exists
        Project(project_root(args.project)).team.send_detached()


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
    listed = "\n".join(
        f"  {command.name:<13} {command.about}" for command in [*commands.commands(), *CLIENT_COMMANDS.values()]
    )
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
    usage = {"serve": "[--project DIR]", "hook": "EVENT < input.json"}.get(command.name, "")
    example = "autology serve --project ."
    events = ""
    if command.name == "hook":
        example = """echo '{"cwd": "."}' | autology hook session-start"""
        events = f" The events are {', '.join(EVENTS)}."
    if not wants_help:
        raise UsageError(
            command.name, f"requires {usage}", f"A client starts it, for example: {example}{events and '.'}{events}"
        )
    screen.line(f"usage: autology {command.name} {usage}\n\n{command.about[0].upper()}{command.about[1:]}.{events}")
    screen.line(f"\nexample:\n  {example}")
    return FINE


def _report_unknown(name: str, screen: Screen) -> int:
    suggestion = nearest(name, [*(command.name for command in commands.commands()), *CLIENT_COMMANDS])
    step = f"Did you mean `autology {suggestion}`?" if suggestion else "`autology --help` lists the commands."
    message = f"unknown command '{name[:40]}'. {step}"
    _report(UsageError.__name__, message, screen)
    return USAGE


def _report_cancelled(stop: KeyboardInterrupt, screen: Screen) -> int:
    with suppress(OSError):  # the terminal may be closed
        screen.say("cancelled. Run the command again to resume")
    return stop.code if isinstance(stop, Ended) else STOPPED


def _report_error(error: AutologyError, screen: Screen) -> int:
    _report(type(error).__name__, error_for_terminal(error), screen)
    is_usage = isinstance(error, UsageError) or (isinstance(error, ValidationError) and error.field in OPTIONS)
    return USAGE if is_usage else FINDINGS


def _report(kind: str, message: str, screen: Screen) -> None:
    if screen.json:
        screen.error(kind, message)
    screen.say(message)


def _report_unwritten(error: UnwrittenError, screen: Screen) -> int:
    screen.say(f"{error}. The command completed; only its output is lost.")
    drop_output()
    return UNEXPECTED


def _report_unexpected(error: Exception, argv: Sequence[str], screen: Screen) -> int:
    from autology import log
    from autology.text.redaction import redact

    log_path = log.write(argv[0] if argv else "start", error, whole=True)
    hint = "See `autology doctor --log`." if log_path else "The log could not be written either."
    summary, _ = redact(f"{type(error).__name__}: {' '.join(str(error).split())}")
    screen.say(f"unexpected: {summary[:300]}. {hint}")
    return UNEXPECTED
