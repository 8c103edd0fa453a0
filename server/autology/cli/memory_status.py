"""``autology memory status``: how memories are, how many there are, what is due to go, what was done with them."""

from __future__ import annotations

import argparse
from typing import Any

from autology import wire
from autology.cli import project
from autology.cli.screen import Screen

EXAMPLES = """\
autology memory status
autology memory status stats
autology memory status purge_preview --json"""
JSON = """\
{success, operation, checked_at} and for health {status, checks: [{name, status, message, step?}]}, for stats
 {total, alive, expired, by_kind, by_scope, …}; the others tell what `autology memory purge` and `autology audit` do"""
OPERATIONS = ("health", "stats", "purge_preview", "audit_summary")
STYLES = {"ok": "green", "warn": "yellow", "error": "red"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the view."""
    parser.add_argument("operation", nargs="?", choices=OPERATIONS, default=OPERATIONS[0], help="what to look at")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the view; 1 if something is wrong."""
    from autology import reported

    told = reported.system(asked.operation, wire.overseen(project.ledger(asked), project.root(asked)))
    if screen.json:
        screen.data(told)
    elif asked.operation == "health":
        _health(told, screen)
    else:
        _facts({name: value for name, value in told.items() if name not in ("success", "operation")}, screen)
    return 1 if told.get("status", "ok") != "ok" else 0


def _health(told: dict[str, Any], screen: Screen) -> None:
    for check in told["checks"]:
        sign = screen.styled(f"{check['status']:<6}", STYLES[check["status"]])
        screen.line(f"{check['name']:<11}{sign}{screen.safe(check['message'], 500)}")
        if "step" in check:
            screen.line(f"{'':<17}{screen.safe(check['step'], 500)}")


def _facts(values: dict[str, Any], screen: Screen, indent: str = "") -> None:
    """Print names and values, what is within a value below it."""
    for name, value in values.items():
        if isinstance(value, dict) and value:
            screen.line(f"{indent}{screen.safe(name)}")
            _facts(value, screen, f"{indent}  ")
        elif isinstance(value, list) and value:
            screen.line(f"{indent}{screen.safe(name)}")
            for item in value:
                shown = " ".join(f"{key}={_told(part)}" for key, part in item.items())
                screen.line(f"{indent}  {screen.safe(shown, 500)}")
        elif not isinstance(value, dict | list):
            screen.line(f"{indent}{screen.safe(name):<20} {screen.safe(str('-' if value is None else value), 500)}")


def _told(value: object) -> str:
    return ",".join(f"{key}:{part}" for key, part in value.items()) if isinstance(value, dict) else str(value)
