"""``autology uninstall``: show what Autology keeps on this machine, and the commands that remove it."""

from __future__ import annotations

import argparse
import os
import shlex
from typing import Any

from autology import places
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.nodes.merge_driver import DRIVER
from autology.text.language.plural import counted
from autology.wire import user
from autology.wire.mirror import mirror_status
from autology.wire.project import Project

EXAMPLES = """\
autology uninstall
autology uninstall --json"""
JSON = """\
{plugin: [command], traces: [{path, holds, bytes, remove}],
 projects: [{path, notes, cache, merge_driver, remove: [command]}]}"""
PLUGIN = ("claude plugin uninstall autology@autology", "claude plugin marketplace remove autology")
MAX_FILES = 100_000
"""Files of a folder whose sizes are added up, which takes a second; a cache has a few thousand."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""
    del parser


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the traces; nothing is removed."""
    traces, projects = _traces(), _projects(project_of(args).root)
    if screen.json:
        screen.data({"plugin": list(PLUGIN), "traces": traces, "projects": projects})
        return 0
    screen.line("This command removes nothing. Copy the commands before you remove the plugin: they work without it.")
    screen.line()
    screen.line("The plugin, in Claude Code", "bold")
    for command in PLUGIN:
        screen.line(f"  {command}")
    for trace in traces:
        screen.line()
        screen.line(f"{trace['holds']}, {_size(trace['bytes'])}", "bold")
        screen.line(f"  {screen.safe(trace['remove'], 1_000)}")
    for project in projects:
        screen.line()
        screen.line(screen.safe(f"Project {project['path']}: {_contents(project)}", 1_000), "bold")
        for command in project["remove"]:
            screen.line(f"  {screen.safe(command, 1_000)}")
    return 0


def _traces() -> list[dict[str, Any]]:
    """Return what exists outside projects, each with the command that removes it."""
    candidates = (
        (places.cache_dir(), "The unpacked program and indexes, which are made again when needed"),
        (places.temporary_copies(), "Unpacked copies of the program in the folder for temporary files"),
        (places.data_dir(), "Your own memories, past sessions, logs, installed models and parsers (not recoverable)"),
        (places.config_file(), "Your own settings"),
        *_mirrored(),
        (_plugin_copies(), "Claude Code's copies of the plugin, which remain for a while when it is uninstalled"),
    )
    return [
        {"path": path, "holds": holds, "bytes": _bytes(path), "remove": _removal(path)}
        for path, holds in candidates
        if os.path.lexists(path)
    ]


def _mirrored() -> list[tuple[str, str]]:
    """Return the folders in which this machine's files lie for the user's other machines."""
    status = mirror_status()
    holds = "This machine's memories and past sessions in a folder shared with your other machines (not recoverable)"
    places_here = [place for place in status.targets if os.path.isabs(place)]
    return [(os.path.join(place, status.machine), holds) for place in places_here if status.machine]


def _plugin_copies() -> str:
    """Return the client's folder of the plugin's versions, which it deletes some time after an uninstallation."""
    return os.path.join(places.client_folder(), "plugins", "cache", "autology")


def _projects(here: str) -> list[dict[str, Any]]:
    """Return the projects with traces: the current one and those in which Autology was used."""
    listed = (_project(root) for root in dict.fromkeys([here, *user.project_roots()]))
    return [project for project in listed if project["remove"]]


def _project(root: str) -> dict[str, Any]:
    folder = os.path.join(root, ".autology")
    registration = Project(root).merge_driver.state() if os.path.isdir(root) else None
    has_driver = registration is not None and registration.command is not None
    has_folder = os.path.isdir(folder)
    commands = [_removal(folder)] if has_folder else []
    if has_driver:
        commands.append(f"git -C {_quoted(root)} config --local --remove-section merge.{DRIVER}")
    index = places.index_file(root)
    notes = sum(name.endswith(".md") for _, _, names in os.walk(os.path.join(folder, "nodes")) for name in names)
    return {
        "path": root,
        "notes": notes,
        "cache": index if os.path.isfile(index) else None,
        "merge_driver": has_driver,
        "remove": commands,
    }


def _contents(project: dict[str, Any]) -> str:
    notes = f"{counted(project['notes'], 'note')}, which belong to you: remove them only if nobody needs them"
    driver = "git's merge driver for notes"
    return " and ".join([*([notes] if project["notes"] else []), *([driver] if project["merge_driver"] else [])]) or (
        "an index without notes"
    )


def _bytes(path: str) -> int:
    """Return the size of a file, or of the first MAX_FILES files of a folder."""
    if not os.path.isdir(path) or os.path.islink(path):
        return os.lstat(path).st_size
    total = count = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            except OSError:
                continue  # removed meanwhile
            count += 1
            if count == MAX_FILES:
                return total
    return total


def _size(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB" if count >= 100_000 else f"{count / 1_000:,.1f} kB"


def _removal(path: str) -> str:
    """Return the command that removes *path*, for the system's own shell."""
    if os.name == "nt":
        return f"rmdir /s /q {_quoted(path)}" if os.path.isdir(path) else f"del {_quoted(path)}"
    return f"rm -r {_quoted(path)}" if os.path.isdir(path) else f"rm {_quoted(path)}"


def _quoted(path: str) -> str:
    return f'"{path}"' if os.name == "nt" else shlex.quote(path)
