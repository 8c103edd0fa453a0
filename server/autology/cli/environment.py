"""What surrounds the notes: Python, SQLite, the executable, the server, the places, the settings."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

from autology import __version__, log, places, wire
from autology.cli import spawn
from autology.core import merge_driver
from autology.core.doctor import Finding, Report, guarded
from autology.model.errors import EncodingError, ParsingError, StorageError
from autology.text.counted import counted

OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)
"""The first with what the index's tables are declared with."""
LITTLE_SPACE = 50_000_000
"""Bytes free below which a write may soon fail."""


def examine(root: str) -> Report:
    """Return how the surroundings of the project at *root* are."""
    return (
        guarded("sqlite", _versions)
        + guarded("places", lambda: _places(root))
        + guarded("settings", lambda: _settings(root))
        + guarded("model", _model)
        + guarded("languages", lambda: _languages(root))
        + guarded("server", lambda: _server(root))
        + guarded("merges", lambda: _merging(root))
        + guarded("log", _log)
    )


def _languages(root: str) -> Report:
    """What the code graph reads, and what of this project it does not."""
    languages = wire.languages()
    named = ", ".join(["Python", *(each.name for each in languages.catalogue if languages.place.ready)])
    unread = wire.code(root).unread()
    facts = (("languages", f"{named} are read" if languages.place.ready else unread or "Python is read"),)
    try:
        languages.check()
    except ParsingError as error:
        step = "`autology languages install` installs them anew, `autology languages remove` does without."
        return Report(facts, (Finding("languages", str(error), step),))
    return Report(facts)


def _versions() -> Report:
    version = wire.engine()
    facts = (
        ("autology", f"{__version__}, {spawn.executable() or 'run from its source'}"),
        ("python", f"{platform.python_version()}, {sys.executable}"),
        ("sqlite", version),
    )
    found = []
    if sys.version_info < OLDEST_PYTHON:
        found.append(Finding("python", f"is {platform.python_version()}", "Install CPython 3.11 or newer."))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SQLITE:
        step = "Use a Python from python.org or your system: they come with a SQLite that fits."
        found.append(Finding("sqlite", f"{version} is too old", step))
    return Report(facts, tuple(found))


def _places(root: str) -> Report:
    named = {"project": root, "data": places.data_dir(), "cache": places.cache_dir()}
    facts = [*named.items(), ("settings", places.config_file())]
    found = []
    for name, folder in named.items():
        there = _nearest(Path(folder))
        variable = {"data": "AUTOLOGY_DATA_DIR", "cache": "AUTOLOGY_CACHE_DIR"}.get(name)
        other = f", or set {variable} to a folder that is" if variable else ""
        if not os.access(there, os.W_OK):
            problem = f"the {name} folder {folder} cannot be written"
            found.append(Finding("permissions", problem, f"Make it writable{other}."))
        elif variable and there == Path(folder) and (reason := wire.write_refusal(folder)):
            problem = f"the {name} folder {folder} cannot be written: {reason}"
            found.append(Finding("disk", problem, f"Make room{other.replace('that is', 'elsewhere')}."))
    disks = {os.stat(there).st_dev: there for there in (_nearest(Path(named[name])) for name in reversed(named))}
    for there in disks.values():
        if (free := shutil.disk_usage(there).free) < LITTLE_SPACE:
            problem = f"only {free // 1_000_000} MB are free on the disk of {there}"
            found.append(Finding("disk", problem, "Make room: writes will be refused."))
    return Report(tuple(facts), tuple(found))


def _nearest(folder: Path) -> Path:
    return next((path for path in (folder, *folder.parents) if path.exists()), Path.cwd())


def _settings(root: str) -> Report:
    step = "Correct or remove it there; a repository's file may only narrow what you set yourself."
    found = tuple(Finding("settings", f"not taken: {text}", step) for text in wire.settings(root).ignored)
    return Report(findings=found)


def _model() -> Report:
    chosen = wire.chosen_model()
    try:
        wire.model()
    except EncodingError as error:
        step = f"`autology models install {chosen}` installs it, `autology models use static` does without."
        return Report((("meaning", f"{chosen}, which cannot be used"),), (Finding("meaning", str(error), step),))
    return Report((("meaning", f"searched by {chosen}"),))


def _server(root: str) -> Report:
    archive = spawn.executable()
    if archive is None:
        return Report((("server", "not tried: this runs from its source, not from the executable"),))
    try:
        return Report((("server", f"answers: {spawn.server_answer(archive, root)}"),))
    except StorageError as error:
        return Report((("server", "does not answer"),), (Finding("server", error.reason, spawn.STEP),))


def _merging(root: str) -> Report:
    state = wire.merge_driver(root).state()
    return merge_driver.examine(state, [path for path in state.paths if not Path(path).exists()] if state else [])


def _log() -> Report:
    lines = [line for line in log.tail(1_000) if " ERROR " in line[:40]]
    if not lines:
        return Report((("log", f"{log.path()}: nothing logged"),))
    errors = f"{counted(len(lines), 'error')}, the last on {lines[-1][:20]}"
    return Report((("log", f"{log.path()}: {errors}; --log shows them"),))
