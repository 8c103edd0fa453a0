"""``autology memory status``: show the memories' health, counts, pending purge or audit summary."""

from __future__ import annotations

import argparse
from typing import Any

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.model.argument_limits import MEMORY_REPORTS

EXAMPLES = """\
autology memory status
autology memory status stats
autology memory status purge_preview --json"""
JSON = """\
{success, operation, checked_at} and for health {status, checks: [{name, status, message, step?}]}, for stats
 {total, alive, expired, by_kind, by_scope, …}; for the others see `autology memory purge` and `autology audit`"""
STYLES = {"ok": "green", "warn": "yellow", "error": "red"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the report."""
    parser.add_argument(
        "operation", nargs="?", choices=MEMORY_REPORTS, default=MEMORY_REPORTS[0], help="the report to show"
    )


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the report; return 1 if there is a problem."""
    from autology.render import memory_status

    data = memory_status.system(args.operation, project_of(args).overseen)
    if screen.json:
        screen.data(data)
    elif args.operation == "health":
        _health(data, screen)
    else:
        _facts({name: value for name, value in data.items() if name not in ("success", "operation")}, screen)
    return 1 if data.get("status", "ok") != "ok" else 0


def _health(data: dict[str, Any], screen: Screen) -> None:
    for check in data["checks"]:
        sign = screen.styled(f"{check['status']:<6}", STYLES[check["status"]])
        screen.line(f"{check['name']:<11}{sign}{screen.safe(check['message'], 500)}")
        if "step" in check:
            screen.line(f"{'':<17}{screen.safe(check['step'], 500)}")


def _facts(values: dict[str, Any], screen: Screen, indent: str = "") -> None:
    """Print names and values, nested values indented."""
    for name, value in values.items():
        if isinstance(value, dict) and value:
            screen.line(f"{indent}{screen.safe(name)}")
            _facts(value, screen, f"{indent}  ")
        elif isinstance(value, list) and value:
            screen.line(f"{indent}{screen.safe(name)}")
            for item in value:
                shown = " ".join(f"{key}={_value_text(part)}" for key, part in item.items())
                screen.line(f"{indent}  {screen.safe(shown, 500)}")
        elif not isinstance(value, dict | list):
            screen.line(f"{indent}{screen.safe(name):<20} {screen.safe(str('-' if value is None else value), 500)}")


def _value_text(value: object) -> str:
    return ",".join(f"{key}:{part}" for key, part in value.items()) if isinstance(value, dict) else str(value)
